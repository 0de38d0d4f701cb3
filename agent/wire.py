"""The model's calls, made fit to stand in a history: one id each, names and texts of the right type.

A model, or whatever answers in its place, may send anything; what the history holds must be what an
endpoint accepts back.
"""

import re
import uuid
from collections.abc import Iterable
from typing import Any, cast

from llm import ToolCall

_MOST_ANSWERED = 64
"""Calls of one reply that are answered at all; the rest never enters the history."""

_NAME = re.compile(r"[A-Za-z0-9_.-]{1,64}", re.ASCII)


def well_formed(calls: Iterable[Any]) -> list[ToolCall]:
    """Return the calls with an id that no other has, a name that can be written, and text as arguments."""
    taken: set[str] = set()
    formed: list[ToolCall] = []
    for call in list(calls)[:_MOST_ANSWERED]:
        id = _text(getattr(call, "id", ""))
        if not id or len(id) > 128 or id in taken:
            id = f"call_{uuid.uuid4().hex[:12]}"
        taken.add(id)
        name = _text(getattr(call, "name", ""))
        if not _NAME.fullmatch(name):
            name = re.sub(r"[^A-Za-z0-9_.-]+", "_", name[:64], flags=re.ASCII).strip("_") or "unnamed"
            name = f"invalid_{name}"[:64]  # never by chance the name of a real tool
        arguments = cast(object, getattr(call, "arguments", ""))
        formed.append(ToolCall(id, name, arguments if isinstance(arguments, str) else "null"))
    return formed


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
