"""A client that sends whatever it likes: each call ends in a result or a refusal, and nothing leaks."""

import logging
from typing import Any

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mcp import Client, MCPError
from mcp_types import CallToolResult

from serving.refusals import crashed
from tests.contracts.surfacing import BOUND_S, Desk, data, desk

CRASHED = crashed().code

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=10,
)
NAMES = st.sampled_from(["pets_get", "pets_list", "pets_add", "pets_drop", "stock_get", "pets_none", ""])
FIELDS = st.sampled_from(["id", "page", "name", "function", "arguments", "names", "query", "cursor", "task"])
CALLS = st.dictionaries(FIELDS | st.text(max_size=8), JSON | NAMES | st.lists(NAMES, max_size=3), max_size=4)


def called(served: Desk, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    async def work() -> Any:
        with anyio.fail_after(BOUND_S):
            return await served.server.call_tool(name, arguments)

    result = anyio.run(work)
    assert isinstance(result, CallToolResult)
    return data(result)


@settings(max_examples=150, deadline=None)
@given(NAMES | st.sampled_from(["search", "describe", "call"]), CALLS)
def test_whatever_is_called_ends_in_a_result_or_a_refusal_and_stays_in_the_profile(
    name: str, arguments: dict[str, Any]
):
    for profile in ("pets", "petsearch"):
        served = desk(profile=profile)
        told = called(served, name, arguments)
        assert told.get("error") != CRASHED, told
        assert "stock" not in str(told)
        assert all(line.split(" ")[1].startswith("/v1/pets") for line in served.shop.lines)


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(["pets_add", "pets_drop", "stock_add", "stock_drop"]), CALLS, st.booleans())
def test_whatever_is_called_through_the_catalog_changes_nothing(
    function: str, arguments: dict[str, Any], every: bool
):
    served = desk(profile="catalog")
    told = called(served, "call", {"function": function, "arguments": arguments, "all_pages": every})
    assert told["error"] == "needs_plan"
    assert served.shop.asked == []


@pytest.mark.anyio
@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_what_a_client_wrote_is_in_no_log_and_no_refusal(mode: str, caplog: pytest.LogCaptureFixture):
    caplog.set_level(logging.DEBUG)
    private = "nora.private@example.com"
    asks: list[tuple[str, dict[str, Any]]] = [
        (private, {}),
        ("call", {"function": private}),
        ("call", {"function": "pets_get", "arguments": {private: private}}),
        ("call", {"function": "pets_get", "arguments": {"id": private}}),
        ("describe", {"names": [private]}),
        ("search", {"query": private, "cursor": private}),
        ("search", {"query": private, "kind": private}),
        ("search", {private: private}),
    ]
    async with Client(desk(profile="catalog").server, mode=mode) as client:
        for name, arguments in asks:
            result = await client.call_tool(name, arguments)
            assert result.is_error
            assert private not in result.model_dump_json()
        with pytest.raises(MCPError) as failed:
            await client.get_prompt(private, {private: private})
    assert private not in str(failed.value.error)
    ours = [each.getMessage() for each in caplog.records if not each.name.startswith(("mcp", "asyncio"))]
    assert private not in "".join(ours)
    served_at = [
        each.getMessage() for each in caplog.records if each.levelno >= logging.WARNING
    ]  # what a server writes: its level is WARNING
    assert private not in "".join(served_at)


@pytest.mark.anyio
async def test_of_many_calls_at_once_each_gets_its_own_answer():
    served = desk()
    told: dict[int, Any] = {}
    with anyio.fail_after(BOUND_S):
        async with Client(served.server) as client, anyio.create_task_group() as group:

            async def ask(page: int) -> None:
                told[page] = data(await client.call_tool("pets_list", {"page": page}))["data"][0]["id"]

            for page in range(1, 101):
                group.start_soon(ask, page)
                group.start_soon(ask, page)
    assert told == {page: page for page in range(1, 101)}
