"""`python -m bench.importing`: what importing many orders costs in time and memory.

Knows:    how to make large files of each form, and how to run an import in a process of its own.
Does not: promise a time; the numbers are those of the machine it runs on.
"""

import csv
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import click

from common.settings import ROOT

_BUYERS_OF_ORDERS = 3
"""How many orders a customer has."""


def _order(number: int) -> dict[str, object]:
    buyer = number // _BUYERS_OF_ORDERS
    address = {
        "name": f"Person {buyer}",
        "address1": f"{buyer} Long Street",
        "city": "Berlin",
        "zip": "10115",
        "country": "Germany",
    }
    lines: list[dict[str, object]] = [
        {
            "id": number * 10 + index,
            "title": f"Thing {(number + index) % 977}",
            "variant_title": "blue / M",
            "quantity": 1 + index,
            "price": f"{(number * 7 + index) % 900 + 1}.99",
            "sku": f"SKU-{index}",
            "variant_id": index,
        }
        for index in range(1 + number % 3)
    ]
    return {
        "id": 10**9 + number,
        "name": f"#{1000 + number}",
        "email": f"person{buyer}@example.com",
        "created_at": f"2025-{number % 12 + 1:02d}-{number % 28 + 1:02d}T10:00:00+02:00",
        "currency": "EUR",
        "total_price": "199.90",
        "financial_status": "paid",
        "fulfillment_status": "fulfilled" if number % 2 else None,
        "cancelled_at": None,
        "customer": {"id": buyer + 1, "email": f"person{buyer}@example.com", "default_address": address},
        "billing_address": address,
        "shipping_address": address,
        "line_items": lines,
        "fulfillments": [{"status": "success", "tracking_company": "DHL", "tracking_number": f"JD{number}"}],
    }


def _write_json(path: Path, orders: int) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.write('{"orders": [')
        for number in range(orders):
            file.write((",\n" if number else "") + json.dumps(_order(number)))
        file.write("]}")


def _write_csv(path: Path, orders: int) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(next(_rows(0))))
        writer.writeheader()
        for number in range(orders):
            writer.writerows(_rows(number))


def _rows(number: int) -> Iterator[dict[str, object]]:
    buyer = number // _BUYERS_OF_ORDERS
    for index in range(1 + number % 3):
        first = index == 0
        yield {
            "Name": f"#{1000 + number}",
            "Email": f"person{buyer}@example.com",
            "Financial Status": "paid" if first else "",
            "Fulfillment Status": "fulfilled" if first else "",
            "Currency": "EUR" if first else "",
            "Total": "199.90" if first else "",
            "Created at": "2025-03-04 10:00:00 +0200" if first else "",
            "Lineitem quantity": 1 + index,
            "Lineitem name": f"Thing {(number + index) % 977} - blue / M",
            "Lineitem price": f"{(number * 7 + index) % 900 + 1}.99",
            "Billing Name": f"Person {buyer}" if first else "",
            "Shipping Address1": f"{buyer} Long Street" if first else "",
            "Shipping City": "Berlin" if first else "",
            "Id": 10**9 + number if first else "",
        }


FORMS: dict[str, tuple[str, Callable[[Path, int], None]]] = {
    "Shopify JSON": ("orders.json", _write_json),
    "Shopify CSV": ("orders.csv", _write_csv),
}


def _import(path: Path, url: str) -> tuple[float, float, str]:
    """Import a file in a process of its own: seconds, peak memory in MB, and what it said."""
    environment = {**os.environ, "DATABASE_URL": url, "ORDER_ID_PATTERN": "^[0-9]{1,12}$"}  # noqa: TID251
    command = [sys.executable, "-m", "store", "import", str(path)]
    started = time.monotonic()
    with subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as child:
        said = (child.stdout.read() if child.stdout else "").strip()
        _, code, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(code)
    if child.returncode:
        raise click.ClickException(said)
    return time.monotonic() - started, _megabytes(used), said


def _megabytes(used: resource.struct_rusage) -> float:
    return used.ru_maxrss / (1024 if sys.platform != "darwin" else 1024**2)


@click.command()
@click.option("--orders", default=100_000, show_default=True, help="How many orders each file holds.")
@click.option("--postgres", metavar="URL", help="Import into this Postgres too; it should be empty.")
def main(orders: int, postgres: str | None) -> None:
    """Import large files into an empty database, and a second time, where nothing changes."""
    with tempfile.TemporaryDirectory() as folder:
        click.echo(
            f"{'form':14} {'MB':>6} {'database':10} {'time':7} {'seconds':>8} {'orders/s':>9} {'peak MB':>8}"
        )
        for form, (name, write) in FORMS.items():
            path = Path(folder) / name
            write(path, orders)
            size = path.stat().st_size / 1024**2
            databases = {"SQLite": f"sqlite:///{folder}/{name}.db"} | (
                {"Postgres": postgres} if postgres else {}
            )
            for database, url in databases.items():
                for which in ("first", "again"):
                    seconds, peak, _ = _import(path, url)
                    measured = f"{seconds:8.1f} {orders / seconds:9.0f} {peak:8.0f}"
                    click.echo(f"{form:14} {size:6.0f} {database:10} {which:7} {measured}")


if __name__ == "__main__":
    main()
