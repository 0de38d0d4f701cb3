"""The values in a text that can be true or false: numbers, amounts, dates, durations, links, addresses.

Knows:    how people and machines write them, by value: 1,499.00 is 1499, 14 September 2026 is 2026-09-14,
          and "тридцать дней" is 30 days; the words are in calendar.py, spelled.py and units.py. Also what
          the words before a number call it (roles.py), and a minus.
Does not: know what was observed (guards/output.py) or which of them matter to a shop.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from common.text import fold
from guards.contacts import contacts
from guards.days import days_said
from guards.elsewhere import channels
from guards.in_words import told
from guards.patterns import any_value
from guards.reading import Reading, Value, numbers, values_of
from guards.roles import MONEY, VOUCHER, goes_on, role_of
from guards.words import levelled

__all__ = ["Read", "Reading", "Value", "numbers", "read", "values"]

_EMPHASIS = re.compile(r"(?<=\d)(?:[*_`~]{2,6}|</?\w{1,10}>)(?=\d)")
"""Marks that a screen draws as nothing, so that 44**71** is read as 4471."""

_DOT = re.compile(r"(?<=\w)(?:[·•‧⸱⋅∙・]|%2e)(?=\w)", re.IGNORECASE)
"""What is read as a dot between two letters or figures."""

_ONE_SIGN = {
    **{start + at: str(at + 1) for start in (0x2776, 0x2780, 0x278A, 0x24F5) for at in range(10)},
    ord("⓿"): "0",
    ord("🔟"): "10",
    ord("💯"): "100",
    0x130: "I",
    0x131: "i",
    ord("№"): "#",
    0x2010: "-",
    0x2011: "-",
    0x2012: "-",
    0xFE63: "-",
}
"""Figures in circles, and hyphens that are no dash: folding leaves the first and makes one of another."""

_FILLER = "\ue000"
"""Stands where a contact stood; fold() leaves none of these in a text."""


@dataclass(frozen=True)
class Read:
    """A text as it was read: its words levelled, its numbers in digits, and the values in it, in order."""

    text: str
    values: tuple[Value, ...]


def values(text: str) -> Iterator[Value]:
    """Yield the values that stand in a text, in order, each once where it stands."""
    yield from read(text).values


def read(text: str) -> Read:
    """Return a text with its values."""
    return _read_short(text) if len(text) <= _SHORT else _read(text)


_SHORT = 80
"""Characters of the fields of results, many of which are alike."""


@lru_cache(maxsize=2_048)
def _read_short(text: str) -> Read:
    return _read(text)


def _read(text: str) -> Read:
    folded = _EMPHASIS.sub("", fold(text.translate(_ONE_SIGN))).translate(_ONE_SIGN)
    plain = levelled(_DOT.sub(".", folded))
    said = told(plain)
    found = [
        Value(
            contact.way,
            said.written(contact.start, contact.end),
            (contact.plain,),
            contact.start,
            contact.end,
        )
        for contact in contacts(said.text)
    ]
    rest = said.text
    for contact in found:
        rest = rest[: contact.start] + _FILLER * (contact.end - contact.start) + rest[contact.end :]
    for match in any_value().finditer(rest):
        found += (replace(value, written=said.written(value.start, value.end)) for value in values_of(match))
    found += days_said(rest)
    found += channels(rest)
    found += _codes_of_letters(rest, found)
    found.sort(key=lambda value: value.start)
    return Read(said.text, tuple(_called(said.text, found)))


_LETTERS = re.compile(r"(?<!\w)(?:[A-Z]{4,20}|[А-Я]{4,20})(?!\w)")


def _codes_of_letters(text: str, found: list[Value]) -> Iterator[Value]:
    """Yield each word in capitals that the words before it call a code: "use the code FREESHIP"."""
    taken = [(value.start, value.end) for value in found]
    for word in _LETTERS.finditer(text):
        free = not any(start < word.end() and word.start() < end for start, end in taken)
        if free and role_of(text, word.start()) == VOUCHER:
            yield Value("code", word[0], (word[0].casefold(),), *word.span(), digits=len(word[0]))


def _called(text: str, found: list[Value]) -> Iterator[Value]:
    """Yield the values with what the words before each call it."""
    role, end = "", -1
    for value in found:
        if value.kind not in ("number", "code", "amount"):
            yield value
            continue
        own = role_of(text, value.start)
        if not own and role and role != MONEY and goes_on(text, end, value.start):
            own = role
        role, end = own, value.end
        yield _as_called(value, own, text)


def _as_called(value: Value, role: str, text: str) -> Value:
    if value.kind == "amount":
        return value if value.currency or role != MONEY else replace(value, role=role)
    if role == MONEY and value.kind == "number":
        small = sum(char.isdigit() for char in value.written) < 3
        return (
            value
            if small and re.match(r"\s?[-\w]", text[value.end : value.end + 2])
            else replace(value, kind="amount", role=role)
        )
    return replace(value, role=role) if role != MONEY else value
