"""Writes the trail: one writer a process, one chain a writer.

Knows:    how an entry becomes a row, and what a failed write means.
Does not: decide anything, or know what a call does.
Rule:     what `record` returned from is on disk. What it raised from must not happen.
Order:    writers take turns, and each row covers the newest there is: all rows together are one line, too.
"""

import logging
import secrets
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import UTC, datetime
from time import monotonic
from typing import get_args

from sqlalchemy import Connection, Engine, insert, select
from sqlalchemy.exc import SQLAlchemyError

from common.approval import canonical
from common.database import (
    CALL_WAIT_S,
    is_in_memory,
    open_engine,
    reason,
    require_schema,
    shown,
    take_turns,
    writing,
)
from common.mailbox import email_key
from common.settings import load
from journal.chain import GENESIS, Row, sealed
from journal.entry import Entry, Side, kept_reason
from journal.errors import JournalFailed
from journal.key import JournalKey, key_of
from journal.schema import audit
from journal.settings import JournalSettings

log = logging.getLogger(__name__)

TURN = 5_407_203
"""Postgres: the advisory lock of whoever writes a row; any number that nobody else uses."""

_SEEN = (
    select(audit.c.writer, audit.c.seq, audit.c.hash, audit.c.key).order_by(audit.c.number.desc()).limit(1)
)


class NoTrail:
    """The trail of data that are gone with the process: it keeps nothing."""

    def record(self, *entries: Entry, until: float | None = None) -> None:
        """Keep nothing."""

    def close(self) -> None:
        """End nothing."""


class Trail:
    """One writer's chain. Methods may be called from several threads at once.

    its_own: whether the engine is the trail's alone, and closed with it.
    """

    def __init__(self, engine: Engine, key: JournalKey, *, its_own: bool = False) -> None:
        self._engine = engine
        self._key = key
        self._its_own = its_own
        self._lock = threading.Lock()
        self._last: Row | None = None
        self._writer = _new_writer()

    @property
    def engine(self) -> Engine:
        """Return the database that it is written to."""
        return self._engine

    @property
    def key(self) -> JournalKey:
        """Return the key that it is written with."""
        return self._key

    def record(self, *entries: Entry, until: float | None = None) -> None:
        """Write the entries, in order, all or none; when this returns they are on disk.

        until: of the monotonic clock, how long it may wait for other writers; CALL_WAIT_S unless given.
        Raises: JournalFailed. They may be there all the same, where the answer of the database was lost; then
        the next row begins a new chain.
        """
        if entries:
            until = monotonic() + CALL_WAIT_S if until is None else until
            with self._turn(until):
                self._write(entries, until)

    def close(self) -> None:
        """Write that this writer came to an orderly end, if it has written anything.

        Raises: JournalFailed.
        """
        until = monotonic() + CALL_WAIT_S
        try:
            with self._turn(until):
                if self._last is not None:
                    ended = Entry(side=_side(self._last), gate="journal", decision="ended")
                    self._write((ended,), until)
                    self._begin_anew()
        finally:
            if self._its_own:
                self._engine.dispose()

    @contextmanager
    def _turn(self, until: float) -> Generator[None]:
        """Wait for the other threads, which may themselves be waiting for another process."""
        if not self._lock.acquire(timeout=_left(until)):
            raise JournalFailed(shown(self._engine.url), "others have been writing for too long")
        try:
            yield
        finally:
            self._lock.release()

    def _write(self, entries: tuple[Entry, ...], until: float) -> None:
        rows: list[Row] = []
        try:
            with writing(self._engine, wait_s=_left(until)) as connection:
                take_turns(connection, TURN, wait_s=_left(until))
                rows = self._rows(connection, entries)
                connection.execute(insert(audit), [asdict(row) for row in rows])
        except SQLAlchemyError as error:
            if rows:  # else nothing was sent, and the chain goes on
                self._begin_anew()
            raise JournalFailed(shown(self._engine.url), reason(error)) from None
        self._last = rows[-1]

    def _begin_anew(self) -> None:
        self._writer, self._last = _new_writer(), None

    def _rows(self, connection: Connection, entries: tuple[Entry, ...]) -> list[Row]:
        newest = connection.execute(_SEEN).first()
        if self._last is None:
            if newest and newest.key != self._key.fingerprint:
                log.warning("the audit trail goes on with another key than its last row was written with")
            entries = (Entry(side=entries[0].side, gate="journal", decision="began"), *entries)
        seen = newest if newest and newest.writer != self._writer else None
        rows: list[Row] = []
        last = self._last
        for entry in entries:
            last = self._row(entry, last, (seen.writer, seen.seq, seen.hash) if seen else None)
            rows.append(last)
            seen = None  # the first row of the lot covers it, and each later one covers that row
        return rows

    def _row(self, entry: Entry, last: Row | None, seen: tuple[str, int, str] | None) -> Row:
        seen_writer, seen_seq, seen_hash = seen or (None, None, None)
        row = Row(
            writer=self._writer,
            seq=last.seq + 1 if last else 0,
            at=text_of(entry.at or datetime.now(UTC)),
            session=session_digest(self._key, entry.session),
            identity=identity_digest(self._key, entry.role, entry.customer_id),
            side=entry.side,
            gate=entry.gate,
            tool=entry.tool,
            argument_digest=argument_digest(self._key, entry),
            decision=entry.decision,
            reason=kept_reason(entry.reason),
            seen_writer=seen_writer,
            seen_seq=seen_seq,
            seen_hash=seen_hash,
            key=self._key.fingerprint,
            prev_hash=last.hash if last else GENESIS,
        )
        return sealed(row, self._key)


AnyTrail = Trail | NoTrail


def open_trail(url: str) -> AnyTrail:
    """Return the trail of a database; one that keeps nothing where the database is gone with the process.

    Raises: DatabaseUnusable, JournalUnusable, BadSettings.
    """
    if is_in_memory(url):
        return NoTrail()
    engine = open_engine(url)
    try:
        require_schema(engine)
        return trail_on(engine, its_own=True)
    except BaseException:
        engine.dispose()
        raise


def trail_on(engine: Engine, *, its_own: bool = False) -> Trail:
    """Return the trail of a database that is open and has its tables. its_own: as of `Trail`.

    Raises: JournalUnusable, BadSettings.
    """
    return Trail(engine, key_of(load(JournalSettings)), its_own=its_own)


def text_of(moment: datetime) -> str:
    """Return a moment as it is kept: in UTC, of one width, so that earlier is smaller."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def session_digest(key: JournalKey, session: str) -> str:
    """Return a session as it is kept; empty where none was named."""
    return key.digest("session", session)[:16] if session else ""


def identity_digest(key: JournalKey, role: str, customer_id: str) -> str:
    """Return whoever is served as it is kept: the role, and of a customer a digest of the id."""
    if not customer_id:
        return role
    return f"{role}:{key.digest('customer', _compared(customer_id))[:16]}"


def argument_digest(key: JournalKey, entry: Entry) -> str:
    """Return the arguments as they are kept; empty where there are none."""
    if entry.arguments is None:
        return ""
    text = entry.arguments if isinstance(entry.arguments, str) else canonical(dict(entry.arguments))
    return key.digest("arguments", text)


def _compared(customer_id: str) -> str:
    """Return a customer's id, or an e-mail address in the one way it is written here."""
    return email_key(customer_id) if "@" in customer_id else customer_id.strip()


def _side(row: Row) -> Side:
    return next((side for side in get_args(Side) if side == row.side), "agent")


def _left(until: float) -> float:
    return max(until - monotonic(), 0)


def _new_writer() -> str:
    return secrets.token_hex(8)
