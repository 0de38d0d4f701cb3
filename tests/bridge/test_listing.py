"""What a server lists is input: what is odd is refused or written out, and always said."""

import json
from typing import Any

import anyio
import anyio.lowlevel
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp_types import Tool

from bridge import compare, vet
from common.text import unsafe_characters
from mcp_tools import PREVIEW, Bridge, ConnectError, connect
from tests.bridge.faults import BOUND_S, bridge_to, code, text

pytestmark = pytest.mark.anyio


def names(bridge: Bridge) -> list[str]:
    return [tool.name for tool in bridge.tools]


async def test_two_tools_of_one_name_are_both_refused_and_it_is_said():
    async with bridge_to("twins") as bridge:
        assert "read" not in names(bridge)
        assert "write" in names(bridge)
        assert any("'read'" in notice and "2 tools" in notice for notice in bridge.notices)
        assert code(await bridge.call("read", {})) == "tool_refused"


async def test_names_that_a_model_cannot_be_given_are_refused_and_shown_escaped():
    async with bridge_to("odd_names") as bridge:
        assert "ok_name-1" in names(bridge)
        assert not {"", "a b", "naïve", "x" * 65, "drop;--", "../up"} & set(names(bridge))
        assert len(bridge.notices) == 7
        assert not any(unsafe_characters(notice) for notice in bridge.notices)


async def test_a_list_with_a_tool_that_is_no_mcp_tool_is_refused_as_a_whole():
    with pytest.raises(ConnectError, match="no usable list of tools"):
        async with bridge_to("no_object"):
            raise AssertionError("it was opened")


async def test_invisible_characters_are_written_out_wherever_a_reader_or_a_model_looks():
    async with bridge_to("invisible") as bridge:
        (tool,) = [tool for tool in bridge.tools if tool.name == "sly"]
        (schema,) = [each for each in bridge.openai_schemas() if each["function"]["name"] == "sly"]
        assert tool.annotations and tool.annotations.read_only_hint is True
        shown = [tool.title or "", tool.annotations.title or "", json.dumps(schema, ensure_ascii=False)]
        assert not any(unsafe_characters(each) for each in shown)
        assert "\\u202e" in schema["function"]["description"]
        assert "\\nline two" in json.dumps(schema["function"]["description"])
        assert len(schema["function"]["description"]) < 4_100
        (notice,) = bridge.notices
        assert "U+202E" in notice and "cut to 4000" in notice


async def test_a_list_of_very_many_pages_is_cut_and_it_is_said():
    async with bridge_to("many_pages") as bridge:
        assert names(bridge) == [f"tool_{page}" for page in range(50)]
        assert any("more than 50 pages" in notice for notice in bridge.notices)


@pytest.mark.parametrize("fault", ["repeats_cursor", "ignores_cursor"])
async def test_a_list_that_repeats_a_page_is_read_once_and_it_is_said(fault):
    async with bridge_to(fault) as bridge:
        assert names(bridge)[:2] == ["read", "write"]
        assert any("never ends" in notice for notice in bridge.notices)
        assert await text(bridge, "read") == "done"


async def changed(bridge: Bridge, times: int = 1) -> None:
    """Call until the bridge has read the list anew, as often as it has to."""
    with anyio.fail_after(BOUND_S):
        while len(bridge.changed) < times:
            await text(bridge, "read")


async def test_a_tool_that_changes_during_the_session_is_offered_as_changed_for_good_and_it_is_said():
    async with bridge_to() as bridge:
        await text(bridge, "read", "change")
        await changed(bridge, 2)
        assert names(bridge) == ["read", "write", "new"]
        so = "during the session, so every call of it is asked about."
        assert bridge.changed == {
            "write": f"The server changed what it says of it {so}",
            "new": f"The server added it {so}",
        }
        assert [notice for notice in bridge.notices if "'write'" in notice]
        assert [notice for notice in bridge.notices if "'new'" in notice]
        await text(bridge, "read", "change_back")
        while "new" in names(bridge):
            await text(bridge, "read")
        assert names(bridge) == ["read", "write"]
        assert "write" in bridge.changed
        assert code(await bridge.call("new", {})) == "tool_refused"


async def test_a_tool_that_is_taken_away_and_comes_back_is_a_changed_one():
    listing = vet([tool("a"), tool("b")])
    without = compare(listing, vet([tool("a")]))
    assert (list(without.tools), list(without.refused)) == (["a"], ["b"])
    again = compare(without, vet([tool("a"), tool("b")]))
    assert list(again.tools) == ["a", "b"]
    assert list(again.changed) == ["b"] and "brought it back" in again.changed["b"]


async def test_a_tool_that_takes_the_name_of_another_is_a_changed_one_and_two_of_one_name_are_refused():
    first = vet([tool("read"), tool("write", "Changes things.")])
    renamed = compare(first, vet([tool("read", "Changes things.")]))
    assert list(renamed.changed) == ["read"]
    twins = compare(first, vet([tool("read"), tool("read", "Changes things."), tool("write")]))
    assert list(twins.tools) == ["write"]
    assert "2 tools" in twins.refused["read"]
    assert "read" not in compare(twins, vet([tool("read")])).tools


async def test_a_call_that_was_decided_before_its_tool_changed_is_not_sent(tmp_path):
    log = tmp_path / "log"
    async with bridge_to("none", log) as bridge:
        with anyio.fail_after(BOUND_S):
            await text(bridge, "read", "change")
            while not bridge._connection.unlisted and "write" not in bridge.changed:  # type: ignore[union-attr]
                await anyio.lowlevel.checkpoint()
        assert code(await bridge.call("write", {})) == "tool_changed"
        assert not log.exists() or log.read_text("utf-8") == ""
        assert await text(bridge, "write") == "done"


async def test_a_changed_tool_is_not_asked_what_it_would_do_before_a_person_agreed():
    sly = {PREVIEW: True}
    first = vet([tool("write")])
    async with connect(MCPServer("empty", log_level="CRITICAL")) as bridge:
        bridge._listing = compare(first, vet([tool("write", meta=sly)]))
        assert await bridge.preview("write", {}) is None


async def test_a_restarted_server_with_other_tools_is_held_to_the_first_list():
    async with bridge_to() as bridge:
        await text(bridge, "read", "change")
        assert code(await bridge.call("read", {"do": "die"})) == "no_answer"
        assert await text(bridge, "read") == "done"
        assert "new" not in names(bridge) and "read" not in bridge.changed


def tool(name: str, description: str = "Reads.", meta: dict[str, Any] | None = None) -> Tool:
    return Tool(name=name, description=description, input_schema={"type": "object"}, _meta=meta)


def growing() -> MCPServer:
    """Return a server that gets a tool more when it is asked, and announces it in the way of each era."""
    server = MCPServer("growing", log_level="CRITICAL")

    def added() -> str:
        return "added"

    @server.tool()
    async def grow(ctx: Context) -> str:
        if len(await server.list_tools()) == 1:
            server.add_tool(added)
        await ctx.notify_tools_changed()
        await ctx.session.send_tool_list_changed()
        return "grown"

    del grow
    return server


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_new_tool_is_a_changed_one_until_the_next_session_in_both_eras(mode):
    server = growing()
    with anyio.fail_after(5):
        async with connect(server, mode=mode) as bridge:
            while not bridge.notices:
                assert not (await bridge.call("grow", {})).is_error
            assert names(bridge) == ["grow", "added"]
            assert list(bridge.changed) == ["added"]
        async with connect(server, mode=mode) as bridge:
            assert names(bridge) == ["grow", "added"]
            assert bridge.changed == {}
            assert (await bridge.call("added", {})).text == "added"


TEXTS = st.text(max_size=30)
TOOLS = st.lists(
    st.builds(
        lambda name, description, key: Tool(
            name=name,
            description=description,
            input_schema={"type": "object", "properties": {key: {"description": description}}},
        ),
        st.one_of(st.sampled_from(["a", "b", "c"]), TEXTS),
        TEXTS,
        TEXTS,
    ),
    max_size=6,
)


@given(TOOLS)
def test_nothing_unreadable_is_ever_taken_and_every_name_is_taken_or_refused(tools):
    listing = vet(tools)
    assert set(listing.tools) | set(listing.refused) == {tool.name for tool in tools}
    assert not set(listing.tools) & set(listing.refused)
    for tool in listing.tools.values():
        readable = (tool.description or "") + json.dumps(tool.input_schema, ensure_ascii=False)
        assert not [name for name in unsafe_characters(readable) if name not in ("U+000A", "U+0009")]
    assert not any(unsafe_characters(notice) for notice in listing.notices)


@given(TOOLS, TOOLS, TOOLS)
def test_whatever_a_later_list_holds_is_what_it_was_or_marked_or_refused(first, second, third):
    start = vet(first)
    later = compare(compare(start, vet(second)), vet(third))
    for name, each in later.tools.items():
        assert name in later.changed or start.tools[name] == each
    assert not set(later.tools) & set(later.refused)
    assert set(start.refused) <= set(later.refused)
    assert compare(start, start).tools == start.tools and not compare(start, start).changed
