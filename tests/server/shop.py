"""The demo shop on a fixed day, and the words of the server's tests."""

from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager
from datetime import UTC, date, datetime
from typing import Any

import anyio
from mcp import Client
from mcp.server.mcpserver.tools import Tool
from mcp_types import CallToolResult, TextContent

from server import build_server
from serving import Access, Admission, Caller, Facts, HouseServer
from store import DEMO_CUSTOMER, Order, Reach, Store, demo_store

ERAS = ("auto", "legacy")
DRY_RUN = {"shopkart/dry_run": True}
TODAY = date(2026, 12, 2)
CUSTOMER = Caller("customer", DEMO_CUSTOMER)
STAFF = Caller("staff")


def noon() -> datetime:
    return datetime(TODAY.year, TODAY.month, TODAY.day, 12, tzinfo=UTC)


def demo() -> Store:
    return demo_store(noon)


def demo_orders(day: date = TODAY) -> tuple[Order, ...]:
    """Return the demo's orders as they stand on a day."""
    shop = demo_store(lambda: datetime(day.year, day.month, day.day, 12, tzinfo=UTC))
    return tuple(shop.orders(Reach(everybody=True), 1000))


def order_of_the_demo(order_id: str) -> Order:
    order = demo().get_order(order_id, Reach(everybody=True))
    assert order is not None
    return order


def house(*tools: Tool, also: Iterable[str] = ()) -> HouseServer:
    """Return a server of these tools, and of a customer who may use them all, and those that come later."""
    names = (*(tool.name for tool in tools), *also)
    facts = Facts(name="house", title="House", version="1", instructions="")
    return HouseServer(facts, list(tools), Admission(lambda: CUSTOMER, Access(customer=names)))


@asynccontextmanager
async def opened(
    mode: str = "auto", *, store: Store | None = None, caller: Caller = CUSTOMER, limit_s: float = 5
) -> AsyncGenerator[Client]:
    server = build_server(store or demo(), caller, noon)
    with anyio.fail_after(limit_s):
        async with Client(server, mode=mode) as client:
            yield client


async def ask(
    client: Client, tool: str, meta: dict[str, Any] | None = None, **arguments: Any
) -> CallToolResult:
    return await client.call_tool(tool, arguments, meta=meta)  # pyright: ignore[reportArgumentType]


async def ticket(
    client: Client, order_id: str, category: str, meta: dict[str, Any] | None = None
) -> CallToolResult:
    return await ask(
        client, "create_ticket", meta, order_id=order_id, category=category, summary="Please look into this."
    )


def said(result: CallToolResult) -> str:
    (block,) = result.content
    assert isinstance(block, TextContent)
    return block.text


def data(result: CallToolResult) -> dict[str, Any]:
    assert not result.is_error, said(result)
    assert result.structured_content is not None
    return result.structured_content


def code(result: CallToolResult) -> str:
    """Return the code of a refusal, after checking its shape."""
    assert result.is_error, said(result)
    told = result.structured_content
    assert told is not None
    assert set(told) == {"error", "message", "next"}
    assert said(result) == f"{told['message']} {told['next']}"
    return told["error"]
