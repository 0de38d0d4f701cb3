"""Whether a text is a Python expression.

Does not: run or evaluate it.
"""

import ast
import warnings


def parsed(source: str) -> ast.expr | None:
    """Return the expression's tree, or None where the text is no Python expression."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # "\d" in a string is odd, and still a string
        try:
            return ast.parse(source.strip(), mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None
