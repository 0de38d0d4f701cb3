"""A rule that a contract breaks, as the rules yield it: where in which file, what must hold, what to do.

Knows:    the form.
Does not: know a line; reading.py finds it.
"""

from dataclasses import dataclass

from contracts.yaml_text import Loc

FUNCTIONS = "functions.yaml"
VIEWS = "views.yaml"


@dataclass(frozen=True)
class Broken:
    """One broken rule. file: inside the task. loc: the way to the field."""

    file: str
    loc: Loc
    rule: str
    remedy: str
