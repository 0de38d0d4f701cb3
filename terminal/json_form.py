"""One turn as one JSON object, for the programs that read the answers.

Knows:    the form.
Does not: write it.   (turn.py)
Form:     {"schema", "message", "reply", "meta", "tools": [{"tool", "arguments", "is_error", "data",
          "seconds"}]};
          "reply" is null in a turn that failed, which has "error", or was stopped, which has "stopped".
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from common.events import ToolReturned

SCHEMA = "shopkart/turn/1"


def turn_object(
    message: str,
    calls: Sequence[ToolReturned],
    *,
    reply: str | None = None,
    meta: Mapping[str, Any] | None = None,
    **other: str,
) -> str:
    """Return the turn as JSON on one line; other: error or stopped, in words."""
    tools = [
        {
            "tool": call.tool,
            "arguments": call.arguments,
            "is_error": call.is_error,
            "data": call.data,
            "seconds": round(call.seconds, 3),
        }
        for call in calls
    ]
    turn = {"schema": SCHEMA, "message": message, "reply": reply, "meta": dict(meta or {}), "tools": tools}
    # Escaped to ASCII: a terminal shows it as it is, and half a surrogate pair breaks nothing.
    return json.dumps({**turn, **other})
