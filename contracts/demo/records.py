"""The shops' records as they are when the API starts: shops.yaml, in the form in which the API shows them.

Knows:    how a line of shops.yaml becomes a category, a product, an order.
Does not: answer requests, or change anything.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import yaml

Record = dict[str, Any]
"""A thing as the API's answers show it."""

_FILE = Path(__file__).with_name("shops.yaml")

_FINAL = frozenset({"completed", "delivered", "canceled", "restored", "shipped", "delivering"})
"""The statuses in which an order can be cancelled no more."""

_BEFORE = ("under_review", "in_progress", "shipped", "delivered", "completed")
"""What an order goes through, so far as its status says that it did."""


@dataclass
class Shop:
    """One merchant's records, by their numbers."""

    name: str
    currency: str
    statuses: tuple[Record, ...]
    categories: dict[int, Record] = field(default_factory=dict[int, Record])
    products: dict[int, Record] = field(default_factory=dict[int, Record])
    customers: dict[int, Record] = field(default_factory=dict[int, Record])
    orders: dict[int, Record] = field(default_factory=dict[int, Record])
    histories: dict[int, list[Record]] = field(default_factory=dict[int, list[Record]])
    pages: dict[int, Record] = field(default_factory=dict[int, Record])


def shops() -> dict[str, Shop]:
    """Return fresh shops by the merchant's name."""
    text = yaml.safe_load(_FILE.read_text(encoding="utf-8"))
    rows = cast(list[tuple[int, str, str]], text["statuses"])
    statuses = tuple(
        {"id": number, "name": name, "type": "original", "slug": slug, "sort": place, "is_active": True}
        for place, (number, slug, name) in enumerate(rows)
    )
    return {key: _shop(said, statuses) for key, said in text["shops"].items()}


def _shop(said: dict[str, Any], statuses: tuple[Record, ...]) -> Shop:
    shop = Shop(said["name"], said["currency"], statuses)
    shop.categories = _by_id(category(*row) for row in said["categories"])
    shop.products = _by_id(_product(shop, row) for row in said["products"])
    shop.customers = _by_id(_customer(row) for row in said["customers"])
    shop.orders = _by_id(_order(shop, row) for row in said["orders"])
    shop.histories = {number: _history(shop, order) for number, order in shop.orders.items()}
    shop.pages = _by_id(
        {"id": number, "title": title, "content": content, "status": status}
        for number, title, content, status in said["pages"]
    )
    return shop


def _by_id(records: Iterable[Record]) -> dict[int, Record]:
    return {record["id"]: record for record in records}


def urls(kind: str, number: int) -> Record:
    """Return where customers and the merchant find a thing."""
    return {
        "customer": f"https://shop.example/{kind}/{number}",
        "admin": f"https://admin.shop.example/{kind}/{number}",
    }


def category(number: int, name: str, status: str, parent: int, place: int) -> Record:
    """Return a category."""
    return {
        "id": number,
        "name": name,
        "image": None,
        "urls": urls("categories", number),
        "parent_id": parent,
        "sort_order": place,
        "status": status,
        "metadata": {"title": None, "description": None},
    }


def _product(shop: Shop, row: Sequence[Any]) -> Record:
    number, name, sku, price, quantity, status, parent = row
    return {
        "id": number,
        "name": name,
        "sku": sku,
        "price": {"amount": price, "currency": shop.currency},
        "quantity": quantity,
        "status": status,
        "urls": urls("products", number),
        "categories": [{"id": parent, "name": shop.categories[parent]["name"]}],
    }


def _customer(row: Sequence[Any]) -> Record:
    names = ("id", "first_name", "last_name", "email", "mobile_code", "mobile", "city")
    return {**dict(zip(names, row, strict=True)), "urls": urls("customers", row[0])}


def _order(shop: Shop, row: Sequence[Any]) -> Record:
    number, reference, slug, customer, day, items, payment = row
    lines = [(shop.products[product], quantity) for product, quantity in items]
    return {
        "id": number,
        "reference_id": reference,
        "total": {
            "amount": sum(product["price"]["amount"] * quantity for product, quantity in lines),
            "currency": shop.currency,
        },
        "date": date(f"{day} 10:30:00"),
        "status": status_of(shop, "slug", slug),
        "can_cancel": slug not in _FINAL,
        "payment_method": payment,
        "items": [{"name": product["name"], "quantity": quantity} for product, quantity in lines],
        "customer": shop.customers[customer],
    }


def date(said: str) -> Record:
    """Return a time as the API writes it. said: `2026-11-02 10:30:00`."""
    return {"date": f"{said}.000000", "timezone_type": 3, "timezone": "Asia/Riyadh"}


def status_of(shop: Shop, key: str, value: Any) -> Record | None:
    """Return a status as it stands in an order, by its `id` or `slug`; None where there is none."""
    found = next((each for each in shop.statuses if each[key] == value), None)
    return found and {"id": found["id"], "name": found["name"], "slug": found["slug"]}


def told_status(shop: Shop, slug: str) -> Record:
    """Return a status as it stands in a history: by its name, and the shop's own one beside it."""
    found = next(each for each in shop.statuses if each["slug"] == slug)
    return {"status": found["name"], "customized": {name: found[name] for name in ("id", "name", "slug")}}


def may_be_cancelled(slug: str) -> bool:
    """Say whether an order of this status can be cancelled."""
    return slug not in _FINAL


def _history(shop: Shop, order: Record) -> list[Record]:
    """Return what must have happened to an order, newest first; an hour apart, on the day of the order."""
    slug = order["status"]["slug"]
    passed = _BEFORE[: _BEFORE.index(slug) + 1] if slug in _BEFORE else (_BEFORE[0], slug)
    day = order["date"]["date"][:10]
    told = [
        {
            "id": order["id"] * 100 + place,
            **told_status(shop, each),
            "note": None,
            "created_at": date(f"{day} {11 + place}:00:00"),
        }
        for place, each in enumerate(passed)
    ]
    return told[::-1]
