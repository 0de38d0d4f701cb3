"""How much of the server one person may hold over HTTP: open sessions, and requests at once.

Knows:    whose each open session is, and when it was last used.
Does not: check a token, or see what is asked.   (http.py)
Rule:     for a new session beyond a person's share, theirs that was unused for longest ends: a client that
          lost its sessions is served, and nobody can fill the server for the others.
Source:   MCP 2025-11-25, Streamable HTTP: the answer to `initialize` names the session, DELETE ends it.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

IDLE_S = 600.0
"""Seconds after which a session that nobody uses ends. A client that still listens to it uses it."""

_MOST_AT_ONCE = 32
"""Requests of one person that may wait for their answers; an assistant has one, a busy page a few."""

_SESSION = "mcp-session-id"


@dataclass
class _Session:
    """used: when a request of it last began or ended. waiting: those that have no answer yet."""

    used: float
    waiting: int = 0
    listened_to: int = 0


@dataclass
class _Share:
    """What one person holds."""

    sessions: dict[str, _Session] = field(default_factory=dict[str, _Session])
    waiting: int = 0


class Shares:
    """An ASGI application around the server's own, behind the check of tokens."""

    def __init__(self, app: ASGIApp, most_sessions: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._app = app
        self._most_sessions = most_sessions
        self._clock = clock
        self._held: dict[str, _Share] = {}
        self._next_clearing = clock() + IDLE_S

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, unless its sender has too many that wait for answers."""
        user = scope.get("user")
        if not isinstance(user, AuthenticatedUser):
            return await self._app(scope, receive, send)
        self._clear()
        share = self._held.setdefault(user.access_token.client_id, _Share())
        listens = scope["method"] == "GET"  # the SDK allows one for each session
        if not listens and share.waiting >= _MOST_AT_ONCE:
            return await _too_many()(scope, receive, send)
        session = share.sessions.get(Headers(scope=scope).get(_SESSION, ""))
        waits = 0 if listens else 1
        share.waiting += waits
        _count(session, waits, self._clock())
        try:
            await self._app(scope, receive, self._watched(scope, share, send))
        finally:
            share.waiting -= waits
            _count(session, waits, self._clock(), -1)

    def _watched(self, scope: Scope, share: _Share, send: Send) -> Send:
        """Return a send that sees which session an answer opens or a request ended."""
        asked = Headers(scope=scope).get(_SESSION)

        async def watched(message: Message) -> None:
            if message["type"] == "http.response.start":
                status: int = message["status"]
                if asked is not None and (status == 404 or (scope["method"] == "DELETE" and status < 300)):
                    share.sessions.pop(asked, None)
                named = Headers(raw=message.get("headers", [])).get(_SESSION)
                if asked is None and named is not None and status < 300:
                    await self._make_room(scope, share)
                    share.sessions[named] = _Session(self._clock())
            await send(message)

        return watched

    async def _make_room(self, scope: Scope, share: _Share) -> None:
        """End what is beyond the share, but for the sessions that are answering: those have a limit."""
        while len(share.sessions) >= self._most_sessions:
            quiet = [name for name, session in share.sessions.items() if not session.waiting]
            if not quiet:
                return
            oldest = min(quiet, key=lambda name: share.sessions[name].used)
            del share.sessions[oldest]
            await self._app(_ending(scope, oldest), _nothing_more, _to_nobody)

    def _clear(self) -> None:
        """Forget the sessions that have ended by themselves, and whoever holds nothing."""
        now = self._clock()
        if now < self._next_clearing:
            return
        self._next_clearing = now + IDLE_S
        for share in self._held.values():
            share.sessions = {
                name: session
                for name, session in share.sessions.items()
                if session.waiting or session.listened_to or session.used > now - IDLE_S
            }
        self._held = {who: share for who, share in self._held.items() if share.sessions or share.waiting}

    def __len__(self) -> int:
        """Return of how many people sessions or requests are kept."""
        return len(self._held)


def _count(session: _Session | None, waits: int, now: float, step: int = 1) -> None:
    if session is not None:
        session.used = now
        session.waiting += step * waits
        session.listened_to += step * (1 - waits)


def _ending(scope: Scope, session: str) -> Scope:
    """Return the request by which the sender of another one would end their session."""
    kept = [(name, value) for name, value in scope["headers"] if name in (b"host", b"origin")]
    return {**scope, "method": "DELETE", "headers": [*kept, (_SESSION.encode(), session.encode())]}


async def _nothing_more() -> Message:
    return {"type": "http.request", "body": b"", "more_body": False}


async def _to_nobody(message: Message) -> None:
    del message


def _too_many() -> JSONResponse:
    told = f"{_MOST_AT_ONCE} requests of this person wait for their answers. Wait for one, and ask again."
    return JSONResponse({"error": "too_many_requests", "message": told}, 429, {"Retry-After": "1"})
