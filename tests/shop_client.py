"""The words in which client_test.py speaks to a server: calls, answers, refusals.

Knows:    the SDK's client, and how server.py is started.
Does not: import any code of the server, or hold a promise.   (client_test.py)
"""

import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import date
from pathlib import Path
from typing import Any, TextIO, cast

from mcp import Client, StdioServerParameters, stdio_client
from mcp_types import CallToolResult, Request, TextContent

SERVER = Path(__file__).resolve().parents[1] / "server.py"
DRY_RUN = {"shopkart/dry_run": True}

CUSTOMER = {"SHOPKART_ROLE": "customer", "SHOPKART_CUSTOMER": "C-1001", "ORDER_ID_PATTERN": "^[0-9]{1,12}$"}
STAFF = CUSTOMER | {"SHOPKART_ROLE": "staff", "SHOPKART_CUSTOMER": ""}
NOBODY = CUSTOMER | {"SHOPKART_ROLE": "guest"}


async def call(
    shop: Client, tool: str, meta: dict[str, Any] | None = None, **arguments: Any
) -> CallToolResult:
    """Call a tool and return its whole result."""
    return await shop.call_tool(tool, arguments, meta=meta)  # pyright: ignore[reportArgumentType]


def said(result: CallToolResult) -> str:
    """Return the result's sentences."""
    return " ".join(block.text for block in result.content if isinstance(block, TextContent))


def structured(result: CallToolResult) -> dict[str, Any]:
    """Return the structured content, of an answer or of a refusal."""
    return cast(dict[str, Any], result.structured_content or {})


def data(result: CallToolResult) -> dict[str, Any]:
    """Return the structured content of a call that worked."""
    assert not result.is_error, f"refused: {said(result)}"
    return structured(result)


def refusal(result: CallToolResult, code: str) -> dict[str, Any]:
    """Return the refusal, which must be of this code and must say what happened and what to do."""
    assert result.is_error, f"was not refused: {said(result)}"
    told = structured(result)
    assert told.get("error") == code, f"refused as {told.get('error')}, not as {code}"
    assert told["message"] and told["next"], "a refusal without its sentences"
    assert said(result) == f"{told['message']} {told['next']}", "text and structure differ"
    return told


async def raw_call(shop: Client, arguments: object) -> CallToolResult:
    """Send what the SDK's typed request could not hold, as a broken client would."""
    request = Request[dict[str, Any], Any](
        method="tools/call", params={"name": "get_order_status", "arguments": arguments}
    )
    return await shop.session.send_request(cast(Any, request), CallToolResult)


async def ticket(
    shop: Client, order_id: str, category: str, meta: dict[str, Any] | None = None
) -> CallToolResult:
    """Ask for a ticket."""
    return await call(
        shop, "create_ticket", meta, order_id=order_id, category=category, summary="Please look into this."
    )


def days_after(earlier: str, later: str) -> int:
    """Return the days between two dates as the server writes them."""
    return (date.fromisoformat(later) - date.fromisoformat(earlier)).days


@asynccontextmanager
async def serve(session: dict[str, str], era: str, log: TextIO) -> AsyncGenerator[Client, None]:
    """Start a server of its own for some checks."""
    child = StdioServerParameters(command=sys.executable, args=[str(SERVER)], env=session, cwd=SERVER.parent)
    async with Client(stdio_client(child, errlog=log), mode=era, read_timeout_seconds=10) as shop:
        yield shop
