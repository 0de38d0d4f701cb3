"""WooCommerce's orders as its REST API (v3) writes them, also as the answer to a batch.

Knows:    the fields and the statuses, and the parcels of the Shipment Tracking extension.
Does not: know of a delivery: to WooCommerce an order is `completed` when the shop is done with it.
Left out: the customer's note, which is to the shop; orders in the bin, and drafts.
Source:   WooCommerce REST API v3, Orders. Names come as HTML.
"""

import html
from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from store.importing.fields import Fields
from store.importing.parts import JsonFormat, address_of, checked, customer_of, full_name, titled
from store.model import OrderStatus, Payment
from store.records import FulfilmentRecord, LineRecord, OrderRecord, PaymentRecord, Record

STATUSES: dict[str, OrderStatus] = {
    "pending": "pending",
    "on-hold": "pending",
    "failed": "pending",  # the payment failed; the order waits for another
    "processing": "processing",
    "partial-shipped": "partially_shipped",
    "partially-shipped": "partially_shipped",
    "shipped": "shipped",
    "delivered": "delivered",
    "completed": "shipped",  # or what --completed says
    "cancelled": "cancelled",
    "refunded": "cancelled",  # or returned, if it was completed before
}
LEFT_OUT = {
    "trash": "orders in the bin",
    "auto-draft": "drafts",
    "draft": "drafts",
    "checkout-draft": "drafts",
}
_PAID_WITHOUT_A_DATE = {"completed", "refunded", "delivered", "shipped"}
_ADDRESS = {
    "line1": "address_1",
    "line2": "address_2",
    "city": "city",
    "region": "state",
    "postal_code": "postcode",
    "country": "country",
}


def _fits(section: str, value: Mapping[str, Any]) -> bool:
    keys = value.keys()
    return "line_items" in keys and bool(keys & {"billing", "order_key", "date_created", "customer_note"})


def _read(section: str, order: Fields) -> list[Record]:
    status = order.word("status").removeprefix("wc-")
    left_out = "orders that the shop has deleted" if section == "delete" else LEFT_OUT.get(status)
    if left_out:
        order.reading.left_out[left_out] += 1
        return []
    if not _fits(section, order.values):
        order.missing("line_items", "an order of WooCommerce")
        return []
    return [_order(order, status)]


def _order(order: Fields, status: str) -> OrderRecord:
    currency = order.currency("currency")
    if status not in STATUSES:
        order.bad("status", f"one of {', '.join(STATUSES)}")
    total = order.needed_money("total", currency, rounded=True)
    billing, shipping = order.part("billing"), order.part("shipping")
    refunds = [
        PaymentRecord("refund", abs(each.money("total", currency, rounded=True, negative=True) or 0))
        for each in order.parts("refunds")
    ]
    payment = _payment(order, status, total, sum(each.amount_minor for each in refunds))
    paid = PaymentRecord(
        "payment",
        total,
        order.text("payment_method_title"),
        _at(order, "date_paid"),
        order.code("transaction_id"),
    )
    addresses = (
        address_of(billing, "billing", _ADDRESS, full_name(billing, "first_name", "last_name")),
        address_of(shipping, "shipping", _ADDRESS, full_name(shipping, "first_name", "last_name")),
    )
    return OrderRecord(
        id=order.order_number("number" if "number" in order else "id"),
        customer=customer_of(
            _customer_id(order),
            billing.email("email"),
            full_name(billing, "first_name", "last_name"),
            billing.phone("phone"),
        ),
        status=_status(order, status),
        payment=payment,
        currency=currency,
        total_minor=total,
        lines=checked(
            order, "line_items", (_line(order, each, currency) for each in order.parts("line_items"))
        ),
        placed_at=_at(order, "date_created"),
        source_id=order.code("id"),
        shipping_minor=order.money("shipping_total", currency, rounded=True),
        discount_minor=order.money("discount_total", currency, rounded=True),
        tax_minor=order.money("total_tax", currency, rounded=True),
        addresses=tuple(filter(None, addresses)),
        fulfilments=tuple(_parcels(order, status)),
        payments=tuple(refunds if payment == "unpaid" else [paid, *refunds]),
    )


def _status(order: Fields, status: str) -> OrderStatus:
    if status == "completed":
        return order.reading.options.completed
    if status == "refunded" and "date_completed" in order:
        return "returned"
    return STATUSES.get(status, "pending")


def _payment(order: Fields, status: str, total: int, refunded: int) -> Payment:
    if status == "refunded" or (refunded and refunded >= total):
        return "refunded"
    if refunded:
        return "partially_refunded"
    if "date_paid" in order or "date_paid_gmt" in order or status in _PAID_WITHOUT_A_DATE:
        return "paid"
    # A payment on delivery is being processed before it is made.
    return "paid" if status == "processing" and order.word("payment_method") != "cod" else "unpaid"


def _customer_id(order: Fields) -> str | None:
    found = order.identity("customer_id")
    return None if found == "0" else found  # 0 is a guest


def _at(fields: Fields, name: str) -> datetime | None:
    """Return a moment: of the two fields that tell it, that in UTC."""
    in_utc = f"{name}_gmt"
    if in_utc not in fields:
        return fields.moment(name)
    utc = Fields({in_utc: _in_utc(fields.values[in_utc])}, fields.reading, fields.problems)
    return utc.moment(in_utc)


def _in_utc(written: object) -> object:
    marked = isinstance(written, str) and not written.rstrip().endswith("Z")
    return f"{written.strip()}Z" if marked and isinstance(written, str) else written


def _line(order: Fields, line: Fields, currency: str) -> LineRecord:
    quantity = line.whole("quantity")
    return LineRecord(
        name=_name(line),
        quantity=quantity,
        price_minor=_price(order, line, quantity, currency),
        sku=line.code("sku"),
        variant_id=line.identity("variation_id" if line.values.get("variation_id") else "product_id"),
    )


def _price(order: Fields, line: Fields, quantity: int, currency: str) -> int:
    """Return the price of one piece as the shop showed it: before discounts, with tax if it has it."""
    if "subtotal" not in line:
        return line.needed_money("price", currency, rounded=True)
    whole = line.needed_money("subtotal", currency, rounded=True)
    if order.values.get("prices_include_tax") is True:
        whole += line.money("subtotal_tax", currency, rounded=True) or 0
    return (2 * whole + quantity) // (2 * quantity) if quantity else 0


def _name(line: Fields) -> str:
    """Return the item's name; a variant that the name holds behind a dash moves into brackets."""
    name = html.unescape(line.needed("name"))
    if not line.values.get("variation_id"):
        return name
    values = [html.unescape(str(value)) for value in _variant_values(line)]
    if base := line.text("parent_name"):
        return titled(html.unescape(base), values)
    for dash in (" – ", " - "):
        base, _, told = name.rpartition(dash)
        if base and values and all(value.casefold() in told.casefold() for value in values):
            return titled(base, values)
    return name if all(value.casefold() in name.casefold() for value in values) else titled(name, values)


def _variant_values(line: Fields) -> list[object]:
    shown = [each for each in line.parts("meta_data") if not (each.text("key") or "_").startswith("_")]
    values = [each.values.get("display_value") or each.values.get("value") for each in shown]
    return [each for each in values if isinstance(each, str | int | Decimal) and not isinstance(each, bool)]


def _parcels(order: Fields, status: str) -> list[FulfilmentRecord]:
    completed = _at(order, "date_completed")
    delivered = completed.date() if completed and _status(order, status) == "delivered" else None
    tracked = [
        parcel
        for each in order.parts("meta_data")
        if each.values.get("key") == "_wc_shipment_tracking_items"
        for parcel in each.parts("value")
    ]
    found = [
        FulfilmentRecord(
            carrier=parcel.text("custom_tracking_provider") or parcel.text("tracking_provider"),
            tracking_number=parcel.code("tracking_number"),
            shipped_at=_of_seconds(parcel.values.get("date_shipped")),
            delivered_on=delivered,
        )
        for parcel in tracked
    ]
    if found or completed is None:
        return found
    return [FulfilmentRecord(shipped_at=None if delivered else completed, delivered_on=delivered)]


def _of_seconds(value: object) -> datetime | None:
    """Return the moment that the extension keeps as seconds since 1970; None where it is no such number."""
    digits = str(value) if isinstance(value, str | int) else ""
    if not (digits.isascii() and digits.isdigit() and len(digits) == 10):
        return None
    return datetime.fromtimestamp(int(digits), UTC)


FORMAT = JsonFormat("woocommerce-json", "WooCommerce's orders, JSON", _fits, _read)
