"""Sending: one request to one upstream, with its credential, within its limits.

Knows:    httpx2, time limits, when a request may be repeated, how long an upstream wants to be left alone.
Does not: build a request, or read what an answer means.   (requesting.py, responding.py)
Rule:     a request is repeated only where that cannot do something twice: it reads, or it carries a key by
          which the upstream knows it again. A change that was sent and not answered may have been made, and
          that is said. The credential is added here, after the address was proven to be the upstream's.
"""

import json
import logging
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http.cookiejar import DefaultCookiePolicy
from time import monotonic
from typing import Any

import anyio
import httpx2

from common.version import VERSION
from contracts.breaker import Breaker
from contracts.confinement import url_of
from contracts.credentials import Credential, Credentials, Principal
from contracts.failures import CallFailed
from contracts.stages import OnStage, Stage
from contracts.upstreams import Upstream
from contracts.wire import Answer, Outgoing

log = logging.getLogger(__name__)

_BUSY = frozenset({429, 502, 503, 504})
"""Statuses that mean: not now."""

_AGAIN = "Tell the user that it did not work just now, and that they can try again in a moment."
_UNKNOWN = (
    "Do not repeat it. Say that the outcome is not known, and look it up with a read before anything else."
)


@dataclass(frozen=True)
class Clock:
    """Time, as tests may set it."""

    now: Callable[[], float] = monotonic
    today: Callable[[], datetime] = lambda: datetime.now(UTC)
    sleep: Callable[[float], Awaitable[None]] = anyio.sleep


def new_client() -> httpx2.AsyncClient:
    """Return a client that follows no redirect and believes no environment variable about proxies."""
    client = httpx2.AsyncClient(
        follow_redirects=False,
        trust_env=False,
        headers={"accept": "application/json", "user-agent": f"shopkart/{VERSION}"},
        limits=httpx2.Limits(max_connections=None, max_keepalive_connections=20),  # each upstream has its own
    )
    return without_cookies(client)


def without_cookies(client: httpx2.AsyncClient) -> httpx2.AsyncClient:
    """Return the client, keeping no cookie from now on: one principal's would go with another's call."""
    client.cookies.jar.set_policy(DefaultCookiePolicy(allowed_domains=()))
    return client


@dataclass
class Sender:
    """Sends for every upstream; each has a number of requests at once of its own.

    A breaker is one principal's at one upstream: what somebody's calls run into there, another's need not.
    """

    client: httpx2.AsyncClient
    credentials: Credentials
    clock: Clock = field(default_factory=Clock)
    _breakers: dict[tuple[str, str], Breaker] = field(default_factory=dict[tuple[str, str], Breaker])
    _slots: dict[str, anyio.CapacityLimiter] = field(default_factory=dict[str, anyio.CapacityLimiter])

    async def send(
        self,
        outgoing: Outgoing,
        upstream: Upstream,
        principal: Principal,
        *,
        function: str,
        repeat_on: frozenset[int] | None,
        on_stage: OnStage,
    ) -> Answer:
        """Return what the upstream answered, whatever its status.

        repeat_on: further statuses after which it is sent again; None where doing it twice may do more than
        doing it once, so that it never is.  Raises: CallFailed.
        """
        return await _Trip(self, outgoing, upstream, principal, function, repeat_on, on_stage).run()

    def breaker(self, upstream: Upstream, principal: Principal) -> Breaker:
        """Return the breaker of a principal at an upstream."""
        limits = upstream.limits
        made = Breaker(limits.breaker_failures, limits.breaker_s, self.clock.now)
        return self._breakers.setdefault((upstream.name, principal.name), made)

    def slots(self, upstream: Upstream) -> anyio.CapacityLimiter:
        """Return the places of the requests that an upstream answers at once."""
        return self._slots.setdefault(upstream.name, anyio.CapacityLimiter(upstream.limits.concurrent))


class _NoAnswer(Exception):
    """There was no answer that can be used. sent: whether the request may have arrived."""

    def __init__(self, code: str, why: str, *, sent: bool) -> None:
        super().__init__(why)
        self.code = code
        self.why = why
        self.sent = sent


@dataclass
class _Trip:
    """One request until its answer, over all its repeats."""

    sender: Sender
    outgoing: Outgoing
    upstream: Upstream
    principal: Principal
    function: str
    repeat_on: frozenset[int] | None
    on_stage: OnStage

    async def run(self) -> Answer:
        url = url_of(self.upstream, self.outgoing)
        credential = await self.sender.credentials.resolve(self.principal, self.upstream)
        attempt, renewed = 1, False
        while True:
            async with self.sender.slots(self.upstream):  # nobody holds one while he waits or signs in anew
                outcome = await self._attempt(url, credential, attempt)
            if isinstance(outcome, Answer) and outcome.status == 401 and credential and not renewed:
                renewed = True  # 401 means that nothing was done, so a change may be sent once more, too
                if await self.sender.credentials.refused(self.principal, self.upstream, credential):
                    credential = await self.sender.credentials.resolve(self.principal, self.upstream)
                    continue
            wait_s = self._wait_s(outcome, attempt)
            if wait_s is None:
                if isinstance(outcome, _NoAnswer):
                    raise self._failure(outcome) from None
                return outcome
            await self.sender.clock.sleep(wait_s)
            attempt += 1

    async def _attempt(
        self, url: httpx2.URL, credential: Credential | None, attempt: int
    ) -> Answer | _NoAnswer:
        request = self._request(url, credential)
        breaker = self.sender.breaker(self.upstream, self.principal)
        if not breaker.allows():
            raise CallFailed(
                "upstream_resting",
                f"The shop's system has failed several times in a row and is left alone for "
                f"{max(1, round(breaker.wait_s))} seconds.",
                _AGAIN,
                retry=True,
            )
        try:
            await self._tell("sent", f"{self.outgoing.method} {url.host}{url.path}", attempt)
            with anyio.fail_after(self.upstream.limits.timeout_s):
                answer = await self._exchange(request, credential)
        except _NoAnswer as failure:
            if failure.code in _DOWN:
                breaker.failed()
            else:
                breaker.succeeded()
            return failure
        except TimeoutError:
            breaker.failed()
            why = f"did not answer within {self.upstream.limits.timeout_s:g} seconds"
            return _NoAnswer("upstream_timeout", why, sent=True)
        except BaseException:
            breaker.left()
            raise
        if answer.status in (500, 502, 503, 504):
            breaker.failed()
        else:
            breaker.succeeded()
        await self._tell("received", str(answer.status), attempt)
        return answer

    def _request(self, url: httpx2.URL, credential: Credential | None) -> httpx2.Request:
        """Return what is sent.  Raises: CallFailed where the credential cannot be."""
        headers = dict(self.outgoing.headers)
        content: bytes | None = None
        if self.outgoing.has_body:
            content = _json_bytes(self.outgoing.body)
            headers["content-type"] = "application/json"
        if credential is not None:
            headers[credential.header] = self._secret(credential)
        return self.sender.client.build_request(
            self.outgoing.method,
            url,
            headers=headers,
            content=content,
            # The whole exchange has its limit around it; the client's own one for reading is shorter.
            timeout=httpx2.Timeout(None, connect=min(_CONNECT_S, self.upstream.limits.timeout_s)),
        )

    async def _exchange(self, request: httpx2.Request, credential: Credential | None) -> Answer:
        try:
            response = await self.sender.client.send(request, stream=True)
        except httpx2.ConnectError:
            raise _NoAnswer("upstream_unreachable", "cannot be reached", sent=False) from None
        except (httpx2.ConnectTimeout, httpx2.PoolTimeout):
            raise _NoAnswer("upstream_unreachable", "cannot be reached in time", sent=False) from None
        except httpx2.TimeoutException:
            raise _NoAnswer("upstream_timeout", "did not answer in time", sent=True) from None
        except httpx2.HTTPError:
            raise _NoAnswer("upstream_broke_off", "broke off before it answered", sent=True) from None
        try:
            return await self._read(response, credential)
        except httpx2.HTTPError:
            raise _NoAnswer(
                "upstream_broke_off", "broke off in the middle of its answer", sent=True
            ) from None
        finally:
            await response.aclose()

    def _secret(self, credential: Credential) -> str:
        """Return what stands in the credential's header.  Raises: CallFailed where it cannot stand there."""
        if credential.header.lower() in map(str.lower, self.outgoing.headers):
            raise CallFailed(
                "not_runnable",
                f"{self.function} writes the header {credential.header}, by which one signs in at "
                f"{self.upstream.name}.",
                "Tell the user that this is not set up; the contract must not write that header.",
            )
        secret = credential.value.get_secret_value()
        if not _HEADER_VALUE.fullmatch(secret):
            raise CallFailed(
                "no_credential",
                f"What one signs in with at {self.upstream.name} holds a character that no header may hold.",
                "Tell the user that staff must set the token anew; nothing was sent.",
            )
        return secret

    async def _read(self, response: httpx2.Response, credential: Credential | None) -> Answer:
        """Return the answer, read no further than the limit, and without what one signed in with."""
        most = self.upstream.limits.answer_bytes
        held = bytearray()
        async for piece in response.aiter_bytes():
            held += piece
            if len(held) > most:
                raise _NoAnswer("answer_too_large", f"answered with more than {most} bytes", sent=True)
        headers = {name.lower(): value for name, value in response.headers.items()}
        if 300 <= response.status_code < 400:
            raise _NoAnswer("redirected", "answered with a redirect, which is not followed", sent=True)
        said = _without(credential, bytes(held))
        return Answer(response.status_code, _json_of(said, response.status_code), headers)

    def _wait_s(self, outcome: Answer | _NoAnswer, attempt: int) -> float | None:
        """Return for how long to wait before the next attempt; None where this one was the last."""
        limits = self.upstream.limits
        if attempt > limits.retries:
            return None
        if isinstance(outcome, _NoAnswer):
            again = not outcome.sent or (self.repeat_on is not None and outcome.code in _PASSING)
            return 0.2 * 2 ** (attempt - 1) if again else None
        if self.repeat_on is None or outcome.status not in _BUSY | self.repeat_on:
            return None
        asked = retry_after_s(outcome.headers, self.sender.clock.today())
        wait_s = 0.2 * 2 ** (attempt - 1) if asked is None else asked
        return wait_s if wait_s <= limits.longest_wait_s else None

    def _failure(self, outcome: _NoAnswer) -> CallFailed:
        changed = outcome.sent and self.outgoing.method not in ("GET", "HEAD")
        message = f"The shop's system ({self.upstream.name}) {outcome.why}."
        if changed:
            message += " Whether the change was made is not known."
        return CallFailed(
            outcome.code,
            message,
            _UNKNOWN if changed else _AGAIN,
            retry=not changed,
            sent=outcome.sent,
        )

    async def _tell(self, name: Any, detail: str, attempt: int) -> None:
        await self.on_stage(Stage(name, self.function, detail, attempt))


_HEADER_VALUE = re.compile(r"[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?")
_CONNECT_S = 5.0

_DOWN = frozenset({"upstream_unreachable", "upstream_timeout", "upstream_broke_off"})
"""Failures that say something of the upstream as a whole, not of one address there."""

_PASSING = frozenset({"upstream_timeout", "upstream_broke_off"})
"""Failures after which a repeatable request may work."""


def _without(credential: Credential | None, said: bytes) -> bytes:
    """Return an answer without the secret of its request: some upstreams say which token was wrong."""
    secret = credential.value.get_secret_value().rpartition(" ")[2] if credential else ""
    if len(secret) < _LEAST_SECRET:  # a short one would be found in other words
        return said
    written = json.dumps(secret)[1:-1]
    for form in (written, written.replace("/", r"\/")):  # PHP writes a slash so
        said = said.replace(form.encode(), b"[secret]")
    return said


_LEAST_SECRET = 8


def _json_bytes(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()


def _json_of(data: bytes, status: int) -> Any:
    """Return the JSON of an answer; None where there is none. Of an error's answer any form will do."""
    if not data.strip():
        return None
    try:
        # Strictly UTF-8 and JSON (RFC 8259): Python's reader takes NaN, infinities and half characters, which
        # nobody behind us could write again.
        read = json.loads(data.decode("utf-8-sig"), parse_constant=_no_number, parse_float=_finite)
        return _whole_characters(read) if _HALF.search(data) else read
    except (ValueError, RecursionError):
        if status >= 400:
            return None
        raise _NoAnswer("answer_unreadable", "answered with something that is no JSON", sent=True) from None


_HALF = re.compile(rb"\\u[dD][89a-fA-F]")


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")


def _finite(said: str) -> float:
    number = float(said)
    if number in (float("inf"), float("-inf")):
        raise ValueError("a number is too large")
    return number


def _whole_characters(value: Any) -> Any:
    """Return a value with U+FFFD for every half of a character that stands alone."""
    text = json.dumps(value, ensure_ascii=False)
    return json.loads(text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace"))


def retry_after_s(headers: Mapping[str, str], now: datetime) -> float | None:
    """Return for how many seconds the upstream asks to be left alone.  Source: RFC 9110, section 10.2.3."""
    said = headers.get("retry-after", "").strip()
    if said.isascii() and said.isdigit():
        return float(said[:9])
    try:
        until = parsedate_to_datetime(said)
    except ValueError:
        return None
    until = until if until.tzinfo else until.replace(tzinfo=UTC)
    return max(0.0, (until - now).total_seconds())
