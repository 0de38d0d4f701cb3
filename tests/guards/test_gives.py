"""Which ids a tool without arguments lists, as its output schema is marked."""

from types import SimpleNamespace
from typing import Any

from guards.gives import gives

NOTHING = {"type": "object", "properties": {}}
ORDER = {"type": "string", "x-grounding": "order_id"}


def tool(output: Any, arguments: Any = NOTHING) -> Any:
    return SimpleNamespace(input_schema=arguments, output_schema=output)


def nested(depth: int) -> dict[str, Any]:
    if not depth:
        return {"type": "object", "properties": {"order_id": ORDER}}
    return {"type": "object", "properties": {"more": {"type": "array", "items": nested(depth - 1)}}}


def test_marked_ids_are_found_in_lists_and_named_once():
    both = {"type": "object", "properties": {"first": ORDER, "rest": nested(1)}}
    assert gives(tool(both)) == ["order number"]
    assert gives(tool(nested(2))) == ["order number"]


def test_a_tool_with_arguments_and_one_without_an_output_schema_give_nothing():
    assert gives(tool(nested(0), {"type": "object", "properties": {"q": {"type": "string"}}})) == []
    assert gives(tool(None)) == []
    assert gives(tool({"type": "object", "properties": {"text": {"type": "string"}}})) == []


def test_a_schema_without_end_is_left():
    assert gives(tool(nested(60))) == []
