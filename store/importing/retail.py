"""The retail shop of the tau2 benchmark: products, users and orders, each under its number.

Knows:    the fields, and what its four statuses and the changes of one stand for.
Does not: know a date: the data have none. Amounts are in US dollars, which the data do not say either.
Source:   tau2-bench, retail domain, db.json; docs/import.md says why each status stands for what it does.
"""

import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

from store.importing.fields import Fields
from store.importing.parts import (
    MOVES,
    JsonFormat,
    address_of,
    checked,
    customer_of,
    full_name,
    titled,
    variant_told,
)
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

STATUSES: dict[str, OrderStatus] = {
    "pending": "pending",
    "processed": "shipped",  # packed, under a tracking number, and not to be cancelled any more
    "delivered": "delivered",
    "cancelled": "cancelled",
    "return requested": "delivered",  # it is with the customer until it comes back
    "exchange requested": "delivered",
}
_DOLLARS = "USD"
_SAYS_NOTHING = {"yes", "no", "none", "true", "false"}
_ADDRESS = {
    "line1": "address1",
    "line2": "address2",
    "city": "city",
    "region": "state",
    "postal_code": "zip",
    "country": "country",
}


def _fits(section: str, value: Mapping[str, Any]) -> bool:
    keys = value.keys()
    if "order_id" in keys:
        return bool(keys & {"payment_history", "fulfillments", "user_id"}) and "items" in keys
    if "product_id" in keys:
        return isinstance(value.get("variants"), dict)
    return "user_id" in keys and isinstance(value.get("name"), dict)


def _read(section: str, value: Fields) -> list[Record]:
    kind = section.removesuffix("s")
    if kind == "order" or (not kind and "order_id" in value):
        return [_order(value)]
    if kind == "product" or (not kind and "product_id" in value):
        return [_product(value)]
    return [_user(value)]


def _order(order: Fields) -> OrderRecord:
    currency = order.currency("currency", _DOLLARS)
    lines = _lines(order, currency)
    total = sum(line.quantity * line.price_minor for line in lines)
    payments = [_payment(each, currency) for each in order.parts("payment_history")]
    numbers = [number for each in order.parts("fulfillments") for number in each.codes("tracking_id")]
    return OrderRecord(
        id=order.order_number("order_id"),
        customer=customer_of(order.identity("user_id"), None, None, None),
        status=_status(order, bool(numbers)),
        payment=_paid(payments, total),
        currency=currency,
        total_minor=total,
        lines=checked(order, "items", lines),
        addresses=tuple(filter(None, [address_of(order.part("address"), "shipping", _ADDRESS)])),
        fulfilments=tuple(FulfilmentRecord(tracking_number=number) for number in dict.fromkeys(numbers)),
        payments=tuple(payments),
    )


def _status(order: Fields, is_tracked: bool) -> OrderStatus:
    word = re.sub(r"\s*\(.*\)$", "", order.word("status"))  # pending (item modified)
    if word not in STATUSES:
        order.bad("status", f"one of {', '.join(STATUSES)}")
    return "processing" if word == "processed" and not is_tracked else STATUSES.get(word, "pending")


def _lines(order: Fields, currency: str) -> list[LineRecord]:
    """Return the items, each kind once: the data list every piece by itself."""
    pieces = Counter(
        LineRecord(
            name=titled(item.needed("name"), _options(item)),
            quantity=1,
            price_minor=item.needed_money("price", currency, rounded=True),
            variant_id=item.identity("item_id"),
        )
        for item in order.parts("items")
    )
    return [
        LineRecord(each.name, count, each.price_minor, each.sku, each.variant_id)
        for each, count in pieces.items()
    ]


def _options(of_it: Fields) -> list[object]:
    """Return what was chosen; with its name where the choice alone says nothing: waterproof yes, size 7."""
    chosen = of_it.part("options").values
    return [
        f"{name} {value}" if str(value).casefold() in _SAYS_NOTHING or str(value).isdecimal() else value
        for name, value in chosen.items()
    ]


def _payment(moved: Fields, currency: str) -> PaymentRecord:
    method = moved.code("payment_method_id")
    return PaymentRecord(
        kind=moved.choice("transaction_type", MOVES, "payment"),
        amount_minor=moved.needed_money("amount", currency, rounded=True),
        method=re.sub(r"_\d+$", "", method).replace("_", " ") if method else None,
        reference=method,
    )


def _paid(payments: list[PaymentRecord], total: int) -> Payment:
    came = sum(each.amount_minor for each in payments if each.kind == "payment")
    went = sum(each.amount_minor for each in payments if each.kind == "refund")
    if not came:
        return "unpaid"
    if went >= came:
        return "refunded"
    # A change of the items or of the way of paying moves money to and fro: what counts is what is left.
    return "paid" if came - went >= total else "partially_refunded"


def _user(user: Fields) -> CustomerRecord:
    name = user.part("name")
    home = address_of(user.part("address"), "home", _ADDRESS)
    if "user_id" not in user:
        user.missing("user_id", "an order, a user or a product of the retail data")
    return CustomerRecord(
        user.identity("user_id"),
        full_name(name, "first_name", "last_name"),
        user.email("email"),
        addresses=(home,) if home else (),
    )


def _product(product: Fields) -> ProductRecord:
    currency = product.currency("currency", _DOLLARS)
    variants = product.part("variants")
    return ProductRecord(
        id=product.needed_identity("product_id", "a product's id"),
        title=product.needed("name"),
        variants=tuple(_variant(variants.part(key), currency) for key in variants.values),
    )


def _variant(variant: Fields, currency: str) -> VariantRecord:
    return VariantRecord(
        id=variant.needed_identity("item_id", "a variant's id"),
        title=variant_told(_options(variant)) or None,
        price_minor=variant.needed_money("price", currency, rounded=True),
        currency=currency,
        available=variant.values.get("available") is not False,
    )


FORMAT = JsonFormat("retail-json", "the tau2 retail data, JSON", _fits, _read)
