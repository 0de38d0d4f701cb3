"""A small desk for the constrained dialect: three tools, a conversation with it, and its turns."""

import json
from typing import Any

from model.constrained import Constrained
from model.replies import Message
from tests.model.stand_in import EMBEDDED, StandIn, collected, text

SYSTEM = "Be kind.\n\nTools:\n- look_up(id): Look at one thing.\n- search(words): Search the rules."
MISSING = "\n\nNot yet known: thing number. Without it look_up cannot be used. Ask for it."


def tool(name: str, **properties: Any) -> dict[str, Any]:
    parameters = {"type": "object", "properties": properties, "required": list(properties)}
    return {"type": "function", "function": {"name": name, "parameters": parameters}}


SEARCH = tool("search", words={"type": "string", "pattern": r"^\d", "maxLength": 4000})


def known(*ids: str) -> list[dict[str, Any]]:
    one = {"type": "string", "enum": list(ids)}
    kind = {"type": "string", "enum": ["broken", "late"]}
    report = tool("report", id=one, kind=kind, words={"type": "string", "maxLength": 300})
    return [tool("look_up", id=one), SEARCH, report]


def talk(*said: str, missing: bool = False) -> list[Message]:
    system = SYSTEM + MISSING if missing else SYSTEM
    return [{"role": "system", "content": system}, *({"role": "user", "content": text} for text in said)]


def called(name: str, result: str, **arguments: str) -> list[Message]:
    function = {"name": name, "arguments": json.dumps(arguments)}
    return [
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "c", "type": "function", "function": function}],
        },
        {"role": "tool", "tool_call_id": "c", "content": result},
    ]


async def turn(
    messages: list[Message], tools: list[dict[str, Any]], *answers: str
) -> tuple[list[Any], StandIn]:
    stand_in = StandIn(*[text(answer) for answer in answers], target=EMBEDDED)
    return await collected(Constrained(stand_in.endpoint).stream(messages, tools)), stand_in


def actions(stand_in: StandIn, request: int = 0) -> list[str]:
    """Return the names of the actions that the request's schema allowed."""
    forms = stand_in.asked[request]["response_format"]["json_schema"]["schema"]["anyOf"]
    return [form["properties"]["action"]["const"] for form in forms]
