"""A server that asks in the middle of a call, as either era has it.

Knows:    2026-07-28, where a call returns with questions and is sent again; 2025-11-25, where the server
          sends requests of its own meanwhile. Run as a program it serves stdio, or HTTP where told so.
"""

import json
import os
import socket
import sys
from collections.abc import Awaitable, Callable
from itertools import cycle
from typing import Any

import anyio
import mcp_types as types
from mcp import MCPError
from mcp.server import Server
from mcp.server.stdio import stdio_server
from mcp_types.version import LATEST_HANDSHAKE_VERSION

Round = dict[str, Any]


def form(message: str = "Refund 5.00?", fields: dict[str, Any] | None = None, required: Any = None) -> Any:
    """A question in form mode: to approve, unless fields are given; required: all, unless told otherwise."""
    fields = {"approve": {"type": "boolean", "title": "Approve"}} if fields is None else fields
    schema = {
        "type": "object",
        "properties": fields,
        "required": list(fields) if required is None else required,
    }
    return types.ElicitRequest(params=types.ElicitRequestFormParams(message=message, requested_schema=schema))


def page(url: str = "https://pay.example.net/now?card=1") -> Any:
    """A question in URL mode."""
    params = types.ElicitRequestURLParams(message="Pay here.", url=url, elicitation_id="1")
    return types.ElicitRequest(params=params)


class Asking(Server[Any]):
    """Asks its rounds, then says what it heard. An answer that is not accept is an error of the tool.

    heard: the answers, in order. done: how often the tool's own work was done. meanwhile: what the server
    does once its first question is on its way, where the era lets it. after_the_call: what it begins in the
    call and ends later. says: its result. raises: the protocol's error instead of all that.
    """

    def __init__(
        self,
        *rounds: Round,
        read_only: bool = False,
        for_ever: bool = False,
        meta: dict[str, Any] | None = None,
    ) -> None:
        super().__init__("till", version="1", on_list_tools=self._tools, on_call_tool=self._call)
        self.rounds = rounds
        self.for_ever = for_ever
        self.heard: list[types.ElicitResult] = []
        self.done = 0
        self.meanwhile: Callable[[], Awaitable[None]] | None = None
        self.after_the_call: Callable[[Any], object] = lambda ctx: None
        self.says = ""
        self.raises: types.ErrorData | None = None
        hints = types.ToolAnnotations(read_only_hint=read_only, destructive_hint=not read_only)
        self.tool = "look_up" if read_only else "refund"
        self._tool = types.Tool(
            name=self.tool,
            title="Look up an order" if read_only else "Refund an order",
            description="One tool.",
            input_schema={"type": "object", "properties": {"amount": {"type": "integer"}}},
            annotations=hints,
            _meta=meta,
        )

    async def _tools(self, ctx: Any, params: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[self._tool])

    async def _call(self, ctx: Any, params: Any) -> Any:
        if self.raises:
            raise MCPError.from_error_data(self.raises)
        self.after_the_call(ctx)
        if ctx.protocol_version == LATEST_HANDSHAKE_VERSION:
            heard: list[types.ElicitResult] = []
            for asked in cycle(self.rounds) if self.for_ever else self.rounds:
                heard += await self._ask_at_once(ctx, asked)
            return self._result(heard)
        self.heard += (params.input_responses or {}).values()
        at = int(params.request_state or 0)
        if at < len(self.rounds) or self.for_ever:
            asked = self.rounds[at % len(self.rounds)]
            return types.InputRequiredResult(input_requests=asked, request_state=str(at + 1))
        return self._result(self.heard)

    async def _ask_at_once(self, ctx: Any, asked: Round) -> list[types.ElicitResult]:
        results: dict[str, Any] = {}

        async def ask(key: str, request: Any) -> None:
            results[key] = await ctx.session.send_request(request, types.ElicitResult)

        async with anyio.create_task_group() as group:
            for key, request in asked.items():
                group.start_soon(ask, key, request)
            if self.meanwhile:
                await self.meanwhile()
                group.cancel_scope.cancel()
        heard = [results[key] for key in asked if key in results]
        self.heard += heard
        return heard

    def _result(self, heard: list[types.ElicitResult]) -> types.CallToolResult:
        refused = [answer.action for answer in heard if answer.action != "accept"]
        if refused:
            said = f"Error executing tool {self.tool}: elicitation was {refused[0]}"
            return types.CallToolResult(content=[types.TextContent(text=said)], is_error=True)
        self.done += 1
        given = json.dumps([answer.content for answer in heard])
        return types.CallToolResult(
            content=[types.TextContent(text=self.says or f"Refunded. It heard {given}.")]
        )


async def _over_stdio(server: Asking) -> None:
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


def _over_http(server: Asking) -> None:
    import uvicorn

    with socket.create_server(("127.0.0.1", 0)) as listener:
        print(listener.getsockname()[1], flush=True)
        uvicorn.Server(uvicorn.Config(server.streamable_http_app(), log_level="critical")).run([listener])


def main() -> None:
    """Serve one question over what the first argument names."""
    server = Asking({"ok": form(f"Refund 5.00? I am {os.getpid()}.")})
    if sys.argv[1] == "http":
        _over_http(server)
    else:
        anyio.run(_over_stdio, server)


if __name__ == "__main__":
    main()
