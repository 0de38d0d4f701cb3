"""What a server lists is input: what is odd is refused or written out, and always said."""

import json

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp_types import Tool

from bridge import compare, vet
from common.text import unsafe_characters
from mcp_tools import Bridge, ConnectError, connect
from tests.bridge.faults import bridge_to, code, text

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


async def test_a_tool_that_changes_during_the_session_is_withdrawn_for_good_and_it_is_said():
    async with bridge_to() as bridge:
        await text(bridge, "read", "change")
        with anyio.fail_after(5):
            while not bridge.notices:
                await text(bridge, "read")
        assert names(bridge) == ["read"]
        assert code(await bridge.call("write", {})) == "tool_refused"
        assert code(await bridge.call("new", {})) == "tool_refused"
        assert any("'write' is withdrawn" in notice for notice in bridge.notices)
        assert any("'new' is new" in notice for notice in bridge.notices)
        await text(bridge, "read", "change_back")
        for _ in range(5):
            await text(bridge, "read")
        assert code(await bridge.call("write", {})) == "tool_refused"


async def test_a_restarted_server_with_other_tools_is_held_to_the_first_list(tmp_path):
    async with bridge_to() as bridge:
        await text(bridge, "read", "change")
        assert code(await bridge.call("read", {"do": "die"})) == "no_answer"
        assert await text(bridge, "read") == "done"
        assert "new" not in names(bridge)


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
async def test_a_new_tool_waits_for_the_next_session_in_both_eras(mode):
    server = growing()
    with anyio.fail_after(5):
        async with connect(server, mode=mode) as bridge:
            while not bridge.notices:
                assert not (await bridge.call("grow", {})).is_error
            assert names(bridge) == ["grow"]
            assert code(await bridge.call("added", {})) == "tool_refused"
        async with connect(server, mode=mode) as bridge:
            assert names(bridge) == ["grow", "added"]
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


@given(TOOLS, TOOLS)
def test_a_later_list_never_adds_or_alters_a_tool(first, now):
    before, after = vet(first), vet(now)
    listing = compare(before, after)
    assert listing.tools.items() <= before.tools.items()
    assert compare(before, before).tools == before.tools
    assert set(listing.refused) >= set(before.refused)
