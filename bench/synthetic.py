"""A shop of any number of orders, put into a database in bulk: what a look-up is measured against.

Knows:    how a database is filled fast: executemany on SQLite, COPY on Postgres.
Does not: make sense: each number only has to be found, and the sizes of rows to be like a shop's.
"""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import Engine, Table, text

from common.database import open_engine
from store import schema
from store.database import Store
from store.migrate import migrate
from store.policies import every_policy

ORDERS_A_CUSTOMER = 4
_LINES_AN_ORDER = 2
_FIRST_DAY = datetime(2020, 1, 1, tzinfo=UTC)
_DIGEST = "0" * 32

Rows = Iterator[tuple[Any, ...]]


def order_id(number: int) -> str:
    """Return the id of the order of this number, counted from 0."""
    return str(100_000 + number)


def customer_of(number: int) -> str:
    """Return the id of the customer of the order of this number."""
    return f"C-{number // ORDERS_A_CUSTOMER}"


def fill(url: str, orders: int) -> None:
    """Make the tables and so many orders with all that is theirs, and put in the demo's policies."""
    migrate(url)
    engine = open_engine(url)
    put = _copy if engine.name == "postgresql" else _insert
    put(engine, schema.customers, ("id", "name", "email", "email_key", "digest"), _customers(orders))
    put(engine, schema.orders, _ORDER, _orders(orders))
    put(
        engine,
        schema.order_lines,
        ("order_id", "position", "name", "quantity", "price_minor"),
        _lines(orders),
    )
    put(
        engine,
        schema.fulfilments,
        ("order_id", "position", "carrier", "tracking_number", "expected_on"),
        _parcels(orders),
    )
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("ANALYZE"))
    Store(engine).put_policies(every_policy())
    engine.dispose()


_ORDER = ("id", "customer_id", "status", "payment", "currency", "total_minor", "placed_at", "digest")


def _customers(orders: int) -> Rows:
    for number in range(0, orders, ORDERS_A_CUSTOMER):
        name = customer_of(number)
        address = f"{name.lower()}@example.com"
        yield name, f"Customer {name}", address, address, _DIGEST


def _orders(orders: int) -> Rows:
    for number in range(orders):
        placed = _FIRST_DAY + timedelta(minutes=3 * number)
        yield order_id(number), customer_of(number), "shipped", "paid", "EUR", 4999, placed, _DIGEST


def _lines(orders: int) -> Rows:
    for number in range(orders):
        for position in range(_LINES_AN_ORDER):
            yield order_id(number), position, f"Wireless Earbuds, form {number % 97}", 1, 2499


def _parcels(orders: int) -> Rows:
    for number in range(orders):
        day = (_FIRST_DAY + timedelta(minutes=3 * number, days=5)).date()
        yield order_id(number), 0, "DHL", f"JD01460{number:08}", day


def _insert(engine: Engine, table: Table, columns: tuple[str, ...], rows: Iterable[tuple[Any, ...]]) -> None:
    marks = ", ".join("?" * len(columns))
    statement = f"INSERT INTO {table.name} ({', '.join(columns)}) VALUES ({marks})"
    raw: Any = engine.raw_connection()
    cursor = raw.cursor()
    cursor.execute("PRAGMA foreign_keys=OFF")  # for this connection, and for speed: the rows are made to fit
    cursor.execute("BEGIN IMMEDIATE")
    cursor.executemany(statement, (tuple(map(_as_sqlite_keeps_it, row)) for row in rows))
    raw.commit()
    raw.close()


def _as_sqlite_keeps_it(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.replace(tzinfo=None).isoformat(" ", "microseconds")
    return value if isinstance(value, str | int | None) else value.isoformat()


def _copy(engine: Engine, table: Table, columns: tuple[str, ...], rows: Iterable[tuple[Any, ...]]) -> None:
    raw: Any = engine.raw_connection()
    statement = f"COPY {table.name} ({', '.join(columns)}) FROM STDIN"
    with raw.cursor() as cursor:
        cursor.execute(
            "SET LOCAL session_replication_role = replica"
        )  # no foreign keys, and for speed, as above
        with cursor.copy(statement) as copy:
            for row in rows:
                copy.write_row(row)
    raw.commit()
    raw.close()
