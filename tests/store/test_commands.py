"""What a support lead does from the shell, on a SQLite file and on Postgres."""

import csv
import io
import json
import subprocess
import sys
import unicodedata
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from common.database import open_engine
from common.settings import ROOT
from store.__main__ import COMMANDS
from store.commands.plain import SIGNS
from store.database import Store
from store.model import Policy
from tests.store.shell import Shell, shell_on
from tests.store.shop import JONAS, NOW, about, an_order, fill, hand_off

FORMULA = '=HYPERLINK("http://x","y")'


@pytest.fixture
def shop(kept_url: str) -> Iterator[Store]:
    store = Store(open_engine(kept_url), lambda: NOW)
    fill(store, an_order("1001"), an_order("2001", JONAS))
    yield store
    store.engine.dispose()


@pytest.fixture
def shell(kept_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    return shell_on(kept_url, monkeypatch, capsys)


def test_an_order_is_shown_with_all_that_is_known_of_it(shop: Store, shell: Shell):
    shop.open_ticket(about("1001", summary="Where is it?"), limit=3)
    assert shell("show", "#1001").out.splitlines() == [
        "Order:      1001, shipped, paid",
        "Placed:     2026-03-14T09:26:00Z",
        "Customer:   C-1, Mira Holm, Mira.Holm@Example.com, +49 30 5550 1101",
        "Addresses:  shipping: Paul Holm, 3 Grachtkade, Amsterdam",
        "Items:      1 x Desk Lamp, 49.99 EUR each",
        "            2 x Bulb, 2.50 EUR each",
        "Total:      59.98 EUR",
        "Parcels:    DHL, JD014600001, shipped 2026-03-14T09:26:00Z, expected 2026-03-20",
        "Payments:   payment of 59.98 EUR, card, ch_3OabcDEF, 2026-03-14T09:26:00Z",
        "Gift note:  Happy birthday, Paul!",
        "Tickets:    T-1001, open, delivery, 2026-03-14T09:26:00Z, Where is it?",
    ]


def test_an_order_is_shown_as_one_json_object(shop: Store, shell: Shell):
    told = json.loads(shell("show", "1001", "--json").out)
    assert told["schema"] == "shopkart/order"
    assert told["order"]["customer"]["id"] == "C-1"
    assert told["order"]["lines"][1] == {
        "variant_id": None, "sku": None, "name": "Bulb", "quantity": 2, "price_minor": 250,
    }  # fmt: skip


def test_an_order_of_a_shop_that_prints_a_sign_is_found_by_its_number(
    shop: Store, shell: Shell, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("ORDER_ID_PATTERN", r"^#\d+$")
    fill(shop, an_order("#3001"))
    assert shell("show", "3001").out.startswith("Order:      #3001,")


def test_an_order_that_is_not_there_is_named_and_fails(shop: Store, shell: Shell):
    ran = shell("show", "99\x1b[2J")
    assert (ran.code, ran.out, ran.err) == (1, "", "There is no order 99\\u001b[2J.\n")


def test_open_tickets_are_listed_and_closed_ones_on_request(shop: Store, shell: Shell):
    shop.open_ticket(about("1001"), limit=3)
    shop.open_ticket(hand_off("a"), limit=3)
    shop.close_ticket("T-1001", None)
    rows = [line.split("\t") for line in shell("tickets").out.splitlines()]
    assert rows == [
        ["ticket", "status", "opened", "order", "category", "summary"],
        ["T-1002", "open", "2026-03-14T09:26:00Z", "", "other", "Please call me."],
    ]
    assert [line.split("\t")[0] for line in shell("tickets", "--all").out.splitlines()[1:]] == [
        "T-1001",
        "T-1002",
    ]
    assert len(json.loads(shell("tickets", "--all", "--json").out)["tickets"]) == 2


def test_no_ticket_is_told_beside_an_empty_answer(shop: Store, shell: Shell):
    ran = shell("tickets")
    assert (ran.code, ran.out, ran.err) == (0, "", "No open ticket.\n")


@pytest.mark.parametrize("number", ["1001", "T-1001", "t-1001", " 1001 "])
def test_a_ticket_is_closed_with_a_note_that_its_history_keeps(shop: Store, shell: Shell, number: str):
    shop.open_ticket(about("1001"), limit=3)
    assert shell("tickets", "close", number, "--note", "Sent again.").out == "T-1001 is closed.\n"
    ticket = json.loads(shell("tickets", "show", number, "--json").out)["ticket"]
    assert [(each["kind"], each["note"]) for each in ticket["history"]] == [
        ("opened", None),
        ("closed", "Sent again."),
    ]
    assert "closed: Sent again." in shell("tickets", "show", number).out
    again = shell("tickets", "close", number, "--note", "x")
    assert (again.code, again.err) == (1, "T-1001 is closed already.\n")


def test_a_ticket_is_not_closed_without_a_note_or_by_a_wrong_number(shop: Store, shell: Shell):
    shop.open_ticket(about("1001"), limit=3)
    assert shell("tickets", "close", "1001").code == 2
    assert shell("tickets", "close", "1001", "--note", " ").code == 2
    assert shell("tickets", "close", "one", "--note", "x").code == 2
    assert shell("tickets", "close", "9", "--note", "x").err == "There is no ticket T-9.\n"
    assert len(shop.open_tickets("1001")) == 1


def test_tickets_are_exported_as_csv_that_no_spreadsheet_runs(shop: Store, shell: Shell):
    for category, summary in {
        "delivery": FORMULA,
        "other": " +1",
        "return": "@x",
        "refund": "－1",
        "damaged": 'a,\n"b',
    }.items():
        shop.open_ticket(about("1001", category, summary), limit=9)
    shop.close_ticket("T-1001", "-2+3")
    rows = list(csv.DictReader(io.StringIO(shell("export", "tickets", "--csv").out, newline="")))
    assert [row["summary"] for row in rows] == ["'" + FORMULA, "' +1", "'@x", "'－1", 'a,\n"b']
    assert rows[0] == {
        "id": "T-1001", "status": "closed", "category": "delivery", "order_id": "1001", "customer_id": "C-1",
        "opened_at": "2026-03-14T09:26:00Z", "closed_at": "2026-03-14T09:26:00Z",
        "summary": "'" + FORMULA, "note": "'-2+3",
    }  # fmt: skip


INSIDE = [
    "Please look;=HYPERLINK(A1);thanks",
    "look|=1+1",
    "x;@SUM(1+1)*cmd|/c calc!A0;",
    'a;"=1+1"',
    "a,b\t -2+3",
    "a\n+1\r\n=2",
    "a; \uff1d1",
    '"=1',
]


@pytest.mark.parametrize("separator", [";", "\t", "|", ","])
def test_no_sheet_that_parts_cells_elsewhere_finds_a_formula(shop: Store, shell: Shell, separator: str):
    for index, summary in enumerate(INSIDE):
        shop.open_ticket(hand_off(str(index), summary), limit=9)
    out = shell("export", "tickets", "--csv").out
    assert all(line.startswith('"T-') for line in out.splitlines() if "T-" in line)
    # As a program does that knows nothing of quotes, and as one that does.
    naive = [cell for line in out.splitlines() for cell in line.split(separator)]
    parted = [cell for row in csv.reader(out.splitlines(), delimiter=separator) for cell in row]
    cells = [unicodedata.normalize("NFKC", cell.strip(' "\t')) for cell in (*naive, *parted)]
    assert [cell for cell in cells if cell[:1] in tuple("=+-@")] == []


def test_every_character_that_becomes_the_sign_of_a_formula_is_known():
    made = {
        chr(code) for code in range(0x110000) if unicodedata.normalize("NFKC", chr(code)) in tuple("=+-@")
    }
    assert made == set(SIGNS)


def test_what_begins_no_formula_is_exported_as_it_is(shop: Store, shell: Shell):
    plain = "Half of it - 2 of 4 - came; mail me: mira (at) home, or +49, 5-6 pm, +1"
    shop.open_ticket(hand_off("a", plain), limit=9)
    (row,) = csv.DictReader(io.StringIO(shell("export", "tickets", "--csv").out))
    assert row["summary"] == plain.replace(" +1", "' +1")


def test_tickets_are_exported_as_a_json_object_a_line(shop: Store, shell: Shell):
    shop.open_ticket(about("1001", summary=FORMULA), limit=3)
    shop.open_ticket(hand_off("a"), limit=3)
    lines = [json.loads(line) for line in shell("export", "tickets", "--json").out.splitlines()]
    assert [(line["schema"], line["id"]) for line in lines] == [
        ("shopkart/ticket", "T-1001"),
        ("shopkart/ticket", "T-1002"),
    ]
    assert lines[0]["summary"] == FORMULA
    assert shell("export", "tickets").code == 2


def test_a_folder_of_markdown_becomes_the_policies(shop: Store, shell: Shell, tmp_path: Path):
    (tmp_path / "es").mkdir()
    (tmp_path / "returns.md").write_text("# Returns\n\n## How long\n\n14 days.\n", encoding="utf-8")
    (tmp_path / "es" / "returns.md").write_text("# Devoluciones\n\n14 días.\n", encoding="utf-8")
    assert shell("policies", str(tmp_path)).out.splitlines()[0].startswith("en/returns: Returns (")
    assert [(each.language, each.title) for each in shop.policies()] == [
        ("en", "Returns"),
        ("es", "Devoluciones"),
    ]


def test_a_folder_without_policies_leaves_those_that_are_there(shop: Store, shell: Shell, tmp_path: Path):
    shop.put_policies([Policy("returns", "Returns", "# Returns")])
    ran = shell("policies", str(tmp_path))
    assert ran.code == 1 and "Nothing was changed" in ran.err
    assert len(shop.policies()) == 1


def test_migrating_from_the_shell_tells_what_it_did(
    empty_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    shell = shell_on(empty_url, monkeypatch, capsys)
    before = shell("tickets")
    assert before.code == 1 and before.err.endswith("has no tables yet. Run: python -m store migrate\n")
    assert shell("migrate").out.endswith(": made the tables of schema 0002.\n")
    assert shell("migrate").out.endswith(": is of schema 0002 already; nothing was changed.\n")


def test_on_the_demo_in_memory_an_order_is_shown_and_all_else_says_what_to_set(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    shell = shell_on("sqlite://", monkeypatch, capsys)
    assert shell("show", "4471").out.startswith("Order:      4471, shipped, paid\n")
    for words in (
        ["tickets"],
        ["export", "tickets", "--csv"],
        ["forget", "C-1001", "--for-good"],
        ["backup", "x.db"],
    ):
        ran = shell(*words)
        assert ran.code == 1 and "set DATABASE_URL=sqlite:///shop.db" in ran.err


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_is_there_and_begins_with_an_example(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    ran = shell_on("sqlite://", monkeypatch, capsys)(name, "--help")
    assert ran.code == 0 and ran.err == ""
    assert name == "migrate" or "Example: " in ran.out


def test_settings_that_cannot_be_used_are_usage(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    shell = shell_on("sqlite://", monkeypatch, capsys)
    monkeypatch.setenv("RETENTION_DAYS", "soon")
    ran = shell("retain")
    assert ran.code == 2 and "RETENTION_DAYS" in ran.err
    assert shell("frobnicate").code == 2
    monkeypatch.setenv("DATABASE_URL", "mysql://u:s3cret@h/d")
    ran = shell("tickets")
    assert ran.code == 1 and "s3cret" not in ran.err and "Write sqlite://" in ran.err


def test_a_reader_that_leaves_early_is_no_crash(sqlite_url: str):
    store = Store(open_engine(sqlite_url), lambda: datetime.now(UTC))
    fill(store, *[an_order(str(number), lines=()) for number in range(300)])
    for number in range(300):
        store.open_ticket(about(str(number), summary="x" * 900), limit=3)
    store.engine.dispose()
    with subprocess.Popen(
        [sys.executable, "-m", "store", "tickets"],
        cwd=ROOT, env={"DATABASE_URL": sqlite_url}, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        assert process.stdout and process.stderr
        assert process.stdout.readline().startswith(b"ticket")
        process.stdout.close()
        assert process.wait(60) == 1
        assert process.stderr.read() == b""


def test_a_customer_is_shown_by_id_and_by_e_mail_address_with_what_is_theirs(shop: Store, shell: Shell):
    shop.open_ticket(about("1001", summary="Where is it?"), limit=3)
    told = shell("customer", "mira.holm@example.com")
    assert told.out.splitlines() == [
        "Customer:   C-1, Mira Holm",
        "Reached at: Mira.Holm@Example.com, +49 30 5550 1101",
        "Orders:     1001 (shipped)",
        "Tickets:    T-1001 (open)",
    ]
    assert shell("customer", "C-1").out == told.out
    nobody = shell("customer", "nobody@example.com")
    assert (nobody.code, nobody.out) == (1, "")
    assert nobody.err == "No customer has that id or e-mail address.\n"
