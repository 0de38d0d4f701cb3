"""A new pair of tokens for the refresh token of an old one.

Knows:    the request of RFC 6749, section 6, and what may be said of its failures.
Does not: keep tokens, or know merchants.   (kept_credentials.py)
Rule:     the request goes to the address of the deployment's table and follows no redirect. No error says
          more than a status and the server's error code: anything else could hold a token.
"""

import json
import re
from collections.abc import Callable
from typing import Any

import anyio
import httpx2
from pydantic import SecretStr

from contracts.env_credentials import is_token
from contracts.kept_tokens import LONGEST_S, Kept
from contracts.settings import secret_named
from contracts.upstreams import Auth

_CODE = re.compile(r"[a-z_]{1,40}")
_TIME_S = 20.0


class RefreshFailed(Exception):
    """There is no new pair. final: whether the old refresh token will never give one."""

    def __init__(self, why: str, *, final: bool) -> None:
        super().__init__(why)
        self.why = why
        self.final = final


async def refreshed(client: httpx2.AsyncClient, auth: Auth, kept: Kept, now: Callable[[], float]) -> Kept:
    """Return the new pair.  Raises: RefreshFailed."""
    if auth.kind != "oauth" or not auth.token_url or kept.refresh is None:
        raise RefreshFailed("it has no refresh token", final=True)
    form = {"grant_type": "refresh_token", "refresh_token": kept.refresh.get_secret_value()}
    for name, setting in (("client_id", auth.client_id), ("client_secret", auth.client_secret)):
        if setting:
            form[name] = secret_named(setting).get_secret_value()
    try:
        with anyio.fail_after(_TIME_S):
            status, said = await _answer(client, auth.token_url, form)
    except TimeoutError:
        raise RefreshFailed("the sign-in server did not answer in time", final=False) from None
    except httpx2.HTTPError:
        raise RefreshFailed("the sign-in server cannot be reached", final=False) from None
    if status != 200:
        code = str(said.get("error", ""))
        shown = f" ({code})" if _CODE.fullmatch(code) else ""
        final = code in ("invalid_grant", "invalid_client", "unauthorized_client")
        raise RefreshFailed(f"the sign-in server answered {status}{shown}", final=final)
    return _pair(said, kept, now())


def _pair(said: dict[str, Any], before: Kept, now: float) -> Kept:
    access, refresh, lives_s = said.get("access_token"), said.get("refresh_token"), said.get("expires_in")
    if not isinstance(access, str) or not is_token(access):
        raise RefreshFailed("the sign-in server answered without a token", final=False)
    until = None
    if isinstance(lives_s, int | float) and not isinstance(lives_s, bool) and 0 < lives_s <= LONGEST_S:
        until = now + lives_s
    kept = SecretStr(refresh) if isinstance(refresh, str) and refresh else before.refresh
    return Kept(SecretStr(access), kept, until)


_MOST_BYTES = 100_000


async def _answer(client: httpx2.AsyncClient, url: str, form: dict[str, str]) -> tuple[int, dict[str, Any]]:
    """Return the status and the JSON of an answer; of one that is too long, nothing."""
    held = bytearray()
    async with client.stream("POST", url, data=form, follow_redirects=False) as response:
        async for piece in response.aiter_bytes():
            held += piece
            if len(held) > _MOST_BYTES:
                return response.status_code, {}
    return response.status_code, _object(bytes(held))


def _object(held: bytes) -> dict[str, Any]:
    try:
        said: object = json.loads(held)
    except (ValueError, RecursionError):
        return {}
    return said if isinstance(said, dict) else {}  # pyright: ignore[reportUnknownVariableType]
