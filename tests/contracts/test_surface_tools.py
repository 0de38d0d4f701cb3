"""In the tools exposure each function is one tool, and says of itself what its contract says."""

from typing import Any

import anyio
import pytest
from jsonschema import Draft202012Validator
from mcp import Client, MCPError

from serving.said import SAID
from tests.contracts.surfacing import BOUND_S, ERAS, SHOP, data, desk, text

pytestmark = [pytest.mark.anyio, pytest.mark.parametrize("mode", ERAS)]

DRY: Any = {"shopkart/dry_run": True}


async def test_each_function_is_a_tool_under_its_full_name(mode: str):
    async with Client(desk().server, mode=mode) as client:
        tools = (await client.list_tools()).tools
    assert [tool.name for tool in tools] == [
        f"{task}_{name}" for task in ("pets", "stock") for name in ("list", "get", "add", "drop")
    ]


async def test_a_tool_says_what_it_is_for_and_what_it_is_not_for(mode: str):
    async with Client(desk().server, mode=mode) as client:
        [tool] = [each for each in (await client.list_tools()).tools if each.name == "pets_get"]
    assert tool.title == "Look up one of the pets"
    assert tool.description == (
        "Look up one of the pets. Use this when the user names one of the pets by its number. "
        "When not: For several, use pets_list."
    )


@pytest.mark.parametrize(
    ("name", "read_only", "destructive", "idempotent"),
    [("list", True, False, True), ("add", False, False, False), ("drop", False, True, True)],
)
async def test_the_annotations_are_those_of_the_effect(
    mode: str, name: str, read_only: bool, destructive: bool, idempotent: bool
):
    async with Client(desk().server, mode=mode) as client:
        [tool] = [each for each in (await client.list_tools()).tools if each.name == f"pets_{name}"]
    hints = tool.annotations
    assert hints is not None
    assert (hints.read_only_hint, hints.destructive_hint, hints.idempotent_hint) == (
        read_only,
        destructive,
        idempotent,
    )
    assert hints.open_world_hint is True


async def test_schemas_keep_their_marks_and_take_no_other_argument(mode: str):
    async with Client(desk().server, mode=mode) as client:
        tools = {each.name: each for each in (await client.list_tools()).tools}
    taken, returned = tools["pets_get"].input_schema, tools["pets_list"].output_schema
    assert taken["properties"]["id"]["x-grounding"] == "pets_id"
    assert taken["additionalProperties"] is False
    assert returned is not None
    assert returned["properties"]["data"]["items"]["properties"]["id"]["x-grounding"] == "pets_id"


async def test_only_what_changes_something_offers_a_dry_run_and_says_how_it_is_asked_for(mode: str):
    async with Client(desk().server, mode=mode) as client:
        meta = {each.name: each.meta for each in (await client.list_tools()).tools}
    assert not meta["pets_list"]
    assert meta["pets_add"] == {"shopkart/preview": True, "shopkart/asked-for": {"en": ["add", "new"]}}
    assert meta["pets_drop"] == {"shopkart/preview": True}


async def test_a_result_is_the_sentence_the_declared_fields_and_the_other_languages(mode: str):
    async with Client(desk().server, mode=mode) as client:
        result = await client.call_tool("pets_list", {"page": 2})
    assert not result.is_error
    assert text(result) == "There are 1 pets: of shop (number 2)."
    assert data(result)["data"] == [{"id": 2, "name": "of shop"}]
    assert (result.meta or {})[SAID] == {"ar": "العدد 1: of shop."}


@pytest.mark.parametrize(
    ("name", "arguments"),
    [("pets_list", {}), ("pets_get", {"id": 1}), ("pets_add", {"name": "Rex"}), ("pets_drop", {"id": 1})],
)
@pytest.mark.parametrize("meta", [None, DRY])
async def test_results_fit_the_output_schema_and_so_do_refusals(
    mode: str, name: str, arguments: dict[str, Any], meta: Any
):
    served = desk()
    async with Client(served.server, mode=mode) as client:
        schemas = {each.name: each.output_schema for each in (await client.list_tools()).tools}
        done = await client.call_tool(name, arguments, meta=meta)
        refused = await client.call_tool(name, {"no": 1}, meta=meta)
    check = Draft202012Validator(schemas[name] or {})
    assert not done.is_error, text(done)
    assert refused.is_error
    check.validate(data(done))
    check.validate(data(refused))
    assert not check.is_valid({})


async def test_arguments_that_do_not_fit_are_refused_before_anything_is_sent(mode: str):
    served = desk()
    async with Client(served.server, mode=mode) as client:
        for arguments in ({}, {"id": "1"}, {"id": True}, {"id": 0}, {"id": 1, "principal": "alice"}):
            result = await client.call_tool("pets_get", arguments)
            assert data(result)["error"] == "invalid_arguments", arguments
    assert served.shop.asked == []


async def test_a_write_is_made_once_and_a_dry_run_only_says_what_it_would_do(mode: str):
    served = desk()
    async with Client(served.server, mode=mode) as client:
        dry = await client.call_tool("pets_add", {"name": "Rex"}, meta=DRY)
        assert served.shop.lines == []
        done = await client.call_tool("pets_add", {"name": "Rex"})
    assert "Rex" in text(dry)
    assert data(dry)["dry_run"] is True
    assert "data" not in data(dry)
    assert text(done) == "Number 9 was added."
    assert served.shop.lines == ["POST /v1/pets"]


async def test_a_failure_of_the_upstream_is_a_refusal_in_the_contracts_words(mode: str):
    served = desk()
    served.shop.answers["GET /pets/7"] = (404, {"error": {"message": "no such pet"}})
    async with Client(served.server, mode=mode) as client:
        result = await client.call_tool("pets_get", {"id": 7})
    assert result.is_error
    assert data(result)["message"].startswith("There is none of that number.")
    assert data(result)["next"] == "Ask the user for another number."


async def test_the_upstreams_words_on_single_fields_reach_the_model(mode: str):
    served = desk()
    served.shop.answers["POST /pets"] = (
        422,
        {"error": {"message": "invalid", "fields": {"name": ["is taken"]}}},
    )
    async with Client(served.server, mode=mode) as client:
        result = await client.call_tool("pets_add", {"name": "Rex"})
    assert "name: is taken" in text(result)


async def test_an_unknown_tool_is_refused_with_names_that_there_are(mode: str):
    async with Client(desk().server, mode=mode) as client:
        result = await client.call_tool("pets_fly", {})
    assert data(result)["error"] == "unknown_tool"
    assert "pets_list" in data(result)["next"]
    assert "pets_fly" not in text(result)


async def test_the_stages_of_a_call_are_told_as_progress_in_their_order(mode: str):
    told: list[tuple[float, str]] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        told.append((progress, message or ""))

    async with Client(desk().server, mode=mode) as client:
        with anyio.fail_after(BOUND_S):
            await client.call_tool("pets_get", {"id": 1}, progress_callback=hear)
    assert [number for number, _ in told] == list(range(1, len(told) + 1))
    words = [message.removeprefix("pets_get: ").split(" (")[0] for _, message in told]
    assert words == [
        "arguments checked",
        "request built",
        "request sent",
        "answer received",
        "answer reduced to the declared fields",
    ]
    assert not any("key-of-shop" in message for _, message in told)


async def test_prompts_are_filled_in_one_pass(mode: str):
    async with Client(desk().server, mode=mode) as client:
        prompts = {each.name: each for each in (await client.list_prompts()).prompts}
        filled = await client.get_prompt("pets_count", {"colour": "{place}", "place": "a box"})
    asked = prompts["pets_count"].arguments or []
    assert [(each.name, each.required) for each in asked] == [("colour", True), ("place", True)]
    assert filled.messages[0].content.text == "Count the pets that are {place} in a box."  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("pets_fly", {}),
        ("pets_count", {"colour": "red"}),
        ("pets_count", {"colour": "red", "place": "a box", "principal": "alice"}),
    ],
)
async def test_a_prompt_that_cannot_be_filled_is_a_protocol_error(
    mode: str, name: str, arguments: dict[str, str]
):
    async with Client(desk().server, mode=mode) as client:
        with pytest.raises(MCPError) as failed:
            await client.get_prompt(name, arguments)
    assert failed.value.error.code == -32602
    assert "alice" not in failed.value.error.message


async def test_skills_are_resources_and_an_unknown_one_is_a_protocol_error(mode: str):
    async with Client(desk().server, mode=mode) as client:
        uris = [str(each.uri) for each in (await client.list_resources()).resources]
        [skill] = (await client.read_resource("skill://pets/keeping-pets")).contents
        with pytest.raises(MCPError) as failed:
            await client.read_resource("skill://pets/keeping-cats")
    assert uris == ["shop://session", "skill://pets/keeping-pets", "skill://stock/keeping-stock"]
    assert skill.text == "Keep the pets dry."  # type: ignore[union-attr]
    assert failed.value.error.code == -32602


async def test_the_session_says_for_whom_and_under_which_profile(mode: str):
    async with Client(desk(session="a test shop").server, mode=mode) as client:
        [content] = (await client.read_resource("shop://session")).contents
    assert content.text == "a test shop, for shop, profile default"  # type: ignore[union-attr]


async def test_where_nobody_approved_the_contracts_everything_says_so(mode: str):
    async with Client(desk("pets", approved=False).server, mode=mode) as client:
        tools = (await client.list_tools()).tools
        prompts = (await client.list_prompts()).prompts
        skills = (await client.list_resources()).resources[1:]
        [session] = (await client.read_resource("shop://session")).contents
        [skill] = (await client.read_resource("skill://pets/keeping-pets")).contents
        instructions = client.instructions
    said = [each.description for each in (*tools, *prompts, *skills)]
    said += [session.text, skill.text, instructions]  # type: ignore[union-attr]
    assert [each for each in said if "unapproved" not in (each or "").lower()] == []


async def test_a_caller_who_is_nobody_is_refused_and_nothing_is_sent(mode: str):
    served = desk(who=lambda: None)
    async with Client(served.server, mode=mode) as client:
        result = await client.call_tool("pets_list", {})
    assert data(result)["error"] == "not_signed_in"
    assert served.shop.asked == []


async def test_a_crash_tells_nothing_of_its_cause(mode: str, monkeypatch: pytest.MonkeyPatch):
    served = desk()

    async def broken(*_: Any) -> None:
        raise RuntimeError("a secret")

    monkeypatch.setattr(served.server._engine, "call", broken)  # pyright: ignore[reportPrivateUsage]
    async with Client(served.server, mode=mode) as client:
        result = await client.call_tool("pets_list", {})
    assert data(result)["error"] == "internal_error"
    assert "secret" not in text(result)


async def test_the_principal_is_never_taken_from_the_arguments(mode: str):
    served = desk()
    async with Client(served.server, mode=mode) as client:
        for name in ("principal", "upstream", "base_url", "headers", "authorization", "profile"):
            result = await client.call_tool("pets_list", {name: "alice"})
            assert data(result)["error"] == "invalid_arguments"
        await client.call_tool("pets_list", {}, meta={"principal": "alice", "profile": "alices"})
    [request] = served.shop.asked
    assert request.headers["authorization"] == f"Bearer key-of-{SHOP.name}"
