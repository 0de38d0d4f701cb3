"""A result that is too long, cut so that what is left is whole, and told so.

Knows:    sizes.
Does not: know what a field means.
"""

import json
from dataclasses import replace
from typing import Any, cast

from contracts.wire import Result


def clipped(result: Result, most: int) -> Result:
    """Return the result with its data in at most so many characters of JSON, and say what was left out."""
    data: object = result.data
    if _length(data) <= most:
        return result
    if isinstance(data, list):
        items = cast(list[Any], data)
        kept: list[Any] = []
        left = most - 2
        for item in items:
            left -= _length(item) + 2
            if left < 0:
                break
            kept.append(item)
        said = f"({len(kept)} of {len(items)} items are shown.)"
        return replace(result, data=kept, clipped=_and(result.clipped, said))
    said = "(The answer was too long; long texts in it were cut.)"
    return replace(result, data=_cut(result.data, max(40, most // 20)), clipped=_and(result.clipped, said))


def _and(before: str, said: str) -> str:
    return f"{before} {said}".strip()


def _length(value: object) -> int:
    return len(json.dumps(value, ensure_ascii=False))


def _cut(value: Any, most: int, depth: int = 0) -> Any:
    """Return a value with its texts cut, and its lists to their first items."""
    if isinstance(value, str):
        return value if len(value) <= most else f"{value[:most]}…"
    if isinstance(value, list):
        return [_cut(item, most, depth + 1) for item in cast(list[Any], value)[:20]]
    if isinstance(value, dict):
        fields = list(cast(dict[str, Any], value).items())[:60]
        return {name: _cut(item, max(10, most // 2), depth + 1) for name, item in fields}
    return value
