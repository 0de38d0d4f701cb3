"""Reading orders, each with its owner in the question.

Knows:    how an order is put together from its rows.
Does not: decide who may ask; a Reach says whose rows there are.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import Any

from sqlalchemy import ColumnElement, Connection, Integer, Row, bindparam, select, union_all

import store.schema as schema
from store.model import Item, Order, Reach
from store.owned import Asked, Owned

_orders = schema.orders.c
_HEAD = (
    _orders.id,
    _orders.customer_id,
    _orders.status,
    _orders.payment,
    _orders.currency,
    _orders.total_minor,
    _orders.placed_at,
    _orders.gift_note,
)

Condition = ColumnElement[bool]
Build = Callable[[Condition], Asked]


def _one(within: Condition) -> Asked:
    return select(*_HEAD).where(_orders.id == bindparam("order_id"), within)


def _newest(within: Condition) -> Asked:
    """Return the newest orders; those without a day come last, so they are asked for apart.

    Each half is read in the order of an index, on both databases, which put NULL at opposite ends of one.
    """
    most = bindparam("most", type_=Integer)
    dated = select(*_HEAD).where(within, _orders.placed_at.is_not(None))
    dated = dated.order_by(_orders.placed_at.desc(), _orders.id.desc()).limit(most)
    undated = select(*_HEAD).where(within, _orders.placed_at.is_(None))
    undated = undated.order_by(_orders.id.desc()).limit(most)
    both = union_all(dated.subquery().select(), undated.subquery().select()).subquery()
    return select(both).order_by(both.c.placed_at.desc().nulls_last(), both.c.id.desc()).limit(most)


def _with_lines(build: Build) -> Build:
    def built(within: Condition) -> Asked:
        order, line = build(within).subquery(), schema.order_lines.c
        return (
            select(order, line.name.label("line"), line.quantity, line.price_minor)
            .outerjoin_from(order, schema.order_lines, line.order_id == order.c.id)
            .order_by(order.c.placed_at.desc().nulls_last(), order.c.id.desc(), line.position)
        )

    return built


def _parcels_of(build: Build) -> Build:
    def built(within: Condition) -> Asked:
        order, parcel = build(within).subquery(), schema.fulfilments.c
        return (
            select(*(parcel[name] for name in ("order_id", *_PARCEL)))
            .join_from(order, schema.fulfilments, parcel.order_id == order.c.id)
            .order_by(parcel.order_id, parcel.position)
        )

    return built


_PARCEL = ("carrier", "tracking_number", "expected_on", "delivered_on")

_ONE = Owned(_orders.customer_id, _with_lines(_one)), Owned(_orders.customer_id, _parcels_of(_one))
_NEWEST = Owned(_orders.customer_id, _with_lines(_newest)), Owned(_orders.customer_id, _parcels_of(_newest))


def read_order(connection: Connection, order_id: str, reach: Reach) -> Order | None:
    """Return the order of exactly this id, if it is within reach."""
    found = _read(connection, _ONE, reach, order_id=order_id)
    return found[0] if found else None


def read_orders(connection: Connection, reach: Reach, limit: int) -> Sequence[Order]:
    """Return the orders within reach, newest first; those without a day come last."""
    return _read(connection, _NEWEST, reach, most=limit)


def _read(connection: Connection, asked: tuple[Owned, Owned], reach: Reach, **values: Any) -> list[Order]:
    orders, parcels = asked
    rows = orders.ask(connection, reach, **values).all()
    if not rows:
        return []
    shipped: dict[str, list[Row[Any]]] = {}
    for parcel in parcels.ask(connection, reach, **values):
        shipped.setdefault(parcel.order_id, []).append(parcel)
    return [_order(list(lines), shipped.get(key, ())) for key, lines in groupby(rows, lambda row: row.id)]


def _order(lines: Sequence[Row[Any]], parcels: Sequence[Row[Any]]) -> Order:
    row = lines[0]
    return Order(
        id=row.id,
        customer_id=row.customer_id,
        status=row.status,
        payment=row.payment,
        items=tuple(
            Item(line.line, line.quantity, line.price_minor) for line in lines if line.line is not None
        ),
        placed_on=row.placed_at.date() if row.placed_at else None,
        currency=row.currency,
        carrier=_each_once(parcel.carrier for parcel in parcels),
        tracking_number=_each_once(parcel.tracking_number for parcel in parcels),
        estimated_delivery=max((each.expected_on for each in parcels if each.expected_on), default=None),
        delivered_on=max((each.delivered_on for each in parcels if each.delivered_on), default=None),
        gift_note=row.gift_note,
        charged_minor=row.total_minor,
    )


def _each_once(values: Iterable[str | None]) -> str | None:
    return ", ".join(dict.fromkeys(value for value in values if value)) or None
