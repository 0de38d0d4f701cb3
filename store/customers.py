"""Writing customers: which row is whose, and what an e-mail address proves of a person.

Knows:    accounts, by the id that the shop gave; guests, by an id made of the e-mail address they typed.
Does not: write an order or a product.   (writing.py)
Rule:     an account is found by an address that its own record states, and by no other. An address that came
          with an order is where to write to: anybody can type anybody's, so it makes nobody's orders theirs.
          A guest's orders stay with the guest, unless the shop says that its accounts' addresses are proven.
"""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import BindParameter, Connection, bindparam, delete, insert, or_, select, update

import store.schema as schema
from common.mailbox import email_key
from store.records import CustomerRecord
from store.rows import Written, digest_of, plain_of, replace_addresses, update_rows

_MADE = re.compile(r"e-[0-9a-f]{16}")
_MOVED = "moved"
"""The digest of an order that went from a guest to an account: the next import of it counts as a change."""


@dataclass(frozen=True)
class CustomerWritten:
    """What came of a customer.

    shares_email: an account had that address first, and is who signs in with it.
    beside: a guest whose address an account states as its own, and whose orders stay apart from it.
    """

    outcome: Written
    id: str
    shares_email: bool = False
    beside: bool = False


def guest_id(address: str) -> str:
    """Return the id of whoever orders with an e-mail address and without an account."""
    made_of = email_key(address).encode("utf-8", "surrogatepass")
    return f"e-{hashlib.sha256(made_of).hexdigest()[:16]}"


def is_guest_id(customer_id: str) -> bool:
    """Say whether an id looks like those that are made of e-mail addresses."""
    return _MADE.fullmatch(customer_id) is not None


def write_customers(
    connection: Connection, records: Sequence[CustomerRecord], *, join_guests: bool = False
) -> list[CustomerWritten]:
    """Write customers, each named once. An empty field takes nothing away from what is known.

    join_guests: whether an account gets what guests ordered with its own address; accounts come first then.
    Raises: ValueError for a customer with neither an id nor an e-mail address.
    """
    if not records:
        return []
    desk = _Desk(connection, records, join_guests)
    done = [desk.put(each) for each in records]
    desk.write(connection)
    return done


class _Desk:
    """The customers of one batch and those they may meet: looked up, settled, and written at once."""

    def __init__(self, connection: Connection, records: Sequence[CustomerRecord], join_guests: bool) -> None:
        customers = schema.customers.c
        keys = {email_key(each.email) for each in records if each.email}
        ids = {each.id for each in records if each.id} | {guest_id(key) for key in keys}
        rows = connection.execute(
            select(schema.customers).where(or_(customers.id.in_(ids), customers.email_key.in_(keys)))
        ).mappings()
        self._join_guests = join_guests
        self._rows: dict[str, dict[str, Any]] = {row["id"]: dict(row) for row in rows}
        self._holder: dict[str, str] = {
            row["email_key"]: key
            for key, row in self._rows.items()
            if row["email_key"] and not is_guest_id(key)
        }
        # A guest is found by the id. One who was written when guests still held their address gives it up.
        self._freed = [key for key, row in self._rows.items() if row["email_key"] and is_guest_id(key)]
        self._let_go_of(records)
        self._new: list[dict[str, Any]] = []
        self._changed: list[dict[str, Any]] = []
        self._moved: list[dict[str, str]] = []  # from a guest to an account
        self._addresses: dict[str, CustomerRecord] = {}

    def put(self, record: CustomerRecord) -> CustomerWritten:
        """Settle who a customer is and what has to be written."""
        key = email_key(record.email) if record.email else None
        if record.id is None:
            return self._put_guest(record, key)
        known = self._rows.get(record.id)
        if key is None and known is not None:
            key = known["email_key"]
        if key and self._holder.get(key) not in (None, record.id):
            return self._settled(record.id, record, None, shares_email=True)
        if key and self._join_guests and self._rows.pop(guest_id(key), None):
            self._moved.append({"made": guest_id(key), "own": record.id})
        return self._settled(record.id, record, key)

    def write(self, connection: Connection) -> None:
        """Write what was settled; addresses that pass from one customer to another are let go of first."""
        customers = schema.customers
        freed = [*self._freed, *(each["of"] for each in self._changed)]
        if freed:
            connection.execute(update(customers).where(customers.c.id.in_(freed)).values(email_key=None))
        if self._new:
            connection.execute(insert(customers), self._new)
        update_rows(connection, customers, self._changed)
        if self._moved:
            self._move(connection)
        if self._addresses:
            replace_addresses(connection, "customer_id", self._addresses)

    def _put_guest(self, record: CustomerRecord, key: str | None) -> CustomerWritten:
        if key is None:
            raise ValueError("a customer needs an id or an e-mail address")
        account = self._holder.get(key)
        if account is not None and self._join_guests:
            return CustomerWritten("same", account)
        return self._settled(guest_id(key), record, None, beside=account is not None)

    def _move(self, connection: Connection) -> None:
        made: BindParameter[str] = bindparam("made")
        for table, more in ((schema.orders, {"digest": _MOVED}), (schema.tickets, {})):
            moving = update(table).where(table.c.customer_id == made)
            connection.execute(moving.values(customer_id=bindparam("own"), **more), self._moved)
        gone = [each["made"] for each in self._moved]
        connection.execute(delete(schema.customers).where(schema.customers.c.id.in_(gone)))

    def _let_go_of(self, records: Sequence[CustomerRecord]) -> None:
        """Free each address whose account states another now, before it is asked for."""
        for record in records:
            known = self._rows.get(record.id or "")
            if known and record.email and known["email_key"] not in (None, email_key(record.email)):
                self._holder.pop(known["email_key"], None)

    def _settled(
        self, customer_id: str, record: CustomerRecord, key: str | None, **told: bool
    ) -> CustomerWritten:
        known = self._rows.get(customer_id)
        row = {
            "name": record.name or (known and known["name"]),
            "email": _address(record, known),
            "email_key": key,
            "phone": record.phone or (known and known["phone"]),
            "digest": digest_of(map(plain_of, record.addresses))
            if record.addresses or not known
            else known["digest"],
        }
        if key:
            self._holder[key] = customer_id
        if known is not None and all(known[name] == value for name, value in row.items()):
            return CustomerWritten("same", customer_id, **told)
        if record.addresses and (known is None or known["digest"] != row["digest"]):
            self._addresses[customer_id] = record
        if known is None:
            self._new.append({"id": customer_id, **row})
        else:
            self._changed.append({"of": customer_id, **row})
        self._rows[customer_id] = {"id": customer_id, **row}
        return CustomerWritten("new" if known is None else "changed", customer_id, **told)


def _address(record: CustomerRecord, known: dict[str, Any] | None) -> str | None:
    """Return the address to keep: the account's own, else the one that its newest order gives."""
    if record.email or known is None:
        return record.email or record.contact_email
    return known["email"] if known["email_key"] else record.contact_email or known["email"]
