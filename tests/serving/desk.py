"""The words of these tests: a server that says who calls it, over HTTP in this process, and its tokens.

Knows:    the application, its clients, keys of every kind.
Does not: open a port.
"""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import httpx2
import jwt
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.server import MCPServer
from mcp_types import CallToolResult, TextContent

from serving.http import http_app
from serving.http_settings import SESSIONS, HttpSettings
from serving.identity import GUEST, Caller, caller_now
from serving.listening import Place, place_of
from serving.tokens import Tokens, signed, tokens_of

SECRET = "a secret of these tests, long enough"
HERE = "http://127.0.0.1:8000"
BOUND_S = 5


def settings(**given: Any) -> HttpSettings:
    """Return settings with the secret of these tests, whatever .env and the environment say."""
    known = {f"shopkart_token_{name}": value for name, value in given.items() if name != "hosts"}
    known = {"shopkart_token_secret": SECRET} | known | {"shopkart_http_hosts": given.get("hosts", "")}
    return HttpSettings(_env_file=None, **known)  # type: ignore[call-arg]


def believed(**given: Any) -> Tokens:
    tokens = tokens_of(settings(**given))
    assert tokens is not None
    return tokens


def token(customer: str | None = None, *, staff: bool = False, ttl_s: int = 600) -> str:
    return signed(settings(), customer, staff=staff, ttl_s=ttl_s)


def forged(claims: dict[str, Any], key: Any = SECRET, algorithm: str = "HS256", **more: Any) -> str:
    """Return a token with exactly these claims."""
    return jwt.encode(claims, key, algorithm=algorithm, **more)


def who_server(otherwise: Caller = GUEST) -> MCPServer[Any]:
    """Return a server whose tools, resource and prompt say as whom they see the caller."""
    server: MCPServer[Any] = MCPServer("who", log_level="WARNING")

    def told() -> str:
        caller = caller_now(otherwise)
        return f"{caller.role}:{caller.customer_id}"

    @server.tool()
    async def who() -> str:
        return told()

    @server.tool()
    def who_in_a_thread() -> str:
        return told()

    @server.tool()
    async def who_after_others(customer_id: str = "", principal: str = "") -> str:
        before = told()
        for _ in range(5):
            await anyio.lowlevel.checkpoint()
        return f"{before} {told()}"

    @server.resource("who://am-i")
    def resource() -> str:
        return told()

    @server.prompt()
    def prompt() -> str:
        return told()

    return server


@asynccontextmanager
async def serving(
    otherwise: Caller = GUEST,
    *,
    tokens: Tokens | None,
    place: Place | None = None,
    hosts: tuple[str, ...] = (),
    most_sessions: int = SESSIONS,
) -> AsyncGenerator[httpx2.ASGITransport]:
    """Serve in this process; yields what an HTTP client sends its requests to."""
    where = place or place_of("127.0.0.1", 8000)
    app = http_app(who_server(otherwise), tokens, where, hosts, most_sessions)
    async with app.router.lifespan_context(app):
        yield httpx2.ASGITransport(app)


@asynccontextmanager
async def browser(
    to: httpx2.ASGITransport, bearer: str | None = None, **headers: str
) -> AsyncGenerator[httpx2.AsyncClient]:
    """Yield an HTTP client that shows the token, if any, with every request."""
    shown = {"Authorization": f"Bearer {bearer}"} if bearer else {}
    async with httpx2.AsyncClient(transport=to, base_url=HERE, headers=shown | headers) as client:
        yield client


@asynccontextmanager
async def signed_in(
    to: httpx2.ASGITransport, bearer: str | None, mode: str = "auto", **headers: str
) -> AsyncGenerator[Client]:
    """Yield an MCP client that shows the token with every request."""
    async with (
        browser(to, bearer, **headers) as http,
        Client(
            streamable_http_client(f"{HERE}/mcp", http_client=http), mode=mode, read_timeout_seconds=BOUND_S
        ) as client,
    ):
        yield client


async def who(client: Client, tool: str = "who", **arguments: Any) -> str:
    """Return as whom a tool sees the client."""
    return text(await client.call_tool(tool, arguments))


def text(result: CallToolResult) -> str:
    first = result.content[0]
    assert isinstance(first, TextContent)
    assert not result.is_error, first.text
    return first.text
