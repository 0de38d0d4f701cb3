"""The shop's data in one database: SQLite in memory, a SQLite file, or Postgres.

Knows:    how to open each, and which question is asked in which transaction.
Does not: decide anything: not who may ask, nor whether a ticket fits its order.
"""

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, datetime

from sqlalchemy import Connection, Engine, bindparam, delete, insert, or_, select

import store.schema as schema
import store.tickets as tickets
from common.database import CALL_WAIT_S, DatabaseUnusable, is_in_memory, open_engine, require_schema, writing
from common.mailbox import email_key
from store.customers import guest_id
from store.model import Order, Policy, Reach, Ticket
from store.orders import read_order, read_orders
from store.tickets import Opening, Wanted

_REVISION = select(schema.policy_revision.c.revision)
_customers = schema.customers.c
_CUSTOMER = (
    select(_customers.id)
    .where(
        or_(
            _customers.id.in_([bindparam("who"), bindparam("guest")]),
            _customers.email_key == bindparam("address"),
        )
    )
    # An id wins over an e-mail address, and an account over who ordered without one.
    .order_by(_customers.id != bindparam("who"), _customers.id == bindparam("guest"))
    .limit(1)
)


def utc_now() -> datetime:
    """Return the time of the machine, in UTC."""
    return datetime.now(UTC)


class Store:
    """The shop's data. Methods may be called from several threads at once.

    waits: whether an answer may take its time, from a disk or over a network.
    is_demo: whether it holds the demo shop, made for this process.
    """

    def __init__(self, engine: Engine, now: Callable[[], datetime] = utc_now, *, waits: bool = True) -> None:
        self.engine = engine
        self.waits = waits
        self.is_demo = False
        self._now = now

    def customer_id(self, who: str) -> str | None:
        """Return the id of the customer of this id or e-mail address.

        Of an address: of the account that states it as its own, else of whoever ordered with it as a guest.
        """
        asked = {"who": who, "address": email_key(who), "guest": guest_id(who)}
        with self.engine.begin() as connection:
            return connection.scalar(_CUSTOMER, asked)

    def get_order(self, order_id: str, reach: Reach) -> Order | None:
        """Return the order of exactly this id, if it is within reach."""
        with self.engine.begin() as connection:
            return read_order(connection, order_id, reach)

    def orders(self, reach: Reach, limit: int) -> Sequence[Order]:
        """Return the orders within reach, newest first."""
        with self.engine.begin() as connection:
            return read_orders(connection, reach, limit)

    def policies(self) -> Sequence[Policy]:
        """Return every policy in every language, in the order of their names."""
        kept = schema.policies
        with self.engine.begin() as connection:
            rows = connection.execute(select(kept).order_by(kept.c.name, kept.c.language)).all()
        return [Policy(row.name, row.title, row.text, row.language) for row in rows]

    def policy_revision(self) -> int:
        """Return a number that another set of policies would change."""
        with self.engine.begin() as connection:
            return connection.scalar(_REVISION) or 0

    def put_policies(self, policies: Iterable[Policy]) -> None:
        """Keep these policies, and no others."""
        rows = [vars(policy) for policy in policies]
        with writing(self.engine) as connection:
            before = connection.scalar(_REVISION) or 0
            connection.execute(delete(schema.policies))
            connection.execute(delete(schema.policy_revision))
            connection.execute(insert(schema.policy_revision).values(one=1, revision=before + 1))
            if rows:
                connection.execute(insert(schema.policies), rows)

    def open_tickets(self, order_id: str) -> Sequence[Ticket]:
        """Return the order's open tickets, oldest first."""
        with self.engine.begin() as connection:
            return tickets.read_open(connection, order_id)

    def get_ticket(self, ticket_id: str, reach: Reach) -> Ticket | None:
        """Return the ticket of this id, if it is within reach, with what the staff wrote at its end."""
        number = tickets.number_of(ticket_id)
        if number is None:
            return None
        with self.engine.begin() as connection:
            found = tickets.read_ticket(connection, number, reach)
            return found and tickets.with_note(connection, found)

    def newest_tickets(self, reach: Reach, limit: int) -> Sequence[Ticket]:
        """Return the newest tickets within reach, newest first, with what the staff wrote at their end."""
        with self.engine.begin() as connection:
            return tickets.read_newest(connection, reach, limit)

    def open_hand_off(self, conversation: str) -> Ticket | None:
        """Return the open ticket of a conversation that is about no order."""
        with self.engine.begin() as connection:
            return tickets.read_hand_off(connection, conversation)

    def has_all_hand_offs(self, wanted: Wanted, limit: int) -> bool:
        """Say whether the customer has as many open tickets without an order as they may."""
        with self.engine.begin() as connection:
            return tickets.has_all_hand_offs(connection, wanted, limit)

    def open_ticket(self, wanted: Wanted, *, limit: int) -> Opening:
        """Open a ticket, or return the one that is open for the same.

        limit: open tickets an order may have, and a customer without an order.
        The look and the write are one step: no two callers can both create.
        """
        with writing(self.engine, wait_s=CALL_WAIT_S) as connection:
            return tickets.open_ticket(connection, wanted, self._now(), limit)

    def close_ticket(self, ticket_id: str, note: str | None) -> bool:
        """Close a ticket; False when there is none of this id that is open."""
        number = tickets.number_of(ticket_id)
        if number is None:
            return False
        with writing(self.engine) as connection:
            return tickets.close_ticket(connection, number, note, self._now())

    def writing(self) -> AbstractContextManager[Connection]:
        """Open a transaction that writes."""
        return writing(self.engine)


def open_store(url: str, now: Callable[[], datetime] = utc_now) -> Store:
    """Return the store of a database that has its tables.

    Raises: DatabaseUnusable when it cannot be reached, is empty, or is of another revision.
    """
    if is_in_memory(url):
        return store_in_memory(now)
    engine = open_engine(url)
    try:
        require_schema(engine)
    except DatabaseUnusable:
        engine.dispose()
        raise
    return Store(engine, now)


def store_in_memory(now: Callable[[], datetime] = utc_now) -> Store:
    """Return a new and empty store that is gone with the process."""
    engine = open_engine("sqlite://")
    schema.metadata.create_all(engine)
    return Store(engine, now, waits=False)
