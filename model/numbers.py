"""Where an id stands in a message, and whether a number there names a thing, or counts or measures.

Knows:    what stands before and after a number (words/numbers.yaml).
Does not: know which numbers are anybody's orders.
"""

import re
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path

import yaml

from common.order_ids import key_of, plain
from common.tickets import ticket_numbers

SHORTEST_NAME = 4
"""Digits of a number that names a thing without a word like "order" before it."""


def plainly(text: str) -> str:
    """Return the text for finding a number in it."""
    return plain(text).casefold()


def stands_in(value: str, text: str) -> bool:
    """Say whether a value stands in the text as a whole token, whatever script its digits are in.

    An order number stands there without its `#` too, and not where a ticket of that number is named.
    """
    said = plain(text)
    for number in [match.span(1) for match, only in ticket_numbers(said) if only]:
        said = said[: number[0]] + ";" * (number[1] - number[0]) + said[number[1] :]
    return bool(list(_places(value, said.casefold())))


def names_ticket(value: str, text: str) -> bool:
    """Say whether the text names the ticket of this number, as "ticket 1001" does T-1001."""
    digits = re.sub(r"^\D+", "", value)
    return any(match[1] == digits for match, _ in ticket_numbers(plain(text)))


def _places(value: str, said: str) -> Iterator[re.Match[str]]:
    key = key_of(value).casefold()
    return re.finditer(rf"{_BEFORE}{re.escape(key)}(?!\w)", said) if key else iter(())


_BEFORE = r"(?<!\w)" + "".join(rf"(?<!\b{letters}-)" for letters in ("[a-z]", "[a-z]{2}", "[a-z]{3}"))
"""What a value does not follow: in T-1001 there is no 1001, and in order-1001 there is."""


def is_quantity(value: str, text: str, things: Collection[str] = ()) -> bool:
    """Say whether a number stands in the text nowhere as a name. things: words that name what has one."""
    number, said = key_of(value), plainly(text)
    if not number.isdigit():
        return False
    places = [(said[: at.start()], said[at.end() :]) for at in _places(number, said)]
    return not any(_names(number, *around) or _is_of(things, around[0]) for around in places)


def _is_of(things: Collection[str], before: str) -> bool:
    either = "|".join(map(re.escape, things))
    return bool(things) and bool(re.search(rf"(?<!\w)(?:{either})[\s.:#-]*$", before))


def _names(value: str, before: str, after: str) -> bool:
    if _around("named_by", before):
        return True
    return len(value) >= SHORTEST_NAME and not _around("before", before) and not _around("after", after)


def _around(kind: str, text: str) -> bool:
    pattern = _pattern(kind)
    return bool(pattern.match(text) if kind == "after" else pattern.search(text))


@cache
def _pattern(kind: str) -> re.Pattern[str]:
    file = Path(__file__).with_name("words") / "numbers.yaml"
    words: list[str] = yaml.safe_load(file.read_text(encoding="utf-8"))[kind]
    either = "|".join(
        rf"(?<!\w){re.escape(w)}" if w[0].isalpha() else re.escape(w) for w in map(plainly, words)
    )
    if kind == "after":
        return re.compile(rf"\s*(?:{either})")
    ending = r"\w*(?:\s+is)?[\s.:#-]*$" if kind == "named_by" else r"\s*$"
    return re.compile(rf"(?:{either}){ending}")
