"""What a call of a function by name is held to: one schema made of the tool's and the function's."""

from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guards.behind import CALLS, Calls, Described, calls_of, described, function_in, seen_through
from guards.call import BadCall, validate
from guards.servers import changes_behind

TOOL: dict[str, Any] = {
    "type": "object",
    "properties": {
        "function": {"type": "string"},
        "arguments": {"type": "object"},
        "all": {"type": "boolean"},
    },
    "required": ["function"],
}
HOW = Calls("function", "arguments", "describe")
TAKES: dict[str, Any] = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
ONE = Described("one", "read", TAKES, {})


def test_a_tool_without_the_mark_calls_no_functions():
    assert calls_of(SimpleNamespace(meta=None)) is None
    assert calls_of(SimpleNamespace(meta={"other": 1})) is None


def test_a_mark_is_read_and_what_is_no_text_in_it_is_empty():
    said = {CALLS: {"function": "f", "arguments": ["a"], "describe": None}}
    assert calls_of(SimpleNamespace(meta=said)) == Calls("f", "", "")


@pytest.mark.parametrize("arguments", [{}, {"function": ["one"]}, {"function": "x" * 201}, {"other": "one"}])
def test_a_call_without_one_name_is_of_no_function(arguments: dict[str, Any]):
    assert function_in(HOW, arguments) == ""


def test_a_call_must_fit_the_tool_and_the_function():
    schema = seen_through(TOOL, HOW, ONE)
    validate({"function": "one", "arguments": {"n": 1}, "all": True}, schema)
    for bad in ({"n": "x"}, {}, [], "{}"):
        with pytest.raises(BadCall):
            validate({"function": "one", "arguments": bad}, schema)
    with pytest.raises(BadCall):
        validate({"function": "one", "arguments": {"n": 1}, "all": "yes"}, schema)


def test_a_reference_inside_a_description_is_followed():
    takes = {"$defs": {"id": {"x-grounding": "order_id"}}, "properties": {"a": {"$ref": "#/$defs/id"}}}
    found = described("one", {"functions": [{"name": "one", "effect": "read", "input_schema": takes}]}, 1_000)
    assert found and found.takes["properties"]["a"] == {"x-grounding": "order_id"}


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_whatever_a_description_holds_it_is_a_function_or_none(anything: Any):
    for data in (
        {"functions": anything},
        {"functions": [anything]},
        {"functions": [{"name": "one", "input_schema": anything}]},
    ):
        found = described("one", data, 1_000)
        assert found is None or (found.name == "one" and not found.reads)


def test_only_the_word_read_and_a_name_that_does_not_deny_it_pass_as_reading():
    reads = SimpleNamespace(annotations=SimpleNamespace(read_only_hint=True))
    assert changes_behind(reads, ONE) is None
    assert changes_behind(reads, Described("orders_delete", "read", {}, {}))
    assert changes_behind(reads, Described("one", "write", {}, {}))
    assert changes_behind(SimpleNamespace(annotations=None), Described("one", "", {}, {}))
