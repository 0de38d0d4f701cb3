"""Writing records into the shop's tables, many at a time: what is there and the same is left alone.

Knows:    which row is whose, when two records say the same, and who has an e-mail address that two name.
Does not: read a file (store/importing/), or begin a transaction (common/database.py).
Rule:     a customer who is known by an e-mail address alone has an id made of it, and becomes the customer
          with an id of the shop's who is found to have it. What a guest typed changes no such customer.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import Connection, Table, bindparam, delete, insert, or_, select, update

import store.schema as schema
from store.records import CustomerRecord, OrderRecord, ProductRecord, Record

Written = Literal["new", "changed", "same"]

_MADE = "e-"
"""How an id begins that is made of an e-mail address."""


@dataclass(frozen=True)
class CustomerWritten:
    """What came of a customer; shares_email: another had that address first, and is who signs in with it."""

    outcome: Written
    id: str
    shares_email: bool = False


def write(connection: Connection, record: Record) -> Written:
    """Write one record, and say what came of it."""
    return write_all(connection, [record])[0]


def write_all(connection: Connection, records: Sequence[Record]) -> list[Written]:
    """Write records, of which each names its order, product or customer once, and say what came of each."""
    customers = [each for each in records if isinstance(each, CustomerRecord)]
    products = [each for each in records if isinstance(each, ProductRecord)]
    orders = [each for each in records if isinstance(each, OrderRecord)]
    outcomes: dict[int, Written] = {}
    outcomes |= _by_identity(customers, [each.outcome for each in write_customers(connection, customers)])
    outcomes |= _by_identity(products, write_products(connection, products))
    buyers = {_known_by(each.customer): each.customer for each in orders if each.customer is not None}
    written = write_customers(connection, list(buyers.values()))
    ids = {key: each.id for key, each in zip(buyers, written, strict=True)}
    owners = [ids[_known_by(each.customer)] if each.customer is not None else None for each in orders]
    outcomes |= _by_identity(orders, write_orders(connection, orders, owners))
    return [outcomes[id(each)] for each in records]


def email_key(email: str) -> str:
    """Return an e-mail address in the form by which it is looked up."""
    return email.strip().casefold()


def _by_identity(records: Sequence[Record], outcomes: Sequence[Written]) -> dict[int, Written]:
    return {id(record): outcome for record, outcome in zip(records, outcomes, strict=True)}


def _known_by(customer: CustomerRecord) -> tuple[str | None, str]:
    return (customer.id, "" if customer.id else email_key(customer.email or ""))


# ---------------------------------------------------------------- customers


def write_customers(connection: Connection, records: Sequence[CustomerRecord]) -> list[CustomerWritten]:
    """Write customers, each named once. An empty field takes nothing away from what is known.

    Raises: ValueError for a customer with neither an id nor an e-mail address.
    """
    if not records:
        return []
    desk = _Desk(connection, records)
    done = [desk.put(each) for each in records]
    desk.write(connection)
    return done


class _Desk:
    """The customers of one batch and those they may meet: looked up, settled, and written at once."""

    def __init__(self, connection: Connection, records: Sequence[CustomerRecord]) -> None:
        customers = schema.customers.c
        keys = [email_key(each.email) for each in records if each.email]
        ids = [each.id for each in records if each.id]
        rows = connection.execute(
            select(schema.customers).where(or_(customers.id.in_(ids), customers.email_key.in_(keys)))
        ).mappings()
        self._rows: dict[str, dict[str, Any]] = {row["id"]: dict(row) for row in rows}
        self._holder: dict[str, str] = {
            row["email_key"]: key for key, row in self._rows.items() if row["email_key"]
        }
        self._let_go_of(records)
        self._new: list[dict[str, Any]] = []
        self._changed: list[dict[str, Any]] = []
        self._moved: list[dict[str, str]] = []  # from a made id to the shop's own
        self._addresses: dict[str, CustomerRecord] = {}

    def put(self, record: CustomerRecord) -> CustomerWritten:
        """Settle who a customer is and what has to be written."""
        key = email_key(record.email) if record.email else None
        if record.id is None:
            if key is None:
                raise ValueError("a customer needs an id or an e-mail address")
            found = self._holder.get(key)
            if found not in (None, _made_id(key)):
                return CustomerWritten("same", found)
            return self._settled(_made_id(key), record, key)
        known = self._rows.get(record.id)
        if key is None and known is not None and known["email"]:
            key = email_key(known["email"])
        holder = self._holder.get(key) if key else None
        if key and holder not in (None, record.id):
            if holder != _made_id(key):
                return self._settled(record.id, record, None, shares_email=True)
            self._moved.append({"made": holder, "own": record.id})
            self._rows.pop(holder, None)
        return self._settled(record.id, record, key)

    def write(self, connection: Connection) -> None:
        """Write what was settled; addresses that pass from one customer to another are let go of first."""
        customers = schema.customers
        freed = [*(each["made"] for each in self._moved), *(each["of"] for each in self._changed)]
        if freed:
            connection.execute(update(customers).where(customers.c.id.in_(freed)).values(email_key=None))
        if self._new:
            connection.execute(insert(customers), self._new)
        _update(connection, customers, self._changed)
        for table in (schema.orders, schema.tickets):
            if self._moved:
                moving = update(table).where(table.c.customer_id == bindparam("made"))
                connection.execute(moving.values(customer_id=bindparam("own")), self._moved)
        if self._moved:
            made = [each["made"] for each in self._moved]
            connection.execute(delete(customers).where(customers.c.id.in_(made)))
        if self._addresses:
            _replace_addresses(connection, "customer_id", self._addresses)

    def _let_go_of(self, records: Sequence[CustomerRecord]) -> None:
        """Free each address whose customer has another now, before it is asked for."""
        for record in records:
            known = self._rows.get(record.id or "")
            if known and record.email and known["email_key"] not in (None, email_key(record.email)):
                self._holder.pop(known["email_key"], None)

    def _settled(
        self, customer_id: str, record: CustomerRecord, key: str | None, *, shares_email: bool = False
    ) -> CustomerWritten:
        known = self._rows.get(customer_id)
        row = {
            "name": record.name or (known and known["name"]),
            "email": record.email or (known and known["email"]),
            "email_key": key,
            "phone": record.phone or (known and known["phone"]),
            "digest": _digest(map(_plain, record.addresses))
            if record.addresses or not known
            else known["digest"],
        }
        if key:
            self._holder[key] = customer_id
        if known is not None and all(known[name] == value for name, value in row.items()):
            return CustomerWritten("same", customer_id, shares_email)
        if record.addresses and (known is None or known["digest"] != row["digest"]):
            self._addresses[customer_id] = record
        if known is None:
            self._new.append({"id": customer_id, **row})
        else:
            self._changed.append({"of": customer_id, **row})
        self._rows[customer_id] = {"id": customer_id, **row}
        return CustomerWritten("new" if known is None else "changed", customer_id, shares_email)


def _made_id(key: str) -> str:
    return f"{_MADE}{hashlib.sha256(key.encode()).hexdigest()[:16]}"


# ---------------------------------------------------------------- products and orders


def write_products(connection: Connection, records: Sequence[ProductRecord]) -> list[Written]:
    """Write products with their variants, each named once."""
    rows = [{"id": each.id, "title": each.title, "digest": _product_digest(each)} for each in records]
    outcomes = _put(connection, schema.products, rows)
    fresh = [each for each, outcome in zip(records, outcomes, strict=True) if outcome != "same"]
    if fresh:
        ids, variants = [each.id for each in fresh], schema.variants
        parts = {
            part.id: _columns(part) | {"product_id": each.id} for each in fresh for part in each.variants
        }
        # By its own id too: a variant may have moved from one product to another.
        connection.execute(
            delete(variants).where(or_(variants.c.product_id.in_(ids), variants.c.id.in_(parts)))
        )
        if parts:
            connection.execute(insert(variants), list(parts.values()))
    return outcomes


def write_orders(
    connection: Connection, records: Sequence[OrderRecord], owners: Sequence[str | None]
) -> list[Written]:
    """Write orders, each named once and with the id of whose it is, a customer who is there already."""
    rows = [_order_row(each, owner) for each, owner in zip(records, owners, strict=True)]
    outcomes = _put(connection, schema.orders, rows)
    fresh = [each for each, outcome in zip(records, outcomes, strict=True) if outcome != "same"]
    changed = [row["id"] for row, outcome in zip(rows, outcomes, strict=True) if outcome == "changed"]
    for table in (schema.order_lines, schema.payments, schema.fulfilments):
        if changed:
            connection.execute(delete(table).where(table.c.order_id.in_(changed)))
    _insert_parts(connection, schema.order_lines, {each.id: each.lines for each in fresh})
    _insert_parts(connection, schema.payments, {each.id: each.payments for each in fresh})
    _insert_parts(connection, schema.fulfilments, {each.id: each.fulfilments for each in fresh})
    if fresh:
        _replace_addresses(connection, "order_id", {each.id: each for each in fresh})
    return outcomes


def _order_row(record: OrderRecord, owner: str | None) -> dict[str, Any]:
    row: dict[str, Any] = {
        "id": record.id,
        "source_id": record.source_id,
        "customer_id": owner,
        "status": record.status,
        "payment": record.payment,
        "currency": record.currency,
        "total_minor": record.total_minor,
        "shipping_minor": record.shipping_minor,
        "discount_minor": record.discount_minor,
        "tax_minor": record.tax_minor,
        "placed_at": record.placed_at,
        "gift_note": record.gift_note,
    }
    parts = (record.lines, record.addresses, record.fulfilments, record.payments)
    return row | {"digest": _digest([*row.values(), *([_plain(each) for each in part] for part in parts)])}


def _product_digest(record: ProductRecord) -> str:
    return _digest([record.id, record.title, *map(_plain, record.variants)])


def _put(connection: Connection, table: Table, rows: Sequence[dict[str, Any]]) -> list[Written]:
    """Insert the rows whose id is not there, and update those whose digest is another."""
    if not rows:
        return []
    ids = [row["id"] for row in rows]
    found = connection.execute(select(table.c.id, table.c.digest).where(table.c.id.in_(ids))).all()
    known: dict[str, str] = {row.id: row.digest for row in found}
    outcomes: list[Written] = [
        "new" if row["id"] not in known else "same" if known[row["id"]] == row["digest"] else "changed"
        for row in rows
    ]
    new = [row for row, outcome in zip(rows, outcomes, strict=True) if outcome == "new"]
    if new:
        connection.execute(insert(table), new)
    changed = (row for row, outcome in zip(rows, outcomes, strict=True) if outcome == "changed")
    _update(connection, table, [{"of": row["id"], **row} for row in changed])
    return outcomes


# ---------------------------------------------------------------- rows


def _update(connection: Connection, table: Table, rows: Sequence[dict[str, Any]]) -> None:
    """Update the rows whose id is `of`."""
    if rows:
        names = [name for name in rows[0] if name not in ("of", "id")]
        statement = update(table).where(table.c.id == bindparam("of"))
        connection.execute(statement.values({name: bindparam(name) for name in names}), rows)


def _insert_parts(connection: Connection, table: Table, parts: Mapping[str, Sequence[Any]]) -> None:
    rows = [
        _columns(part) | {"order_id": order_id, "position": position}
        for order_id, of_it in parts.items()
        for position, part in enumerate(of_it)
    ]
    if rows:
        connection.execute(insert(table), rows)


def _replace_addresses(
    connection: Connection, column: str, owners: Mapping[str, CustomerRecord] | Mapping[str, OrderRecord]
) -> None:
    addresses = schema.addresses
    connection.execute(delete(addresses).where(addresses.c[column].in_(list(owners))))
    rows = [_columns(each) | {column: owner} for owner, record in owners.items() for each in record.addresses]
    if rows:
        connection.execute(insert(addresses), rows)


def _columns(part: object) -> dict[str, Any]:
    """Return the fields of a part of a record, which are named like the columns that keep them."""
    return vars(part)


def _plain(part: object) -> tuple[Any, ...]:
    return tuple(_columns(part).values())


def _digest(values: Iterable[Any]) -> str:
    """Return what tells two rows apart: the same for the same values."""
    return hashlib.sha256(repr(list(values)).encode()).hexdigest()[:32]
