"""guards/narrowing.py: a model is shown exactly the ids that gate 4 would let through."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.schema import MARK
from guards.call import validate
from guards.grounding import Evidence, ground
from guards.narrowing import narrow

ORDER_ID = {"type": "string", "pattern": "^[0-9]{1,12}$", MARK: "order_id"}
NULL = {"type": "null"}


def tool(order: dict[str, Any], *required: str) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {"order_id": order, "note": {"type": "string"}},
        "required": list(required),
    }


def heard(message: str) -> Evidence:
    evidence = Evidence()
    evidence.hear(message)
    return evidence


ID_SCHEMAS = [
    ORDER_ID,
    {"type": "integer", MARK: "order_id"},
    {"type": "string"},
    {"anyOf": [ORDER_ID, NULL]},
    {},
]


@given(st.lists(st.integers(1, 10**13) | st.text(max_size=8), max_size=6), st.sampled_from(ID_SCHEMAS))
def test_every_value_of_the_enum_passes_grounding_and_the_schema(
    named: list[Any], order: dict[str, Any]
) -> None:
    evidence = heard(" and ".join(map(str, named)))
    evidence.see({"order_id": named, "x": named}, {"properties": {"x": {"items": ORDER_ID}}})
    schema = tool(order, "order_id")
    narrowed, missing = narrow(schema, evidence)
    for value in [] if missing else narrowed["properties"]["order_id"].get("enum", []):
        arguments, problems = ground({"order_id": value}, schema, evidence)
        assert not problems
        validate(arguments, schema)
        validate(arguments, narrowed)


def test_an_id_becomes_a_choice_of_what_was_named() -> None:
    narrowed, missing = narrow(tool({**ORDER_ID, "description": "which"}, "order_id"), heard("4471 or 4468"))
    assert narrowed["properties"]["order_id"] == {
        "description": "which",
        "type": "string",
        "enum": ["4468", "4471"],
    }
    assert missing == []


def test_a_tool_that_needs_an_id_that_nobody_named_says_which() -> None:
    assert narrow(tool(ORDER_ID, "order_id"), heard("hello"))[1] == ["order number"]


def test_what_a_tool_lacks_comes_with_an_example_where_it_is_no_plain_number() -> None:
    order = {**ORDER_ID, "pattern": "^#W[0-9]{7}$"}
    assert narrow(tool(order, "order_id"), heard("hello"))[1] == ["order number (such as #W1234567)"]
    either = {"anyOf": [order, {"type": "integer"}]}
    assert narrow(tool(either, "order_id"), heard("hello"))[1] == ["order number (such as #W1234567)"]


def test_an_optional_id_that_nobody_named_is_left_out() -> None:
    for order in (ORDER_ID, {"anyOf": [ORDER_ID, NULL]}):
        narrowed, missing = narrow(tool(order), heard("hello"))
        assert list(narrowed["properties"]) == ["note"]
        assert missing == []


def test_an_id_that_must_be_given_and_may_be_null_does_not_withhold_the_tool() -> None:
    narrowed, missing = narrow(tool({"anyOf": [ORDER_ID, NULL]}, "order_id"), heard("hello"))
    assert narrowed["properties"]["order_id"] == NULL
    assert missing == []


def test_lists_of_ids_are_narrowed_item_by_item() -> None:
    for several in (
        {"type": "array", "items": ORDER_ID},
        {"anyOf": [{"type": "array", "items": ORDER_ID}, NULL]},
    ):
        narrowed, _ = narrow(tool(several, "order_id"), heard("4471"))
        assert narrowed["properties"]["order_id"]["items"]["enum"] == ["4471"]
    untyped, missing = narrow({"properties": {"ids": {"type": "array"}}, "required": ["ids"]}, heard("4471"))
    assert (untyped["properties"]["ids"]["items"]["enum"], missing) == (["4471"], [])


def test_an_optional_part_that_needs_an_unknown_id_is_left_out_whole() -> None:
    part = {"type": "object", "properties": {"order_id": ORDER_ID}, "required": ["order_id"]}
    for inner in (part, {"type": "array", "items": part}):
        schema = {"properties": {"a": inner, "b": {"type": "string"}}}
        assert list(narrow(schema, heard("hello"))[0]["properties"]) == ["b"]
        assert narrow({**schema, "required": ["a"]}, heard("hello"))[1] == ["order number"]


@pytest.mark.parametrize(
    "properties",
    [
        {"a": True},
        {"a": False, "order_id": {"anyOf": "x"}},
        {"order_id": {"items": []}},
        [],
        "x",
        None,
        {"a": None},
    ],
)
def test_an_odd_schema_breaks_nothing(properties: Any) -> None:
    narrow({"type": "object", "properties": properties, "required": "order_id"}, heard("4471"))


@pytest.mark.parametrize("broken", [{"type": "nonsense"}, {"pattern": "("}, {"minLength": "x"}])
def test_an_id_whose_schema_cannot_be_read_breaks_nothing(broken: dict[str, Any]) -> None:
    narrow(tool({**broken, MARK: "order_id"}, "order_id"), heard("4471"))


def test_what_is_no_id_is_left_as_it_is() -> None:
    schema = {"properties": {"query": {"type": "string", "maxLength": 9}}, "required": ["query"]}
    assert narrow(schema, heard("4471")) == (schema, [])
