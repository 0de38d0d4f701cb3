"""Calls that a model wrote as text: hold them back, recover the unmistakable ones.

Knows:    the tags and the JSON form of a call; an offered name and an object of arguments are needed.
Does not: guess. What cannot be read as exactly one form is no call, and is not shown either.
"""

import json
import re
import secrets
from collections.abc import AsyncIterator, Callable
from typing import Any, cast

from model.replies import Reply, ToolCall

# Where a line or a tag may open a call; text is held from there until the reply is whole.
OPENING = re.compile(r"(?:^|\n)[ \t]*(?:[{\[`]|$)|[<{]")
SIGNS = re.compile(
    r"</?(?:tool_call|tools|tool_response|function|function-call)\b|\"(?:arguments|parameters)\"\s*:|\{\s*\""
)
FENCE = re.compile(r"\A```\w*\s*(.*?)\s*(?:```)?\s*\Z", re.DOTALL)
TAGGED = re.compile(r"\A<(tool_call|tools)>\s*(.*?)\s*(?:</\1>)?\s*\Z", re.DOTALL)


class Held:
    """Lets text through until something in it might open a call."""

    def __init__(self) -> None:
        self._waiting = ""
        self._shut = False
        self._begun = False

    def take(self, piece: str) -> str:
        """Take a piece; return what may be shown now."""
        self._waiting += piece
        if self._shut:
            return ""
        opening = self._opening()
        if opening is None:
            shown, self._waiting = self._waiting, ""
        else:
            shown, self._waiting = self._waiting[:opening], self._waiting[opening:]
            self._shut = bool(self._waiting.strip())
        self._begun = self._begun or bool(shown)
        return shown

    def rest(self) -> str:
        """Return what was held back; only for a reply that proved to be text."""
        shown, self._waiting = self._waiting, ""
        return shown

    def _opening(self) -> int | None:
        for match in OPENING.finditer(self._waiting):
            at_start = match.start() == 0 and not match.group().startswith(("\n", "<"))
            if at_start and self._begun:
                continue
            return match.start()
        return None


async def guarded(
    items: AsyncIterator[str | Reply], settle: Callable[[Reply], Reply]
) -> AsyncIterator[str | Reply]:
    """Yield the text that is no call, then the reply as `settle` leaves it."""
    held = Held()
    async for item in items:
        if isinstance(item, Reply):
            reply = settle(item)
            if reply.content is not None and (rest := held.rest()):
                yield rest
            yield reply
        elif piece := held.take(item):
            yield piece


def is_markup(text: str) -> bool:
    """Tell whether the text carries a call, or a result that the model made up."""
    return bool(SIGNS.search(text)) or _is_whole_json(text)


def recovered(text: str, names: set[str]) -> tuple[ToolCall, ...]:
    """Return the one call that the text is, or nothing.

    The text must be one JSON object, bare, fenced or tagged, with an offered name and an object of arguments.
    """
    body = text.strip()
    for wrapping in (FENCE, TAGGED):
        if match := wrapping.match(body):
            body = match.group(match.lastindex or 1)
    call = _object(body)
    name, arguments = call.get("name"), call.get("arguments")
    if name not in names or not isinstance(arguments, dict):
        return ()
    return (ToolCall(f"call_{secrets.token_hex(4)}", str(name), json.dumps(arguments, ensure_ascii=False)),)


def _object(text: str) -> dict[str, Any]:
    try:
        value: Any = json.loads(text, object_pairs_hook=_without_doubles)
    except ValueError:
        return {}
    return cast(dict[str, Any], value) if isinstance(value, dict) else {}


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({key for key, _ in pairs}) != len(pairs):
        raise ValueError("a key stands twice")
    return dict(pairs)


def _is_whole_json(text: str) -> bool:
    body = text.strip()
    if match := FENCE.match(body):
        body = match.group(1)
    return body.startswith("{") and body.endswith("}")
