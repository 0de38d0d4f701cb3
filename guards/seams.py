"""Values that stand in two pieces of a reply, where each piece by itself says nothing: 91, a new line, 82.

Knows:    the end of what was told and the piece that follows it.
Does not: judge a piece by itself.   (guards/output.py)
Rule:     a piece of figures without a word goes on whatever figures end what was told; a piece that begins
          as a link ends goes on a link. The numbers of a list that were each observed are no value together.
"""

import re
from collections.abc import Iterator
from datetime import date

from guards.contacts import CERTAIN_TOP
from guards.observed import CONTACTS, Observed
from guards.output import unobserved
from guards.values import Read, read

_REACH = 120
"""Characters before the piece; an account's number has no more, however it is spaced."""

_ENDS_A_LINK = re.compile(rf"[.\s]*(?:{CERTAIN_TOP})\b")
_WORD = re.compile(r"[^\W\d_]")
_DIGITS = re.compile(r"\d+")


def across(before: str, piece: str, observed: Observed, today: date | None = None) -> list[str]:
    """Return the values that begin in what was told, end in this piece, and are supported by nothing."""
    if not before.strip() or not (_ENDS_A_LINK.match(piece) or _is_figures(piece)):
        return []
    end = before[-_REACH:]
    apart = f"{_line(read(end).text)}\n{_line(read(piece).text)}"
    together = read(_line(f"{end} {piece}"))
    return list(dict.fromkeys(_strangers(together, apart, observed, today)))


def _strangers(together: Read, apart: str, observed: Observed, today: date | None) -> Iterator[str]:
    for value in unobserved(together, observed, today):
        written = together.text[value.start : value.end]
        if value.kind in ("number", "code", *CONTACTS) and written not in apart:
            parts = _DIGITS.findall(written)
            if value.kind in ("link", "email") or not all(_is_known(part, observed) for part in parts):
                yield value.written


def _is_known(digits: str, observed: Observed) -> bool:
    return len(digits) > 2 and not any(unobserved(read(digits), observed))


def _is_figures(piece: str) -> bool:
    text = read(piece).text if len(piece) < _REACH else piece
    return _DIGITS.search(text) is not None and _WORD.search(text) is None


def _line(text: str) -> str:
    return " ".join(text.split())
