"""Opening, reading and closing tickets.

Knows:    that the database holds at most one open ticket for each order and category, and one for each
          conversation without an order; every step here may be taken by two processes at once.
Does not: decide whether a ticket fits its order.   (store/rules.py)
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from typing import Any, Literal

from sqlalchemy import Connection, Executable, Row, bindparam, func, select, text, update

import store.schema as schema
from store.model import Category, Reach, Ticket
from store.owned import Owned

_PREFIX = "T-"
_LAST = 2**31 - 1
"""The last number that Postgres' integer holds."""

# Written out, not bound: an index of the open tickets alone serves no question that only may be about those.
_IS_OPEN = text("tickets.status = 'open'")

_columns = schema.tickets.c
_OPEN_OF_ORDER = (
    select(schema.tickets).where(_columns.order_id == bindparam("order"), _IS_OPEN).order_by(_columns.id)
)
_OPEN_OF_CONVERSATION = select(schema.tickets).where(_columns.conversation == bindparam("name"), _IS_OPEN)
_OPEN_HAND_OFFS = (
    select(func.count())
    .select_from(schema.tickets)
    .where(_columns.customer_id == bindparam("customer"), _columns.conversation.is_not(None), _IS_OPEN)
)
_OF_NUMBER = Owned(
    _columns.customer_id,
    lambda within: select(schema.tickets).where(_columns.id == bindparam("number"), within),
)
_NEWEST = Owned(
    _columns.customer_id,
    lambda within: select(schema.tickets).where(within).order_by(_columns.id.desc()).limit(bindparam("most")),
)
_IN_TURN = select(schema.orders.c.id).where(schema.orders.c.id == bindparam("order")).with_for_update()
_CUSTOMER_IN_TURN = (
    select(schema.customers.c.id).where(schema.customers.c.id == bindparam("customer")).with_for_update()
)

Event = Literal["opened", "noted", "closed"]


@dataclass(frozen=True)
class Opening:
    """What came of opening a ticket; ticket is None only when there were too many."""

    outcome: Literal["created", "existing", "too_many"]
    ticket: Ticket | None


@dataclass(frozen=True)
class Wanted:
    """A ticket as it is asked for: about an order, or, where that is None, within a conversation.

    conversation: kept for a ticket without an order alone.
    """

    category: Category
    summary: str
    order_id: str | None = None
    customer_id: str | None = None
    conversation: str | None = None


def printed(number: int) -> str:
    """Return a ticket's number as people read it: 1001 -> T-1001."""
    return f"{_PREFIX}{number}"


def number_of(ticket_id: str) -> int | None:
    """Return the number of a ticket's id, None where it is no such id."""
    digits = ticket_id.removeprefix(_PREFIX)
    if not (digits.isascii() and digits.isdigit() and len(digits) <= len(str(_LAST))):
        return None
    number = int(digits)
    return number if number <= _LAST and printed(number) == ticket_id else None


def read_open(connection: Connection, order_id: str) -> Sequence[Ticket]:
    """Return the order's open tickets, oldest first."""
    return _tickets(connection.execute(_OPEN_OF_ORDER, {"order": order_id}))


def read_ticket(connection: Connection, number: int, reach: Reach) -> Ticket | None:
    """Return the ticket of this number, if it is within reach."""
    found = _tickets(_OF_NUMBER.ask(connection, reach, number=number))
    return found[0] if found else None


def read_hand_off(connection: Connection, conversation: str) -> Ticket | None:
    """Return the open ticket of a conversation that is about no order."""
    found = _tickets(connection.execute(_OPEN_OF_CONVERSATION, {"name": conversation}))
    return found[0] if found else None


def has_all_hand_offs(connection: Connection, wanted: Wanted, limit: int) -> bool:
    """Say whether the customer has as many open tickets without an order as they may."""
    if wanted.customer_id is None:
        return False
    return (connection.scalar(_OPEN_HAND_OFFS, {"customer": wanted.customer_id}) or 0) >= limit


def read_newest(connection: Connection, reach: Reach, limit: int) -> Sequence[Ticket]:
    """Return the newest tickets within reach, newest first, each with what the staff wrote at its end."""
    return [with_note(connection, ticket) for ticket in _tickets(_NEWEST.ask(connection, reach, most=limit))]


def with_note(connection: Connection, ticket: Ticket) -> Ticket:
    """Return the ticket with what the staff wrote when they closed it."""
    events = schema.ticket_events.c
    written = select(events.note).where(events.ticket_id == number_of(ticket.id), events.kind == "closed")
    return replace(ticket, note=connection.scalar(written))


def read_tickets(
    connection: Connection, *, status: Literal["open", "closed"] | None = None
) -> Sequence[Ticket]:
    """Return all tickets, or those of one status, oldest first."""
    query = select(schema.tickets).order_by(_columns.id)
    return _tickets(connection.execute(query if status is None else query.where(_columns.status == status)))


def open_ticket(connection: Connection, wanted: Wanted, now: datetime, limit: int) -> Opening:
    """Open a ticket, or return the one that is open for the same.

    limit: open tickets an order may have, and a customer without an order. The connection must be of a
    transaction that writes.
    """
    _take_turn(connection, wanted)
    if same := _same(connection, wanted):
        return Opening("existing", same)
    if _has_all(connection, wanted, limit):
        return Opening("too_many", None)
    while True:
        if row := _insert(connection, wanted, now):
            _record(connection, row.id, now, "opened", None)
            return Opening("created", _ticket(row))
        # Another process was quicker: the database let one of the two in. Closed by now? Then again.
        if same := _same(connection, wanted):
            return Opening("existing", same)


def close_ticket(connection: Connection, number: int, note: str | None, now: datetime) -> bool:
    """Close a ticket; False when there is none of this number that is open."""
    closed = connection.execute(
        update(schema.tickets).where(_columns.id == number, _IS_OPEN).values(status="closed", closed_at=now)
    )
    if closed.rowcount:
        _record(connection, number, now, "closed", note)
    return bool(closed.rowcount)


def read_history(connection: Connection, number: int) -> Sequence[tuple[datetime, str, str | None]]:
    """Return what happened to a ticket, oldest first: when, what, and the note."""
    events = schema.ticket_events.c
    rows = connection.execute(
        select(events.at, events.kind, events.note)
        .where(events.ticket_id == number)
        .order_by(events.position)
    )
    return [(row.at, row.kind, row.note) for row in rows]


def _take_turn(connection: Connection, wanted: Wanted) -> None:
    """Postgres: what has one limit is opened one after the other, or two could pass it together."""
    if wanted.order_id is not None:
        connection.execute(_IN_TURN, {"order": wanted.order_id})
    elif wanted.customer_id is not None:
        _know(connection, wanted.customer_id)
        connection.execute(_CUSTOMER_IN_TURN, {"customer": wanted.customer_id})


def _has_all(connection: Connection, wanted: Wanted, limit: int) -> bool:
    if wanted.order_id is None:
        return has_all_hand_offs(connection, wanted, limit)
    return len(read_open(connection, wanted.order_id)) >= limit


def _know(connection: Connection, customer_id: str) -> None:
    """See that the customer is in the store: a shop signs in people of whom nothing was imported yet."""
    insert = _insert_into(connection.dialect.name)(schema.customers)
    connection.execute(insert.on_conflict_do_nothing(), {"id": customer_id, "digest": ""})


def _insert(connection: Connection, wanted: Wanted, now: datetime) -> Row[Any] | None:
    """Insert the ticket unless the same is open."""
    about_order = wanted.order_id is not None
    row = {
        **vars(wanted),
        # Kept for tickets without an order: a conversation has one of those, and any number of the others.
        "conversation": None if about_order else wanted.conversation,
        "status": "open",
        "opened_at": now,
    }
    statement = _insertion(connection.dialect.name, about_order)
    return connection.execute(statement, row).first()


@cache
def _insertion(dialect: str, about_order: bool) -> Executable:
    key = ("order_id", "category") if about_order else ("conversation",)
    insert = _insert_into(dialect)(schema.tickets)
    unless = text(f"status = 'open' AND {key[0]} IS NOT NULL")
    return insert.on_conflict_do_nothing(index_elements=key, index_where=unless).returning(schema.tickets)


def _insert_into(dialect: str) -> Any:
    """Return the dialect's own insert, which alone can skip a row that is there."""
    if dialect == "postgresql":
        from sqlalchemy.dialects.postgresql import insert  # here: it takes a tenth of a second to load
    else:
        from sqlalchemy.dialects.sqlite import insert
    return insert


def _same(connection: Connection, wanted: Wanted) -> Ticket | None:
    if wanted.order_id is None:
        return read_hand_off(connection, wanted.conversation or "")
    tickets = read_open(connection, wanted.order_id)
    return next((ticket for ticket in tickets if ticket.category == wanted.category), None)


def _record(connection: Connection, number: int, now: datetime, kind: Event, note: str | None) -> None:
    events = schema.ticket_events
    position = connection.scalar(select(func.count()).where(events.c.ticket_id == number))
    connection.execute(
        events.insert().values(ticket_id=number, position=position, at=now, kind=kind, note=note)
    )


def _tickets(rows: Iterable[Row[Any]]) -> list[Ticket]:
    return [_ticket(row) for row in rows]


def _ticket(row: Row[Any]) -> Ticket:
    return Ticket(
        id=printed(row.id),
        order_id=row.order_id,
        category=row.category,
        summary=row.summary,
        opened_at=row.opened_at,
        status=row.status,
        closed_at=row.closed_at,
        customer_id=row.customer_id,
    )
