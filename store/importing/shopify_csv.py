"""Shopify's order export: one row for each item, with what is said of the order in its first row alone.

Knows:    the columns.
Does not: know an order's customer but by the e-mail address, nor its parcels: the export has neither.
Source:   Shopify Help Center, "Exporting orders".
"""

from store.importing.fields import Fields
from store.importing.parts import TableFormat, address_of, checked, customer_of
from store.importing.shopify_json import FULFILMENTS, PAYMENTS, order_status
from store.model import Payment
from store.records import FulfilmentRecord, LineRecord, OrderRecord, PaymentRecord, Record

_ADDRESS = {
    "name": "name",
    "line1": "address1",
    "line2": "address2",
    "city": "city",
    "region": "province",
    "postal_code": "zip",
    "country": "country",
}
_COLUMNS = """
name|email|financial status|paid at|fulfillment status|fulfilled at|accepts marketing|currency|subtotal
shipping|taxes|total|discount code|discount amount|shipping method|created at|lineitem quantity
lineitem name|lineitem price|lineitem compare at price|lineitem sku|lineitem requires shipping
lineitem taxable|lineitem fulfillment status|billing name|billing street|billing address1
billing address2|billing company|billing city|billing zip|billing province|billing country|billing phone
shipping name|shipping street|shipping address1|shipping address2|shipping company|shipping city
shipping zip|shipping province|shipping country|shipping phone|notes|note attributes|cancelled at
payment method|payment reference|refunded amount|vendor|outstanding balance|employee|location|device id
id|tags|risk level|source|lineitem discount|phone|receipt number|duties|billing province name
shipping province name|payment id|payment terms name|next payment due at|payment references|tax 1 name
tax 1 value|tax 2 name|tax 2 value|tax 3 name|tax 3 value|tax 4 name|tax 4 value|tax 5 name|tax 5 value
"""


def _read(rows: list[Fields]) -> list[Record]:
    order = rows[0]
    currency = order.currency("currency")
    payment = order.choice("financial status", PAYMENTS, "pending")
    order.choice("fulfillment status", FULFILMENTS, "unfulfilled")
    total = order.needed_money("total", currency)
    names = {
        kind: {part: f"{kind} {column}" for part, column in _ADDRESS.items()}
        for kind in ("billing", "shipping")
    }
    addresses = (
        address_of(order, "billing", names["billing"]),
        address_of(order, "shipping", names["shipping"]),
    )
    sent_at = order.moment("fulfilled at")
    record = OrderRecord(
        id=order.order_number("name"),
        customer=customer_of(
            None,
            order.email("email"),
            order.text("billing name", private="a name") or order.text("shipping name", private="a name"),
            order.phone("phone") or order.phone("billing phone"),
        ),
        status=order_status(
            order.word("financial status"),
            order.word("fulfillment status"),
            cancelled="cancelled at" in order,
        ),
        payment=payment,
        currency=currency,
        total_minor=total,
        lines=checked(
            order, "lineitem name", (_line(row, currency) for row in rows if "lineitem name" in row)
        ),
        placed_at=order.moment("created at"),
        source_id=order.code("id"),
        shipping_minor=order.money("shipping", currency),
        discount_minor=order.money("discount amount", currency),
        tax_minor=order.money("taxes", currency),
        addresses=tuple(filter(None, addresses)),
        fulfilments=(FulfilmentRecord(shipped_at=sent_at),) if sent_at else (),
        payments=tuple(_payments(order, payment, total, currency)),
    )
    return [record]


def _line(row: Fields, currency: str) -> LineRecord:
    # The name holds the variant already, after a dash that may as well be part of the name.
    return LineRecord(
        name=row.needed("lineitem name"),
        quantity=row.whole("lineitem quantity"),
        price_minor=row.needed_money("lineitem price", currency),
        sku=row.code("lineitem sku"),
    )


def _payments(order: Fields, payment: Payment, total: int, currency: str) -> list[PaymentRecord]:
    method = order.text("payment method")
    refunded = order.money("refunded amount", currency)
    refunds = [PaymentRecord("refund", refunded, method)] if refunded else []
    if payment == "unpaid":
        return refunds
    reference = order.code("payment reference", longest=200)
    return [PaymentRecord("payment", total, method, order.moment("paid at"), reference), *refunds]


FORMAT = TableFormat(
    name="shopify-csv",
    title="Shopify's order export, CSV",
    number="name",
    needed=frozenset({"name", "total", "lineitem name", "lineitem quantity", "lineitem price"}),
    columns=frozenset(name for line in _COLUMNS.split("\n") for name in line.split("|") if name),
    read=_read,
)
