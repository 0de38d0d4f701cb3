"""Shopify's orders, customers and products as its REST API writes them.

Knows:    the fields, and what each pair of payment and fulfilment status stands for.
Does not: take a draft, or a fulfilment, refund or transaction without its order.   (foreign.py)
Left out: notes, which staff write too; a day of delivery, which an order does not hold.
Source:   Shopify Admin REST API, Order, Fulfillment, Refund, Customer, Product.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from store.importing.fields import Fields
from store.importing.parts import JsonFormat, address_of, checked, customer_of, full_name, titled
from store.model import OrderStatus, Payment
from store.records import (
    CustomerRecord,
    FulfilmentRecord,
    LineRecord,
    OrderRecord,
    PaymentRecord,
    ProductRecord,
    Record,
    VariantRecord,
)

PAYMENTS: dict[str, Payment] = {
    "pending": "unpaid",
    "authorized": "unpaid",  # reserved, not taken
    "partially_paid": "unpaid",
    "unpaid": "unpaid",
    "expired": "unpaid",
    "voided": "unpaid",
    "paid": "paid",
    "partially_refunded": "partially_refunded",
    "refunded": "refunded",
}
NOT_SENT = (
    "unfulfilled scheduled on_hold pending open in_progress request_declined pending_fulfillment".split()
)
FULFILMENTS: dict[str, str] = {
    **dict.fromkeys(NOT_SENT, "unsent"),
    "partial": "partially_shipped",
    "partially_fulfilled": "partially_shipped",
    "fulfilled": "shipped",
    "restocked": "cancelled",  # every line of it went back into stock, and the order is closed
}
_NO_PARCEL = {"cancelled", "error", "failure"}
_AWAITS_NO_PAYMENT = {"authorized", "paid", "partially_refunded", "refunded"}
_ADDRESS = {
    "name": "name",
    "line1": "address1",
    "line2": "address2",
    "city": "city",
    "region": "province",
    "postal_code": "zip",
    "country": "country",
}
_NO_VARIANT = "Default Title"
_CUSTOMER = frozenset(
    "first_name last_name orders_count default_address accepts_marketing verified_email total_spent".split()
)
_PRODUCT = frozenset("handle vendor product_type body_html published_at".split())


def order_status(
    financial: str, fulfilment: str, *, cancelled: bool, moved: Sequence[str] = ()
) -> OrderStatus:
    """Return where an order stands. moved: how far each parcel that counts has come, as far as it says."""
    sent = FULFILMENTS.get(fulfilment, "unsent")
    if cancelled or sent == "cancelled":
        return "cancelled"
    if sent == "unsent":
        return "processing" if financial in _AWAITS_NO_PAYMENT else "pending"
    if sent == "partially_shipped":
        return "partially_shipped"
    if moved and all(each == "delivered" for each in moved):
        return "delivered"
    return "out_for_delivery" if "out_for_delivery" in moved else "shipped"


def _fits(section: str, value: Mapping[str, Any]) -> bool:
    keys = value.keys()
    if keys & {"financial_status", "fulfillment_status"}:
        return True
    if "line_items" in keys:
        return bool(keys & {"order_number", "total_price"})
    if isinstance(value.get("variants"), list):
        return bool(keys & _PRODUCT)
    return len(keys & _CUSTOMER) >= 2


def _read(section: str, value: Fields) -> list[Record]:
    kind, keys = section.removesuffix("s"), value.values.keys()
    if kind == "order" or (not kind and keys & {"line_items", "financial_status"}):
        return [_order(value)]
    if kind == "product" or (not kind and "variants" in value):
        return [_product(value)]
    if kind != "customer" and not _fits(section, value.values):
        value.missing("line_items", "an order, a customer or a product of Shopify")
        return []
    return [_customer(value)]


def _order(order: Fields) -> OrderRecord:
    currency = order.currency("currency")
    payment = order.choice("financial_status", PAYMENTS, "pending")
    order.choice("fulfillment_status", FULFILMENTS, "unfulfilled")
    total = order.needed_money("total_price", currency)
    if "line_items" not in order:
        order.bad("line_items", "the order's items; export the orders with all their fields, not with a few")
    billing, shipping = order.part("billing_address"), order.part("shipping_address")
    parcels = [each for each in order.parts("fulfillments") if each.word("status") not in _NO_PARCEL]
    moved = [each.word("shipment_status") for each in parcels]
    addresses = (
        address_of(billing, "billing", _ADDRESS, full_name(billing, "first_name", "last_name")),
        address_of(shipping, "shipping", _ADDRESS, full_name(shipping, "first_name", "last_name")),
    )
    return OrderRecord(
        id=order.order_number("name" if "name" in order else "order_number"),
        customer=_buyer(order),
        status=order_status(
            order.word("financial_status"),
            order.word("fulfillment_status"),
            cancelled="cancelled_at" in order,
            moved=moved,
        ),
        payment=payment,
        currency=currency,
        total_minor=total,
        lines=checked(order, "line_items", (_line(each, currency) for each in order.parts("line_items"))),
        placed_at=order.moment("processed_at" if "processed_at" in order else "created_at"),
        source_id=order.code("id"),
        shipping_minor=_shipping(order, currency),
        discount_minor=order.money("total_discounts", currency),
        tax_minor=order.money("total_tax", currency),
        addresses=tuple(filter(None, addresses)),
        fulfilments=tuple(record for each in parcels for record in _parcels(each)),
        payments=tuple(_payments(order, payment, total, currency)),
    )


def _line(line: Fields, currency: str) -> LineRecord:
    variant = line.text("variant_title")
    return LineRecord(
        name=titled(
            line.needed("title" if "title" in line else "name"), [variant] if variant != _NO_VARIANT else []
        ),
        quantity=line.whole("quantity"),
        price_minor=line.needed_money("price", currency),
        sku=line.code("sku"),
        variant_id=line.identity("variant_id"),
    )


def _shipping(order: Fields, currency: str) -> int | None:
    prices = [each.money("price", currency) or 0 for each in order.parts("shipping_lines")]
    if prices:
        return sum(prices)
    return order.part("total_shipping_price_set").part("shop_money").money("amount", currency)


def _parcels(parcel: Fields) -> list[FulfilmentRecord]:
    numbers = parcel.codes("tracking_numbers") or [parcel.code("tracking_number")]
    carrier, shipped_at = parcel.text("tracking_company"), parcel.moment("created_at")
    return [FulfilmentRecord(carrier, number, shipped_at) for number in dict.fromkeys(numbers)]


def _payments(order: Fields, payment: Payment, total: int, currency: str) -> list[PaymentRecord]:
    refunds = [
        PaymentRecord(
            kind="refund",
            amount_minor=moved.needed_money("amount", currency),
            method=moved.text("gateway"),
            at=moved.moment("created_at"),
            reference=moved.code("id"),
        )
        for refund in order.parts("refunds")
        for moved in refund.parts("transactions")
        if moved.word("kind") == "refund" and moved.word("status") == "success"
    ]
    if payment == "unpaid":
        return refunds
    method = ", ".join(order.codes("payment_gateway_names")) or order.text("gateway")
    paid = PaymentRecord("payment", total, method, order.moment("processed_at"))
    return [paid, *refunds]


def _buyer(order: Fields) -> CustomerRecord | None:
    customer = order.part("customer")
    billing = order.part("billing_address")
    home = customer.part("default_address")
    typed = order.email("email") or order.email("contact_email")
    name = full_name(customer, "first_name", "last_name") or billing.text("name", private="a name")
    return customer_of(
        customer.identity("id"),
        typed,
        name,
        customer.phone("phone") or order.phone("phone") or home.phone("phone"),
        [address_of(home, "home", _ADDRESS)],
        customer.email("email"),
    )


def _customer(customer: Fields) -> CustomerRecord:
    home = customer.part("default_address")
    if "id" not in customer:
        customer.missing("id", "a customer's id")
    return CustomerRecord(
        customer.identity("id"),
        full_name(customer, "first_name", "last_name"),
        customer.email("email"),
        customer.phone("phone") or home.phone("phone"),
        tuple(filter(None, [address_of(home, "home", _ADDRESS)])),
    )


def _product(product: Fields) -> ProductRecord:
    currency = product.currency("currency")
    return ProductRecord(
        id=product.needed_identity("id", "a product's id"),
        title=product.needed("title"),
        variants=tuple(_variant(each, currency) for each in product.parts("variants")),
    )


def _variant(variant: Fields, currency: str) -> VariantRecord:
    title = variant.text("title")
    # Stock that is not counted never runs out.
    counted = variant.text("inventory_management") and variant.text("inventory_policy") != "continue"
    return VariantRecord(
        id=variant.needed_identity("id", "a variant's id"),
        title=title if title != _NO_VARIANT else None,
        price_minor=variant.needed_money("price", currency),
        currency=currency,
        sku=variant.code("sku"),
        available=not counted or _stock(variant) > 0,
    )


def _stock(variant: Fields) -> int:
    value = variant.values.get("inventory_quantity")  # below 0 where more was sold than there was
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


FORMAT = JsonFormat("shopify-json", "Shopify's orders, customers or products, JSON", _fits, _read)
