"""The names that the examples call, in place of ones that differ from them in case or underscores alone.

Knows:    names of functions and classes at the top of a file, and Python's tokens.
Does not: rename what is not plainly meant: where the name is there, or two could be meant, nothing changes.
Standard library only: the developer starts with it.
"""

import ast
import io
import tokenize
from collections.abc import Sequence


def with_wanted_names(source: str, names: Sequence[str]) -> str:
    """Return the source with its functions called as they are wanted; what does not parse as it is."""
    for name in names:
        try:
            defined = _defined(ast.parse(source))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return source
        alike = [each for each in defined if _bare(each) == _bare(name)]
        if name not in defined and len(alike) == 1 and alike[0] not in names:
            source = _renamed(source, alike[0], name)
    return source


def _defined(tree: ast.Module) -> set[str]:
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return {node.name for node in tree.body if isinstance(node, kinds)}


def _bare(name: str) -> str:
    return name.replace("_", "").casefold()


def _renamed(source: str, old: str, new: str) -> str:
    """Return the source with every name `old` as `new`; strings, comments and attributes stay."""
    lines = source.split("\n")
    tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
    places = [
        token.start
        for before, token in zip([None, *tokens], tokens, strict=False)
        if token.type == tokenize.NAME
        and token.string == old
        and not (before is not None and before.type == tokenize.OP and before.string == ".")
    ]
    for row, column in reversed(places):
        line = lines[row - 1]
        lines[row - 1] = f"{line[:column]}{new}{line[column + len(old) :]}"
    return "\n".join(lines)
