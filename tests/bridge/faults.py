"""The words of these tests: a bridge to a server with a fault, and what a refusal must hold.

Knows:    where the broken servers stand.
Does not: know what the bridge does with them.
"""

import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio

from mcp_tools import Bridge, Limits, ToolResult, connect

SERVERS = Path(__file__).parent / "servers"
BOUND_S = 30
"""Seconds a test with processes may take; never a promise."""

SHORT = Limits(connect_s=10, call_s=0.5)
"""For calls that are never answered. Starting a process takes its time on a busy machine."""


def faulty(fault: str = "none", *more: object) -> list[str]:
    return [sys.executable, "-S", "-E", str(SERVERS / "faulty.py"), fault, *map(str, more)]


@asynccontextmanager
async def bridge_to(
    fault: str = "none", *more: object, limits: Limits | None = None
) -> AsyncGenerator[Bridge, None]:
    with anyio.fail_after(BOUND_S):
        async with connect(faulty(fault, *more), limits=limits) as bridge:
            yield bridge


async def text(bridge: Bridge, name: str, do: str = "") -> str:
    result = await bridge.call(name, {"do": do})
    assert not result.is_error, result.text
    return result.text


def code(result: ToolResult) -> str:
    """Return the code of a result that must be a whole refusal."""
    assert result.is_error, result.text
    assert result.text
    assert all(isinstance(result.data[key], str) and result.data[key] for key in ("error", "message", "next"))
    return result.data["error"]
