"""Whether a number in a message names a thing, or counts, measures, or is reckoned with.

Knows:    what stands before and after a number (words/numbers.yaml).
Does not: know which numbers are anybody's orders.
"""

import re
from functools import cache
from pathlib import Path

import yaml

from common.text import fold

SHORTEST_NAME = 4
"""Digits of a number that names a thing without a word like "order" before it."""


def plainly(text: str) -> str:
    """Return the text for finding a number in it; as letters the sign № would stick to the number."""
    return fold(text.replace("№", "#")).casefold()


def is_quantity(value: str, text: str) -> bool:
    """Say whether a number stands in the text nowhere as a name."""
    if not value.isdigit():
        return False
    plain = plainly(text)
    places = re.finditer(rf"(?<!\w){value}(?!\w)", plain)
    return not any(_names(value, plain[: at.start()], plain[at.end() :]) for at in places)


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
