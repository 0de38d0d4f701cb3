"""Forgetting a customer, and retention by age: nothing of the person is left, and the books are."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import Text as AnyText
from sqlalchemy import insert, select, text

from common.database import open_engine
from journal.schema import audit
from store import schema
from store.customers import guest_id
from store.database import Store
from store.erasing import Erased, forget, named, retain, scrub
from store.migrate import every_table
from store.records import AddressRecord, CustomerRecord, FulfilmentRecord, PaymentRecord
from tests.store.shell import Shell, shell_on
from tests.store.shop import JONAS, MIRA, NOW, STAFF, about, an_order, fill, hand_off

MARK = "Zebulon"
"""In everything that tells who the person is."""

PERSON = CustomerRecord(
    "C-7",
    f"{MARK} Quist",
    f"{MARK}@example.com",
    f"+49 {MARK}",
    (
        AddressRecord(
            "home",
            *[f"{MARK} {part}" for part in ("name", "line1", "line2", "city", "region", "code", "country")],
        ),
    ),
)


def persons_order(order_id: str, **parts: object):
    return an_order(
        order_id,
        PERSON,
        gift_note=f"For {MARK}",
        addresses=PERSON.addresses,
        fulfilments=(FulfilmentRecord("DHL", f"JD-{MARK}", NOW),),
        payments=(PaymentRecord("payment", 5998, "card", NOW, f"ch_{MARK}"),),
        **parts,
    )


@pytest.fixture
def shop(kept_url: str) -> Iterator[Store]:
    store = Store(open_engine(kept_url), lambda: NOW)
    fill(store, persons_order("7001"), persons_order("7002"), an_order("1001"), an_order("2001", JONAS))
    store.open_ticket(about("7001", summary=f"{MARK} asks", by="C-7"), limit=3)
    store.open_ticket(about("7002", summary=f"{MARK} asks", by="C-7"), limit=3)
    store.close_ticket("T-1002", f"Called {MARK}.")
    store.open_ticket(replace(hand_off(f"{MARK}-conversation", f"Call {MARK}"), customer_id="C-7"), limit=3)
    store.open_ticket(about("1001"), limit=3)
    with store.writing() as connection:
        row = {column.name: "x" for column in audit.c if isinstance(column.type, AnyText)} | {"seq": 0}
        connection.execute(insert(audit).values(row))
    yield store
    store.engine.dispose()


@pytest.fixture
def shell(kept_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    return shell_on(kept_url, monkeypatch, capsys)


def rows_with(store: Store, mark: str) -> list[str]:
    """Return the table of every row that has the mark in any column."""
    found: list[str] = []
    with store.engine.connect() as connection:
        for table in every_table().sorted_tables:
            rows = connection.execute(select(table)).all()
            found += [table.name for row in rows if mark.casefold() in str(tuple(row)).casefold()]
    return found


def count(store: Store, table: str) -> int:
    with store.engine.connect() as connection:
        return connection.execute(text(f"SELECT count(*) FROM {table}")).scalar_one()


def test_after_forgetting_no_row_of_any_table_tells_who_it_was(shop: Store):
    assert set(rows_with(shop, MARK)) == {
        "customers", "addresses", "orders", "payments", "fulfilments", "tickets", "ticket_events",
    }  # fmt: skip
    assert forget(shop.engine, ["C-7"], NOW) == Erased(1, 2, 3)
    assert rows_with(shop, MARK) == []
    assert rows_with(shop, "C-7") == []


def test_what_the_books_need_stays_and_belongs_to_nobody(shop: Store):
    before = shop.get_order("7001", STAFF)
    forget(shop.engine, ["C-7"], NOW)
    after = shop.get_order("7001", STAFF)
    assert before is not None
    assert after == replace(before, customer_id=None, gift_note=None, tracking_number=None)
    kept = {"orders": 4, "order_lines": 8, "payments": 4, "tickets": 4, "audit": 1}
    assert {name: count(shop, name) for name in kept} == kept


def test_open_tickets_of_who_is_forgotten_are_closed(shop: Store):
    forget(shop.engine, ["C-7"], NOW)
    assert shop.open_tickets("7001") == []
    with shop.engine.connect() as connection:
        still = connection.execute(select(schema.tickets.c.id).where(schema.tickets.c.status == "open")).all()
    assert [row.id for row in still] == [1004]


def test_nobody_else_is_touched(shop: Store):
    before = [shop.get_order(each, STAFF) for each in ("1001", "2001")]
    forget(shop.engine, ["C-7"], NOW)
    assert [shop.get_order(each, STAFF) for each in ("1001", "2001")] == before
    assert shop.customer_id(str(MIRA.email)) == "C-1"
    assert [ticket.summary for ticket in shop.open_tickets("1001")] == ["It is late."]


def test_no_byte_of_who_was_forgotten_is_left_in_the_file(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    store = Store(open_engine(sqlite_url), lambda: NOW)
    for number in range(50):  # fills pages, which are split and freed again
        fill(store, persons_order(f"7{number:03}", source_id="x" * 500))
        fill(store, an_order(f"1{number:03}"))
    store.open_ticket(about("7001", summary=f"{MARK} asks", by="C-7"), limit=3)
    files = list(Path(sqlite_url.removeprefix("sqlite:///")).parent.glob("shop.db*"))
    assert any(MARK.encode() in file.read_bytes() for file in files)
    store.engine.dispose()
    ran = shell_on(sqlite_url, monkeypatch, capsys)("forget", f"{MARK}@EXAMPLE.com", "--for-good")
    assert ran.out == "Erased the personal data of 1 customer, 50 orders, 1 ticket.\n"
    left = b"".join(file.read_bytes() for file in files if file.exists()).lower()
    assert len(left) > 50_000 and MARK.lower().encode() not in left


def test_bytes_that_another_program_holds_are_told_and_scrubbed_later(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    store = Store(open_engine(sqlite_url), lambda: NOW)
    fill(store, persons_order("7001"))
    shell = shell_on(sqlite_url, monkeypatch, capsys)
    file = Path(sqlite_url.removeprefix("sqlite:///"))
    monkeypatch.setattr("common.database.WAIT_S", 0.05)
    with closing(sqlite3.connect(file)) as reading:
        reading.execute("BEGIN")
        reading.execute("SELECT * FROM orders").fetchall()
        ran = shell("forget", "C-7", "--for-good")
        assert ran.code == 0 and "then run: python -m store scrub" in ran.err
        assert shell("scrub").code == 1
    store.engine.dispose()
    assert shell("scrub").out.endswith("nothing that was erased is left in it.\n")
    assert (
        MARK.lower().encode()
        not in b"".join(each.read_bytes() for each in file.parent.glob("shop.db*")).lower()
    )


def test_forgetting_asks_first_and_a_no_changes_nothing(shop: Store, shell: Shell):
    for typed, told in (
        (None, "Add --for-good to say yes."),
        ("n\n", "Nothing was done."),
        ("\n", "Nothing was done."),
    ):
        ran = shell("forget", "C-7", typed=typed)
        assert ran.code == 3 and told in ran.err and ran.out == ""
    assert shop.customer_id("C-7") == "C-7"
    assert shell("forget", "C-7", typed="y\n").code == 0
    assert shop.customer_id("C-7") is None


def test_forgetting_twice_says_that_nobody_is_there_and_repeats_no_address(shop: Store, shell: Shell):
    assert shell("forget", "C-7", "--for-good").code == 0
    assert (
        shell("forget", "C-7", "--for-good").err == "There is no customer called C-7; nothing was erased.\n"
    )
    ran = shell("forget", f"{MARK}@example.com", "--for-good")
    assert ran.code == 1 and MARK not in ran.err


# ---------------------------------------------------------------- by e-mail address

SHARED = "Shared@Example.com"


def whose(order_id: str, customer: CustomerRecord):
    return an_order(order_id, customer, addresses=())


@pytest.fixture
def shared(shop: Store) -> Store:
    """The shop with everybody who holds one address: an account, another, a guest, and who typed it."""
    fill(
        shop,
        CustomerRecord("C-20", email=SHARED),
        CustomerRecord("C-21", email=SHARED.lower()),
        whose("8001", CustomerRecord(None, email=SHARED)),
        whose("8002", CustomerRecord("C-22", contact_email=SHARED.upper())),
        whose("8003", CustomerRecord("C-23", contact_email="shared@example.org")),
    )
    return shop


def test_an_address_names_every_row_that_holds_it(shared: Store, shell: Shell):
    everybody = sorted(["C-20", "C-21", "C-22", guest_id(SHARED)])
    assert named(shared.engine, " shared@EXAMPLE.com ") == everybody
    ran = shell("forget", SHARED, typed="n\n")
    assert f"Erase what is known of {', '.join(everybody)}? It cannot be undone." in ran.err
    ran = shell("forget", SHARED, "--for-good")
    assert ran.out == "Erased the personal data of 4 customers, 2 orders.\n"
    assert rows_with(shared, SHARED) == []
    assert shared.customer_id("C-23") == "C-23"


def test_an_id_names_one_customer_alone(shared: Store):
    assert [named(shared.engine, who) for who in ("C-20", guest_id(SHARED), "C-99", "")] == [
        ["C-20"],
        [guest_id(SHARED)],
        [],
        [],
    ]
    forget(shared.engine, ["C-20"], NOW)
    assert shared.customer_id(SHARED) == guest_id(SHARED)


# ---------------------------------------------------------------- retention

OLD = NOW - timedelta(days=800)
SINCE = NOW - timedelta(days=730)


@pytest.fixture
def aged(kept_url: str) -> Iterator[Store]:
    store = Store(open_engine(kept_url), lambda: OLD)
    fill(store, persons_order("7001", placed_at=OLD), persons_order("7002", placed_at=OLD))
    fill(store, an_order("1001", placed_at=OLD), an_order("1002"), an_order("2001", JONAS, placed_at=None))
    yield store
    store.engine.dispose()


def test_old_orders_lose_their_person_and_the_person_goes_with_the_last(aged: Store):
    assert retain(aged.engine, SINCE, NOW) == Erased(1, 3, 0)
    assert rows_with(aged, MARK) == []
    assert aged.customer_id("C-1") == "C-1"  # has a young order, too
    owners = {order.id: order.customer_id for order in aged.orders(STAFF, 9)}
    assert owners == {"1002": "C-1", "7001": None, "7002": None, "1001": None, "2001": "C-2"}


def test_what_is_old_is_erased_once(aged: Store):
    retain(aged.engine, SINCE, NOW)
    assert retain(aged.engine, SINCE, NOW) == Erased(0, 0, 0)


def test_an_old_order_with_an_open_ticket_waits_for_it_to_be_closed(aged: Store):
    aged.open_ticket(about("7001", summary=f"{MARK} asks", by="C-7"), limit=3)
    assert retain(aged.engine, SINCE, NOW) == Erased(0, 2, 0)
    assert aged.customer_id("C-7") == "C-7"
    aged.close_ticket("T-1001", f"{MARK} was called")
    assert retain(aged.engine, SINCE, NOW) == Erased(1, 1, 1)
    assert rows_with(aged, MARK) == []


def test_a_customer_whose_last_trace_is_a_young_ticket_goes_when_that_is_old(aged: Store):
    young = Store(aged.engine, lambda: NOW)
    young.open_ticket(about("7001", by="C-7"), limit=3)
    young.close_ticket("T-1001", None)
    assert retain(aged.engine, SINCE, NOW) == Erased(0, 3, 0)
    assert retain(aged.engine, NOW + timedelta(days=1), NOW).customers >= 1
    assert aged.customer_id("C-7") is None


def test_very_many_are_erased_in_parts(kept_url: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("store.erasing._AT_ONCE", 7)
    store = Store(open_engine(kept_url), lambda: OLD)
    fill(store, *[persons_order(f"7{number:03}", placed_at=OLD) for number in range(30)])
    assert retain(store.engine, SINCE, NOW).orders == 30
    assert rows_with(store, MARK) == []
    store.engine.dispose()


def test_retention_from_the_shell_needs_a_number_of_days(
    aged: Store, shell: Shell, monkeypatch: pytest.MonkeyPatch
):
    ran = shell("retain", "--for-good")
    assert ran.code == 2 and "RETENTION_DAYS is 0, which keeps everything" in ran.err
    monkeypatch.setenv("RETENTION_DAYS", "730")
    monkeypatch.setattr("store.commands.retain.utc_now", lambda: NOW)
    assert shell("retain").code == 3
    assert shell("retain", "--for-good").out == "Erased the personal data of 1 customer, 3 orders.\n"
    assert shell("retain", "--for-good").out == "There was nothing to erase.\n"


def test_scrubbing_twice_is_no_fault(shop: Store):
    assert [scrub(shop.engine), scrub(shop.engine)] == [True, True]
