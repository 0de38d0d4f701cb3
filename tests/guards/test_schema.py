"""common/schema.py: a server's schema may be anything, and a mark is found wherever it can stand."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.schema import (
    MARK,
    certain_mark_of,
    field_schema,
    fields,
    inline,
    item_schema,
    key_schema,
    mark_of,
    types_of,
    without_marks,
)

ID = {"type": "string", MARK: "order_id"}
WORDS = st.sampled_from(
    [
        "properties",
        "items",
        "anyOf",
        "allOf",
        "if",
        "$ref",
        "$defs",
        "required",
        "type",
        MARK,
        "prefixItems",
        "enum",
    ]
)
ANY_JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.just("#/$defs/a"),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(WORDS | st.text(max_size=3), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(st.dictionaries(WORDS, ANY_JSON, max_size=5))
def test_whatever_a_server_lists_as_a_schema_can_be_read(schema: dict[str, Any]) -> None:
    whole = inline(schema)
    for part in (
        whole,
        item_schema(whole),
        key_schema(whole),
        field_schema(whole, "a"),
        *fields(whole).values(),
    ):
        assert isinstance(types_of(part), set)
        assert mark_of(part) or not certain_mark_of(part)
        without_marks(part)


@given(st.dictionaries(WORDS, ANY_JSON, max_size=5))
def test_an_inlined_schema_refers_to_nothing(schema: dict[str, Any]) -> None:
    def references(node: Any, *, names: bool = False) -> bool:
        if isinstance(node, list):
            return any(references(item) for item in node)
        if not isinstance(node, dict):
            return False
        return any(
            (not names and key == "$ref" and isinstance(value, str))
            or references(value, names=not names and key in ("properties", "patternProperties"))
            for key, value in node.items()
        )

    assert not references(inline(schema))


def test_a_reference_is_followed_and_its_siblings_win() -> None:
    schema = {"$defs": {"Id": ID}, "properties": {"a": {"$ref": "#/$defs/Id", "title": "A"}}}
    assert inline(schema)["properties"]["a"] == {**ID, "title": "A"}


@pytest.mark.parametrize("name", ["$ref", "$defs", "definitions", "x-note"])
def test_a_property_may_bear_a_keyword_as_its_name(name: str) -> None:
    schema = {"properties": {name: {"type": "string"}}}
    assert inline(schema) == schema == without_marks(schema)


@pytest.mark.parametrize("reference", ["http://evil.test/x.json", "#/properties/a", "#", "#/$defs/none"])
def test_a_reference_that_cannot_be_followed_accepts_anything_and_fetches_nothing(reference: str) -> None:
    assert inline({"properties": {"a": {"$ref": reference}}})["properties"]["a"] == {}


def test_remote_bases_and_dynamic_references_are_dropped() -> None:
    assert (
        inline(
            {"$id": "http://evil.test/", "$schema": "http://evil.test/", "$dynamicRef": "http://evil.test/a"}
        )
        == {}
    )


def test_a_schema_that_refers_to_itself_or_fans_out_is_cut() -> None:
    assert inline({"$defs": {"A": {"$ref": "#/$defs/A"}}, "$ref": "#/$defs/A"}) == {}
    fan = {f"D{i}": {"anyOf": [{"$ref": f"#/$defs/D{i + 1}"}] * 9} for i in range(20)}
    assert len(str(inline({"$defs": fan, "$ref": "#/$defs/D0"}))) < 200_000


def test_lists_in_lists_without_end_are_cut() -> None:
    deep: Any = []
    for _ in range(5_000):
        deep = [deep]
    assert len(str(inline({"anyOf": deep}))) < 200


@pytest.mark.parametrize(
    "schema",
    [
        ID,
        {"anyOf": [{"type": "null"}, ID]},
        {"oneOf": [{"type": "integer"}, {"allOf": [ID]}]},
        {"if": {"type": "string"}, "then": ID},
        {"else": ID},
        {"dependentSchemas": {"a": ID}},
    ],
)
def test_a_mark_is_found_in_every_alternative_of_a_value(schema: dict[str, Any]) -> None:
    assert mark_of(schema) == "order_id"


@pytest.mark.parametrize("keyword", ["items", "contains", "unevaluatedItems", "additionalItems"])
def test_the_mark_of_list_items_is_found(keyword: str) -> None:
    assert mark_of(item_schema({"type": "array", keyword: ID})) == "order_id"
    assert mark_of(item_schema({"prefixItems": [{"type": "integer"}, ID]})) == "order_id"


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"a": ID}},
        {"additionalProperties": ID},
        {"unevaluatedProperties": ID},
        {"patternProperties": {"(a+)+$": ID}},
        {"anyOf": [{"properties": {"a": {"type": "string"}}}, {"properties": {"a": ID}}]},
    ],
)
def test_the_mark_of_a_field_is_found_however_the_field_is_described(schema: dict[str, Any]) -> None:
    assert mark_of(field_schema(schema, "a")) == "order_id"


def test_a_mark_is_certain_only_where_each_alternative_carries_it() -> None:
    assert certain_mark_of({"anyOf": [ID, {"type": "null"}]}) == "order_id"
    assert certain_mark_of({"anyOf": [ID, {"type": "string"}]}) is None
    assert certain_mark_of({"anyOf": [ID, {MARK: "ticket_id"}]}) is None
