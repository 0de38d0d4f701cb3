"""A result and an approval in sentences, by language: the contract's, or plain ones of the declared fields.

Knows:    sentences with {fields}, and how values are written in them.
Does not: choose a language.
Rule:     a value is data: one line, cut, and never read for braces of its own.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, cast

from common.text import one_line
from contracts.contract import Function, Said
from contracts.responding import at
from contracts.task import Offered
from contracts.wire import Result

ENGLISH = "en"
MOST_ITEMS = 20
"""Items of a list that a sentence names; the data hold all."""

_MOST_VALUE = 200
_FIELD = re.compile(r"\{([^{}]*)\}")
_TIME = re.compile(r"\b([0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}):[0-9]{2}(?:\.[0-9]{1,9})?$")
"""A time whose seconds nobody reads aloud."""

_YES_NO = {True: "yes", False: "no"}


def told(offered: Offered, result: Result) -> dict[str, str]:
    """Return the sentence of a result by language, English among them."""
    function = offered.contract
    spoken = _languages(function)
    return {language: _told(function, result, language) for language in spoken}


def _languages(function: Function) -> list[str]:
    said = [getattr(function.response.told, name) for name in ("one", "some", "each", "none")]
    found = {language for each in said if isinstance(each, dict) for language in cast(dict[str, str], each)}
    return [ENGLISH, *sorted(found - {ENGLISH})]


def _told(function: Function, result: Result, language: str) -> str:
    told, data = function.response.told, result.data
    if isinstance(data, list):
        sentence = _list_told(function, cast(list[Any], data), result.count, language)
    elif data is None:
        sentence = _in(told.one, language, {}) if told.one else "Done."
    elif told.one:
        sentence = _in(told.one, language, data)
    else:
        sentence = _sentence(_plain(data))
    return f"{sentence} {result.clipped}".strip()


def _list_told(function: Function, items: list[Any], counted: int | None, language: str) -> str:
    told = function.response.told
    count = len(items) if counted is None else counted
    if not items:
        return _in(told.none, language, {}) if told.none else "Found nothing."
    each = [_in(told.each, language, item) if told.each else _plain(item) for item in items[:MOST_ITEMS]]
    more = count - len(each)
    joined = ("; " if told.each or len(each) > 1 else ", ").join(each) + (
        f"; and {more} more" if more else ""
    )
    facts = {"count": count, "items": _Whole(joined)}
    if told.some:
        return _in(told.some, language, facts)
    return _sentence(f"Found {count}: {joined}")


class _Whole(str):
    """A text of sentences that were filled before: cut in its middle, a number in it would be another."""


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."


def approval_told(offered: Offered, arguments: Mapping[str, Any]) -> dict[str, str]:
    """Return the sentence by which a person is asked, by language, English among them."""
    said = offered.contract.approval
    if said is None:
        return {ENGLISH: _sentence(f"{offered.contract.summary.rstrip('.')}: {_plain(dict(arguments))}")}
    by_language = said if isinstance(said, dict) else {ENGLISH: said}
    return {language: _filled(text, arguments) for language, text in by_language.items()}


def _in(said: Said | None, language: str, data: Any) -> str:
    if said is None:
        return ""
    return _filled(said if isinstance(said, str) else said.get(language, said[ENGLISH]), data)


def _filled(template: str, data: Any) -> str:
    return _FIELD.sub(lambda found: _written(at(data, found.group(1))), template)


def _written(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, bool):
        return _YES_NO[value]
    if isinstance(value, list | dict):
        return _plain(value)
    if isinstance(value, _Whole):
        return value
    text = _TIME.sub(r"\1", one_line(str(value)[:2_000]))
    return text if len(text) <= _MOST_VALUE else f"{text[:_MOST_VALUE]}…"


def _plain(value: Any, depth: int = 0) -> str:
    """Return data as `id 12, name Coffee`: every declared field by its own name."""
    if depth > 3:
        return "…"
    if isinstance(value, dict):
        fields = cast(Mapping[str, Any], value)
        parts = [
            f"{name.replace('_', ' ')} {_inner(item, depth)}"
            for name, item in fields.items()
            if item is not None
        ]
        return ", ".join(parts) or "nothing"
    if isinstance(value, list):
        items = cast(Sequence[Any], value)
        shown = [_inner(item, depth) for item in items[:MOST_ITEMS]]
        return ", ".join(shown) + (f" and {len(items) - MOST_ITEMS} more" if len(items) > MOST_ITEMS else "")
    return _written(value)


def _inner(value: Any, depth: int) -> str:
    return f"({_plain(value, depth + 1)})" if isinstance(value, dict | list) else _written(value)
