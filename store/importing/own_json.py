"""ShopKart's own JSON: customers, products and orders as docs/import.md describes them.

Knows:    every key there is; one that is none is noted as wrong, since a misspelt key would lose its value.
Does not: read any other shop system's.
Schema:   docs/import/orders.schema.json, which a test holds to this reader.
"""

import difflib
from collections.abc import Mapping
from itertools import islice
from typing import Any, Literal, get_args

from store.importing.fields import Fields
from store.importing.parts import MOVES, JsonFormat, address_of, checked, customer_of, titled
from store.model import OrderStatus, Payment
from store.records import (
    AddressRecord,
    CustomerRecord,
    FulfilmentRecord,
    LineRecord,
    OrderRecord,
    PaymentRecord,
    ProductRecord,
    Record,
    VariantRecord,
)

STATUSES: dict[str, OrderStatus] = {status: status for status in get_args(OrderStatus)}
PAYMENTS: dict[str, Payment] = {payment: payment for payment in get_args(Payment)}

KEYS: dict[str, tuple[str, ...]] = {
    "order": (
        *("id", "customer", "status", "payment", "currency", "total", "items", "placed_at", "source_id"),
        *("shipping", "discount", "tax", "gift_note", "addresses", "parcels", "payments"),
    ),
    "item": ("name", "variant", "quantity", "price", "sku", "variant_id"),
    "customer": ("id", "name", "email", "phone", "addresses"),
    "address": ("kind", "name", "line1", "line2", "city", "region", "postal_code", "country"),
    "parcel": ("carrier", "tracking_number", "shipped_at", "expected_on", "delivered_on"),
    "payment": ("kind", "amount", "method", "at", "reference"),
    "product": ("id", "title", "variants"),
    "variant": ("id", "title", "price", "currency", "sku", "available"),
}
"""What kind of object has which keys."""

_MOST_UNKNOWN = 20
"""Unknown keys of one object that are told: as many as problems of all files are."""

_PARTS = {key: key for key in KEYS["address"][1:]}
_Kind = Literal["shipping", "billing", "home"]


def _fits(section: str, value: Mapping[str, Any]) -> bool:
    keys = value.keys()
    if "items" in keys or {"id", "status", "payment"} <= keys or "variants" in keys:
        return "line_items" not in keys
    return "id" in keys and keys <= set(KEYS["customer"]) and len(keys) > 1


def _read(section: str, value: Fields) -> list[Record]:
    kind = section.removesuffix("s")
    if kind == "product" or (not kind and "variants" in value.values):
        return [_product(value)]
    if kind == "customer" or (not kind and set(value.values) <= set(KEYS["customer"])):
        return [_customer(value)]
    return [_order(value)]


def _known(fields: Fields, kind: str) -> Fields:
    """Note each key that objects of this kind do not have; of very many the first."""
    unknown = (key for key in fields.values if key not in KEYS[kind])
    for key in islice(unknown, _MOST_UNKNOWN):
        near = difflib.get_close_matches(key, KEYS[kind], n=1)
        hint = f"{near[0]!r}, perhaps: " if near else ""
        fields.bad(key, f"{hint}one of the keys {', '.join(KEYS[kind])}")
    return fields


def _order(order: Fields) -> OrderRecord:
    _known(order, "order")
    currency = order.currency("currency")
    for key, what in (("status", STATUSES), ("payment", PAYMENTS)):
        if key not in order:
            order.bad(key, f"one of {', '.join(what)}")
    return OrderRecord(
        id=order.order_number("id"),
        customer=_buyer(order),
        status=order.choice("status", STATUSES, "pending"),
        payment=order.choice("payment", PAYMENTS, "unpaid"),
        currency=currency,
        total_minor=order.needed_money("total", currency),
        lines=checked(
            order, "items", (_line(_known(each, "item"), currency) for each in order.parts("items"))
        ),
        placed_at=order.moment("placed_at"),
        source_id=order.code("source_id"),
        shipping_minor=order.money("shipping", currency),
        discount_minor=order.money("discount", currency),
        tax_minor=order.money("tax", currency),
        gift_note=order.text("gift_note", longest=500),
        addresses=_addresses(order),
        fulfilments=tuple(_parcel(_known(each, "parcel")) for each in order.parts("parcels")),
        payments=tuple(_payment(_known(each, "payment"), currency) for each in order.parts("payments")),
    )


def _line(item: Fields, currency: str) -> LineRecord:
    variant = item.text("variant")
    return LineRecord(
        name=titled(item.needed("name"), [variant]),
        quantity=item.whole("quantity", 1),
        price_minor=item.needed_money("price", currency),
        sku=item.code("sku"),
        variant_id=item.identity("variant_id"),
    )


def _buyer(order: Fields) -> CustomerRecord | None:
    customer = _known(order.part("customer"), "customer")
    return customer_of(
        customer.identity("id"),
        customer.email("email"),
        customer.text("name", private="a name"),
        customer.phone("phone"),
        _addresses(customer),
    )


def _customer(customer: Fields) -> CustomerRecord:
    _known(customer, "customer")
    found = CustomerRecord(
        customer.identity("id"),
        customer.text("name", private="a name"),
        customer.email("email"),
        customer.phone("phone"),
        _addresses(customer),
    )
    if found.id is None and found.email is None:
        customer.missing("id", "an id or an e-mail address of the customer")
    return found


def _addresses(owner: Fields) -> tuple[AddressRecord, ...]:
    kinds: dict[str, _Kind] = {kind: kind for kind in get_args(_Kind)}
    found = (
        address_of(_known(each, "address"), each.choice("kind", kinds, "home"), _PARTS)
        for each in owner.parts("addresses")
    )
    return tuple(filter(None, found))


def _parcel(parcel: Fields) -> FulfilmentRecord:
    return FulfilmentRecord(
        carrier=parcel.text("carrier"),
        tracking_number=parcel.code("tracking_number"),
        shipped_at=parcel.moment("shipped_at"),
        expected_on=parcel.day("expected_on"),
        delivered_on=parcel.day("delivered_on"),
    )


def _payment(moved: Fields, currency: str) -> PaymentRecord:
    if "kind" not in moved:
        moved.bad("kind", "payment or refund")
    return PaymentRecord(
        kind=moved.choice("kind", MOVES, "payment"),
        amount_minor=moved.needed_money("amount", currency),
        method=moved.text("method"),
        at=moved.moment("at"),
        reference=moved.code("reference"),
    )


def _product(product: Fields) -> ProductRecord:
    _known(product, "product")
    return ProductRecord(
        id=product.needed_identity("id", "a product's id"),
        title=product.needed("title"),
        variants=tuple(_variant(_known(each, "variant")) for each in product.parts("variants")),
    )


def _variant(variant: Fields) -> VariantRecord:
    currency = variant.currency("currency")
    available = variant.values.get("available")
    if available is not None and not isinstance(available, bool):
        variant.bad("available", "true or false")
    return VariantRecord(
        id=variant.needed_identity("id", "a variant's id"),
        title=variant.text("title"),
        price_minor=variant.needed_money("price", currency),
        currency=currency,
        sku=variant.code("sku"),
        available=available is not False,
    )


FORMAT = JsonFormat("shopkart-json", "ShopKart's own JSON", _fits, _read)
