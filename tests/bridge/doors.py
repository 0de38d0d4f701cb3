"""Servers over HTTP in this process, on real ports: with a door that can be shut while they run.

Knows:    how to serve an application on a free port and how to answer in its place.
Does not: know the bridge.
"""

import json
import logging
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import anyio
import uvicorn
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from serving.listening import listen, place_of

Answer = Callable[[str], Response | None]
"""From the name of the called tool, or the method, to what is answered in the server's place."""


@dataclass
class Door:
    """An application that stands before another one. shown: the Authorization header of every request."""

    app: ASGIApp
    answer: Answer = lambda _: None
    shown: list[str | None] = field(default_factory=list)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        request = Request(scope, receive)
        self.shown.append(request.headers.get("authorization"))
        body = await request.body()
        answer = self.answer(_called(body))
        if answer is not None:
            return await answer(scope, receive, send)
        rest = [{"type": "http.request", "body": body, "more_body": False}]

        async def again() -> Any:
            return rest.pop() if rest else await receive()

        await self.app(scope, again, send)


def _called(body: bytes) -> str:
    message: dict[str, Any] = json.loads(body) if body else {}
    return str(message.get("params", {}).get("name") or message.get("method", ""))


@asynccontextmanager
async def on_a_port(app: ASGIApp) -> AsyncGenerator[str]:
    """Serve an application on a free port of this machine; yields the origin, as http://127.0.0.1:1234."""
    sock = listen(place_of("127.0.0.1", 0))
    config = uvicorn.Config(app, log_config=None, access_log=False, ws="none", timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)  # it tells of connections cut at the end
    async with anyio.create_task_group() as group:
        group.start_soon(server.serve, [sock])
        try:
            yield f"http://127.0.0.1:{sock.getsockname()[1]}"
        finally:
            server.should_exit = True
