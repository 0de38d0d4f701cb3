"""What a profile hides does not exist for its sessions: each answer is that to a name that never was."""

import json
from collections.abc import Awaitable, Callable
from typing import Any

import anyio
import pytest
from mcp import Client, MCPError

from contracts.hosting import principal_now
from contracts.problems import ContractsError
from serving.tokens import Tokens
from tests.contracts.surfacing import BOUND_S, ERAS, SHOP, Desk, data, desk, serving, session, text
from tests.serving.desk import believed, token

pytestmark = [pytest.mark.anyio, pytest.mark.parametrize("mode", ERAS)]

Ask = Callable[[Client, str], Awaitable[Any]]


async def answer(ask: Ask, client: Client, word: str) -> str:
    """Return all that a client is answered, with the name it asked for taken out of its own echo."""
    try:
        result = await ask(client, word)
    except MCPError as error:
        return json.dumps([error.error.code, error.error.message, error.error.data]).replace(word, "WORD")
    return result.model_dump_json(exclude_none=True).replace(word, "WORD")


TOOLS: dict[str, Ask] = {
    "list": lambda c, w: c.call_tool(f"{w}_list", {}),
    "get": lambda c, w: c.call_tool(f"{w}_get", {"id": 1}),
    "bad arguments": lambda c, w: c.call_tool(f"{w}_get", {"no": 1}),
    "add": lambda c, w: c.call_tool(f"{w}_add", {"name": "x"}),
    "dry add": lambda c, w: c.call_tool(f"{w}_add", {"name": "x"}, meta={"shopkart/dry_run": True}),
    "prompt": lambda c, w: c.get_prompt(f"{w}_count", {"colour": "a", "place": "b"}),
    "bad prompt": lambda c, w: c.get_prompt(f"{w}_count", {}),
    "skill": lambda c, w: c.read_resource(f"skill://{w}/keeping-{w}"),
}
CATALOG: dict[str, Ask] = {
    "search": lambda c, w: c.call_tool("search", {"query": w}),
    "search the task": lambda c, w: c.call_tool("search", {"query": "", "task": w}),
    "describe": lambda c, w: c.call_tool("describe", {"names": [f"{w}_list"]}),
    "describe a view": lambda c, w: c.call_tool("describe", {"names": [f"{w}_board"]}),
    "describe a prompt": lambda c, w: c.call_tool("describe", {"names": [f"{w}_count"]}),
    "describe a skill": lambda c, w: c.call_tool("describe", {"names": [f"skill://{w}/keeping-{w}"]}),
    "call": lambda c, w: c.call_tool("call", {"function": f"{w}_get", "arguments": {"id": 1}}),
    "call a write": lambda c, w: c.call_tool("call", {"function": f"{w}_add", "arguments": {}}),
    "prompt": TOOLS["prompt"],
    "skill": TOOLS["skill"],
}


@pytest.mark.parametrize(
    ("profile", "asks"), [("pets", TOOLS), ("petsearch", CATALOG)], ids=["tools", "catalog"]
)
async def test_a_hidden_name_is_answered_like_one_that_never_was(
    mode: str, profile: str, asks: dict[str, Ask]
):
    served = desk(profile=profile)
    async with Client(served.server, mode=mode) as client:
        for what, ask in asks.items():
            hidden, unknown = await answer(ask, client, "stock"), await answer(ask, client, "stone")
            assert hidden == unknown, what
    assert served.shop.asked == []


@pytest.mark.parametrize("profile", ["pets", "petsearch"])
async def test_nothing_of_a_hidden_task_is_in_any_list(mode: str, profile: str):
    async with Client(desk(profile=profile).server, mode=mode) as client:
        lists = [
            await client.list_tools(),
            await client.list_prompts(),
            await client.list_resources(),
            await client.list_resource_templates(),
            await client.read_resource("shop://session"),
        ]
        instructions = client.instructions
    assert "stock" not in "".join(each.model_dump_json() for each in lists) + (instructions or "")


async def test_over_http_the_address_names_the_profile(mode: str):
    with anyio.fail_after(BOUND_S):
        async with serving(desk()) as to, session(to, "?profile=petsearch", mode) as client:
            assert [each.name for each in (await client.list_tools()).tools] == ["search", "describe", "call"]
            result = await client.call_tool("call", {"function": "stock_list"})
            assert data(result)["error"] == "unknown_function"
            assert text(await client.call_tool("call", {"function": "pets_list"})).startswith("There are")


async def test_sessions_of_different_profiles_on_one_server_do_not_mix(mode: str):
    wrong: list[str] = []
    with anyio.fail_after(BOUND_S):
        async with (
            serving(desk()) as to,
            session(to, "?profile=pets", mode) as pets,
            session(to, "", mode) as every,
            session(to, "?profile=catalog", mode) as catalog,
        ):
            sees = {"pets": pets, "pets stock": every, "call describe search": catalog}

            async def look(expected: str, client: Client) -> None:
                tools = (await client.list_tools()).tools
                seen = " ".join(sorted({each.name.split("_")[0] for each in tools}))
                wrong.extend([seen] if seen != expected else [])

            async with anyio.create_task_group() as group:
                for _ in range(5):
                    for expected, client in sees.items():
                        group.start_soon(look, expected, client)
    assert wrong == []


@pytest.mark.parametrize(
    "query", ["?profile=nobody", "?profile=", "?profile=pets&profile=default", "?profile=alices"]
)
async def test_an_unknown_profile_is_an_error_and_not_the_default(mode: str, query: str):
    assert UNKNOWN in await failure(desk(), query, mode)


UNKNOWN = "There is no profile of that name here."


async def failure(served: Desk, query: str, mode: str, bearer: str = "", tokens: Tokens | None = None) -> str:
    """Return what a client is told that may not come in."""
    try:
        with anyio.fail_after(BOUND_S):
            async with serving(served, tokens) as to, session(to, query, mode, bearer) as client:
                await client.list_tools()
    except (MCPError, ExceptionGroup) as error:
        return told(error)
    return "nothing"


def told(error: BaseException) -> str:
    """Return the texts of an error and of all within it."""
    inner = error.exceptions if isinstance(error, BaseExceptionGroup) else ()
    return " ".join([str(error), *(told(each) for each in inner)])


async def test_a_server_with_an_unknown_profile_does_not_start(mode: str):
    with pytest.raises(ContractsError, match=r"profiles\.yaml"):
        desk(profile="nobody")


def for_tokens() -> Desk:
    return desk(who=lambda: principal_now(SHOP))


async def test_two_principals_on_one_server_each_act_for_themselves_alone(mode: str):
    wrong: list[str] = []
    with anyio.fail_after(BOUND_S):
        async with (
            serving(for_tokens(), believed()) as to,
            session(to, "", mode, token("alice")) as alice,
            session(to, "?profile=catalog", mode, token("bob")) as bob,
        ):

            async def ask(name: str, client: Client) -> None:
                asked = ("pets_list", {}) if name == "alice" else ("call", {"function": "pets_list"})
                seen = text(await client.call_tool(*asked))
                wrong.extend([] if f"of {name} " in seen else [seen])

            async with anyio.create_task_group() as group:
                for _ in range(5):
                    group.start_soon(ask, "alice", alice)
                    group.start_soon(ask, "bob", bob)
    assert wrong == []


async def test_a_profile_for_some_is_unknown_to_all_others(mode: str):
    with anyio.fail_after(BOUND_S):
        async with (
            serving(for_tokens(), believed()) as to,
            session(to, "?profile=alices", mode, token("alice")) as client,
        ):
            assert (await client.list_tools()).tools
    told_bob = await failure(for_tokens(), "?profile=alices", mode, token("bob"), believed())
    assert UNKNOWN in told_bob
    assert told_bob == await failure(for_tokens(), "?profile=nobodys", mode, token("bob"), believed())


async def test_a_staff_token_acts_for_the_shop_itself(mode: str):
    with anyio.fail_after(BOUND_S):
        async with (
            serving(for_tokens(), believed()) as to,
            session(to, "", mode, token(staff=True)) as staff,
        ):
            assert "of shop" in text(await staff.call_tool("pets_list", {}))


@pytest.mark.parametrize("bearer", ["", "no token", token()], ids=["none", "no token", "of nobody"])
async def test_who_shows_no_token_that_names_somebody_does_not_come_in(mode: str, bearer: str):
    served = for_tokens()
    assert await failure(served, "", mode, bearer, believed()) != "nothing"
    assert served.shop.asked == []


async def test_a_token_that_merely_has_the_shops_name_does_not_act_for_it(mode: str):
    served = for_tokens()
    with anyio.fail_after(BOUND_S):
        async with (
            serving(served, believed()) as to,
            session(to, "", mode, token(SHOP.name)) as client,
        ):
            result = await client.call_tool("pets_list", {})
    assert result.is_error
    assert served.shop.asked == []
