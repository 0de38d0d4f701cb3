"""Files to import, and what comes of taking one without a database."""

import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sqlalchemy import Engine

from store.importing import Options, Report, Wanted, import_files
from store.importing.taking import open_file
from store.records import OrderRecord, Record
from tests.house.tree import ROOT

DATA = ROOT / "tests" / "data" / "order-formats"
SHOPIFY = Options(pattern=r"^#[0-9]{1,12}$")
RETAIL = Options(pattern=r"^#W[0-9]{7}$")

ORDER: dict[str, Any] = {
    "id": "1001",
    "customer": {"id": "C-1", "name": "Mira Holm", "email": "mira@example.com", "phone": "+49 30 5550 1101"},
    "status": "shipped",
    "payment": "paid",
    "currency": "EUR",
    "total": "49.99",
    "placed_at": "2026-03-02T09:15:00+01:00",
    "items": [{"name": "Desk Lamp", "quantity": 1, "price": "49.99"}],
}
"""An order of our own form."""

HEADER = "order_id,status,payment,currency,total,placed_at,customer_email,item,quantity,price"
ROW = "1001,shipped,paid,EUR,49.99,2026-03-02,mira@example.com,Desk Lamp,1,49.99"


def table(*rows: str, header: str = HEADER) -> str:
    return "\n".join((header, *rows)) + "\n"


def written(folder: Path, content: str | bytes | object, name: str = "orders") -> Path:
    """Write text as CSV, bytes as they are, anything else as JSON."""
    if isinstance(content, bytes):
        path = folder / name
        path.write_bytes(content)
    elif isinstance(content, str):
        path = folder / f"{name}.csv"
        path.write_text(content, encoding="utf-8", newline="")
    else:
        path = folder / f"{name}.json"
        path.write_text(json.dumps(content), encoding="utf-8")
    return path


def taken(path: Path, options: Options | None = None, **how: Any) -> tuple[list[Record], list[str]]:
    """Return the records of a file, and its problems as they are told."""
    opened = open_file(path, options or Options(), **how)
    both = [(each.records, each.problems) for each in opened.take(lambda _: None)]
    records = [record for found, _ in both for record in found]
    return records, [str(problem) for _, found in both for problem in found]


def orders_of(path: Path, options: Options | None = None, **how: Any) -> dict[str, OrderRecord]:
    """Return the orders of a file that has no problem."""
    records, problems = taken(path, options, **how)
    assert problems == []
    return {each.id: each for each in records if isinstance(each, OrderRecord)}


def problems_of(path: Path, options: Options | None = None, **how: Any) -> list[str]:
    return taken(path, options, **how)[1]


def changed(order: Mapping[str, Any], **changes: Any) -> dict[str, Any]:
    return {**order, **changes}


def brought(engine: Engine, *paths: Path, options: Options | None = None, **how: Any) -> Report:
    """Import files into a database."""
    return import_files(Wanted(paths, options or Options(), **how), engine)


def counts(report: Report, kind: str) -> tuple[int, int, int]:
    """Return how many were new, changed and the same."""
    found = report.written.get(kind, {})
    return found.get("new", 0), found.get("changed", 0), found.get("same", 0)


def encoded(text: str, codec: str) -> bytes:
    """Return the text as a file of this encoding begins it."""
    buffer = io.BytesIO()
    with io.TextIOWrapper(buffer, encoding=codec, newline="") as file:
        file.write(text)
        file.flush()
        return buffer.getvalue()
