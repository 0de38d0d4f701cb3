"""Whatever a shop sends, a result fits the schema that its tool shows, and nobody gets another's."""

from typing import Any

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from mcp import Client

from contracts.hosting import principal_now
from contracts.responding import DROPPED, project
from contracts.shapes import Shape
from contracts.surface_tools import kept_form
from tests.contracts.surfacing import BOUND_S, ERAS, SHOP, data, desk, serving, session, text
from tests.serving.desk import believed, token

SCHEMAS: list[dict[str, Any]] = [
    {"type": "string", "enum": ["a", "b"]},
    {"type": "integer", "minimum": 3, "maximum": 4, "multipleOf": 2},
    {"type": ["string", "null"], "pattern": "^x+$", "maxLength": 2, "format": "date"},
    {"type": "array", "items": {"type": "integer"}, "minItems": 3, "uniqueItems": True},
    {
        "type": "object",
        "properties": {
            "a": {"type": "integer", "const": 1},
            "b": {"type": "array", "items": {"type": "string"}},
        },
        "required": ["a", "b"],
        "additionalProperties": False,
    },
    {"type": "object", "additionalProperties": {"type": "number", "exclusiveMinimum": 0}},
    {
        "oneOf": [
            {"type": "integer"},
            {"type": "number"},
            {"type": "object", "properties": {"a": {"type": "null"}}},
        ]
    },
    {
        "type": "object",
        "properties": {"a": {"type": "string"}},
        "anyOf": [{"type": "string", "minLength": 9}],
    },
]

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-9, 9)
    | st.floats(-9, 9)
    | st.sampled_from(["a", "x", "xxx", ""]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=12,
)


@pytest.mark.parametrize("schema", SCHEMAS, ids=range(len(SCHEMAS)))
@given(value=VALUES)
def test_what_is_kept_of_any_answer_fits_the_schema_that_is_shown(schema: dict[str, Any], value: Any):
    kept = project(value, Shape.model_validate(schema))
    if kept is not DROPPED:
        Draft202012Validator(kept_form(schema)).validate(kept)


def test_the_schema_that_is_shown_keeps_names_types_and_marks():
    schema = {"type": "array", "items": {"type": "object", "properties": {"id": MARKED}, "required": ["id"]}}
    shown = kept_form(schema)
    assert shown == {"type": "array", "items": {"type": "object", "properties": {"id": MARKED}}}


MARKED = {"type": "integer", "x-grounding": "pets_id", "description": "Its number"}


@pytest.mark.anyio
@pytest.mark.parametrize("mode", ERAS)
async def test_an_answer_without_data_is_a_result_and_says_so(mode: str):
    served = desk()
    served.shop.answers["DELETE /pets/1"] = (204, None)
    async with Client(served.server, mode=mode) as client:
        await client.list_tools()  # so that the client knows the schema, and checks
        result = await client.call_tool("pets_drop", {"id": 1})
    assert data(result) == {"empty": True}


@pytest.mark.anyio
@pytest.mark.parametrize("mode", ERAS)
async def test_two_principals_never_share_a_kept_result(mode: str):
    served = desk(who=lambda: principal_now(SHOP))
    seen: dict[str, set[str]] = {"alice": set(), "bob": set()}
    with anyio.fail_after(BOUND_S):
        async with (
            serving(served, believed()) as to,
            session(to, "", mode, token("alice")) as alice,
            session(to, "", mode, token("bob")) as bob,
        ):
            for _ in range(3):
                for name, client in (("alice", alice), ("bob", bob)):
                    seen[name].add(text(await client.call_tool("pets_get", {"id": 1})))
    assert seen == {name: {f"Number 1 is one of {name}."} for name in seen}
    assert len(served.shop.asked) == 2


async def stages_of(client: Client, name: str, arguments: dict[str, Any]) -> list[str]:
    """Call a tool and return the stages that were told, in words."""
    told: list[str] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        told.append((message or "").removeprefix(f"{name}: ").split(" (")[0])

    await client.call_tool(name, arguments, progress_callback=hear)
    return told


@pytest.mark.anyio
@pytest.mark.parametrize("mode", ERAS)
async def test_over_http_stages_are_told_and_one_that_did_not_run_is_not(mode: str):
    served = desk()
    with anyio.fail_after(BOUND_S):
        async with serving(served) as to, session(to, "", mode) as client:
            first = await stages_of(client, "pets_get", {"id": 1})
            again = await stages_of(client, "pets_get", {"id": 1})
            refused = await stages_of(client, "pets_get", {"id": 0})
            served.shop.answers["GET /pets/2"] = (404, {})
            failed = await stages_of(client, "pets_get", {"id": 2})
    asked = ["arguments checked", "request built", "request sent", "answer received"]
    assert first == [*asked, "answer reduced to the declared fields"]
    assert again == ["arguments checked", "answered from the cache"]
    assert refused == ["failed"]
    assert failed == [*asked, "failed"]
