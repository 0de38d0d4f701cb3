"""What the model is shown of a result."""

import json

import pytest
from mcp.server import MCPServer
from mcp_types import CallToolResult, TextContent, ToolAnnotations

from tests.agent.scripted import Scripted, calls, desk, says

pytestmark = pytest.mark.anyio


async def shown_for(text: str, data: dict | None) -> str:
    """Return the content of the tool message that a result leads to."""
    shop = MCPServer("shop", version="1")

    @shop.tool(annotations=ToolAnnotations(read_only_hint=True))
    async def look() -> CallToolResult:
        """Look."""
        return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=data)

    async with desk(shop) as at:
        model = Scripted(calls(("look", {})), says("There it is."))
        await at.ask("look", model)
    return model.messages[-1][-1]["content"]


async def test_a_sentence_of_the_server_stands_beside_the_data_without_what_is_null():
    shown = await shown_for("It is here.", {"place": "here", "since": None})
    assert json.loads(shown) == {"summary": "It is here.", "data": {"place": "here"}}


async def test_data_that_is_repeated_as_text_is_shown_once():
    assert json.loads(await shown_for('{"place": "here"}', {"place": "here"})) == {"place": "here"}


async def test_a_result_without_data_is_its_text():
    assert await shown_for("It is here.", None) == "It is here."


async def test_a_long_result_is_cut_and_says_so():
    shown = await shown_for("word " * 10_000, None)
    assert len(shown) < 20_100
    assert shown.endswith("… cut; the result has 50000 characters")
