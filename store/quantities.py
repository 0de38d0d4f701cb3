"""Amounts and spans of time in a text, compared by value: two weeks are 14 days, a year is 12 months.

Knows:    numbers in digits of any script or in words, and the units beside them, by the language's lexicon.
Does not: know which of them a question is about.   (store/coverage.py)
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from common.stemming import WORD
from store.lexicon import Lexicon

_SIGNS = {
    "€": "eur",
    "$": "usd",
    "£": "gbp",
    "¥": "jpy",
    "₹": "inr",
    "₽": "rub",
    "%": "percent",
    "٪": "percent",
}
_TOKEN = re.compile(rf"\d+(?:[.,]\d+)?|{WORD}|[{''.join(_SIGNS)}]")
_DIGITS = re.compile(r"\d+(?:[.,]\d+)?")

TIMES = frozenset({"hour", "day", "week", "month", "year"})
MONEY = frozenset(_SIGNS.values())

_SAME = {"week": (7.0, "day"), "year": (12.0, "month"), "month": (30.0, "day"), "hour": (1 / 24, "day")}
"""What one of a unit is of a smaller one, or a larger; a month is told as 30 days in rules like these."""

Amount = tuple[float, str]
"""A number and its unit."""


@dataclass(frozen=True)
class Quantity:
    """A number with a unit, where it stands in a text."""

    value: float
    unit: str
    start: int
    end: int

    def same(self) -> Iterator[Amount]:
        """Yield the amount, and what it is in other units."""
        yield self.value, self.unit
        if self.unit in _SAME:
            factor, smaller = _SAME[self.unit]
            yield self.value * factor, smaller
        for larger, (factor, unit) in _SAME.items():
            if unit == self.unit:
                yield self.value / factor, larger


def quantities(text: str, lexicon: Lexicon) -> tuple[Quantity, ...]:
    """Return the quantities of a text in its order; a number without a unit is none."""
    tokens = list(_TOKEN.finditer(text))
    return tuple(found for place in range(len(tokens)) if (found := _at(tokens, place, lexicon)))


def _at(tokens: list[re.Match[str]], place: int, lexicon: Lexicon) -> Quantity | None:
    """Return the quantity whose number stands here: "€5", "5 €", "5 working days", "half a year"."""
    value = _value(tokens[place][0], lexicon)
    if value is None:
        return None
    before = tokens[place - 1] if place else None
    if before and before[0] in _SIGNS and before.end() == tokens[place].start():
        return Quantity(value, _SIGNS[before[0]], before.start(), tokens[place].end())
    for after in tokens[place + 1 : place + 3]:
        if unit := _unit(after[0], lexicon):
            return Quantity(value, unit, tokens[place].start(), after.end())
        if _value(after[0], lexicon) is not None:
            break
    return None


def named(text: str, lexicon: Lexicon) -> frozenset[Amount]:
    """Return what a passage names: each of its numbers with each of its units, for "3 to 5 working days"."""
    words = _TOKEN.findall(text)
    numbers = {value for word in words if (value := _value(word, lexicon)) is not None}
    return frozenset((number, unit) for word in words if (unit := _unit(word, lexicon)) for number in numbers)


def _value(word: str, lexicon: Lexicon) -> float | None:
    return float(word.replace(",", ".")) if _DIGITS.fullmatch(word) else lexicon.numbers.get(word.casefold())


def _unit(word: str, lexicon: Lexicon) -> str:
    return _SIGNS.get(word) or lexicon.units.get(word.casefold(), "")
