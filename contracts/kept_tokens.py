"""The merchants' tokens, kept on disk: one row a merchant and upstream, sealed under the deployment's key.

Knows:    the table, the seal, and who may renew a row next.
Does not: renew a token (oauth.py), or answer for the environment's own.   (env_credentials.py)
Rule:     a row opens for its own merchant and upstream alone: both stand inside the seal, so that a row
          copied to another merchant opens for nobody. A refresh token can be used once, so who renews takes
          a lease.
Not in the shop's database: its backups and exports would carry the tokens (docs/decisions/038).
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from pydantic import SecretStr
from sqlalchemy import Column, Double, Integer, MetaData, Table, Text, delete, insert, inspect, select, update
from sqlalchemy.engine import Engine, Row

from common.database import open_engine, writing
from contracts.credentials import Principal
from contracts.problems import ContractsError

LEASE_S = 40.0
"""For how long nobody else renews a row: longer than one request for a new pair may take."""

LONGEST_S = 10 * 366 * 86_400
"""The longest life of a token that is believed."""

_metadata = MetaData()

_tokens = Table(
    "contract_tokens",
    _metadata,
    Column("principal", Text, primary_key=True),
    Column("upstream", Text, primary_key=True),
    Column("sealed", Text, nullable=False),
    Column("expires_at", Double, nullable=True),  # seconds since the epoch, UTC
    Column("version", Integer, nullable=False),
    Column("lease", Text, nullable=False),
    Column("lease_until", Double, nullable=False),
)


class TokensUnusable(ContractsError):
    """The kept tokens cannot be used; the text says why and what to do, and holds no secret."""


@dataclass(frozen=True)
class Kept:
    """One merchant's tokens at one upstream. expires_at: None where the access token does not expire."""

    access: SecretStr
    refresh: SecretStr | None = None
    expires_at: float | None = None


@dataclass(frozen=True)
class TokenRow:
    """A row as it was read. version: goes up with each change."""

    kept: Kept
    version: int
    leased: bool


@dataclass(frozen=True)
class Listed:
    """What may be shown of a row."""

    principal: str
    upstream: str
    expires_at: float | None

    def __str__(self) -> str:
        until = "does not expire"
        if self.expires_at is not None:
            until = f"until {datetime.fromtimestamp(self.expires_at, UTC):%Y-%m-%d %H:%M} UTC"
        return f"{self.principal} at {self.upstream}: {until}"


class KeptTokens:
    """The table. Each method opens its own transaction; call them in a thread."""

    def __init__(self, url: str, key: SecretStr) -> None:
        """Open the table, which is made when the first token is put.

        url: of the database. key: one Fernet key, or several with commas, the newest first.
        Raises: TokensUnusable, DatabaseUnusable.
        """
        self._seal = _seal_of(key)
        self._engine: Engine = open_engine(url)

    def put(self, principal: Principal, upstream: str, kept: Kept) -> None:
        """Keep a pair in the place of the one before."""
        _metadata.create_all(self._engine)
        with writing(self._engine) as connection:
            where = (_tokens.c.principal == principal.name) & (_tokens.c.upstream == upstream)
            version = connection.scalar(select(_tokens.c.version).where(where)) or 0
            connection.execute(delete(_tokens).where(where))
            connection.execute(
                insert(_tokens).values(
                    principal=principal.name,
                    upstream=upstream,
                    **self._columns(principal, upstream, kept),
                    version=version + 1,
                    lease="",
                    lease_until=0.0,
                )
            )

    def get(self, principal: Principal, upstream: str, now: float) -> TokenRow | None:
        """Return a row; None where there is none.  Raises: TokensUnusable where it does not open."""
        if not inspect(self._engine).has_table(_tokens.name):
            return None
        where = (_tokens.c.principal == principal.name) & (_tokens.c.upstream == upstream)
        with self._engine.connect() as connection:
            row = connection.execute(select(_tokens).where(where)).one_or_none()
        if row is None:
            return None
        return TokenRow(self._opened(row, principal, upstream), row.version, row.lease_until > now)

    def lease(self, principal: Principal, upstream: str, version: int, by: str, now: float) -> bool:
        """Take the right to renew a row of this version; False where somebody else has it, or it changed."""
        where = (
            (_tokens.c.principal == principal.name)
            & (_tokens.c.upstream == upstream)
            & (_tokens.c.version == version)
            & (_tokens.c.lease_until <= now)
        )
        with writing(self._engine) as connection:
            done = connection.execute(
                update(_tokens).where(where).values(lease=by, lease_until=now + LEASE_S)
            )
        return done.rowcount == 1

    def renew(self, principal: Principal, upstream: str, version: int, by: str, kept: Kept | None) -> bool:
        """Put a new pair in the place of a leased one, or give the lease back where there is none.

        Returns False where the row is another by now.
        """
        where = (
            (_tokens.c.principal == principal.name)
            & (_tokens.c.upstream == upstream)
            & (_tokens.c.version == version)
            & (_tokens.c.lease == by)
        )
        values: dict[str, Any] = {"lease": "", "lease_until": 0.0}
        if kept is not None:
            values |= {**self._columns(principal, upstream, kept), "version": version + 1}
        with writing(self._engine) as connection:
            return connection.execute(update(_tokens).where(where).values(**values)).rowcount == 1

    def reseal(self) -> int:
        """Seal every row under the newest key, so that the older ones can go; return how many there are.

        Raises: TokensUnusable, and then no row is changed.
        """
        if not inspect(self._engine).has_table(_tokens.name):
            return 0
        with writing(self._engine) as connection:
            rows = connection.execute(select(_tokens).with_for_update()).all()
            for row in rows:
                kept = self._opened(row, Principal(row.principal), row.upstream)
                where = (_tokens.c.principal == row.principal) & (_tokens.c.upstream == row.upstream)
                columns = self._columns(Principal(row.principal), row.upstream, kept)
                connection.execute(update(_tokens).where(where).values(**columns))
        return len(rows)

    def list(self) -> Sequence[Listed]:
        """Return what may be shown of every row."""
        if not inspect(self._engine).has_table(_tokens.name):
            return ()
        columns = (_tokens.c.principal, _tokens.c.upstream, _tokens.c.expires_at)
        with self._engine.connect() as connection:
            return [Listed(*row) for row in connection.execute(select(*columns).order_by(*columns[:2]))]

    def remove(self, principal: Principal, upstream: str) -> bool:
        """Remove a row; False where there was none."""
        if not inspect(self._engine).has_table(_tokens.name):
            return False
        where = (_tokens.c.principal == principal.name) & (_tokens.c.upstream == upstream)
        with writing(self._engine) as connection:
            return connection.execute(delete(_tokens).where(where)).rowcount == 1

    def _columns(self, principal: Principal, upstream: str, kept: Kept) -> dict[str, Any]:
        held = {
            "principal": principal.name,
            "upstream": upstream,
            "access": kept.access.get_secret_value(),
            "refresh": kept.refresh.get_secret_value() if kept.refresh else None,
            "expires_at": kept.expires_at,
        }
        sealed = self._seal.encrypt(json.dumps(held).encode()).decode()
        return {"sealed": sealed, "expires_at": kept.expires_at}

    def _opened(self, row: Row[Any], principal: Principal, upstream: str) -> Kept:
        try:
            held: dict[str, Any] = json.loads(self._seal.decrypt(row.sealed.encode()))
        except InvalidToken:
            held = {}
        if (held.get("principal"), held.get("upstream")) != (principal.name, upstream):
            raise TokensUnusable(
                f"The tokens kept for {principal.name} at {upstream} do not open: CONTRACTS_KEY is another "
                "one, or the row was altered. Set the key they were kept with, or put them anew with "
                "`python -m contracts tokens put`."
            )
        refresh: str | None = held["refresh"]
        return Kept(SecretStr(held["access"]), SecretStr(refresh) if refresh else None, held["expires_at"])


def _seal_of(key: SecretStr) -> MultiFernet:
    written = [each.strip() for each in key.get_secret_value().split(",") if each.strip()]
    make = "`python -m contracts tokens key` makes one; put it into .env.local."
    if not written:
        raise TokensUnusable(f"CONTRACTS_KEY is empty, and tokens are kept under it alone. {make}")
    try:
        return MultiFernet([Fernet(each) for each in written])
    except ValueError:
        raise TokensUnusable(f"CONTRACTS_KEY is no key. {make}") from None
