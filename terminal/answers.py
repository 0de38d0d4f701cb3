"""What a person's line at an approval's question means.

Knows:    the keys: y, a, n, w, e and their words.
Does not: ask, show or approve anything.   (approver.py)
Rule:     `y` alone is yes; `a` alone is one where the question offers it. Enter alone is no. What is none
          of the keys is no yes: the person is told how to answer.
"""

import re
from dataclasses import dataclass
from typing import Literal

Kind = Literal["yes", "always", "no", "why", "edit", "unclear"]

_BLANKS = " \t\r\n"
_NO = re.compile(r"(?:n|no)(?:\s*[,;:.]\s*|\s+)(?P<reason>\S.*)", re.IGNORECASE | re.DOTALL)
_FILLER = re.compile(r"(?:because|since|as)\s+", re.IGNORECASE)


@dataclass(frozen=True)
class Meaning:
    """What was meant.

    reason: given with a no. asks_reason: the person said no in a word, and may want to say why.
    """

    kind: Kind
    reason: str | None = None
    asks_reason: bool = False


def is_yes(line: str) -> bool:
    """Say whether a line is the one yes there is: the letter y, alone, of either case."""
    return line.strip(_BLANKS) in ("y", "Y")


def meaning(line: str) -> Meaning:
    """Return what a line typed at the question means."""
    if is_yes(line):
        return Meaning("yes")
    if line.strip(_BLANKS) in ("a", "A", "always"):
        return Meaning("always")
    said = line.strip()
    word = said.lower()
    if word in ("", "n", "no"):
        return Meaning("no", asks_reason=word != "")
    if word in ("w", "why", "?"):
        return Meaning("why")
    if word in ("e", "edit"):
        return Meaning("edit")
    if refused := _NO.fullmatch(said):
        return Meaning("no", _FILLER.sub("", refused["reason"], count=1))
    return Meaning("unclear")
