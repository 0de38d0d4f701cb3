"""Whether arguments can be sent: what would break the session, or never be answered, is not sent at all.

Knows:    JSON text and its size.
Does not: know schemas.   (guards/call.py, and the server)
"""

import json
from typing import cast

from bridge.results import ToolResult, failure

_MAX_DEPTH = 100
"""Levels of one call's arguments. An SDK server drops a message of 200 without a word (measured, mcp 2.3)."""


def problem_with(arguments: object, limit_bytes: int) -> ToolResult | None:
    """Return the refusal of arguments that cannot be sent, None for those that can."""
    if not isinstance(arguments, dict):
        return failure(
            "bad_arguments",
            f"The arguments are {type(arguments).__name__}, not an object.",
            "Send one JSON object.",
        )
    try:
        text = json.dumps(arguments, allow_nan=False, ensure_ascii=False)
        size = len(text.encode("utf-8"))
        deep = (
            text.count("{") + text.count("[") > _MAX_DEPTH and _levels(cast(object, arguments)) > _MAX_DEPTH
        )
        named = all(isinstance(key, str) for key in cast(dict[object, object], arguments))
    except (TypeError, ValueError, RecursionError):
        named, size, deep = False, 0, False
    if not named or deep:
        return failure(
            "bad_arguments",
            "The arguments cannot be written as JSON text.",
            "Send plain text, numbers, lists and objects.",
        )
    if size > limit_bytes:
        return failure(
            "bad_arguments",
            f"The arguments take {size} bytes; {limit_bytes} are allowed.",
            "Send a shorter text.",
        )
    return None


def _levels(value: object) -> int:
    """Return how deep lists and objects are nested in a value that is written as JSON."""
    levels, inner = 0, [value]
    while inner:
        levels += 1
        inner = [item for each in inner for item in _items(each)]
    return levels


def _items(value: object) -> list[object]:
    if isinstance(value, dict):
        return list(cast(dict[object, object], value).values())
    return list(cast(list[object], value)) if isinstance(value, list | tuple) else []
