"""The token that is shown to a server over HTTP, and what the server says of it.

Knows:    to which origin the token belongs, and how a refusal of it looks in HTTP.
Does not: speak MCP.   (connection.py)
Why:      the SDK makes one JSON-RPC error of every HTTP error, so whether a call was refused at the door,
          where nothing can have been done, must be read off the response itself.
"""

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

import httpx2
from pydantic import SecretStr

from bridge.bounded import BoundedBody

NO_TOKEN = SecretStr("")


class TokenRefused(Exception):
    """A server wants another token, or any; nothing was done. The text goes on after the server's name."""


@dataclass
class Door:
    """What became known while one call went out. refusal: None, or the words of a TokenRefused.

    too_large: the answer was longer than anybody reads.
    """

    refusal: str | None = None
    too_large: bool = False


_door: ContextVar[Door | None] = ContextVar("door", default=None)


@contextmanager
def at_the_door() -> Generator[Door]:
    """Learn of a refusal of the requests that are made for what runs inside, and of no others.

    The SDK sends a request in a task of its own, but in the context of the call it is made for.
    """
    door = Door()
    token = _door.set(door)
    try:
        yield door
    finally:
        _door.reset(token)


def http_client(url: str, token: SecretStr, result_bytes: int) -> httpx2.AsyncClient:
    """Return the client for one server. token: empty where none is to be shown. result_bytes: of an answer.

    A call's answer may take long to begin; the time that it has is the bridge's to decide.
    """
    shown = bool(token.get_secret_value())

    async def note(response: httpx2.Response) -> None:
        door = _door.get()
        if door is not None and response.status_code in (401, 403):
            door.refusal = _told(response, shown=shown)

        def too_large() -> None:
            if door is not None:
                door.too_large = True

        response.stream = BoundedBody(response, result_bytes, too_large)

    return httpx2.AsyncClient(
        headers={"Accept-Encoding": "identity"},
        auth=_Bearer(token, url) if shown else None,
        timeout=httpx2.Timeout(30.0, read=300.0),  # the SDK's own
        event_hooks={"response": [note]},
    )


class _Bearer(httpx2.Auth):
    """Shows a token to one origin, wherever a redirect leads."""

    def __init__(self, token: SecretStr, url: str) -> None:
        self._token = token
        self._origin = _origin(httpx2.URL(url))

    def auth_flow(self, request: httpx2.Request) -> Generator[httpx2.Request, httpx2.Response, None]:
        """Add the token to a request."""
        if _origin(request.url) == self._origin:
            request.headers["Authorization"] = f"Bearer {self._token.get_secret_value()}"
        yield request


def travels_open(token: SecretStr, url: str) -> bool:
    """Say whether the token could be read on its way: by http, to another machine."""
    parsed = httpx2.URL(url)
    is_here = parsed.host in ("localhost", "127.0.0.1", "::1")
    return bool(token.get_secret_value()) and parsed.scheme == "http" and not is_here


def _origin(url: httpx2.URL) -> tuple[str, str, int | None]:
    return url.scheme, url.host, url.port


def _told(response: httpx2.Response, *, shown: bool) -> str:
    """Return what happened in our own words: the server's could be meant for the model."""
    if response.status_code == 403:
        return "refused the request (HTTP 403): this token, or none, does not open it."
    if not shown:
        return "wants a token. Set MCP_TOKEN in .env.local."
    if "expired" in response.headers.get("www-authenticate", "").lower():
        return "refused the token: it has expired. Set MCP_TOKEN to a new one."
    return "refused the token. Set MCP_TOKEN to one that it accepts."
