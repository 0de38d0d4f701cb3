"""The ids that a customer's message may hold, as written.

Knows:    how people write order numbers.
Does not: know what else looks like one (guards/addresses.py, quantities.py), any argument, its pattern, or
          what a tool returned.   (guards/grounding.py)
Limit:    a bare number could be an id, so it is taken as one; the customer did write it.
"""

import re
from collections.abc import Iterator

from common.order_ids import plain
from common.text import shortened
from common.tickets import TICKET, ticket_numbers
from guards.addresses import ADDRESS
from guards.input import MAX_QUESTION
from guards.quantities import without_quantities

_TOKEN = re.compile(r"#?[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*", re.ASCII)

_PARTED = re.compile(r"[-_/.:]")
_WIDE = re.compile(r"#?\w+(?:[-/.:]\w+)*")
"""A word of any script with more signs in it: `SO/2024/0017`."""

_GLUED = re.compile(
    r"#?(?:orders?|no|nr|num|number|id|ids|pedido|orden|bestellung|auftrag|commande|ordine|zakaz|número"
    r"|заказ[^\W\d]{0,2}|номер[^\W\d]{0,2})[-_]?#?([0-9]+)",
    re.IGNORECASE,
)
"""`order4471`, `order-4471`: the word and the number with no space between."""

_SPACED = re.compile(r"(?<![\w#.,-])\d{1,3}(?: \d{1,3}){1,8}(?![\w.,-]{0,40}\d)", re.ASCII)
"""`44 71`: one number in groups, as people read it aloud."""


def mentions(text: str) -> list[str]:
    """Return the pieces of a message that may be ids, each once: words, less prices, dates and counts.

    A number that the customer calls a ticket comes with the word, as in "ticket 1001". A message that is too
    long to be answered is read to the limit.
    """
    return list(dict.fromkeys(_mentions(plain(shortened(text, MAX_QUESTION)))))


def is_plain(piece: str) -> bool:
    """Say whether a piece is written as any id may be; others are ids only where a pattern says so."""
    return _TOKEN.fullmatch(piece) is not None


def _mentions(text: str) -> Iterator[str]:
    whole = ADDRESS.sub(" ; ", text)
    text = without_quantities(whole)
    for match, only in list(ticket_numbers(text)):
        yield f"{TICKET} {match[1]}"
        if only:
            start, end = match.span(1)
            text = f"{text[:start]}{';' * (end - start)}{text[end:]}"
    for match in _SPACED.finditer(text):
        yield match[0].replace(" ", "")
    for match in _TOKEN.finditer(text):
        if _could_be_id(match[0]) and not _is_part_of_word(match):
            yield match[0]
    yield from _wide(text, whole)


def _wide(text: str, whole: str) -> Iterator[str]:
    """Yield the words that only a pattern can make an id. whole: the text with its dates and prices."""
    for match in _WIDE.finditer(text):
        glued = _GLUED.fullmatch(match[0])
        if glued:
            yield glued[1]
        elif _has_digit(match[0]) and not is_plain(match[0]):
            yield match[0]
    for match in _WIDE.finditer(whole):
        # 2024-05-17 is a date, and AB-2024-05-17 is none.
        if _has_digit(match[0]) and not match[0][0].isdigit() and _PARTED.search(match[0]):
            yield match[0]


def _could_be_id(token: str) -> bool:
    """Say whether a word may be an id at all; an ordinary word is none, and a chat is full of them."""
    return _has_digit(token) or "_" in token or (len(token) > 3 and token.isupper())


def _has_digit(token: str) -> bool:
    return any(char.isdigit() for char in token)


def _is_part_of_word(match: re.Match[str]) -> bool:
    """Say whether a letter goes on with it that only looks like one of ours: Cyrillic where we read Latin.

    Scripts without capitals set a word right beside a number, and Russian an ending right after it.
    """
    before = match.string[match.start() - 1 : match.start()]
    after = match.string[match.end() : match.end() + 1]
    goes_on = before.upper() != before.lower() and match[0][0] != "#"
    return goes_on or (after.isupper() and not after.isascii())
