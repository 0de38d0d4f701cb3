"""guards/call.py and common/rules.py: raw text becomes arguments that fit, or a reason, in bounded work."""

import json
import socket
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guards.call import MAX_RAW, BadCall, parse, repair, validate

ORDER = {"type": "object", "properties": {"order_id": {"type": "string"}}, "required": ["order_id"]}
JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=10,
)


@given(st.text() | st.text("{}[]\",:0123456789eE.+-ntfu\\ud8'", max_size=80))
def test_whatever_text_a_model_writes_is_an_object_or_a_bad_call(raw: str) -> None:
    try:
        assert isinstance(parse(raw), dict)
    except BadCall as problem:
        assert str(problem).endswith(".")


@given(st.dictionaries(st.text(st.characters(codec="utf-8")), JSON, max_size=4))
def test_arguments_written_as_json_are_read_back(arguments: dict[str, Any]) -> None:
    assert parse(json.dumps(arguments)) == arguments


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (None, "not text"),
        (7, "not text"),
        ("[]", "not an object"),
        ('"4471"', "not an object"),
        ("null", "not an object"),
        ("{order_id: 4471}", "not JSON"),
        ('{"a":1}{"b":2}', "not JSON"),
        ('{"a":1,"a":2}', "twice"),
        ('{"x":{"a":1,"a":1}}', "twice"),
        ('{"a":NaN}', "not finite"),
        ('{"a":-Infinity}', "not finite"),
        ('{"a":1e999}', "not finite"),
        ('{"a":[-1e999]}', "not finite"),
        ('{"a":"\\ud800"}', "not Unicode"),
        ('{"\\udfff":1}', "not Unicode"),
        ('{"a":' + "9" * 5_000 + "}", "not JSON"),
        ('{"a":' + "[" * 40 + "]" * 40 + "}", "levels deep"),
        ('{"a":' + "[" * 30_000 + "]" * 30_000 + "}", "levels deep"),
        ('{"a":"' + "x" * 1_000_000 + '"}', "1000008 characters"),
    ],
)
def test_what_is_no_object_is_refused_with_its_reason(raw: object, reason: str) -> None:
    with pytest.raises(BadCall, match=reason):
        parse(raw)


def test_a_refused_value_is_not_repeated() -> None:
    with pytest.raises(BadCall) as caught:
        parse('{"email": "ann@example.com"')
    assert "ann" not in str(caught.value)


@pytest.mark.parametrize("raw", ["", " \n", "{}"])
def test_no_arguments_are_an_empty_object(raw: str) -> None:
    assert parse(raw) == {}


@pytest.mark.parametrize(
    ("value", "schema", "repaired"),
    [
        (4471, {"type": "string"}, "4471"),
        (4471, {"type": ["string", "integer"]}, 4471),
        (4471, {"anyOf": [{"type": "string"}, {"type": "null"}]}, "4471"),
        ("3", {"type": "integer"}, 3),
        ("03", {"type": "integer"}, "03"),
        ("3.0", {"type": "integer"}, "3.0"),
        ("-0", {"type": "integer"}, 0),
        (True, {"type": "string"}, True),
        (4471.0, {"type": "string"}, 4471.0),
        (4471, {}, 4471),
        ([1, "2"], {"items": {"type": "string"}}, ["1", "2"]),
        ({"a": 1}, {"additionalProperties": {"type": "string"}}, {"a": "1"}),
    ],
)
def test_only_what_the_schema_makes_unambiguous_is_repaired(
    value: Any, schema: dict[str, Any], repaired: Any
) -> None:
    result = repair(value, schema)
    assert result == repaired
    assert type(result) is type(repaired)


@given(JSON)
def test_a_repair_is_done_once(value: Any) -> None:
    schema = {"properties": {"": {"type": "string"}}, "items": {"type": "integer"}}
    assert repair(repair(value, schema), schema) == repair(value, schema)


@pytest.mark.parametrize(
    ("arguments", "schema", "says"),
    [
        ({}, ORDER, "Missing: order_id."),
        ({"order_id": 1}, ORDER, "order_id must be of type string."),
        ({"x": 1}, {"additionalProperties": False, "properties": {"a": {}}}, "It takes: a."),
        ({"a": "xx"}, {"properties": {"a": {"pattern": "^y"}}}, "a must match"),
        ({"a": [1, 1]}, {"properties": {"a": {"uniqueItems": True}}}, "uniqueItems"),
        ({"a": 3}, {"properties": {"a": {"maximum": 2}}}, "at most 2"),
        ({"b1": 3}, {"patternProperties": {"^b": {"type": "string"}}}, "b1 must be of type string"),
        ({"a": 1}, {"additionalProperties": {"type": "string"}}, "a must be of type string"),
    ],
)
def test_a_misfit_names_the_field_and_the_rule(
    arguments: dict[str, Any], schema: dict[str, Any], says: str
) -> None:
    with pytest.raises(BadCall) as caught:
        validate(arguments, schema)
    assert says in str(caught.value)


def test_a_schema_that_is_none_lets_no_call_through() -> None:
    with pytest.raises(BadCall, match="schema cannot be read"):
        validate({}, {"type": "nonsense"})


@pytest.mark.parametrize("pattern", ["(a+)+$", "^(a|a)*$", "(", "^\\p{L}+$", "a*a*a*a*a*b"])
def test_a_pattern_that_cannot_be_tried_is_left_to_the_server(pattern: str) -> None:
    validate({"a": "a" * 50 + "!"}, {"properties": {"a": {"type": "string", "pattern": pattern}}})


def test_an_allowed_pattern_is_not_tried_on_a_long_text() -> None:
    validate({"a": "a" * 60_000}, {"properties": {"a": {"pattern": "^a*a*a*b$"}}})


def test_many_entries_are_compared_once_each() -> None:
    entries = [[index] if index % 2 else f"{index}" for index in range(20_000)]  # of no one order
    validate({"a": entries}, {"properties": {"a": {"uniqueItems": True}}})


def test_no_reference_in_a_schema_reaches_the_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> Any:
        raise AssertionError("a connection was opened")

    monkeypatch.setattr(socket, "create_connection", refuse)
    for keyword in ("$ref", "$dynamicRef"):
        validate({"a": 1}, {"properties": {"a": {keyword: "http://127.0.0.1:9/schema.json"}}})


def test_the_limit_of_raw_text_is_exact() -> None:
    body = '{"a":"' + "x" * (MAX_RAW - 8) + '"}'
    assert len(body) == MAX_RAW
    assert parse(body)
    with pytest.raises(BadCall):
        parse(body + " ")
