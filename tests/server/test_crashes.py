"""A tool that breaks tells the caller nothing, and the log no customer's data."""

import logging
from typing import Annotated

import anyio
import pytest
from mcp import Client, MCPError
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import CallToolResult
from pydantic import BaseModel, TypeAdapter

from serving import READS, HouseServer, Refused, strict_tool
from store import Order, Reach, Store
from tests.server.shop import ask, code, demo, house, opened, said

pytestmark = pytest.mark.anyio

PRIVATE = "mira.holm@example.com"


class BrokenStore(Store):
    def __init__(self) -> None:
        super().__init__(demo().engine, waits=False)

    def get_order(self, order_id: str, reach: Reach) -> Order | None:
        raise RuntimeError(f"row of {PRIVATE} is corrupt")


async def test_a_crash_says_nothing_of_its_cause(era: str, caplog: pytest.LogCaptureFixture):
    async with opened(era, store=BrokenStore()) as client:
        result = await ask(client, "get_order_status", order_id="4471")
    assert code(result) == "internal_error"
    assert PRIVATE not in str(result)
    assert "corrupt" not in str(result)


async def test_a_crash_is_logged_by_its_kind_and_place_only(caplog: pytest.LogCaptureFixture):
    async with opened(store=BrokenStore()) as client:
        await ask(client, "get_order_status", order_id="4471")
    (record,) = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert "RuntimeError in get_order:" in record.getMessage()
    assert record.exc_info is None
    assert PRIVATE not in caplog.text


async def test_the_server_answers_after_a_crash(era: str):
    async with opened(era, store=BrokenStore()) as client:
        for _ in range(3):
            assert code(await ask(client, "get_order_status", order_id="4471")) == "internal_error"
        assert not (await ask(client, "search_policy", query="returns")).is_error


class Answer(BaseModel):
    """A result."""

    value: int


async def refuse() -> str:
    """Refuse."""
    raise Refused("closed", "The shop is closed.", "Come back at nine.")


async def refuse_in_a_task() -> None:
    """Refuse from inside a task group, where the SDK sees a crash."""
    async with anyio.create_task_group():
        raise Refused("closed", "The shop is closed.", "Come back at nine.")


async def fail_plainly() -> str:
    """Fail as the SDK's manual says."""
    raise ToolError(f"no row for {PRIVATE}")


async def fail_to_validate() -> str:
    """Fail on data of our own, which is no fault of the arguments."""
    TypeAdapter(int).validate_python(PRIVATE)
    return ""


async def answer_wrongly() -> Annotated[CallToolResult, Answer]:
    """Return what the output schema does not allow."""
    return CallToolResult(content=[], structured_content={"value": PRIVATE})


async def veto() -> str:
    """Raise a protocol error, which is one on purpose."""
    raise MCPError(-32050, "not now")


def failing() -> HouseServer:
    functions = (refuse, refuse_in_a_task, fail_plainly, fail_to_validate, answer_wrongly, veto)
    tools = [strict_tool(each, title=each.__name__, annotations=READS) for each in functions]
    return house(*tools, also=["later"])


@pytest.mark.parametrize(
    ("tool", "expected"),
    [
        ("refuse", "closed"),
        ("refuse_in_a_task", "internal_error"),
        ("fail_plainly", "internal_error"),
        ("fail_to_validate", "internal_error"),
        ("answer_wrongly", "internal_error"),
    ],
)
async def test_every_way_to_fail_is_a_refusal_with_a_shape(
    era: str, tool: str, expected: str, caplog: pytest.LogCaptureFixture
):
    with anyio.fail_after(5):
        async with Client(failing(), mode=era) as client:
            result = await client.call_tool(tool, {})
    assert code(result) == expected
    assert PRIVATE not in said(result)
    assert PRIVATE not in caplog.text


async def test_a_protocol_error_stays_one(era: str):
    with anyio.fail_after(5):
        async with Client(failing(), mode=era) as client:
            with pytest.raises(MCPError) as raised:
                await client.call_tool("veto", {})
    assert raised.value.code == -32050


async def test_a_tool_that_is_added_later_is_called_too(era: str):
    server = failing()
    server.add_tool(refuse, name="later")
    with anyio.fail_after(5):
        async with Client(server, mode=era) as client:
            assert code(await client.call_tool("later", {})) == "closed"
            assert "later" in said(await client.call_tool("never", {}))


def broken_prompt(question: str) -> str:
    """Fail while it is filled."""
    raise RuntimeError(f"row of {PRIVATE} is corrupt")


@pytest.mark.parametrize(
    ("name", "arguments", "number", "words"),
    [
        ("nothing@example.com", {}, -32602, "There is no prompt of that name. Use one of: broken."),
        ("broken", {}, -32602, "The prompt broken needs these arguments: question."),
        ("broken", {"question": "Where?"}, -32603, "The prompt broken could not be filled."),
    ],
)
async def test_a_prompt_that_cannot_be_filled_says_what_to_do_and_no_more(
    era: str, name: str, arguments: dict[str, str], number: int, words: str, caplog: pytest.LogCaptureFixture
):
    server = failing()
    server.prompt(name="broken")(broken_prompt)
    with anyio.fail_after(5):
        async with Client(server, mode=era) as client:
            with pytest.raises(MCPError) as raised:
                await client.get_prompt(name, arguments)
    assert (raised.value.code, raised.value.message) == (number, words)
    assert "@example.com" not in caplog.text
