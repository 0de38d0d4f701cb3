"""Laws of the engine: for any contract and any arguments that fit, and for any answer at all.

Knows: where a request went, what it carried, and what came through.
"""

import json
from typing import Any
from urllib.parse import parse_qsl, unquote

import anyio
import httpx2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contracts.contract import Constant
from contracts.failures import CallFailed
from contracts.responding import DROPPED, project
from contracts.rules_request import placeholders
from contracts.shapes import Shape
from contracts.task import Offered
from tests.contracts.generated import functions
from tests.contracts.shop_stub import BASE, SECRET, Shop

_MANY = settings(max_examples=100, deadline=None)


def sent(offered: Offered, arguments: dict[str, Any]) -> httpx2.Request | None:
    """Return the request of a call; None where a value could not stand where it belongs."""
    shop = Shop()

    async def call() -> None:
        await shop.call(offered, arguments)

    try:
        anyio.run(call)
    except CallFailed as failure:
        assert failure.code in ("invalid_arguments", "answer_unexpected")
    return shop.asked[0] if shop.asked else None


@_MANY
@given(functions())
def test_a_request_reaches_its_upstreams_address_and_nothing_else(made: tuple[Offered, dict[str, Any]]):
    request = sent(*made)
    if request is None:
        return
    assert str(request.url).startswith(f"{BASE}/")
    assert request.url.host == "shop.example"
    path = request.url.raw_path.split(b"?")[0].decode()
    for reading in (path, unquote(path), unquote(unquote(path))):
        assert not {".", ".."} & set(reading.split("/"))
    assert request.headers["host"] == "shop.example"


@_MANY
@given(functions())
def test_the_secret_stands_in_its_header_and_nowhere_else(made: tuple[Offered, dict[str, Any]]):
    request = sent(*made)
    if request is None:
        return
    holding = [name for name, value in request.headers.items() if SECRET in value]
    assert holding == ["authorization"]
    assert SECRET not in str(request.url)
    assert SECRET.encode() not in request.content


@_MANY
@given(functions())
def test_each_argument_is_carried_once_where_it_was_declared(made: tuple[Offered, dict[str, Any]]):
    offered, arguments = made
    request = sent(offered, arguments)
    if request is None:
        return
    function = offered.contract
    query = parse_qsl(request.url.query.decode(), keep_blank_values=True)
    expected: list[tuple[str, str]] = []
    for wire, mapped in function.request.query.items():
        if isinstance(mapped, Constant):
            expected.append((wire, written(mapped.value)))
        elif isinstance(mapped, str):
            expected += [(wire, written(arguments[mapped]))] if mapped in arguments else []
        else:
            expected += listed(wire, mapped.style, arguments.get(mapped.source, []))
    assert sorted(query) == sorted(expected)
    parts = [unquote(part) for part in request.url.raw_path.split(b"?")[0].decode().split("/")]
    names = [function.request.path.get(name, name) for name in placeholders(function.path)]
    assert parts[len(parts) - len(names) :] == [written(arguments[name]) for name in names]
    for header, source in function.request.headers.items():
        assert request.headers.get(header) == arguments.get(source)  # type: ignore[arg-type]
    if isinstance(function.request.body, dict):
        assert json.loads(request.content) == body(function.request.body, arguments)
    else:
        assert request.content == b""


def written(value: Any) -> str:
    value = int(value) if isinstance(value, float) and value.is_integer() else value
    return str(value).lower() if isinstance(value, bool) else str(value)


def listed(wire: str, style: str, items: list[Any]) -> list[tuple[str, str]]:
    texts = [written(item) for item in items]
    match style:
        case "csv":
            return [(wire, ",".join(texts))] if texts else []
        case "single":
            return [(wire, text) for text in texts[-1:]]
        case "bracket":
            return [(f"{wire}[]", text) for text in texts]
        case _:
            return [(wire, text) for text in texts]


def body(mapping: dict[str, Any], arguments: dict[str, Any]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for wire, source in mapping.items():
        if source in arguments:
            *outer, last = wire.split(".")
            inner = made
            for part in outer:
                inner = inner.setdefault(part, {})
            inner[last] = arguments[source]
    return made


# ---------------------------------------------------------------- answers

_KEYS = st.sampled_from(["id", "name", "email", "items", "a", "b"])
_TYPES = ["string", "integer", "number", "boolean", "null"]
_SHAPES: st.SearchStrategy[dict[str, Any]] = st.recursive(
    st.sampled_from(_TYPES).map(lambda kind: {"type": kind})
    | st.lists(st.sampled_from(_TYPES), min_size=1, unique=True).map(lambda kinds: {"type": kinds})
    | st.just({}),
    lambda inner: (
        st.dictionaries(_KEYS, inner, max_size=3).map(lambda p: {"type": "object", "properties": p})
        | inner.map(lambda items: {"type": "array", "items": items})
        | st.lists(inner, min_size=1, max_size=3).map(lambda branches: {"anyOf": branches})
        | inner.map(lambda rest: {"type": "object", "additionalProperties": rest})
    ),
    max_leaves=8,
)
_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text("ab@", max_size=4) | st.floats(0, 1),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_KEYS, inner, max_size=4),
    max_leaves=12,
)


def declared(value: Any, shape: dict[str, Any]) -> bool:
    """Say whether every part of a value is declared. Written apart from what it tests."""
    if "anyOf" in shape:
        return any(declared(value, branch) for branch in shape["anyOf"])
    kinds = shape.get("type", [])
    kinds = {kinds} if isinstance(kinds, str) else set(kinds)
    if isinstance(value, dict):
        fields, rest = shape.get("properties", {}), shape.get("additionalProperties")
        return "object" in kinds and all(
            declared(item, fields.get(key, rest)) if fields.get(key, rest) is not None else False
            for key, item in value.items()
        )
    if isinstance(value, list):
        return "array" in kinds and all(declared(item, shape.get("items", {})) for item in value)
    names = {bool: {"boolean"}, int: {"integer", "number"}, float: {"number"}, str: {"string"}}
    return bool(kinds & ({"null"} if value is None else names[type(value)]))


@settings(max_examples=500, deadline=None)
@given(_SHAPES, _VALUES)
def test_nothing_that_is_not_declared_passes(said: dict[str, Any], value: Any):
    shown = project(value, Shape.model_validate(said))
    assert shown is DROPPED or declared(shown, said)


@settings(max_examples=300, deadline=None)
@given(_SHAPES, _VALUES)
def test_what_is_declared_whole_passes_whole(said: dict[str, Any], value: Any):
    if declared(value, said):
        assert project(value, Shape.model_validate(said)) == value


def test_a_new_field_of_the_upstream_does_not_pass_at_any_depth():
    shape = Shape.model_validate(
        {
            "type": "array",
            "items": {"type": "object", "properties": {"a": {"type": "object", "properties": {}}}},
        }
    )
    assert project([{"a": {"email": "x"}, "phone": 1}], shape) == [{"a": {}}]


@pytest.mark.parametrize("value", [{"id": {"email": "x"}}, {"id": ["x"]}])
def test_an_object_or_a_list_does_not_pass_where_a_text_was_declared(value: Any):
    shape = Shape.model_validate({"type": "object", "properties": {"id": {"type": "string"}}})
    assert project(value, shape) == {}
