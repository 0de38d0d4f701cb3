"""How many columns a text takes.

Knows:    two tables, Rich's and wcwidth's, which disagree on vowel signs of Indic scripts as terminals do.
Does not: know a terminal. The larger figure is taken: a line that ends early is whole in every terminal.
"""

from rich.cells import cell_len
from wcwidth import wcswidth


def columns_of(text: str) -> int:
    """Return the columns that a text may take in some terminal; controls count as none."""
    return max(cell_len(text), wcswidth(text))
