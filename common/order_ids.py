"""An order number as the shop prints it: its shape, and which form of what somebody typed has it.

Knows:    ORDER_ID_PATTERN, and how people write a number that has a sign before it and letters in it.
Does not: find a number in a sentence (guards/mentions.py), or know any order.
Rule:     what was typed is tried as it stands, then without and with `#` before it. Only where none of these
          fits is its case tried; then exactly one form has to fit, or it names nothing.
"""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Annotated

from pydantic import AfterValidator

from common.id_pattern import MAX_LENGTH, read_pattern
from common.settings import Settings
from common.text import fold

DIGITS = "^[0-9]{1,12}$"
"""The shape of an order number unless the shop says otherwise."""


def whole_match(pattern: str) -> str:
    """Return the pattern anchored on both sides, its short classes written out in ASCII.

    Raises: ValueError, saying what cannot stay and what to write instead.
    """
    return read_pattern(pattern).text


class OrderIdSettings(Settings):
    """What an order number looks like."""

    order_id_pattern: Annotated[str, AfterValidator(whole_match)] = DIGITS


def form_that_matches(text: str, pattern: str) -> str | None:
    """Return the form of the text that is an id of this pattern, None where there is none or no single one.

    Raises: ValueError for a pattern that ORDER_ID_PATTERN could not be.
    """
    rules = _compiled(pattern)
    return form_that_fits(text, lambda form: len(form) <= MAX_LENGTH and bool(rules.fullmatch(form)))


def form_that_fits(text: str, fits: Callable[[str], bool]) -> str | None:
    """Return the form of the text that fits, None where there is none or no single one."""
    tried = list(dict.fromkeys(_with_and_without_sign(text)))
    for form in tried:
        if fits(form):
            return form
    other = {form for written in tried for form in _cases(written) if fits(form)}
    return other.pop() if len(other) == 1 else None


def key_of(text: str) -> str:
    """Return what ids are compared by: one spelling of digits, no `#` or space around; case counts."""
    return plain(text).strip().removeprefix("#").strip()


def plain(text: str) -> str:
    """Return the text with one spelling of each digit and letter, and # for №."""
    return fold(text.replace("№", "#"))


def _with_and_without_sign(text: str) -> Iterator[str]:
    for written in (text.strip(), plain(text).strip()):
        bare = written.removeprefix("#").strip()
        yield from (form for form in (written, bare, f"#{bare}") if bare)


def _cases(form: str) -> Iterator[str]:
    """Yield the form in other cases; a word without a digit is a word, and none of these."""
    if any(char.isdigit() for char in form):
        sign, bare = form[: form.startswith("#")], form.removeprefix("#")
        yield from (sign + other for other in (bare.upper(), bare.lower(), bare.capitalize(), bare.title()))


@lru_cache(maxsize=64)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(whole_match(pattern))
