"""Credentials of many merchants: from the kept tokens, renewed in time, and by one at a time.

Knows:    when a token is to be renewed, and how two who want to renew the same one go about it.
Does not: seal or store.   (kept_tokens.py)
Rule:     a new pair is kept before its access token is used, so that a crash loses no pair that was used. Who
          does not get the lease waits for the other's pair.
"""

import logging
import time
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import TypeVar
from uuid import uuid4

import anyio
import anyio.to_thread
import httpx2
from sqlalchemy.exc import SQLAlchemyError

from common.database import reason
from contracts.credentials import Credential, Credentials, Principal
from contracts.env_credentials import no_credential, shown
from contracts.failures import CallFailed
from contracts.kept_tokens import LEASE_S, KeptTokens, TokenRow, TokensUnusable
from contracts.oauth import RefreshFailed, refreshed
from contracts.sending import new_client
from contracts.upstreams import Upstream

log = logging.getLogger(__name__)

EARLY_S = 60.0
"""A token is renewed so long before it expires: a request takes a while."""

_LOOK_S = 0.2

_FRESH_S = 60.0
"""A token that was renewed so recently and is refused would not be taken after another renewal either."""

Place = tuple[str, str]
T = TypeVar("T")


@dataclass
class KeptCredentials(Credentials):
    """The kept tokens as credentials. otherwise: asked for whomever no token is kept for."""

    tokens: KeptTokens
    otherwise: Credentials
    now: Callable[[], float] = time.time
    client: Callable[[], httpx2.AsyncClient] = new_client
    _locks: dict[Place, anyio.Lock] = field(default_factory=dict[Place, anyio.Lock])
    _renewed_at: dict[Place, float] = field(default_factory=dict[Place, float])

    async def resolve(self, principal: Principal, upstream: Upstream) -> Credential | None:
        """Return what the principal shows there.  Raises: CallFailed."""
        row = await self._row(principal, upstream)
        if row is None:
            return await self.otherwise.resolve(principal, upstream)
        if _is_old(row, self.now(), EARLY_S) and upstream.auth.kind == "oauth":
            row = await self._renewed(principal, upstream, row.version)
        if _is_old(row, self.now(), 0):
            raise no_credential(upstream, "The one that was kept has expired.")
        return shown(upstream.auth, row.kept.access)

    async def refused(self, principal: Principal, upstream: Upstream, credential: Credential) -> bool:
        """Renew a token that the upstream does not take any more; say whether there is another now."""
        row = await self._row(principal, upstream)
        if row is None:
            return await self.otherwise.refused(principal, upstream, credential)
        if shown(upstream.auth, row.kept.access).value != credential.value:
            return True  # somebody has renewed it meanwhile
        if upstream.auth.kind != "oauth" or self._is_fresh(principal, upstream):
            return False
        before = row.version
        return (await self._renewed(principal, upstream, before)).version != before

    def _is_fresh(self, principal: Principal, upstream: Upstream) -> bool:
        at = self._renewed_at.get((principal.name, upstream.name))
        return at is not None and 0 <= self.now() - at < _FRESH_S

    async def _renewed(self, principal: Principal, upstream: Upstream, version: int) -> TokenRow:
        """Return the row after one renewal, whoever made it; the old row where there was none."""
        place = (principal.name, upstream.name)
        async with self._locks.setdefault(place, anyio.Lock()):
            row = await self._needed(principal, upstream)
            if row.version != version:
                return row  # another call of this process was first
            # A refresh token is good once: whoever asked may go, and the new pair is kept all the same.
            with anyio.CancelScope(shield=True):
                by = uuid4().hex
                now = self.now()
                if await self._ask(lambda: self.tokens.lease(principal, upstream.name, version, by, now)):
                    return await self._renew(principal, upstream, row, by)
            return await self._others(principal, upstream, version)

    async def _renew(self, principal: Principal, upstream: Upstream, row: TokenRow, by: str) -> TokenRow:
        pair = None
        self._renewed_at[principal.name, upstream.name] = self.now()
        try:
            async with AsyncExitStack() as stack:
                client = await stack.enter_async_context(self.client())
                pair = await refreshed(client, upstream.auth, row.kept, self.now)
        except RefreshFailed as failure:
            next_step = (
                " Connect the merchant anew with `python -m contracts tokens put`." if failure.final else ""
            )
            log.warning(
                "the token of %s at %s was not renewed: %s.%s",
                principal.name,
                upstream.name,
                failure.why,
                next_step,
            )
        try:
            await self._ask(lambda: self.tokens.renew(principal, upstream.name, row.version, by, pair))
        except CallFailed:
            if pair is not None:
                log.error(
                    "the new token of %s at %s could not be kept, and the old one is used up. Connect the "
                    "merchant anew with `python -m contracts tokens put`.",
                    principal.name,
                    upstream.name,
                )
            raise
        return await self._needed(principal, upstream)

    async def _others(self, principal: Principal, upstream: Upstream, version: int) -> TokenRow:
        """Wait for the pair of whoever holds the lease, until the lease ends."""
        row = await self._needed(principal, upstream)
        with anyio.move_on_after(LEASE_S):
            while row.version == version and row.leased:
                await anyio.sleep(_LOOK_S)
                row = await self._needed(principal, upstream)
        return row

    async def _needed(self, principal: Principal, upstream: Upstream) -> TokenRow:
        row = await self._row(principal, upstream)
        if row is None:  # removed meanwhile
            raise no_credential(upstream)
        return row

    async def _row(self, principal: Principal, upstream: Upstream) -> TokenRow | None:
        now = self.now()
        return await self._ask(lambda: self.tokens.get(principal, upstream.name, now))

    async def _ask(self, question: Callable[[], T]) -> T:
        try:
            return await anyio.to_thread.run_sync(question)
        except TokensUnusable as error:
            log.error("%s", error)
            why = "they do not open"
        except SQLAlchemyError as error:
            log.error("the kept tokens cannot be read: %s", reason(error))
            why = "they cannot be read"
        raise CallFailed(
            "no_credential",
            f"The kept sign-ins cannot be used: {why}.",
            "Tell the user that the shop's staff must look at it; the server's log says why.",
        )


def _is_old(row: TokenRow, now: float, early_s: float) -> bool:
    until = row.kept.expires_at
    return until is not None and now >= until - early_s
