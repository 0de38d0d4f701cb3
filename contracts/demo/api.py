"""The demo shop's API as an ASGI application: who asks, may they, how often, and the answer in its envelope.

Knows:    tokens, scopes, limits, faults, and the order in which they are asked.
Does not: know what a category is.   (operations.py)
Order:    token, fault, limit, scope, repeated key, parameters, body, operation; the first refusal answers.
Source:   the published form of the Salla Admin API v2 (docs/decisions/042).
"""

import hmac
import json
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import anyio
from pydantic import ValidationError
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route

from contracts.demo.described import FILE, Operation, operations
from contracts.demo.faults import Fault, Faults, with_unknown_fields
from contracts.demo.limiting import Allowance, Given, Repeats
from contracts.demo.operations import DOES, Asked
from contracts.demo.records import Shop, shops
from contracts.demo.refusing import Refusal

BASE = "/admin/v2"
"""Where the API stands below its host, as Salla's does."""

ALL_SCOPES = frozenset(scope for operation in operations() for scope in operation.scopes)

MERCHANTS = ("demo", "other")
"""The shops of shops.yaml."""

_KEY = "Idempotency-Key"
_MOST_BYTES = 64 * 1024
_LOOPBACK = frozenset({"127.0.0.1", "::1"})


@dataclass(frozen=True)
class Grant:
    """What a token opens: one merchant's shop, within its scopes."""

    merchant: str = "demo"
    scopes: frozenset[str] = ALL_SCOPES


@dataclass(frozen=True)
class Surroundings:
    """What the API takes from outside itself: limits, clocks, waiting."""

    per_minute: int = 300
    clock: Callable[[], float] = time.monotonic
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    sleep: Callable[[float], Awaitable[None]] = anyio.sleep


def demo_app(grants: Mapping[str, Grant], surroundings: Surroundings | None = None) -> Starlette:
    """Return the API with fresh shops. grants: token -> what it opens."""
    around = surroundings or Surroundings()
    api = _Api(dict(grants), around, Faults(around.sleep), Allowance(around.per_minute, around.clock))
    below = [
        Route("/_faults", api.set_fault, methods=["POST", "DELETE"]),
        *(Route(each.path, api.answering(each), methods=[each.method]) for each in operations()),
    ]
    return Starlette(
        routes=[Route("/openapi.yaml", _description), Mount(BASE, routes=_merged(below))],
        exception_handlers={HTTPException: _http_refusal},
    )


def _merged(routes: list[Route]) -> list[Route]:
    """Return one route a path, so that a method which it has not is 405 and names those that it has."""
    by_path: dict[str, list[Route]] = {}
    for route in routes:
        by_path.setdefault(route.path, []).append(route)
    return [_one_route(path, each) for path, each in by_path.items()]


def _one_route(path: str, routes: list[Route]) -> Route:
    endpoints = {method: route.endpoint for route in routes for method in route.methods or ()}

    async def endpoint(request: Request) -> Response:
        return await endpoints[request.method](request)

    return Route(path, endpoint, methods=list(endpoints))


@dataclass
class _Api:
    grants: dict[str, Grant]
    around: Surroundings
    faults: Faults
    allowance: Allowance
    repeats: Repeats = field(default_factory=Repeats)
    shops: dict[str, Shop] = field(default_factory=shops)

    def answering(self, operation: Operation) -> Callable[[Request], Awaitable[Response]]:
        """Return the endpoint of an operation."""

        async def endpoint(request: Request) -> Response:
            try:
                return await self._answer(operation, request)
            except Refusal as refusal:
                return _refused(refusal)

        return endpoint

    async def _answer(self, operation: Operation, request: Request) -> Response:
        grant = self._grant(request)
        fault, instead = await self.faults.next(grant.merchant)
        if instead is not None:
            return instead
        limits = self.allowance.take(grant.merchant)
        try:
            status, body = await self._carried_out(operation, request, grant)
        except Refusal as refusal:
            refusal.headers = {**limits, **refusal.headers}
            raise
        return _json(status, _broken(fault, body), limits)

    async def _carried_out(self, operation: Operation, request: Request, grant: Grant) -> tuple[int, bytes]:
        if missing := operation.scopes - grant.scopes:
            raise Refusal(403, "insufficient_scope", f"The token lacks {', '.join(sorted(missing))}.")
        said = operation.arguments(request)
        raw = await _read(request)
        asked = (operation.method, str(request.url.path), raw)
        key = said.get(_KEY)
        if key is not None and (given := self.repeats.before(grant.merchant, key, asked)) is not None:
            return given.status, given.body
        content = operation.read_body(raw, request.headers.get("content-type", ""))
        now = self.around.now().strftime("%Y-%m-%d %H:%M:%S")
        done = DOES[operation.name](self.shops[grant.merchant], Asked(said, content, now))
        envelope: dict[str, Any] = {"status": done.status, "success": True, "data": done.data}
        if done.pagination is not None:
            envelope["pagination"] = done.pagination
        body = json.dumps(envelope, ensure_ascii=False).encode()
        if key is not None:
            self.repeats.keep(grant.merchant, key, Given(asked, done.status, body))
        return done.status, body

    def _grant(self, request: Request) -> Grant:
        """Return what the request's token opens; every token is compared, in constant time."""
        kind, _, shown = request.headers.get("authorization", "").partition(" ")
        found = None
        for token, grant in self.grants.items():
            if hmac.compare_digest(token.encode(), shown.encode()):
                found = grant
        if found is None or kind.lower() != "bearer":
            raise Refusal(
                401, "unauthorized", "The access token is not valid.", headers={"WWW-Authenticate": "Bearer"}
            )
        return found

    async def set_fault(self, request: Request) -> Response:
        """Set or clear the faults of the merchant whose token is shown."""
        try:
            if request.client is None or request.client.host not in _LOOPBACK:
                raise Refusal(403, "not_from_here", "Faults are set from this machine alone.")
            merchant = self._grant(request).merchant
            if request.method == "DELETE":
                self.faults.clear(merchant)
            else:
                self.faults.set(merchant, Fault.model_validate_json(await _read(request)))
        except ValidationError as error:
            fields = {".".join(map(str, each["loc"])) or "body": [each["msg"]] for each in error.errors()}
            return _refused(Refusal(422, "validation_failed", "This is no fault.", fields=fields))
        except Refusal as refusal:
            return _refused(refusal)
        return _json(200, b'{"status":200,"success":true,"data":{}}')


async def _read(request: Request) -> bytes:
    """Return the body.  Raises: Refusal where it is too long."""
    raw = b""
    async for piece in request.stream():
        raw += piece
        if len(raw) > _MOST_BYTES:
            raise Refusal(413, "too_large", f"The body is longer than {_MOST_BYTES} bytes.")
    return raw


def _broken(fault: Fault | None, body: bytes) -> bytes:
    if fault is None or fault.kind != "unknown_field":
        return body
    return json.dumps(with_unknown_fields(json.loads(body)), ensure_ascii=False).encode()


def _json(status: int, body: bytes, headers: Mapping[str, str] | None = None) -> Response:
    return Response(body, status, headers, media_type="application/json")


def _refused(refusal: Refusal) -> Response:
    return _json(refusal.status, json.dumps(refusal.body()).encode(), refusal.headers)


async def _http_refusal(_: Request, error: Exception) -> Response:
    """Return the envelope for a path or method that is not there."""
    status = error.status_code if isinstance(error, HTTPException) else 500
    headers = error.headers if isinstance(error, HTTPException) else None
    code, said = {
        404: ("not_found", "There is nothing at this address."),
        405: ("method_not_allowed", "This address does not take this method."),
    }.get(status, ("refused", "The request was refused."))
    return _refused(Refusal(status, code, said, headers=headers))


async def _description(_: Request) -> Response:
    return Response(FILE.read_bytes(), media_type="application/yaml")
