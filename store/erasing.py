"""Erasing what tells who somebody is, and keeping what the books need.

Knows:    every column that holds something of a person's, and what has to happen for the bytes to be gone.
Does not: decide who is forgotten, or when.   (store/commands/)
Kept:     the order, its lines, its amounts and dates, as an order of nobody; the number, kind and days of a
          ticket. The audit trail is not touched: it holds keyed digests of a customer, never a value. The
          open questions of a chat hold what was asked, so they go.   (journal/approvals.py)
"""

import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Engine, Executable, delete, exists, select, text, union, update

import journal.approvals as questions_of
from common.database import leave_no_trace, writing
from common.mailbox import email_key
from store import schema
from store.tickets import close_ticket

ERASED = ""
"""The digest of an order, and the summary of a ticket, whose person was erased: no other has it."""

_AT_ONCE = 500
"""Rows in one statement: databases take some thousands of values."""

_orders, _tickets, _customers = schema.orders.c, schema.tickets.c, schema.customers.c


@dataclass(frozen=True)
class Erased:
    """How many of each were erased, or held something that was."""

    customers: int
    orders: int
    tickets: int
    questions: int = 0

    def __add__(self, other: "Erased") -> "Erased":
        return Erased(*(one + more for one, more in zip(astuple(self), astuple(other), strict=True)))

    def __bool__(self) -> bool:
        return any(astuple(self))


def named(engine: Engine, who: str) -> list[str]:
    """Return the ids of the customers whom an id or an e-mail address names; none where it names nobody.

    An address names every row that holds it: accounts that state it, guests, and accounts of which an order
    gave it. That the last are the same person nobody can say; that the address is kept of them, we can.
    """
    key = email_key(who)
    with engine.connect() as connection:
        if _ids(connection, select(_customers.id).where(_customers.id == who)):
            return [who]
        # Each is looked at: no database compares addresses as we do, and this is asked seldom.
        rows = connection.execute(
            select(_customers.id, _customers.email).where(_customers.email.is_not(None))
        )
        return sorted(row.id for row in rows if email_key(row.email) == key)


def forget(engine: Engine, customers: Sequence[str], now: datetime) -> Erased:
    """Erase customers: the records, and all that their orders and tickets say of a person."""
    with writing(engine) as connection:
        leave_no_trace(connection)
        bought = _ids(connection, select(_orders.id).where(_orders.customer_id.in_(customers)))
        told = set(_ids(connection, select(_tickets.id).where(_tickets.customer_id.in_(customers))))
        for part in _parts(bought):
            told |= set(_ids(connection, select(_tickets.id).where(_tickets.order_id.in_(part))))
        _erase_tickets(connection, sorted(told), now)
        _erase_orders(connection, bought)
        questions = questions_of.forget(connection, [*customers, *_addresses_of(connection, customers)])
        gone = connection.execute(delete(schema.customers).where(_customers.id.in_(customers))).rowcount
        return Erased(gone, len(bought), len(told), questions)


def retain(engine: Engine, since: datetime, now: datetime) -> Erased:
    """Erase the person of what is older: of orders placed before, and of tickets closed before.

    An order with an open ticket waits until that is closed. A customer goes with the last of their orders.
    Questions that nobody answered go when nobody is told of them any more, or with the rest.
    """
    late = max(since.timestamp(), now.timestamp() - questions_of.TOLD_WITHIN_S)
    with writing(engine) as connection:
        leave_no_trace(connection)
        whole = Erased(0, 0, 0, questions_of.sweep(connection, late))
    while part := _retain_some(engine, since, now):
        whole += part
    return whole


def _retain_some(engine: Engine, since: datetime, now: datetime) -> Erased:
    """Do a part of it, so that whoever wants to write meanwhile waits for no more than that."""
    is_open = exists().where(_tickets.order_id == _orders.id, _tickets.status == "open")
    old = select(_orders.id).where(_orders.placed_at < since, _orders.digest != ERASED, ~is_open)
    closed = select(_tickets.id).where(_tickets.closed_at < since, _tickets.summary != ERASED)
    with writing(engine) as connection:
        leave_no_trace(connection)
        bought, told = _ids(connection, old.limit(_AT_ONCE)), _ids(connection, closed.limit(_AT_ONCE))
        of_orders = select(_orders.customer_id).where(_orders.id.in_(bought))
        of_tickets = select(_tickets.customer_id).where(_tickets.id.in_(told))
        theirs = {each for each in _ids(connection, union(of_orders, of_tickets)) if each is not None}
        _erase_tickets(connection, told, now)
        _erase_orders(connection, bought)
        idle = delete(schema.customers).where(
            _customers.id.in_(theirs),
            ~exists().where(_orders.customer_id == _customers.id),
            ~exists().where(_tickets.customer_id == _customers.id),
        )
        return Erased(connection.execute(idle).rowcount, len(bought), len(told))


def scrub(engine: Engine) -> bool:
    """Take the erased bytes out of a SQLite file; False where another program that has it open prevents it.

    Postgres: the rows are marked as free, and overwritten in time; docs/operations.md tells what else is.
    """
    if engine.name != "sqlite":
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.execute(text("VACUUM"))
        return True
    raw: Any = engine.raw_connection()  # neither of the two can be asked for in a transaction
    try:
        cursor = raw.cursor()
        cursor.execute("VACUUM")
        busy, *_ = cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        return not busy
    except sqlite3.OperationalError:  # it is being written to, for longer than we wait
        return False
    finally:
        raw.close()


def _addresses_of(connection: Connection, customers: Sequence[str]) -> list[str]:
    known = select(_customers.email).where(_customers.id.in_(customers), _customers.email.is_not(None))
    return _ids(connection, known)


def _ids(connection: Connection, asked: Executable) -> list[Any]:
    return list(connection.execute(asked).scalars())


def _parts(ids: Sequence[Any]) -> Iterator[Sequence[Any]]:
    for start in range(0, len(ids), _AT_ONCE):
        yield ids[start : start + _AT_ONCE]


def _erase_orders(connection: Connection, ids: Sequence[str]) -> None:
    for part in _parts(ids):
        of_these = [table.c.order_id.in_(part) for table in (schema.addresses, schema.payments)]
        connection.execute(delete(schema.addresses).where(of_these[0]))
        connection.execute(update(schema.payments).where(of_these[1]).values(reference=None))
        connection.execute(
            update(schema.fulfilments)
            .where(schema.fulfilments.c.order_id.in_(part))
            .values(tracking_number=None)  # the carrier's page behind it shows the address
        )
        connection.execute(
            update(schema.orders)
            .where(_orders.id.in_(part))
            .values(customer_id=None, gift_note=None, digest=ERASED)
        )


def _erase_tickets(connection: Connection, ids: Sequence[int], now: datetime) -> None:
    """Erase what was said, and close what is open: there is nobody left to answer."""
    for part in _parts(ids):
        these = _tickets.id.in_(part)
        connection.execute(
            update(schema.ticket_events).where(schema.ticket_events.c.ticket_id.in_(part)).values(note=None)
        )
        for number in _ids(connection, select(_tickets.id).where(these, _tickets.status == "open")):
            close_ticket(connection, number, None, now)
        connection.execute(
            update(schema.tickets).where(these).values(customer_id=None, conversation=None, summary=ERASED)
        )
