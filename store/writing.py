"""Writing records into the shop's tables, many at a time: what is there and the same is left alone.

Knows:    which order is whose, when two records say the same, and what becomes of an order's tickets with
          another owner.
Does not: read a file (store/importing/), or begin a transaction (common/database.py).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, Table, delete, insert, or_, select

import store.schema as schema
from common.mailbox import email_key
from store.customers import write_customers
from store.records import CustomerRecord, OrderRecord, ProductRecord, Record
from store.rows import Written, columns_of, digest_of, plain_of, replace_addresses, update_rows
from store.tickets import close_ticket, printed

ANOTHERS = "By an import this order belongs to another customer. Closed, since the words are the first one's."
"""The note with which an open ticket is closed whose order goes to another customer."""


@dataclass(frozen=True)
class OrderWritten:
    """What came of an order. closed: tickets that were closed, since it went from one owner to another."""

    outcome: Written
    closed: tuple[str, ...] = ()


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
    written_orders = write_orders(connection, orders, owners)
    outcomes |= _by_identity(orders, [each.outcome for each in written_orders])
    return [outcomes[id(each)] for each in records]


def _by_identity(records: Sequence[Record], outcomes: Sequence[Written]) -> dict[int, Written]:
    return {id(record): outcome for record, outcome in zip(records, outcomes, strict=True)}


def _known_by(customer: CustomerRecord) -> tuple[str | None, str]:
    return (customer.id, "" if customer.id else email_key(customer.email or ""))


# ---------------------------------------------------------------- products and orders


def write_products(connection: Connection, records: Sequence[ProductRecord]) -> list[Written]:
    """Write products with their variants, each named once."""
    rows = [{"id": each.id, "title": each.title, "digest": _product_digest(each)} for each in records]
    outcomes = _put(connection, schema.products, rows)
    fresh = [each for each, outcome in zip(records, outcomes, strict=True) if outcome != "same"]
    if fresh:
        ids, variants = [each.id for each in fresh], schema.variants
        parts = {
            part.id: columns_of(part) | {"product_id": each.id} for each in fresh for part in each.variants
        }
        # By its own id too: a variant may have moved from one product to another.
        connection.execute(
            delete(variants).where(or_(variants.c.product_id.in_(ids), variants.c.id.in_(parts)))
        )
        if parts:
            connection.execute(insert(variants), list(parts.values()))
    return outcomes


def write_orders(
    connection: Connection,
    records: Sequence[OrderRecord],
    owners: Sequence[str | None],
    now: datetime | None = None,
) -> list[OrderWritten]:
    """Write orders, each named once and with the id of whose it is, a customer who is there already.

    An open ticket holds its owner's words: where the order goes to another, it is closed, and stays theirs.
    """
    rows = [_order_row(each, owner) for each, owner in zip(records, owners, strict=True)]
    leaving = _leaving(connection, {row["id"]: row["customer_id"] for row in rows})
    closed = {each: _closed(connection, each, now or datetime.now(UTC)) for each in leaving}
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
        replace_addresses(connection, "order_id", {each.id: each for each in fresh})
    return [
        OrderWritten(outcome, closed.get(record.id, ()))
        for record, outcome in zip(records, outcomes, strict=True)
    ]


def _leaving(connection: Connection, owners: Mapping[str, str | None]) -> list[str]:
    """Return the orders that have an owner and are to have another, or none."""
    orders = schema.orders.c
    owned = select(orders.id, orders.customer_id).where(
        orders.id.in_(list(owners)), orders.customer_id.is_not(None)
    )
    return [row.id for row in connection.execute(owned) if row.customer_id != owners[row.id]]


def _closed(connection: Connection, order_id: str, now: datetime) -> tuple[str, ...]:
    orders, tickets = schema.orders.c, schema.tickets.c
    # Whoever opens one now (Postgres) waits for the import, as for another ticket of this order.
    connection.execute(select(orders.id).where(orders.id == order_id).with_for_update())
    found = connection.scalars(
        select(tickets.id).where(tickets.order_id == order_id, tickets.status == "open")
    ).all()
    return tuple(printed(number) for number in found if close_ticket(connection, number, ANOTHERS, now))


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
    return row | {
        "digest": digest_of([*row.values(), *([plain_of(each) for each in part] for part in parts)])
    }


def _product_digest(record: ProductRecord) -> str:
    return digest_of([record.id, record.title, *map(plain_of, record.variants)])


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
    update_rows(connection, table, [{"of": row["id"], **row} for row in changed])
    return outcomes


def _insert_parts(connection: Connection, table: Table, parts: Mapping[str, Sequence[Any]]) -> None:
    rows = [
        columns_of(part) | {"order_id": order_id, "position": position}
        for order_id, of_it in parts.items()
        for position, part in enumerate(of_it)
    ]
    if rows:
        connection.execute(insert(table), rows)
