"""Which form a file has: by the keys of its first values, or the columns of its first line.

Knows:    every form that is read, and those that are known and cannot be, with what to give instead.
Does not: read a value.
"""

from collections.abc import Mapping
from typing import Any, cast

from store.importing.own_csv import FORMAT as OWN_CSV
from store.importing.own_json import FORMAT as OWN_JSON
from store.importing.parts import JsonFormat, TableFormat
from store.importing.problems import FileRefused, shown_name
from store.importing.retail import FORMAT as RETAIL
from store.importing.shopify_csv import FORMAT as SHOPIFY_CSV
from store.importing.shopify_json import FORMAT as SHOPIFY_JSON
from store.importing.tables import Table
from store.importing.woocommerce import FORMAT as WOOCOMMERCE

JSON_FORMATS: tuple[JsonFormat, ...] = (
    RETAIL,
    WOOCOMMERCE,
    SHOPIFY_JSON,
    OWN_JSON,
)
TABLE_FORMATS: tuple[TableFormat, ...] = (SHOPIFY_CSV, OWN_CSV)
NAMES = sorted(each.name for each in (*JSON_FORMATS, *TABLE_FORMATS))

_READ = ", ".join(each.title for each in (OWN_JSON, OWN_CSV)) + (
    ", Shopify's orders as JSON or as the order export, WooCommerce's orders as JSON, the tau2 retail data"
)
_WHOLE_ORDER = "Give the order itself, which holds it: export /admin/api/orders/ID.json or orders.json"
_FOREIGN: tuple[tuple[frozenset[str], str], ...] = (
    (
        frozenset({"invoice_url", "line_items"}),
        "is a draft order of Shopify (#D1 and the like): nobody has ordered it yet. Complete the draft in "
        "Shopify, then export the order that comes of it",
    ),
    (
        frozenset({"refund_line_items"}),
        "is a refund of Shopify, which names its order by Shopify's internal id alone and holds no order. "
        + _WHOLE_ORDER,
    ),
    (
        frozenset({"tracking_company", "order_id"}),
        "is a fulfilment of Shopify, which names its order by Shopify's internal id alone and holds no "
        "order. " + _WHOLE_ORDER,
    ),
    (
        frozenset({"gateway", "kind", "order_id"}),
        "is a payment transaction of Shopify, which names its order by Shopify's internal id alone and "
        "holds no order. " + _WHOLE_ORDER,
    ),
    (
        frozenset({"abandoned_checkout_url"}),
        "is a checkout of Shopify that was left: nobody has ordered it. Give orders (orders.json)",
    ),
    (
        frozenset({"refunded_by"}),
        "is a refund of WooCommerce, which holds no order. Give the order itself: wc/v3/orders/ID",
    ),
    (
        frozenset({"is_paying_customer"}),
        "is a customer of WooCommerce. Give the orders (wc/v3/orders): each holds who placed it",
    ),
    (
        frozenset({"regular_price", "permalink"}),
        "is a product of WooCommerce. Give the orders (wc/v3/orders); they do without",
    ),
    (
        frozenset({"increment_id"}),
        "is an order of Magento. Give the orders as ShopKart's own CSV, made like docs/import/template.csv",
    ),
    (
        frozenset({"items", "search_criteria"}),
        "is an answer of Magento. Give the orders as ShopKart's own CSV, made like docs/import/template.csv",
    ),
    (
        frozenset({"displayFinancialStatus"}),
        "is an answer of Shopify's GraphQL. Give what its REST API answers (orders.json), or its export",
    ),
)
_FOREIGN_TABLES: tuple[tuple[frozenset[str], str], ...] = (
    (
        frozenset({"customer email", "shipping method", "product", "refund"}),
        "is a file from which Magento makes sample orders: it has no order numbers, prices or days. Give "
        "real orders as ShopKart's own CSV, made like docs/import/template.csv",
    ),
    (
        frozenset({"purchase point", "bill-to name"}),
        "is the order list of Magento, which has no items. Give the orders as ShopKart's own CSV, made like "
        "docs/import/template.csv",
    ),
    (
        frozenset({"handle", "variant price"}),
        "is Shopify's product export. Give products as JSON (/admin/api/products.json); orders do without",
    ),
    (
        frozenset({"first name", "last name", "total spent"}),
        "is Shopify's customer export. Give customers as JSON (/admin/api/customers.json); the order export "
        "holds who has ordered",
    ),
)


def is_column(name: str) -> bool:
    """Say whether any form that is known here has a column of this name."""
    return any(name in each.columns for each in TABLE_FORMATS) or any(
        name in columns for columns, _ in _FOREIGN_TABLES
    )


def json_format(file: str, values: list[tuple[str, Any]], wanted: str | None) -> JsonFormat:
    """Return the form of a JSON file from its first values, each with the key that it stands under.

    Raises: FileRefused, saying what it is instead.
    """
    objects = [
        (section, cast("dict[str, Any]", value)) for section, value in values if isinstance(value, dict)
    ]
    for section, value in objects:
        _refuse_foreign(file, section, value)
    if wanted:
        return _named(file, wanted, JSON_FORMATS, "JSON")
    for section, value in objects:
        for known in JSON_FORMATS:
            if known.fits(section, value):
                return known
    keys = [shown_name(key) for _, value in objects[:1] for key in value]
    seen = f", which begins with an object of the keys {', '.join(keys[:8])}" if keys else ""
    raise FileRefused(
        f"{file} is JSON{seen}, and none of the forms that are read: {_READ}. docs/import.md shows each; "
        f"--format names one of {', '.join(NAMES)}."
    )


def table_format(table: Table, wanted: str | None) -> TableFormat:
    """Return the form of a CSV file from its columns.  Raises: FileRefused, saying what it is instead."""
    columns = frozenset(table.names)
    file = table.source.name
    for known, told in _FOREIGN_TABLES:
        if known <= columns:
            raise FileRefused(f"{file} {told}.")
    formats = (_named(file, wanted, TABLE_FORMATS, "CSV"),) if wanted else TABLE_FORMATS
    found = max(formats, key=lambda each: len(each.columns & columns))
    if not wanted and len(found.columns & columns) < 3:
        raise FileRefused(
            f"{file} is neither JSON nor a table whose first line names columns that are known here. What "
            f"is read: {_READ}. docs/import/template.csv shows the columns of our own."
        )
    if missing := sorted(found.needed - columns):
        raise FileRefused(
            f"{file} was taken for {found.title}, and has no column {', '.join(missing)}. Export it with all "
            f"columns, or name its form: --format with one of {', '.join(NAMES)}."
        )
    return found


def _refuse_foreign(file: str, section: str, value: Mapping[str, Any]) -> None:
    for keys, told in _FOREIGN:
        if keys <= value.keys():
            raise FileRefused(f"{file} {told}.")


def _named(file: str, wanted: str, formats: tuple[Any, ...], kind: str) -> Any:
    for known in formats:
        if known.name == wanted:
            return known
    fitting = ", ".join(each.name for each in formats)
    raise FileRefused(f"{file} is {kind}, and --format {wanted} is not. For this file it can be {fitting}.")
