"""Each question that a server asks is answered by an index, however many orders there are.

A plan is looked at, not a clock: what reads a whole table is slow only once the table is large.
"""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import event

from bench.synthetic import customer_of, fill, order_id
from common.database import open_engine
from store.database import Store
from store.model import Reach
from tests.store.shop import STAFF, about, hand_off

ORDERS = 20_000
"""Enough that Postgres prefers an index to reading it all."""
LARGE = {"orders", "order_lines", "fulfilments", "payments", "customers", "tickets", "ticket_events"}

Asked = tuple[str, Any]


@pytest.fixture
def shop(empty_url: str) -> Iterator[Store]:
    fill(empty_url, ORDERS)
    store = Store(open_engine(empty_url))
    with store.writing() as connection:  # closed tickets: the open ones are the few
        many = [(order_id(number), customer_of(number)) for number in range(5000)]
        mark = "?, ?" if store.engine.name == "sqlite" else "%s, %s"
        connection.exec_driver_sql(
            "INSERT INTO tickets (order_id, customer_id, category, summary, status, opened_at, closed_at) "
            f"VALUES ({mark}, 'other', 'x', 'closed', '2026-01-01 00:00:00', '2026-01-02 00:00:00')",
            many,
        )
        connection.exec_driver_sql(
            "INSERT INTO ticket_events (ticket_id, position, at, kind) "
            "SELECT id, 0, opened_at, 'opened' FROM tickets"
        )
        connection.exec_driver_sql("ANALYZE")
    yield store
    store.engine.dispose()


def asked_by(store: Store) -> list[Asked]:
    """Return every statement that the server's questions come to."""
    seen: list[Asked] = []

    def note(_connection: Any, _cursor: Any, statement: str, values: Any, *_: Any) -> None:
        seen.append((statement, values))

    event.listen(store.engine, "before_cursor_execute", note)
    mine = Reach(customer_of(7))
    ticket = store.open_ticket(about(order_id(7), by=customer_of(7)), limit=3).ticket
    assert ticket is not None
    store.open_ticket(about(order_id(7), by=customer_of(7)), limit=3)
    store.open_ticket(hand_off("one"), limit=3)
    for reach in (mine, STAFF, Reach()):
        store.get_order(order_id(7), reach)
        store.orders(reach, 20)
        store.get_ticket(ticket.id, reach)
    store.open_tickets(order_id(7))
    store.open_hand_off("one")
    store.customer_id(customer_of(7))
    store.close_ticket(ticket.id, None)
    event.remove(store.engine, "before_cursor_execute", note)
    return seen


def whole_tables(store: Store, statement: str, values: Any) -> set[str]:
    """Return the large tables that the plan of a statement reads from end to end, or sorts."""
    on_sqlite = store.engine.name == "sqlite"
    with store.engine.connect() as connection:
        rows = connection.exec_driver_sql(
            ("EXPLAIN QUERY PLAN " if on_sqlite else "EXPLAIN ") + statement, values
        ).all()
    plan = [str(row[-1]) for row in rows]
    form = r"^SCAN (\w+)(?! USING)" if on_sqlite else r"Seq Scan on (\w+)"
    return {found[1] for line in plan if (found := re.search(form, line)) and found[1] in LARGE}


def test_no_question_of_the_server_reads_a_whole_table(shop: Store):
    asked = asked_by(shop)
    assert len(asked) > 20
    read = {statement: whole_tables(shop, statement, values) for statement, values in asked}
    assert {statement: tables for statement, tables in read.items() if tables} == {}


def test_a_question_that_reads_a_whole_table_is_found(shop: Store):
    assert whole_tables(shop, "SELECT * FROM orders WHERE gift_note = 'x'", ()) == {"orders"}
    assert whole_tables(shop, "SELECT * FROM orders WHERE id = '1'", ()) == set()
