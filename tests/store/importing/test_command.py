"""`python -m store import`: what a person types, reads, and gets as an exit code."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

from common.database import open_engine
from store.commands.importing import command
from store.database import Store
from store.model import Reach
from tests.house.tree import ROOT
from tests.store.importing.files import DATA, ORDER, ROW, changed, table, written

STAFF = Reach(everybody=True)


@pytest.fixture(autouse=True)
def _settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("ORDER_ID_PATTERN", raising=False)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def shop(monkeypatch: pytest.MonkeyPatch, empty_url: str) -> str:
    """A database without tables, which the command is pointed to."""
    monkeypatch.setenv("DATABASE_URL", empty_url)
    return empty_url


def run(*words: Any) -> Result:
    """Run the command; its exit code is what it returns, where click does not end it."""
    result = CliRunner().invoke(command, [str(word) for word in words], standalone_mode=False)
    if result.exception is not None and not isinstance(result.exception, Exception):
        raise result.exception
    return result


def order_of(url: str, order_id: str) -> Any:
    store = Store(open_engine(url))
    try:
        return store.get_order(order_id, STAFF)
    finally:
        store.engine.dispose()


def test_an_empty_database_gets_its_tables_and_the_counts_are_told(shop: str, tmp_path: Path):
    path = written(tmp_path, [ORDER, changed(ORDER, id="1002")])
    first = run(path)
    assert (first.return_value, first.stdout) == (
        0,
        "orders: 2 new, 0 changed, 0 same\ncustomers: 1 new, 0 changed, 0 same\n",
    )
    assert first.stderr == "orders.json: read as ShopKart's own JSON.\n"
    again = run(path)
    assert (again.return_value, again.stdout) == (
        0,
        "orders: 0 new, 0 changed, 2 same\ncustomers: 0 new, 0 changed, 1 same\n",
    )
    assert order_of(shop, "1001").currency == "EUR"


def test_a_bad_row_is_told_and_nothing_is_imported(shop: str, tmp_path: Path):
    path = written(tmp_path, table(ROW, ROW.replace("1001", "1002").replace(",1,", ",two,")))
    result = run(path)
    assert (result.return_value, result.stdout) == (1, "")
    assert result.stderr == (
        "orders.csv: read as ShopKart's own CSV.\n"
        "orders.csv, line 3, quantity: 'two'; expected a whole number, at most 1000000.\n"
        "1 record cannot be imported.\n"
        "Nothing was imported. Mend the files, or import the rest with --skip-bad, which writes these to a "
        "file of their own.\n"
    )
    assert order_of(shop, "1001") is None


def test_the_rest_is_imported_where_bad_rows_are_skipped(shop: str, tmp_path: Path):
    path = written(tmp_path, table(ROW, ROW.replace("1001", "1002").replace(",1,", ",two,")))
    result = run("--skip-bad", path)
    assert (result.return_value, result.stdout.splitlines()[0]) == (0, "orders: 1 new, 0 changed, 0 same")
    assert "They are in orders.rejected.csv: mend them there and import that file." in result.stderr
    assert (tmp_path / "orders.rejected.csv").is_file()
    assert order_of(shop, "1001") is not None


def test_a_file_that_cannot_be_read_ends_with_1(shop: str, tmp_path: Path):
    result = run(tmp_path / "no.csv")
    assert result.return_value == 1
    assert result.stderr.startswith("There is no file ")
    assert result.stderr.endswith("Nothing was imported.\n")


def test_the_options_reach_the_files(shop: str, tmp_path: Path):
    row = ROW.replace("2026-03-02", "03/04/2026 23:30").replace("EUR", "")
    words = (
        "--dates",
        "mdy",
        "--timezone",
        "America/New_York",
        "--currency",
        "usd",
        "--format",
        "shopkart-csv",
    )
    assert run(*words, written(tmp_path, table(row))).return_value == 0
    found = order_of(shop, "1001")
    assert (str(found.placed_on), found.currency) == ("2026-03-05", "USD")
    assert run("--completed", "delivered", DATA / "woocommerce_v3_order_example_4.json").return_value == 0
    assert order_of(shop, "727").status == "delivered"


def test_the_shops_pattern_is_the_one_of_the_setting(shop: str, monkeypatch: pytest.MonkeyPatch):
    path = DATA / "tau2_retail_sample.json"
    assert "one that would fit: ORDER_ID_PATTERN=^#W[0-9]{1,12}$" in run(path).stderr
    monkeypatch.setenv("ORDER_ID_PATTERN", r"^#W\d{7}$")
    assert run(path).return_value == 0
    assert order_of(shop, "#W2611340").customer_id == "james_li_5688"


def test_the_demo_shop_goes_into_an_empty_database_alone(shop: str):
    assert run("--demo").return_value == 0
    assert order_of(shop, "4471").customer_id == "C-1001"
    again = run("--demo")
    assert (again.return_value, again.stderr) == (
        1,
        "The database holds a shop already. Name an empty one in DATABASE_URL for the demo.\n",
    )


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "Name the files to import, or --demo"),
        (("--demo", "a.csv"), "one of the two"),
        (("--rejects", "x.csv", "a.csv"), "--rejects is for --skip-bad and one file"),
        (("--skip-bad", "--rejects", "x.csv", "a.csv", "b.csv"), "--rejects is for --skip-bad and one file"),
        (("--timezone", "Mars/Olympus", "a.csv"), "is no time zone. Write one such as Europe/Berlin"),
        (("--timezone", "../x", "a.csv"), "is no time zone"),
        (("--currency", "euros", "a.csv"), "--currency takes three letters"),
        (("--format", "xml", "a.csv"), "is not one of"),
    ],
)
def test_a_wrong_command_line_says_what_is_wrong(shop: str, words: tuple[str, ...], told: str):
    result = run(*words)
    assert isinstance(result.exception, click.UsageError)
    assert told in result.exception.format_message()


def test_a_database_in_memory_is_refused_with_what_to_set(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("DATABASE_URL", "sqlite://")
    result = run(written(tmp_path, [ORDER]))
    assert isinstance(result.exception, click.UsageError)
    assert "DATABASE_URL=sqlite:///shop.db" in result.exception.format_message()


def test_the_whole_program_answers_on_stdout_and_talks_on_stderr(tmp_path: Path):
    environment = {"DATABASE_URL": f"sqlite:///{tmp_path / 'shop.db'}", "PATH": "", "PYTHONPATH": str(ROOT)}
    path = DATA / "woocommerce_v3_order_example_3.json"
    done = [
        subprocess.run(
            [sys.executable, "-m", "store", "import", *words],
            env=environment,
            cwd=tmp_path,
            capture_output=True,
            encoding="utf-8",
            timeout=60,
            check=False,
        )
        for words in ([str(path)], ["nothing.csv"], [])
    ]
    assert [each.returncode for each in done] == [0, 1, 2]
    assert [each.stdout for each in done] == [
        "orders: 2 new, 0 changed, 0 same\ncustomers: 2 new, 0 changed, 0 same\n",
        "",
        "",
    ]
    assert all("Traceback" not in each.stderr for each in done)
