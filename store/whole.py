"""All that the database holds of an order or a ticket, for a person of the shop.

Knows:    every table that an order has a part in.
Does not: ask who reads: this is for the shell of whoever holds the database. No tool of the server calls it.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Select, Table, select

from store import schema
from store.tickets import printed

Row = dict[str, Any]


def read_whole_order(connection: Connection, order_id: str) -> Row | None:
    """Return an order with its customer, addresses, lines, parcels, payments and tickets."""
    order = _first(connection, select(schema.orders).where(schema.orders.c.id == order_id))
    if order is None:
        return None
    customers, addresses = schema.customers, schema.addresses
    customer = _first(connection, select(customers).where(customers.c.id == order["customer_id"]))
    return {
        **order,
        "customer": customer,
        "addresses": _all(connection, select(addresses).where(addresses.c.order_id == order_id)),
        "lines": _parts(connection, schema.order_lines, order_id),
        "fulfilments": _parts(connection, schema.fulfilments, order_id),
        "payments": _parts(connection, schema.payments, order_id),
        "tickets": read_whole_tickets(connection, schema.tickets.c.order_id == order_id),
    }


def read_whole_tickets(connection: Connection, *which: Any) -> Sequence[Row]:
    """Return tickets with their history, oldest first."""
    tickets, events = schema.tickets, schema.ticket_events
    asked = select(tickets).where(*which).order_by(tickets.c.id)
    found: dict[int, Row] = {
        row["id"]: {**row, "id": printed(row["id"]), "history": []} for row in _all(connection, asked)
    }
    happened = select(events).join(tickets).where(*which).order_by(events.c.ticket_id, events.c.position)
    for row in _all(connection, happened):
        found[row.pop("ticket_id")]["history"].append(row)
    return list(found.values())


_KEPT_TO_US = {"digest", "email_key", "position"}
"""Columns that say nothing to a person."""


def _parts(connection: Connection, table: Table, order_id: str) -> list[Row]:
    rows = _all(connection, select(table).where(table.c.order_id == order_id).order_by(table.c.position))
    return [{name: value for name, value in row.items() if name != "order_id"} for row in rows]


def _all(connection: Connection, asked: Select[Any]) -> list[Row]:
    return [
        {name: value for name, value in row.items() if name not in _KEPT_TO_US}
        for row in connection.execute(asked).mappings()
    ]


def _first(connection: Connection, asked: Select[Any]) -> Row | None:
    return next(iter(_all(connection, asked)), None)
