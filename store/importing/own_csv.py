"""ShopKart's own CSV: one row for each item of an order, as docs/import.md describes it.

Knows:    the columns. What is said of the order may stand in its first row alone, or again in each; two rows
          of an order that say different things are noted as wrong.
Does not: read any other shop system's.
"""

from store.importing.fields import Fields
from store.importing.own_json import PAYMENTS, STATUSES
from store.importing.parts import TableFormat, address_of, checked, customer_of, titled
from store.records import FulfilmentRecord, LineRecord, OrderRecord, PaymentRecord, Record

_SHIPPING = {
    "name": "shipping name",
    "line1": "shipping line1",
    "line2": "shipping line2",
    "city": "shipping city",
    "region": "shipping region",
    "postal_code": "shipping postal code",
    "country": "shipping country",
}
OF_AN_ORDER = (
    *("order id", "placed at", "status", "payment", "currency", "total", "shipping", "discount", "tax"),
    *("customer id", "customer name", "customer email", "customer phone"),
    *("paid at", "payment method", "payment reference", "refunded", "gift note", "source id"),
    *_SHIPPING.values(),
)
OF_AN_ITEM = ("item", "variant", "quantity", "price", "sku", "variant id")
OF_A_PARCEL = ("carrier", "tracking number", "shipped at", "expected on", "delivered on")
NEEDED = ("order id", "status", "payment", "total", "item", "price")


def _read(rows: list[Fields]) -> list[Record]:
    order = rows[0]
    _see_that_rows_agree(rows)
    for name, what in (("status", STATUSES), ("payment", PAYMENTS)):
        if name not in order:
            order.bad(name, f"one of {', '.join(what)}")
    currency = order.currency("currency")
    total = order.needed_money("total", currency)
    shipping = address_of(order, "shipping", _SHIPPING)
    record = OrderRecord(
        id=order.order_number("order id"),
        customer=customer_of(
            order.identity("customer id"),
            order.email("customer email"),
            order.text("customer name", private="a name"),
            order.phone("customer phone"),
        ),
        status=order.choice("status", STATUSES, "pending"),
        payment=order.choice("payment", PAYMENTS, "unpaid"),
        currency=currency,
        total_minor=total,
        lines=checked(order, "item", (_line(row, currency) for row in rows)),
        placed_at=order.moment("placed at"),
        source_id=order.code("source id"),
        shipping_minor=order.money("shipping", currency),
        discount_minor=order.money("discount", currency),
        tax_minor=order.money("tax", currency),
        gift_note=order.text("gift note", longest=500),
        addresses=(shipping,) if shipping else (),
        fulfilments=tuple(dict.fromkeys(parcel for row in rows if (parcel := _parcel(row)))),
        payments=tuple(_payments(order, total, currency)),
    )
    return [record]


def _see_that_rows_agree(rows: list[Fields]) -> None:
    first = rows[0].values
    for row in rows[1:]:
        for name in OF_AN_ORDER:
            if name in row and row.values[name] != first.get(name):
                row.bad(name, "nothing, or the same as in the order's first row")


def _line(row: Fields, currency: str) -> LineRecord:
    return LineRecord(
        name=titled(row.needed("item"), [row.text("variant")]),
        quantity=row.whole("quantity", 1),
        price_minor=row.needed_money("price", currency),
        sku=row.code("sku"),
        variant_id=row.identity("variant id"),
    )


def _parcel(row: Fields) -> FulfilmentRecord | None:
    if not any(name in row for name in OF_A_PARCEL):
        return None
    return FulfilmentRecord(
        carrier=row.text("carrier"),
        tracking_number=row.code("tracking number"),
        shipped_at=row.moment("shipped at"),
        expected_on=row.day("expected on"),
        delivered_on=row.day("delivered on"),
    )


def _payments(order: Fields, total: int, currency: str) -> list[PaymentRecord]:
    method, refunded = order.text("payment method"), order.money("refunded", currency)
    refunds = [PaymentRecord("refund", refunded, method)] if refunded else []
    if order.word("payment") == "unpaid":
        return refunds
    return [
        PaymentRecord("payment", total, method, order.moment("paid at"), order.code("payment reference")),
        *refunds,
    ]


FORMAT = TableFormat(
    name="shopkart-csv",
    title="ShopKart's own CSV",
    number="order id",
    needed=frozenset(NEEDED),
    columns=frozenset((*OF_AN_ORDER, *OF_AN_ITEM, *OF_A_PARCEL)),
    read=_read,
)
