"""Importing into each of the three places: all or nothing, once or twice, and who a customer is."""

import json
import stat
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import func, select
from sqlalchemy.exc import SQLAlchemyError

from common.database import writing
from store import schema
from store.customers import guest_id
from store.database import Store, store_in_memory
from store.importing import FileRefused, Options
from store.model import Item, Reach
from store.tickets import Wanted as TicketWanted
from tests.store.importing.files import (
    DATA,
    HEADER,
    ORDER,
    ROW,
    SHOPIFY,
    brought,
    changed,
    counts,
    written,
)

STAFF = Reach(everybody=True)


def order(number: int, **changes: Any) -> dict[str, Any]:
    return changed(ORDER, id=str(number), **changes)


def rows_of(store: Store, *names: str) -> dict[str, int]:
    with store.engine.begin() as connection:
        return {
            name: connection.scalar(select(func.count()).select_from(schema.metadata.tables[name])) or 0
            for name in names
        }


TABLES = tuple(schema.metadata.tables)


def everything(store: Store) -> dict[str, list[Any]]:
    """Return every row of every table, ids of addresses aside: they are made anew."""
    with store.engine.begin() as connection:
        return {
            name: sorted(
                (repr([value for column, value in row.items() if (name, column) != ("addresses", "id")]))
                for row in connection.execute(select(made)).mappings()
            )
            for name, made in schema.metadata.tables.items()
        }


# ---------------------------------------------------------------- once, twice, changed


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("shopify_order.json", SHOPIFY),
        ("shopify_orders_export.csv", SHOPIFY),
        ("shopify_product.json", Options()),
        ("shopify_customer.json", Options()),
        ("woocommerce_v3_order_example_6.json", Options()),
        ("tau2_retail_sample.json", Options(pattern=r"^#W[0-9]{7}$")),
    ],
)
def test_a_file_that_is_imported_again_changes_nothing(store: Store, name: str, options: Options):
    first = brought(store.engine, DATA / name, options=options)
    before = everything(store)
    again = brought(store.engine, DATA / name, options=options)
    assert everything(store) == before
    assert set(first.written) == set(again.written)
    for kind, written_first in first.written.items():
        assert written_first == {"new": written_first.total()}
        assert again.written[kind] == {"same": written_first.total()}


def test_an_order_that_has_changed_is_brought_up_to_date(store: Store, tmp_path: Path):
    brought(store.engine, written(tmp_path, [order(1, status="processing"), order(2)]))
    later = order(1, status="delivered", items=[{"name": "Mug", "price": "5.00"}], total="5.00")
    report = brought(store.engine, written(tmp_path, [later, order(2), order(3)]))
    assert counts(report, "orders") == (1, 1, 1)
    found = store.get_order("1", Reach("C-1"))
    assert found is not None
    assert (found.status, found.items, found.total_minor) == ("delivered", (Item("Mug", 1, 500),), 500)
    assert rows_of(store, "orders", "order_lines") == {"orders": 3, "order_lines": 3}


def test_an_imported_order_is_its_customers_alone(store: Store, tmp_path: Path):
    nobodys = {key: value for key, value in order(2).items() if key != "customer"}
    brought(store.engine, written(tmp_path, [order(1), nobodys]))
    assert store.get_order("1", Reach("C-1")) is not None
    assert [store.get_order(each, reach) for each, reach in (("1", Reach("C-2")), ("2", Reach("C-1")))] == [
        None,
        None,
    ]
    assert [each.id for each in store.orders(STAFF, 10)] == ["2", "1"]


def test_an_open_ticket_outlives_a_change_of_its_order(store: Store, tmp_path: Path):
    brought(store.engine, written(tmp_path, [order(1)]))
    store.open_ticket(TicketWanted("other", "Please call me", order_id="1", customer_id="C-1"), limit=3)
    brought(store.engine, written(tmp_path, [order(1, status="delivered")]))
    assert [ticket.summary for ticket in store.open_tickets("1")] == ["Please call me"]


def test_an_order_in_two_files_counts_as_it_came_last_and_that_is_told(store: Store, tmp_path: Path):
    older = written(tmp_path, [order(1, status="processing"), order(2)], "older")
    newer = written(tmp_path, [order(1, status="shipped"), order(3), order(3, status="cancelled")], "newer")
    report = brought(store.engine, older, newer)
    assert counts(report, "orders") == (3, 0, 0)
    assert report.told == [
        "Given more than once, and taken as it came last: 1 (older.json, then newer.json), 3 (newer.json)."
    ]
    found = [store.get_order(each, STAFF) for each in ("1", "3")]
    assert [each.status for each in found if each] == ["shipped", "cancelled"]
    assert counts(brought(store.engine, older, newer), "orders") == (0, 0, 3)


# ---------------------------------------------------------------- all or nothing


def test_with_one_bad_row_nothing_is_imported(store: Store, tmp_path: Path):
    before = everything(store)
    good = written(tmp_path, [order(1)], "good")
    report = brought(store.engine, good, written(tmp_path, [order(2), order(3, total="much")], "bad"))
    assert (report.is_refused, report.bad, report.written) == (True, 1, {})
    assert [str(each) for each in report.problems] == [
        "bad.json, [1] (line 1), total: 'much'; expected an amount such as 49.99."
    ]
    assert everything(store) == before


def test_a_file_that_cannot_be_read_stops_those_before_it_too(store: Store, tmp_path: Path):
    before = everything(store)
    for content in (b"[1, 2", b"PK\x03\x04", b""):
        with pytest.raises(FileRefused):
            brought(store.engine, written(tmp_path, [order(1)]), written(tmp_path, content), skip_bad=True)
    assert everything(store) == before


def test_a_failure_while_writing_undoes_all_of_it(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    def failing(*_: Any) -> None:
        raise SQLAlchemyError("the disk is full")

    before = everything(store)
    monkeypatch.setattr("store.importing.importer.write_orders", failing)
    with pytest.raises(SQLAlchemyError):
        brought(store.engine, written(tmp_path, [order(1)]))
    assert everything(store) == before


def test_only_the_first_problems_are_kept_of_very_many(store: Store, tmp_path: Path):
    report = brought(store.engine, written(tmp_path, [order(number, total="x") for number in range(300)]))
    assert (report.bad, len(report.problems)) == (300, 20)


def test_bad_rows_of_json_are_left_out_and_can_be_mended_and_imported(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    orders = [order(1), order(2, total="much"), order(3), order(4, status="lost")]
    report = brought(store.engine, written(tmp_path, {"orders": orders}), skip_bad=True)
    assert (report.bad, counts(report, "orders")) == (2, (2, 0, 0))
    (rejects,) = report.rejects
    assert rejects == Path("orders.rejected.json")
    assert json.loads(rejects.read_text(encoding="utf-8")) == [orders[1], orders[3]]
    assert stat.S_IMODE(rejects.stat().st_mode) == 0o600
    mended = rejects.read_text(encoding="utf-8").replace("much", "5.00").replace("lost", "returned")
    rejects.write_text(mended, encoding="utf-8")
    assert counts(brought(store.engine, rejects), "orders") == (2, 0, 0)


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1252"])
def test_bad_rows_of_a_table_keep_its_form_and_can_be_mended_and_imported(tmp_path: Path, codec: str):
    store = store_in_memory()
    rows = [
        HEADER.replace(",", ";"),
        ROW.replace(",", ";"),
        '1002;shipped;paid;EUR;much;2026-03-02;mira@example.com;"Café; big\r\nDesk Lamp";1;49.99',
        "1002;;;;;;;Mug;1;1.00",
        ROW.replace("1001", "1003").replace(",", ";"),
    ]
    text = "\r\n".join(rows)
    path = written(tmp_path, text.encode(codec), "orders.csv")
    rejects = tmp_path / "left.csv"
    report = brought(store.engine, path, skip_bad=True, rejects=rejects)
    assert (report.bad, counts(report, "orders"), report.rejects) == (1, (2, 0, 0), [rejects])
    left = rejects.read_bytes().decode(codec)
    assert left == "\r\n".join((rows[0], rows[2], rows[3], ""))
    rejects.write_bytes(left.replace("much", "49.99").encode(codec))
    assert counts(brought(store.engine, rejects), "orders") == (1, 0, 0)
    found = store.get_order("1002", STAFF)
    assert found is not None
    assert [item.name for item in found.items] == ["Café; big Desk Lamp", "Mug"]
    store.engine.dispose()


def test_rejected_retail_orders_are_known_for_what_they_are_without_their_keys(tmp_path: Path):
    store = store_in_memory()
    source = json.loads((DATA / "tau2_retail_sample.json").read_text(encoding="utf-8"))
    source["orders"]["#W2611340"]["status"] = "mislaid"
    rejects = tmp_path / "left.json"
    retail = Options(pattern=r"^#W[0-9]{7}$")
    report = brought(store.engine, written(tmp_path, source), options=retail, skip_bad=True, rejects=rejects)
    assert (report.bad, counts(report, "orders")) == (1, (7, 0, 0))
    rejects.write_text(rejects.read_text(encoding="utf-8").replace("mislaid", "pending"), encoding="utf-8")
    again = brought(store.engine, rejects, options=retail)
    assert (again.forms, counts(again, "orders")) == (
        [("left.json", "the tau2 retail data, JSON")],
        (1, 0, 0),
    )
    store.engine.dispose()


def test_rejects_never_go_over_a_file_that_is_there(store: Store, tmp_path: Path):
    before = everything(store)
    there = tmp_path / "mine.json"
    there.write_text("mine", encoding="utf-8")
    path = written(tmp_path, [order(1), order(2, total="x")])
    with pytest.raises(FileRefused, match=r"mine\.json, which is there already.*--rejects"):
        brought(store.engine, path, skip_bad=True, rejects=there)
    with pytest.raises(FileRefused, match="cannot be written to"):
        brought(store.engine, path, skip_bad=True, rejects=tmp_path / "no" / "folder.json")
    assert there.read_text(encoding="utf-8") == "mine"
    assert everything(store) == before


# ---------------------------------------------------------------- who a customer is


def bought(number: int, **customer: Any) -> dict[str, Any]:
    return order(number, customer=customer)


def test_a_guest_is_known_by_the_e_mail_address_whatever_its_case(store: Store, tmp_path: Path):
    orders = [bought(1, email="Mira@Example.com", name="Mira"), bought(2, email="mira@example.com ")]
    brought(store.engine, written(tmp_path, orders))
    mira = store.customer_id("MIRA@example.com")
    assert mira is not None
    assert len(store.orders(Reach(mira), 10)) == 2
    assert rows_of(store, "customers") == {"customers": 1}


def test_customers_who_swap_their_addresses_swap_them(store: Store, tmp_path: Path):
    def both(one: str, other: str) -> Path:
        people = [{"id": "C-1", "email": one}, {"id": "C-2", "email": other}]
        return written(tmp_path, {"customers": people})

    brought(store.engine, both("a@example.com", "b@example.com"))
    report = brought(store.engine, both("b@example.com", "a@example.com"))
    assert counts(report, "customers") == (0, 2, 0)
    assert [store.customer_id(each) for each in ("a@example.com", "b@example.com")] == ["C-2", "C-1"]


def test_an_empty_field_takes_nothing_away(store: Store, tmp_path: Path):
    home = [{"kind": "home", "line1": "14 Lindengasse"}]
    mira = {"id": "C-1", "name": "Mira", "email": "mira@example.com", "phone": "1", "addresses": home}
    brought(store.engine, written(tmp_path, {"customers": [mira]}))
    before = everything(store)
    report = brought(store.engine, written(tmp_path, {"customers": [{"id": "C-1", "name": ""}]}))
    assert counts(report, "customers") == (0, 0, 1)
    assert everything(store) == before


@pytest.mark.parametrize("newest_first", [True, False])
def test_of_what_several_orders_say_of_a_customer_the_newest_counts(
    store: Store, tmp_path: Path, newest_first: bool
):
    old = {**bought(1, id="C-1", name="Mira Adler", phone="1"), "placed_at": "2024-01-01"}
    new = {**bought(2, id="C-1", name="Mira Holm"), "placed_at": "2026-01-01"}
    path = written(tmp_path, [new, old] if newest_first else [old, new])
    brought(store.engine, path)
    with writing(store.engine) as connection:
        row = connection.execute(select(schema.customers)).one()
    assert (row.name, row.phone) == ("Mira Holm", "1")
    assert set(brought(store.engine, path).written["customers"]) == {"same"}


def test_a_customers_own_record_counts_above_what_orders_say(store: Store, tmp_path: Path):
    content = {
        "customers": [{"id": "C-1", "name": "Mira Holm"}],
        "orders": [bought(1, id="C-1", name="M. H.", email="mira@example.com")],
    }
    brought(store.engine, written(tmp_path, content))
    with writing(store.engine) as connection:
        row = connection.execute(select(schema.customers)).one()
    assert (row.name, row.email) == ("Mira Holm", "mira@example.com")


def test_a_variant_may_move_to_another_product(store: Store, tmp_path: Path):
    def product(product_id: str, *variants: str) -> dict[str, Any]:
        return {
            "id": product_id,
            "title": "Lamp",
            "variants": [{"id": each, "price": "1.00"} for each in variants],
        }

    brought(store.engine, written(tmp_path, {"products": [product("P-1", "V-1", "V-2"), product("P-2")]}))
    report = brought(
        store.engine, written(tmp_path, {"products": [product("P-1", "V-1"), product("P-2", "V-2")]})
    )
    assert counts(report, "products") == (0, 2, 0)
    with writing(store.engine) as connection:
        found = {row.id: row.product_id for row in connection.execute(select(schema.variants))}
    assert found == {"V-1": "P-1", "V-2": "P-2"}


# ---------------------------------------------------------------- laws

PEOPLE = st.fixed_dictionaries(
    {},
    optional={
        "id": st.sampled_from(["C-1", "C-2", "C-3"]),
        "email": st.sampled_from(["a@example.com", "A@example.com", "b@example.com", "c@example.com"]),
        "phone": st.sampled_from(["1", "2"]),
    },
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    files=st.lists(
        st.lists(st.tuples(st.integers(1, 5), PEOPLE), min_size=1, max_size=6), min_size=1, max_size=3
    )
)
def test_whoever_bought_what_a_second_import_of_all_files_changes_nothing(tmp_path: Path, files):
    store = store_in_memory()
    paths = [
        written(tmp_path, [order(number, customer=person) for number, person in content], f"file{index}")
        for index, content in enumerate(files)
    ]
    brought(store.engine, *paths)
    before = everything(store)
    again = brought(store.engine, *paths)
    assert everything(store) == before
    assert {outcome for counted in again.written.values() for outcome in counted} <= {"same"}
    owners = {number: person for content in files for number, person in content}
    for number, person in owners.items():
        found = store.get_order(str(number), STAFF)
        assert found is not None
        if "id" in person:
            assert found.customer_id == person["id"]
        elif "email" in person:
            assert found.customer_id == guest_id(person["email"])
        else:
            assert found.customer_id is None
    store.engine.dispose()


def test_an_order_that_is_there_under_two_numbers_is_told(store: Store, tmp_path: Path):
    file = tmp_path / "orders.json"
    file.write_text(json.dumps([changed(ORDER, source_id="77")]), encoding="utf-8")
    assert not any("two numbers" in told for told in brought(store.engine, file).told)
    again = brought(store.engine, file, options=SHOPIFY)
    assert any(
        told.startswith("1 order is there under two numbers, as #1001 and 1001") for told in again.told
    )
