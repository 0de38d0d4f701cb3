"""A strict tool takes what its schema says; the SDK's own would convert."""

from typing import Any

import pytest
from mcp.server.mcpserver import Context

from serving import PREVIEW, READS, is_dry_run, strict_tool
from tests.server.shop import code, house

pytestmark = pytest.mark.anyio


async def count(number: int, exact: bool = False, names: list[str] | None = None) -> str:
    """Count something.

    In two lines.
    """
    return f"{number} {exact} {names}"


async def looks(context: Context) -> str:
    """Look whether this is a dry run."""
    return str(is_dry_run(context))


SERVER = house(
    strict_tool(count, title="Count", annotations=READS),
    strict_tool(looks, title="Look", annotations=READS, meta={PREVIEW: True}),
)


async def result(arguments: dict[str, Any]) -> Any:
    return await SERVER.call_tool("count", arguments)


@pytest.mark.parametrize(
    "arguments",
    [
        {"number": "4471"},
        {"number": True},
        {"number": 4471.0},
        {"number": 1, "exact": 1},
        {"number": 1, "exact": "true"},
        {"number": 1, "names": "a"},
        {"number": 1, "names": [1]},
        {"number": 1, "name": "a"},
        {},
    ],
)
async def test_nothing_is_converted_dropped_or_made_up(arguments: dict[str, Any]):
    assert code(await result(arguments)) == "invalid_arguments"


async def test_what_fits_is_taken_as_it_is():
    answer = await result({"number": 4471, "exact": True, "names": ["a"]})
    assert answer.content[0].text == "4471 True ['a']"


async def test_the_schema_says_that_nothing_else_is_taken():
    tool = (await SERVER.list_tools())[0]
    assert tool.input_schema["additionalProperties"] is False
    assert tool.input_schema["required"] == ["number"]


async def test_a_description_has_no_indentation_of_the_source():
    assert (await SERVER.list_tools())[0].description == "Count something.\n\nIn two lines."


async def test_a_context_is_no_argument():
    assert (await SERVER.list_tools())[1].input_schema["properties"] == {}
