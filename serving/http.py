"""Serving over Streamable HTTP: to holders of the shop's tokens, or to this machine alone.

Knows:    what stands before the SDK's server: the token, the names it may be asked under, /health.
Does not: know any tool, or what a token means.   (tokens.py)
Rule:     without tokens whoever can reach the port is the caller of the settings. So it is then bound to this
          machine only, and a request that came here through a proxy is refused: its sender may be anybody.
Source:   RFC 6750 for 401 and WWW-Authenticate.
"""

import logging
import re
import sys
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any, NoReturn

import click
import uvicorn
from mcp.server import MCPServer
from mcp.server.auth.middleware.auth_context import AuthContextMiddleware
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser, BearerAuthBackend
from starlette.applications import Starlette
from starlette.authentication import AuthCredentials, AuthenticationError
from starlette.middleware import Middleware
from starlette.middleware.authentication import AuthenticationMiddleware
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from common.redaction import RedactingFormatter, redact_tracebacks
from common.settings import BadSettings, load
from serving.house import HouseServer, place_of_error
from serving.http_settings import SESSIONS, HttpSettings
from serving.identity import GUEST, Caller
from serving.listening import PATH, CannotListen, Place, allowed_names, listen, place_of
from serving.shares import IDLE_S, Shares
from serving.stdio import built_or_exit
from serving.tokens import BadKey, BadToken, Tokens, tokens_of

Build = Callable[[Caller], MCPServer[Any]]
"""Make the server. The caller given is the one of calls that show no token."""

_END_S = 3
"""Seconds that calls in flight have to end after Ctrl-C."""

_MOST_BYTES = 64 * 1024
"""Of a request's body. The longest call holds a summary of 300 characters; this one thread parses for all."""

_MOST_SESSIONS = 2_000
"""Of all people together. Each takes some 40 KB (measured)."""

_PROXIED = re.compile(
    r"forwarded|via|(?:x-forwarded|x-original|x-envoy|x-azure|x-arr|cf|cdn|fly|ngrok)-.+|x-proxy.*|x-forwarded.*"
    r"|.+-(?:client|connecting|real)-ip"
)
"""The names of headers that proxies, content networks and tunnels add."""


def serve_http(
    build: Build, caller: Callable[[], Caller], *, host: str, port: int, beside: Sequence[Route] = ()
) -> None:
    """Serve over HTTP until Ctrl-C, which ends the process with 130.

    caller: whom the settings name; asked, and served, only where they set up no tokens. beside: further
    routes, which see to it themselves who may use them. The URL is printed to stdout, what is served to whom
    to stderr. Ends the process with 2 where settings or options are wrong, with 1 where the port cannot be
    had.
    """
    log_to_stderr()
    redact_tracebacks()
    try:
        settings = load(HttpSettings)
        tokens = tokens_of(settings)
        place = place_of(host, port)
        _require_loopback_without(tokens, place)
        _require_names(settings, place)
        sockets = [listen(place)]
        place = replace(place, port=sockets[0].getsockname()[1])  # 0 has become the one that was free
    except CannotListen as error:
        _end(str(error), error.exit_code)
    except (BadSettings, BadKey) as error:
        _end(str(error), 2)
    who = GUEST if tokens else built_or_exit(caller)
    server = built_or_exit(lambda: build(who))
    app = http_app(server, tokens, place, settings.hosts, settings.shopkart_http_sessions, beside)
    click.echo(_served_to(who, tokens, place), err=True)
    click.echo(f"http://{place.name}:{place.port}{PATH}")
    try:
        uvicorn.Server(_config(app)).run(sockets)
    except KeyboardInterrupt:
        sys.exit(130)


def http_app(
    server: MCPServer[Any],
    tokens: Tokens | None,
    place: Place,
    further_hosts: tuple[str, ...] = (),
    most_sessions: int = SESSIONS,
    beside: Sequence[Route] = (),
) -> Starlette:
    """Return the server as an ASGI application; tokens: None for whoever comes from this machine.

    most_sessions: of each holder of tokens. Without tokens everybody is one person, and nobody a stranger.
    beside: further routes, which see to it themselves who may use them.
    """
    inner = server.streamable_http_app(
        streamable_http_path=PATH,
        transport_security=allowed_names(place, further_hosts),
        max_request_body_size=_MOST_BYTES,
        session_idle_timeout=IDLE_S,
        max_sessions=_MOST_SESSIONS,
    )
    inner.router.redirect_slashes = False  # its redirect would name http:// behind a proxy that ends TLS
    before = (
        [
            Middleware(AuthenticationMiddleware, backend=_Bearer(tokens), on_error=_not_signed_in),
            Middleware(AuthContextMiddleware),
            Middleware(Shares, most_sessions=most_sessions),
        ]
        if tokens
        else [Middleware(_FromHereOnly)]
    )

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncGenerator[None]:
        async with inner.router.lifespan_context(inner):
            yield
        if isinstance(server, HouseServer):
            server.ended()

    return Starlette(
        routes=[Route("/health", _health), *beside, Mount("/", app=inner, middleware=before)],
        lifespan=lifespan,
    )


# ---------------------------------------------------------------- who may come in


class _NoToken(AuthenticationError):
    """A request that shows no token."""


class _Bearer(BearerAuthBackend):
    """The SDK's reading of the Authorization header, where no request without a good token goes on."""

    async def authenticate(self, conn: HTTPConnection) -> tuple[AuthCredentials, AuthenticatedUser]:
        """Return whom the request's token stands for.  Raises: AuthenticationError."""
        headers = conn.headers.getlist("authorization")
        if not headers:
            raise _NoToken
        found = await super().authenticate(conn) if len(headers) == 1 else None
        if found is None:
            raise BadToken("The request must have one header: Authorization: Bearer TOKEN")
        return found


def _not_signed_in(_: HTTPConnection, error: Exception) -> Response:
    """Answer 401. RFC 6750: a request that shows no token is told no error, only what to show."""
    challenge = 'Bearer realm="shopkart"'
    body = {"error": "not_signed_in", "message": "This server needs a token: Authorization: Bearer TOKEN."}
    if not isinstance(error, _NoToken):
        challenge += f', error="invalid_token", error_description="{error}"'
        body = {"error": "invalid_token", "message": f"{error}."}
    return JSONResponse(body, 401, {"WWW-Authenticate": challenge})


@dataclass(frozen=True)
class _FromHereOnly:
    """Refuse what did not start on this machine, and tokens, which nobody would check."""

    app: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        names: set[str] = {name.decode("latin-1").lower() for name, _ in scope.get("headers", ())}
        if any(_PROXIED.fullmatch(name) for name in names):
            told = (
                "It came through a proxy, and this server checks no tokens, so it serves this machine only."
            )
        elif "authorization" in names:
            # Its sender means to be somebody; as whom it would be served is the settings' decision.
            told = "It shows a token, and this server checks none."
        else:
            return await self.app(scope, receive, send)
        next_step = "Set up SHOPKART_TOKEN_SECRET or SHOPKART_TOKEN_PUBLIC_KEY on the server."
        body = {"error": "not_allowed", "message": f"The request is refused. {told} {next_step}"}
        await JSONResponse(body, 403)(scope, receive, send)


async def _health(_: Request) -> Response:
    return PlainTextResponse("ok\n")


# ---------------------------------------------------------------- starting


def _require_loopback_without(tokens: Tokens | None, place: Place) -> None:
    if tokens is None and not place.is_loopback:
        raise CannotListen(
            f"--host {place.host} can be reached from other machines, and no tokens are set up, so everybody "
            "there could see a customer's orders. Set SHOPKART_TOKEN_SECRET or SHOPKART_TOKEN_PUBLIC_KEY, or "
            "leave out --host.",
            2,
        )


def _require_names(settings: HttpSettings, place: Place) -> None:
    if place.is_everywhere and not settings.hosts:
        raise CannotListen(
            f"--host {place.host} stands for every address of this machine, so the names under which it may "
            "be asked must be listed. Set SHOPKART_HTTP_HOSTS, as in support.shop.example.",
            2,
        )


def _served_to(who: Caller, tokens: Tokens | None, place: Place) -> str:
    if tokens:
        told = "Serving holders of this shop's tokens."
        if not place.is_loopback:
            told += " Tokens travel as they are: put a proxy that speaks https in front."
        return told
    whom = f"customer {who.customer_id}" if who.role == "customer" else who.role
    return (
        f"Serving this machine only, and everybody on it as {whom}: no tokens are set up. "
        "To serve others, set SHOPKART_TOKEN_SECRET or SHOPKART_TOKEN_PUBLIC_KEY."
    )


def _config(app: ASGIApp) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        log_config=None,
        log_level="error",  # its warnings are of requests that anybody may send
        access_log=False,  # its lines hold the query, where somebody may put a token although none is read
        proxy_headers=False,  # nothing that a header says of a request's origin is believed
        server_header=False,
        ws="none",
        timeout_graceful_shutdown=_END_S,
    )


def _end(text: str, code: int) -> NoReturn:
    sys.stderr.write(f"{text}\n")
    raise SystemExit(code)


def log_to_stderr() -> None:
    """Have the log written to stderr, redacted, and of an exception its kind and place alone."""
    handler = logging.StreamHandler()
    handler.setFormatter(_WithoutContent())
    logging.basicConfig(level=logging.WARNING, handlers=[handler])


class _WithoutContent(RedactingFormatter):
    """The house's form, redacted, and of an exception its kind and place: its text may hold anything."""

    def __init__(self) -> None:
        super().__init__("%(levelname)s %(name)s: %(message)s")

    def formatException(self, ei: Any) -> str:
        """Return the kind and the place of an exception."""
        return place_of_error(ei[1])
