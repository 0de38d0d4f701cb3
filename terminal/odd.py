"""What is odd about the texts of a question: characters that nobody sees, and words that pass for others.

Knows:    every text of a request that a person reads, and where in it each stands.
Does not: find an odd character (common/), or show anything.   (card.py)
"""

from collections.abc import Callable, Iterator
from typing import Any, cast

from common.approval import ApprovalRequest
from common.confusables import hidden, lookalikes
from common.schema import Schema, field_schema, inline, item_schema
from common.text import visible
from guards.kinds import kind_of

_MAX_TOLD = 5
"""Rows of one kind on one card; the rest are counted."""

_MAX_PLACE = 60

Place = tuple[str, str, bool]
"""Where a text stands, the text, and whether it is an id."""


def oddities(request: ApprovalRequest) -> list[str]:
    """Return a sentence for each odd character or word of what a person is about to agree to."""
    unseen: dict[str, None] = {}
    alike: dict[str, None] = {}
    for place, text, exact in _texts(request):
        where = visible(place)[:_MAX_PLACE]
        if found := hidden(text):
            unseen[f"Hidden characters: {', '.join(found)} in {where}"] = None
        for each in lookalikes(text, exact=exact):
            alike[f"Look-alikes: {visible(str(each))} in {where}"] = None
    return [*_some(list(unseen)), *_some(list(alike))]


def _some(told: list[str]) -> list[str]:
    more = len(told) - _MAX_TOLD
    return told if more <= 0 else [*told[:_MAX_TOLD], f"{told[_MAX_TOLD].partition(':')[0]}: {more} more"]


def _texts(request: ApprovalRequest) -> Iterator[Place]:
    yield "the title", request.title, False
    yield "the effect", request.effect, False
    yield "who asks", request.asked_by, False
    yield "what always covers", request.always, False
    for name, value in request.arguments.items():
        yield name, name, True
        yield from _leaves(name, value, field_schema(inline(request.schema), name), kind_of)
    yield from _leaves("the form", request.form, {}, _no_id)


def _no_id(name: str, schema: Schema) -> None:
    return None


def _leaves(
    place: str, value: Any, schema: Schema, kind: Callable[[str, Schema], object], name: str = ""
) -> Iterator[Place]:
    """Yield every text inside a value, its keys too."""
    if isinstance(value, str):
        yield place, value, kind(name or place, schema) is not None
    elif isinstance(value, list):
        for item in cast(list[Any], value):
            yield from _leaves(place, item, item_schema(schema), kind, name or place)
    elif isinstance(value, dict):
        for key, part in cast(dict[str, Any], value).items():
            yield place, key, True
            yield from _leaves(f"{place}.{key}", part, field_schema(schema, key), kind, key)
