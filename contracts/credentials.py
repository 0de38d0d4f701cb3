"""Credentials: what a principal shows to an upstream, behind one question.

Knows:    the question, and the form in which a secret travels inside the house.
Does not: know contracts or requests. Where secrets are kept: kept_tokens.py; how they are renewed: oauth.py.
"""

from dataclasses import dataclass
from typing import Protocol

from pydantic import SecretStr

from contracts.upstreams import Upstream


@dataclass(frozen=True)
class Principal:
    """For whom a call is made: decided by the transport, never by an argument. name: the merchant."""

    name: str


@dataclass(frozen=True)
class Credential:
    """One header and its secret value. Its repr shows stars (pydantic's SecretStr)."""

    header: str
    value: SecretStr


class Credentials(Protocol):
    """Whatever knows the secrets."""

    async def resolve(self, principal: Principal, upstream: Upstream) -> Credential | None:
        """Return what the principal shows there; None where the upstream wants nothing.

        Raises: CallFailed (`no_credential`) where it wants something and there is nothing for this principal.
        """
        ...

    async def refused(self, principal: Principal, upstream: Upstream, credential: Credential) -> bool:
        """Hear that the upstream answered 401 to it; return whether another one is there to try once."""
        ...
