"""What is served follows the source while sessions are open; a change that cannot be read changes nothing."""

import logging

import anyio
import pytest
from mcp import Client, MCPError

from contracts.live import Live
from contracts.problems import ContractsError, Problem
from contracts.profiles import UnknownProfile
from tests.contracts.surfacing import (
    BOUND_S,
    PROFILES,
    Held,
    catalog,
    data,
    desk,
    serving,
    session,
    text,
)

pytestmark = pytest.mark.anyio


def live(*names: str) -> tuple[Live, Held]:
    source = Held(catalog(*names))
    return Live(source, PROFILES), source


# ---------------------------------------------------------------- the catalog


def test_a_change_is_taken_up_with_the_next_look():
    served, source = live("pets")
    assert not served.refresh()
    source.put("pets", "birds")
    assert served.refresh()
    assert [task.name for task in served.view("default", "shop").catalog.tasks] == ["birds", "pets"]
    assert not served.refresh()


def test_a_profile_of_one_task_does_not_see_another_that_is_added():
    served, source = live("pets")
    assert next(iter(served.view("pets", "shop").catalog.functions)) == "pets_list"
    source.put("pets", "birds")
    served.refresh()
    assert [task.name for task in served.view("pets", "shop").catalog.tasks] == ["pets"]


def test_reading_the_same_again_is_no_change():
    served, source = live("pets")
    source.put("pets")
    view = served.view("default", "shop")
    assert not served.refresh()
    assert served.view("default", "shop") is view
    assert served.version == 0


def test_a_fault_while_reading_leaves_what_is_served_and_its_text_out_of_the_log(
    caplog: pytest.LogCaptureFixture,
):
    served, source = live("pets")
    source.fail(RecursionError("text of a file"))
    with caplog.at_level(logging.WARNING):
        assert not served.refresh()
    assert served.view("default", "shop").catalog.functions
    assert "RecursionError" in caplog.text
    assert "text of a file" not in caplog.text


def test_a_source_that_cannot_be_read_anew_leaves_what_is_served_and_is_told_once(
    caplog: pytest.LogCaptureFixture,
):
    served, source = live("pets")
    source.fail(ContractsError("registry.json is broken. Build it anew."))
    with caplog.at_level(logging.WARNING):
        assert [served.refresh() for _ in range(3)] == [False, False, False]
    assert list(served.view("default", "shop").catalog.functions)
    assert len(caplog.records) == 1
    assert "registry.json is broken" in caplog.text
    source.fail(None)
    source.put("birds")
    assert served.refresh()


def test_what_the_source_refuses_is_told_by_name(caplog: pytest.LogCaptureFixture):
    problem = Problem("tasks/cats/task.yaml", 0, "", "Refused: it was edited.", "Approve it anew.")
    source = Held(catalog("pets"), (problem,))
    with caplog.at_level(logging.WARNING):
        served = Live(source, PROFILES)
    assert "tasks/cats/task.yaml: Refused: it was edited." in caplog.text
    assert served.problems == (problem,)


def test_a_start_without_anything_to_read_fails():
    source = Held(catalog("pets"), failing=ContractsError("There is no registry."))
    with pytest.raises(ContractsError, match="no registry"):
        Live(source, PROFILES)


def test_an_unknown_profile_and_one_of_somebody_else_are_the_same_error():
    served, _ = live("pets")
    told: set[str] = set()
    for name in ("alices", "nobodys"):
        with pytest.raises(UnknownProfile) as failed:
            served.view(name, "bob")
        told.add(str(failed.value))
    assert len(told) == 1
    assert served.view("alices", "alice").catalog.tasks


def test_tasks_that_a_profile_names_and_nothing_serves_are_told():
    assert live("pets")[0].missing() == []
    assert live("stock")[0].missing() == ["pets: pets", "petsearch: pets"]


def test_a_search_after_a_change_finds_the_new_and_not_the_old():
    served, source = live("pets", "stock")
    assert served.view("catalog", "shop").index.search("stock").hits
    source.put("pets", "birds")
    served.refresh()
    index = served.view("catalog", "shop").index
    assert not index.search("stock").hits
    assert index.search("birds").hits


# ---------------------------------------------------------------- open sessions

ERAS = pytest.mark.parametrize("mode", ["auto", "legacy"])


@ERAS
async def test_an_open_session_gets_what_was_added_and_is_told_that_what_was_removed_is_unknown(mode: str):
    served = desk("pets", "stock")
    async with Client(served.server, mode=mode) as client:
        await client.list_tools()
        served.source.put("pets", "birds")
        tools = {each.name for each in (await client.list_tools()).tools}
        added = await client.call_tool("birds_list", {})
        removed = await client.call_tool("stock_list", {})
        unknown = await client.call_tool("stone_list", {})
    assert ("birds_list" in tools, "stock_list" in tools) == (True, False)
    assert text(added).startswith("There are 1 birds")
    assert removed == unknown
    assert data(removed)["error"] == "unknown_tool"
    assert "may have changed" in text(removed)


async def test_an_open_session_of_the_newer_protocol_is_told_that_lists_changed():
    served = desk("pets", poll_s=3600.0)
    with anyio.fail_after(BOUND_S):
        async with (
            Client(served.server) as client,
            client.listen(tools_list_changed=True, prompts_list_changed=True) as events,
        ):
            served.source.put("birds")
            served.live.refresh()
            told = {type(await anext(aiter(events))).__name__ for _ in range(2)}
    assert told == {"ToolsListChanged", "PromptsListChanged"}


async def test_an_open_session_of_the_older_protocol_is_told_too_and_knew_that_it_may_be():
    served = desk("pets", poll_s=3600.0)
    told: list[str] = []
    all_told = anyio.Event()

    async def hear(message: object) -> None:
        told.append(str(getattr(message, "method", "")))
        if "notifications/resources/list_changed" in told:
            all_told.set()

    with anyio.fail_after(BOUND_S):
        async with Client(served.server, mode="legacy", message_handler=hear) as client:
            await client.list_tools()
            served.source.put("birds")
            served.live.refresh()
            await all_told.wait()
            capabilities = client.server_capabilities
    assert "notifications/tools/list_changed" in told
    assert "notifications/prompts/list_changed" in told
    assert capabilities.tools
    assert capabilities.tools.list_changed is True


async def test_a_change_is_noticed_while_nobody_asks():
    served = desk("pets", poll_s=0.05)
    with anyio.fail_after(BOUND_S):
        async with Client(served.server) as client, client.listen(tools_list_changed=True) as events:
            served.source.put("birds")
            await anext(aiter(events))
            assert {each.name.split("_")[0] for each in (await client.list_tools()).tools} == {"birds"}


@ERAS
async def test_over_http_an_open_session_sees_a_change_too(mode: str):
    served = desk("pets")
    with anyio.fail_after(BOUND_S):
        async with serving(served) as to, session(to, "", mode) as client:
            await client.list_tools()
            served.source.put("birds")
            assert text(await client.call_tool("birds_list", {})).startswith("There are 1 birds")


@ERAS
async def test_a_cursor_of_the_list_before_the_change_is_refused(mode: str):
    served = desk("pets", page=2)
    async with Client(served.server, mode=mode) as client:
        first = await client.list_tools()
        served.source.put("birds")
        with pytest.raises(MCPError) as failed:
            await client.list_tools(cursor=first.next_cursor)
    assert failed.value.error.code == -32602


# ---------------------------------------------------------------- lists


@ERAS
async def test_lists_are_walked_page_by_page_and_a_bad_cursor_is_refused(mode: str):
    async with Client(desk(page=3).server, mode=mode) as client:
        names: list[str] = []
        cursor: str | None = None
        for _ in range(10):
            page = await client.list_tools(cursor=cursor)
            names += [each.name for each in page.tools]
            cursor = page.next_cursor
            if cursor is None:
                break
        for bad in ("", "x", "AAAA", names[0]):
            for ask in (
                client.list_tools,
                client.list_prompts,
                client.list_resources,
                client.list_resource_templates,
            ):
                with pytest.raises(MCPError) as failed:
                    await ask(cursor=bad)
                assert failed.value.error.code == -32602
    assert len(names) == len(set(names)) == 8
