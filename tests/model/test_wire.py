"""Messages and tools as they are sent: what some endpoint refuses or drops is not in them, or is said."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model import wire


def offered(**property: Any) -> dict[str, Any]:
    tool = {
        "type": "function",
        "function": {"name": "t", "parameters": {"type": "object", "properties": {"a": property}}},
    }
    before = json.dumps(tool)
    sent = wire.offered(tool)
    assert json.dumps(tool) == before  # the caller's own stays as it is
    return sent["function"]["parameters"]["properties"]["a"]


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ({"minLength": 5}, "at least 5 characters"),
        ({"maxLength": 160}, "at most 160 characters"),
        ({"pattern": "^[A-Z]{3}$"}, "matches ^[A-Z]{3}$"),
        ({"minimum": 1}, "at least 1"),
        ({"maximum": 9.5}, "at most 9.5"),
        ({"const": "x"}, "always x"),
        ({"default": True}, "true when left out"),
        ({"format": "date"}, "in the form of a date"),
        ({"maxItems": 3}, "at most 3 entries"),
    ],
)
def test_a_rule_that_is_dropped_on_the_way_is_said_in_the_description(rule: dict[str, Any], words: str):
    assert offered(**rule)["description"] == f"({words})"
    assert offered(description="What it is.", **rule)["description"] == f"What it is. ({words})"


def test_a_choice_needs_no_words():
    property = {"type": "string", "enum": ["4471"], "pattern": "^[0-9]+$", "description": "The order."}
    assert offered(**property)["description"] == "The order."


@pytest.mark.parametrize("rule", [{"maxLength": 2000}, {"pattern": r"^\d+$"}, {"pattern": "[0-9]+"}])
def test_what_no_grammar_takes_stays_off_the_wire_and_is_said(rule: dict[str, Any]):
    sent = offered(type="string", **rule)
    assert not set(rule) & set(sent)
    assert str(next(iter(rule.values()))) in sent["description"]


def test_what_a_grammar_takes_stays():
    assert offered(type="string", maxLength=1999, pattern="^[0-9]{1,12}$")["maxLength"] == 1999
    assert offered(pattern="^[0-9]{1,12}$")["pattern"] == "^[0-9]{1,12}$"


def test_rules_inside_lists_objects_and_alternatives_are_said_too():
    inner = {"type": "string", "maxLength": 4000}
    told = {"type": "string", "description": "(at most 4000 characters)"}
    assert offered(items=inner)["items"] == told
    assert offered(anyOf=[inner])["anyOf"] == [told]
    assert offered(properties={"maxLength": inner})["properties"] == {"maxLength": told}


def test_marks_of_the_house_are_not_sent():
    sent = wire.offered({"type": "function", "function": {"name": "t", "x-asked-for": False}})
    assert sent["function"] == {"name": "t"}


def call(arguments: Any) -> dict[str, Any]:
    return {"id": "c", "type": "function", "function": {"name": "t", "arguments": arguments}}


@given(st.text(max_size=30) | st.none() | st.dictionaries(st.text(max_size=3), st.integers(), max_size=2))
def test_arguments_in_history_are_always_the_text_of_a_json_object(arguments: Any):
    sent = wire.sendable({"role": "assistant", "tool_calls": [call(arguments)]}, empty_content=False)
    assert isinstance(json.loads(sent["tool_calls"][0]["function"]["arguments"]), dict)


def test_arguments_that_can_be_read_are_sent_as_they_are():
    message = {"role": "assistant", "content": "one moment", "tool_calls": [call('{ "a":1}')]}
    assert wire.sendable(message, empty_content=False) == message


@pytest.mark.parametrize("content", [None, ""])
def test_empty_content_beside_calls_is_left_out_or_empty_and_never_null(content: Any):
    message = {"role": "assistant", "content": content, "tool_calls": [call("{}")]}
    assert "content" not in wire.sendable(message, empty_content=False)
    assert wire.sendable(message, empty_content=True)["content"] == ""


def test_a_message_without_calls_has_a_text():
    assert wire.sendable({"role": "assistant", "content": None}, empty_content=False)["content"] == ""
