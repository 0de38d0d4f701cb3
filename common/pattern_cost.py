"""How often a regular expression may be tried on a text before it says no.

Knows:    repeats, groups and alternatives; every other sign is taken to match anything.
Does not: run a pattern, or read one for its meaning.   (id_pattern.py)
Rule:     it judges by form and errs on the safe side. A pattern comes from another server, or from a setting.
Measured: Python tries some ten million ways a second, so that one text costs 20 ms at the most.
"""

import math
import re
from dataclasses import dataclass
from functools import lru_cache

_MAX_PATTERN = 300
_MAX_WAYS = 200_000

_MANY = 32
"""Choices from which a repeat counts as one without a bound: several share the length of the text."""

_ANYTHING = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]", re.DOTALL)
_TOKEN = re.compile(
    r"(?P<opens>\((?:\?(?:P?<\w+>|<?[=!]|[A-Za-z-]*:|>|[A-Za-z-]+(?=\))))?)|(?P<closes>\))|(?P<bar>\|)"
    r"|(?P<repeat>[*+?]|\{(?P<least>[0-9]*)(?P<comma>,?)(?P<most>[0-9]*)\})[?+]?|(?P<plain>.)",
    re.DOTALL,
)


def is_costly(pattern: str, length: int = 64) -> bool:
    """Say whether a pattern may take long on a text of that many characters.

    `(ab)+` and `[A-Z]?[0-9]{1,12}` pass, `(a+)+`, `(a|a)*` and thirty `[0-9]?` in a row do not.
    """
    ways = _ways(pattern) if len(pattern) <= _MAX_PATTERN else None
    return ways is None or ways.in_a_text(length) > _MAX_WAYS


@dataclass(frozen=True)
class _Ways:
    """In how many ways a piece can match: choices, times how `shared` repeats can part a text's length."""

    choices: int = 1
    shared: int = 0

    def then(self, other: "_Ways") -> "_Ways":
        return _Ways(min(self.choices * other.choices, _MAX_WAYS + 1), self.shared + other.shared)

    def or_else(self, other: "_Ways") -> "_Ways":
        return _Ways(min(self.choices + other.choices, _MAX_WAYS + 1), max(self.shared, other.shared))

    def in_a_text(self, length: int) -> int:
        return self.choices * math.comb(length + self.shared, self.shared)

    def repeated(self, least: int, most: int | None) -> "_Ways | None":
        """Return the ways of a piece that is repeated; None where they grow without measure."""
        if self == _Ways():
            if most is None or most - least >= _MANY:
                return _Ways(shared=1)
            return _Ways(max(most - least, 0) + 1)
        if most is None or most > _MAX_PATTERN:
            return None
        choices, once = 0, 1
        for times in range(most + 1):
            choices += once if times >= least else 0
            once = min(once * self.choices, _MAX_WAYS + 1)
        return _Ways(min(choices, _MAX_WAYS + 1), self.shared * most)


@dataclass
class _Group:
    """A group while it is read: its alternatives so far, the current one, and its last piece."""

    before: _Ways | None = None
    current: _Ways = _Ways()
    last: _Ways = _Ways()

    def add(self, piece: _Ways) -> None:
        self.current, self.last = self.current.then(self.last), piece

    def end_alternative(self) -> _Ways:
        read = self.current.then(self.last)
        self.before = self.before.or_else(read) if self.before else read
        self.current = self.last = _Ways()
        return self.before


@lru_cache(maxsize=512)
def _ways(pattern: str) -> _Ways | None:
    """Return in how many ways a pattern can match, from wherever it may begin; None for no end of them."""
    groups = [_Group()]
    for token in _TOKEN.finditer(_ANYTHING.sub("x", pattern)):
        if token["opens"]:
            groups.append(_Group())
        elif token["bar"]:
            groups[-1].end_alternative()
        elif token["closes"] and len(groups) > 1:
            inner = groups.pop().end_alternative()
            groups[-1].add(inner)
        elif token["repeat"]:
            repeated = groups[-1].last.repeated(*_bounds(token))
            if repeated is None:
                return None
            groups[-1].last = repeated
        else:
            groups[-1].add(_Ways())
    begins_once = pattern.startswith("^") and len(groups) == 1 and groups[0].before is None
    whole = groups[0].end_alternative()
    return whole if begins_once else whole.then(_Ways(shared=1))


def _bounds(token: re.Match[str]) -> tuple[int, int | None]:
    sign = token["repeat"]
    if not sign.startswith("{"):
        return (1 if sign == "+" else 0), (1 if sign == "?" else None)
    least = int(token["least"] or 0)
    if not token["comma"]:
        return least, least
    return least, int(token["most"]) if token["most"] else None
