"""Keeps open questions on DATABASE_URL: a chat that ends leaves them to the next one of the same person.

Knows:    whose a question is, that a yes is used by one caller alone, and for how long what is kept.
Does not: ask, judge an answer, or execute.   (agent/permission.py, agent/resuming.py)
Rule:     what `redeem` said yes to is on disk. A row that its seal does not prove is never offered. A
          question that is closed has no content: it is erased in the same transaction.
Scope:    a customer is offered what that customer was asked at the same server; the staff what waits for them
          there; whoever is not known is offered nothing.
"""

import hmac
import json
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any, TypeVar

import anyio.to_thread
from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    and_,
    delete,
    false,
    func,
    insert,
    or_,
    select,
    update,
)
from sqlalchemy.exc import SQLAlchemyError

from common.approval import ApprovalRequest, Verdict, canonical, digest_of
from common.database import CALL_WAIT_S, leave_no_trace, reason, shown, writing
from common.pending import Pending
from common.settings import load
from journal.entry import Entry
from journal.errors import JournalUnusable, QuestionsFailed
from journal.key import JournalKey, key_of
from journal.schema import approvals
from journal.served import STAFF, Served
from journal.settings import JournalSettings
from journal.trail import Trail, identity_digest, session_digest

log = logging.getLogger(__name__)

FORM = "shopkart/approval/1"

TOLD_WITHIN_S = 7 * 86_400.0
"""For how long a question that was never closed waits for its person to come back and be told; then its
content is erased."""

T = TypeVar("T")

_c = approvals.c

_SEALED = (
    *("digest", "identity", "server", "session", "audience", "tool", "tool_hash", "language"),
    *("asked_at", "expires_at", "request"),
)
"""What never changes while a question is open. The state is not sealed: one statement alone changes it."""


class ApprovalsInSql:
    """The open questions of one chat, in the database of its trail. `common.pending.Approvals`."""

    def __init__(self, trail: Trail, served: Served) -> None:
        self._trail = trail
        self._served = served
        self._key = trail.key
        self._identity = _identity(self._key, served)
        self._server = served.at_server(self._key)

    @property
    def durable(self) -> bool:
        """An open question outlives the process."""
        return True

    async def ask(self, pending: Pending) -> None:
        """Keep a question.

        Raises: QuestionsFailed, as every method here.
        """
        await self._run(partial(_keep, self._row(pending)))

    async def redeem(self, digest: str, now: float) -> bool:
        """Use a yes, once: by one statement, which one caller alone can find the question open for."""
        is_open = and_(_c.digest == digest, _c.state == "asked", _c.expires_at > now, self._answerable)
        used = update(approvals).where(is_open).values(state="started")
        return await self._run(lambda connection: connection.execute(used).rowcount == 1)

    async def settle(self, digest: str, outcome: Verdict) -> bool:
        """Close what was not used, and erase what it said."""
        return await self._end(and_(_c.digest == digest, _c.state == "asked", self._answerable), outcome)

    async def finish(self, digest: str, outcome: Verdict = "approved") -> bool:
        """Close what was used, and erase what it said."""
        return await self._end(and_(_c.digest == digest, _c.state == "started"), outcome)

    async def open(self, now: float) -> list[Pending]:
        """Return what this session may answer, and what was started and never told."""
        if not self._identity:
            return []
        whose = self._waiting if self._served.is_staff else and_(self._theirs, _c.audience != STAFF)
        is_open = or_(_c.state == "started", and_(_c.state == "asked", _c.expires_at > now))
        proven, refused = await self._run(partial(self._read, and_(whose, is_open)))
        await self._tell_refused(refused)
        return proven

    async def lapsed(self, now: float) -> list[Pending]:
        """Close what this person was asked and nobody answered in time; sweep what nobody came back for."""
        late = and_(self._theirs, _c.state == "asked", _c.expires_at <= now, _c.request != "")

        def close(connection: Connection) -> tuple[list[Pending], int]:
            found = self._read(late, connection)
            _close(connection, late, "expired")
            sweep(connection, now - TOLD_WITHIN_S)
            return found

        proven, refused = await self._run(close)
        await self._tell_refused(refused)
        return proven

    async def count(self, now: float) -> int:
        """Return how many questions this person, or whoever else is not known, has open at the server."""
        theirs = and_(_c.identity == self._identity, _c.server == self._server)
        asked = select(func.count()).where(theirs, _c.state == "asked", _c.expires_at > now)
        return await anyio.to_thread.run_sync(self._counted, asked)

    @property
    def _theirs(self) -> ColumnElement[bool]:
        """What this customer was asked at the server; the staff, and whoever is not known, are nobody."""
        if not self._identity or self._served.is_staff:
            return false()
        return and_(_c.identity == self._identity, _c.server == self._server)

    @property
    def _answerable(self) -> ColumnElement[bool]:
        """What whoever sits here may answer, whatever an approver says and whichever card it has."""
        mine = and_(_c.identity == self._identity, _c.server == self._server)
        return or_(mine, self._waiting) if self._served.is_staff else and_(mine, _c.audience != STAFF)

    @property
    def _waiting(self) -> ColumnElement[bool]:
        """What waits for the staff at the server."""
        return and_(_c.audience == STAFF, _c.server == self._server)

    def _row(self, pending: Pending) -> dict[str, Any]:
        request = pending.request
        # Whom nobody knows nobody can be asked again: then only the digest is kept, so that it is used once.
        is_offered = bool(self._identity) or request.audience == STAFF
        row = {
            "digest": request.digest,
            "identity": self._identity,
            "server": self._server,
            "session": session_digest(self._key, self._served.session),
            "audience": request.audience,
            "tool": request.tool,
            "tool_hash": pending.tool_hash,
            "language": pending.language,
            "asked_at": float(pending.asked_at),
            "expires_at": float(request.expires_at),
            "request": json.dumps(asdict(request)) if is_offered else "",
        }
        seal = seal_of(self._key, row)
        return {**row, "state": "asked", "outcome": "", "key": self._key.fingerprint, "seal": seal}

    def _read(self, which: ColumnElement[bool], connection: Connection) -> tuple[list[Pending], int]:
        """Return the questions of some rows; rows that are not proven are closed and counted."""
        rows = connection.execute(select(approvals).where(which).order_by(_c.number)).mappings()
        read = [(row["number"], pending_of(self._key, row)) for row in rows]
        refused = [number for number, pending in read if pending is None]
        if refused:
            _close(connection, _c.number.in_(refused), "void")
        return [pending for _, pending in read if pending is not None], len(refused)

    async def _tell_refused(self, count: int) -> None:
        if not count:
            return
        log.warning("open questions that their seals do not prove were closed", extra={"count": count})
        told = Entry("agent", "permission", "void", reason="approval_not_proven")
        await anyio.to_thread.run_sync(self._trail.record, *[told] * count)

    async def _end(self, which: ColumnElement[bool], outcome: Verdict) -> bool:
        return await self._run(lambda connection: _close(connection, which, outcome) == 1)

    async def _run(self, act: Callable[[Connection], T]) -> T:
        return await anyio.to_thread.run_sync(self._done, act)

    def _counted(self, asked: Select[int]) -> int:
        engine = self._trail.engine
        try:
            with engine.connect() as connection, connection.begin():
                return connection.scalar(asked) or 0
        except SQLAlchemyError as error:
            raise QuestionsFailed(shown(engine.url), reason(error)) from None

    def _done(self, act: Callable[[Connection], T]) -> T:
        engine = self._trail.engine
        try:
            with writing(engine, wait_s=CALL_WAIT_S) as connection:
                leave_no_trace(connection)
                return act(connection)
        except SQLAlchemyError as error:
            raise QuestionsFailed(shown(engine.url), reason(error)) from None


def seal_of(key: JournalKey, row: Mapping[Any, Any]) -> str:
    """Return what proves a row: whoever can write the table, but has not the key, cannot make a question."""
    return key.seal(canonical([FORM, *(row[name] for name in _SEALED)]), use="approvals")


def pending_of(key: JournalKey, row: Mapping[Any, Any]) -> Pending | None:
    """Return the question of a row; None where it is not exactly what was asked."""
    if not hmac.compare_digest(row["seal"].encode(), seal_of(key, row).encode()):
        return None
    try:
        values: dict[str, Any] = json.loads(row["request"])
        values["warnings"] = tuple(values["warnings"])
        request = ApprovalRequest(**values)
    except (ValueError, TypeError, KeyError):
        return None  # it was asked by code that knew other fields
    if not digest_of(request) == request.digest == row["digest"]:
        return None
    started = row["state"] == "started"
    return Pending(request, row["tool_hash"], row["language"], started, row["asked_at"])


def sweep(connection: Connection, before: float) -> int:
    """Erase what expired before then, and return how many questions of it still said something."""
    old = _c.expires_at <= before
    said = len(connection.execute(select(_c.number).where(old, _c.request != "")).all())
    connection.execute(delete(approvals).where(old))
    return said


def forget(connection: Connection, customers: Sequence[str]) -> int:
    """Erase the questions of these customers, and each that is not proven to be another customer's.

    What was asked for the staff, or of nobody who is known, may be about anybody. Return how many said
    something.
    """
    kept = connection.execute(select(approvals).where(_c.request != "")).mappings().all()
    if not kept:
        return 0
    try:
        key = key_of(load(JournalSettings), make=False)
    except JournalUnusable:  # without the key nobody can tell whose one is, or be offered it
        erased = [row["number"] for row in kept]
    else:
        theirs = {identity_digest(key, "customer", each) for each in customers}
        erased = [
            row["number"]
            for row in kept
            if row["identity"] in (*theirs, STAFF, "") or pending_of(key, row) is None
        ]
    connection.execute(delete(approvals).where(_c.number.in_(erased)))
    return len(erased)


def _keep(row: dict[str, Any], connection: Connection) -> None:
    if connection.execute(select(_c.number).where(_c.digest == row["digest"])).first() is None:
        connection.execute(insert(approvals).values(row))


def _close(connection: Connection, which: ColumnElement[bool], outcome: Verdict) -> int:
    erased = {"state": "settled", "outcome": outcome, "request": ""}
    return connection.execute(update(approvals).where(which, _c.state != "settled").values(erased)).rowcount


def _identity(key: JournalKey, served: Served) -> str:
    if served.is_staff:
        return STAFF
    return identity_digest(key, "customer", served.person) if served.person else ""
