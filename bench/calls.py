"""What a tool call costs through our bridge and server, against the SDK's client and a bare server.

Knows:    both ways to the same three tools, over stdio and in memory.
Does not: know the agent or a model.
"""

import os
import sys
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

from mcp import Client, StdioServerParameters, stdio_client

from bench.bare_server import server as bare_in_memory
from bench.measure import Row, Timed, medians_ms, timed
from common.settings import ROOT
from mcp_tools import Bridge, connect
from server import build_server
from serving import Caller
from terminal.settings import serve_as

MAX_RATIO = 1.15
SEARCHES = "search_policy"
"""Ranks every section for the question, where the bare server looks one word up: shown, and no aim for it."""

RUNS = 300
WARM_UP = 50

CALLS: dict[str, dict[str, Any]] = {
    "get_order_status": {"order_id": "4471"},
    "search_policy": {"query": "how many days do I have to return something?"},
    "create_ticket": {"order_id": "4471", "category": "delivery", "summary": "The parcel is late."},
}


@asynccontextmanager
async def bare_over_stdio() -> AsyncGenerator[Client, None]:
    """Start the bare server and connect the SDK's client as its manual shows."""
    parameters = StdioServerParameters(command=sys.executable, args=[str(ROOT / "bench" / "bare_server.py")])
    with open(os.devnull, "w", encoding="utf-8") as silence:
        async with Client(stdio_client(parameters, errlog=silence)) as client:
            yield client


def _ours(bridge: Bridge, name: str) -> Timed:
    async def call() -> None:
        result = await bridge.call(name, CALLS[name])
        _expect(not result.is_error and bool(result.data), name, result.text)

    return timed(call)


def _bare(client: Client, name: str) -> Timed:
    async def call() -> None:
        result = await client.call_tool(name, CALLS[name])
        _expect(not result.is_error and result.structured_content is not None, name, str(result.content))

    return timed(call)


def _expect(answered: bool, name: str, said: str) -> None:
    if not answered:
        raise RuntimeError(f"{name} gave no result, so its time means nothing. It said: {said[:200]}")


async def call_rows(runs: int = RUNS, warm_up: int = WARM_UP) -> list[Row]:
    """Time every tool, over stdio and in memory."""
    rows: list[Row] = []
    serve_as("staff")  # whose look-ups are not counted
    async with AsyncExitStack() as stack:
        ways = {
            "stdio": (
                await stack.enter_async_context(connect()),
                await stack.enter_async_context(bare_over_stdio()),
            ),
            "in memory": (
                await stack.enter_async_context(connect(build_server(caller=Caller("staff")))),
                await stack.enter_async_context(Client(bare_in_memory)),
            ),
        }
        for way, (bridge, client) in ways.items():
            for name in CALLS:
                both = await medians_ms(_ours(bridge, name), _bare(client, name), runs=runs, warm_up=warm_up)
                aim = None if name == SEARCHES else MAX_RATIO
                rows.append(Row(f"{name}, {way}", *both, aim, runs))
    return rows
