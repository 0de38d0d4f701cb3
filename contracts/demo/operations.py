"""What each operation of openapi.yaml does to a shop.

Knows:    the shop's records, and its rules: no circles in the tree, nothing deleted from above others.
Does not: read requests or write answers.   (described.py, api.py)
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from contracts.demo.records import (
    Record,
    Shop,
    category,
    date,
    may_be_cancelled,
    status_of,
    told_status,
    urls,
)
from contracts.demo.refusing import Refusal, invalid, not_found


@dataclass(frozen=True)
class Asked:
    """One request. said: the parameters by name. body: its JSON. now: as `2026-11-02 10:30:00`."""

    said: Mapping[str, Any]
    body: Mapping[str, Any]
    now: str


@dataclass(frozen=True)
class Done:
    """What came of it. pagination: of a list."""

    data: Any
    status: int = 200
    pagination: Mapping[str, Any] | None = None


# ---------------------------------------------------------------- categories


def list_categories(shop: Shop, asked: Asked) -> Done:
    """List categories in the order of the tree's neighbours."""
    found = sorted(shop.categories.values(), key=lambda each: (each["sort_order"], each["id"]))
    return _page((each for each in found if _is(each, asked, "status") and _has(asked, each["name"])), asked)


def list_children(shop: Shop, asked: Asked) -> Done:
    """List the categories directly below one."""
    above = _one(shop.categories, asked, "category")
    found = [each for each in shop.categories.values() if each["parent_id"] == above["id"]]
    return _page(sorted(found, key=lambda each: (each["sort_order"], each["id"])), asked)


def list_category_products(shop: Shop, asked: Asked) -> Done:
    """List the products of a category in their order."""
    number = _one(shop.categories, asked, "category")["id"]
    found = [
        each for each in shop.products.values() if any(above["id"] == number for above in each["categories"])
    ]
    shown = [{"id": each["id"], "name": each["name"], "sort": place} for place, each in enumerate(found, 1)]
    return _all(shown)


def create_category(shop: Shop, asked: Asked) -> Done:
    """Create a category behind its neighbours."""
    _require_parent(shop, asked.body, None)
    number = max(shop.categories, default=1_000) + 1
    made = category(number, "", "active", 0, len(shop.categories))
    made["urls"] = urls("categories", number)
    shop.categories[number] = _changed(made, asked.body)
    return Done(shop.categories[number], 201)


def update_category(shop: Shop, asked: Asked) -> Done:
    """Change a category."""
    found = _one(shop.categories, asked, "category")
    _require_parent(shop, asked.body, found["id"])
    changed = shop.categories[found["id"]] = _changed(found, asked.body)
    _named_in_products(shop, found["id"], [{"id": found["id"], "name": changed["name"]}])
    return Done(changed)


def delete_category(shop: Shop, asked: Asked) -> Done:
    """Delete a category that none stands below."""
    found = _one(shop.categories, asked, "category")
    if any(each["parent_id"] == found["id"] for each in shop.categories.values()):
        raise Refusal(409, "has_children", "The category has sub-categories.")
    del shop.categories[found["id"]]
    _named_in_products(shop, found["id"], [])
    return Done({"message": "The category was deleted.", "code": 200})


def _named_in_products(shop: Shop, number: int, said: list[Record]) -> None:
    """Let the products that stand in a category name it as it is now; not at all where it is gone."""
    for product in shop.products.values():
        if any(each["id"] == number for each in product["categories"]):
            others = [each for each in product["categories"] if each["id"] != number]
            product["categories"] = [*others, *said]


def _changed(record: Record, body: Mapping[str, Any]) -> Record:
    plain = {name: body[name] for name in ("name", "parent_id", "status", "sort_order") if name in body}
    words = {
        name: body[f"metadata_{name}"] for name in ("title", "description") if f"metadata_{name}" in body
    }
    return {**record, **plain, "metadata": {**record["metadata"], **words}}


def _require_parent(shop: Shop, body: Mapping[str, Any], number: int | None) -> None:
    """Raise Refusal where the parent is not there, or stands below what it is to be the parent of."""
    above = body.get("parent_id", 0)
    if above and above not in shop.categories:
        raise invalid({"parent_id": ["There is no such category."]})
    while number is not None and above:
        if above == number:
            raise invalid({"parent_id": ["A category cannot stand below itself."]})
        above = shop.categories[above]["parent_id"]


# ---------------------------------------------------------------- products, customers, pages


def list_products(shop: Shop, asked: Asked) -> Done:
    """List products."""
    wanted = asked.said.get("category")
    found = (
        each
        for each in shop.products.values()
        if _is(each, asked, "status")
        and _has(asked, each["name"], each["sku"])
        and (wanted is None or any(above["id"] == wanted for above in each["categories"]))
    )
    return _page(found, asked)


def list_customers(shop: Shop, asked: Asked) -> Done:
    """List customers."""
    found = (each for each in shop.customers.values() if _has(asked, _name_of(each)))
    return _page(found, asked)


def list_pages(shop: Shop, asked: Asked) -> Done:
    """List the shop's pages of text."""
    return _page((each for each in shop.pages.values() if _is(each, asked, "status")), asked)


def get(kind: str) -> Callable[[Shop, Asked], Done]:
    """Return the operation that gets one thing of a kind."""
    plural = {"category": "categories"}.get(kind, f"{kind}s")

    def get_one(shop: Shop, asked: Asked) -> Done:
        return Done(_one(getattr(shop, plural), asked, kind))

    return get_one


# ---------------------------------------------------------------- orders


def list_orders(shop: Shop, asked: Asked) -> Done:
    """List orders, newest first."""
    found = sorted(shop.orders.values(), key=lambda each: each["reference_id"], reverse=True)
    return _page((each for each in found if _is_wanted(each, asked)), asked)


def _is_wanted(order: Record, asked: Asked) -> bool:
    said = asked.said
    day = order["date"]["date"][:10]
    return (
        _is(order, asked, "reference_id")
        and ("status[]" not in said or order["status"]["id"] in said["status[]"])
        and said.get("customer_id", order["customer"]["id"]) == order["customer"]["id"]
        and said.get("from_date", day) <= day <= said.get("to_date", day)
        and _has(asked, str(order["reference_id"]), _name_of(order["customer"]))
    )


def list_statuses(shop: Shop, _: Asked) -> Done:
    """List the statuses of orders."""
    return _all(list(shop.statuses))


def list_histories(shop: Shop, asked: Asked) -> Done:
    """List what happened to an order, newest first."""
    return _page(shop.histories[_one(shop.orders, asked, "order")["id"]], asked)


def update_status(shop: Shop, asked: Asked) -> Done:
    """Set an order's status; what was cancelled stays so."""
    order = _one(shop.orders, asked, "order")
    key = "id" if "status_id" in asked.body else "slug"
    status = status_of(shop, key, asked.body.get("status_id", asked.body.get("slug")))
    if status is None:
        raise invalid({"status_id" if key == "id" else "slug": ["There is no such status."]})
    if order["status"]["slug"] == "canceled":
        raise Refusal(409, "order_is_canceled", "The order is final.")
    shop.orders[order["id"]] = {**order, "status": status, "can_cancel": may_be_cancelled(status["slug"])}
    told = shop.histories[order["id"]]
    told.insert(
        0,
        {
            "id": order["id"] * 100 + len(told),
            **told_status(shop, status["slug"]),
            "note": asked.body.get("note"),
            "created_at": date(asked.now),
        },
    )
    return Done({"message": "The order's status was changed.", "code": 200})


# ---------------------------------------------------------------- what they share


def _one(records: Mapping[int, Record], asked: Asked, kind: str) -> Record:
    found = records.get(asked.said[f"{kind}_id"])
    if found is None:
        raise not_found()
    return found


def _name_of(customer: Record) -> str:
    return f"{customer['first_name']} {customer['last_name']}"


def _is(record: Record, asked: Asked, field: str) -> bool:
    return asked.said.get(field, record[field]) == record[field]


def _has(asked: Asked, *texts: str) -> bool:
    word = str(asked.said.get("keyword", "")).casefold()
    return any(word in text.casefold() for text in texts)


def _page(records: Iterable[Record], asked: Asked) -> Done:
    """Return one page of what was found; one behind the last is empty."""
    found = list(records)
    size, number = asked.said["per_page"], asked.said["page"]
    shown = found[(number - 1) * size : number * size]
    return Done(shown, pagination=_pagination(len(shown), len(found), size, number))


def _all(records: list[Record]) -> Done:
    return Done(records, pagination=_pagination(len(records), len(records), max(len(records), 1), 1))


def _pagination(count: int, total: int, size: int, number: int) -> dict[str, Any]:
    return {
        "count": count,
        "total": total,
        "perPage": size,
        "currentPage": number,
        "totalPages": max(1, -(-total // size)),
        "links": {},
    }


DOES: Mapping[str, Callable[[Shop, Asked], Done]] = {
    "listCategories": list_categories,
    "createCategory": create_category,
    "getCategory": get("category"),
    "updateCategory": update_category,
    "deleteCategory": delete_category,
    "searchCategories": list_categories,
    "listCategoryChildren": list_children,
    "listCategoryProducts": list_category_products,
    "listProducts": list_products,
    "getProduct": get("product"),
    "listOrders": list_orders,
    "listOrderStatuses": list_statuses,
    "getOrder": get("order"),
    "listOrderHistories": list_histories,
    "updateOrderStatus": update_status,
    "listCustomers": list_customers,
    "getCustomer": get("customer"),
    "listPages": list_pages,
    "getPage": get("page"),
}
"""The operations by their ids in openapi.yaml."""
