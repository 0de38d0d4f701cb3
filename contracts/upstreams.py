"""The deployment's table of upstreams: where each shop API is, and how one signs in there.

Knows:    base addresses, kinds of sign-in, the names of the settings that hold secrets, limits, scopes.
Does not: hold a secret (credentials.py), or read contracts.
Rule:     the table is the deployment's, reviewed by those who hold the credentials. A contract names a row of
          it and nothing more.
"""

from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, field_validator

from contracts.contract import HeaderName, Name, Scope

_LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})


class Auth(BaseModel):
    """How one signs in.

    kind: `none`, `bearer` (a token in Authorization), `api_key` (in a header), or `oauth` (a bearer token
    that is renewed at token_url with the refresh token).
    token, client_id, client_secret: the names of the settings of the environment that hold them.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    kind: Literal["none", "bearer", "api_key", "oauth"] = "none"
    header: HeaderName = "Authorization"
    token: Annotated[str, Field(pattern=r"^[A-Z][A-Z0-9_]{2,80}$")] | None = None
    token_url: str | None = None
    client_id: Annotated[str, Field(pattern=r"^[A-Z][A-Z0-9_]{2,80}$")] | None = None
    client_secret: Annotated[str, Field(pattern=r"^[A-Z][A-Z0-9_]{2,80}$")] | None = None

    @field_validator("token_url")
    @classmethod
    def _is_safe(cls, value: str | None) -> str | None:
        return None if value is None else safe_url(value)


class Limits(BaseModel):
    """What one upstream is trusted with.

    timeout_s: of one request; retries: of one that is safe to repeat.
    breaker_failures in a row stop everything to it for breaker_s.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    timeout_s: Annotated[float, Field(gt=0, le=120)] = 15
    retries: Annotated[int, Field(ge=0, le=5)] = 2
    longest_wait_s: Annotated[float, Field(ge=0, le=60)] = 10
    answer_bytes: Annotated[int, Field(ge=1_024, le=64_000_000)] = 4_000_000
    breaker_failures: Annotated[int, Field(ge=1, le=100)] = 5
    breaker_s: Annotated[float, Field(gt=0, le=3_600)] = 30
    concurrent: Annotated[int, Field(ge=1, le=200)] = 20


class Upstream(BaseModel):
    """One row of the table. scopes: those that a contract may ask for here; empty allows none."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    name: Name
    base_url: str
    auth: Auth = Auth()
    scopes: tuple[Scope, ...] = ()
    limits: Limits = Limits()

    @field_validator("base_url")
    @classmethod
    def _is_safe(cls, value: str) -> str:
        return safe_url(value).rstrip("/")


def safe_url(value: str) -> str:
    """Return an address that a token may go to: https, or http on this machine; no user, query, fragment."""
    parts = urlsplit(value)
    if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in _LOOPBACK):
        raise ValueError("must begin with https:// (http:// is for this machine alone)")
    if not parts.hostname or "@" in parts.netloc or parts.query or parts.fragment:
        raise ValueError("must be a plain address: a host and a path, no user, query or fragment")
    return value


Table = dict[str, Upstream]
"""The upstreams by name."""
