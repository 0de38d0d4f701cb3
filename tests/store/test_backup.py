"""Backup, damage, restore: what was there is there again, and a bad copy is never put in place."""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from common.database import open_engine
from store.database import Store
from store.migrate import every_table
from tests.postgres import Postgres
from tests.store.processes import Opener
from tests.store.shell import Shell, shell_on
from tests.store.shop import JONAS, NOW, STAFF, about, an_order, fill


@pytest.fixture
def shop(kept_url: str) -> Iterator[Store]:
    store = Store(open_engine(kept_url), lambda: NOW)
    fill(store, an_order("1001"), an_order("2001", JONAS))
    store.open_ticket(about("1001"), limit=3)
    yield store
    store.engine.dispose()


@pytest.fixture
def shell(
    kept_url: str,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Shell:
    if kept_url.startswith("postgresql"):
        programs: Postgres = request.getfixturevalue("postgres")
        monkeypatch.setenv("PATH", f"{programs.bin}:{os.environ['PATH']}")
    return shell_on(kept_url, monkeypatch, capsys)


def everything(store: Store) -> dict[str, list[tuple[Any, ...]]]:
    with store.engine.connect() as connection:
        return {
            table.name: sorted(map(tuple, connection.execute(select(table)).all()), key=str)
            for table in every_table().sorted_tables
        }


def database_file(url: str) -> Path:
    return Path(url.removeprefix("sqlite:///"))


def test_a_restored_backup_is_what_was_there(shop: Store, shell: Shell, tmp_path: Path):
    before = everything(shop)
    copy = tmp_path / "copy"
    assert shell("backup", str(copy)).code == 0
    fill(shop, an_order("9999", JONAS, status="cancelled"), an_order("1001", status="returned"))
    shop.open_ticket(about("2001", by="C-2"), limit=3)
    assert everything(shop) != before
    ran = shell("restore", str(copy), "--for-good")
    assert ran.code == 0 and ran.out.startswith(shell_name(shop))
    after = everything(shop)
    told = [row for row in after.pop("audit") if row not in before["audit"]]
    assert len(told) == 4  # that a writer began, what it did, in two rows, and that it ended
    assert after == {name: rows for name, rows in before.items() if name != "audit"}


def shell_name(store: Store) -> str:
    return "sqlite:///" if store.engine.name == "sqlite" else "postgresql+psycopg://"


def test_numbers_go_on_after_the_restored_ones(shop: Store, shell: Shell, tmp_path: Path):
    shell("backup", str(tmp_path / "copy"))
    shell("restore", str(tmp_path / "copy"), "--for-good")
    ticket = shop.open_ticket(about("2001", by="C-2"), limit=3).ticket
    assert ticket is not None and ticket.id == "T-1002"


def test_a_backup_can_be_read_by_its_owner_alone_and_overwrites_nothing(
    shop: Store, shell: Shell, tmp_path: Path
):
    copy = tmp_path / "copy"
    shell("backup", str(copy))
    assert copy.stat().st_mode & 0o777 == 0o600
    held = copy.read_bytes()
    again = shell("backup", str(copy))
    assert again.code == 1 and "is there already" in again.err and copy.read_bytes() == held
    nowhere = shell("backup", str(tmp_path / "no" / "copy"))
    assert nowhere.code == 1 and "cannot be written (No such file or directory)" in nowhere.err


def test_a_backup_while_tickets_are_opened_is_whole(shop: Store, kept_url: str, shell: Shell, tmp_path: Path):
    orders = [f"5{number}" for number in range(300)]
    fill(shop, *[an_order(each, lines=(), addresses=()) for each in orders])
    opener = Opener(kept_url, orders, "C-1")
    opener.opens_one()
    assert shell("backup", str(tmp_path / "copy")).code == 0
    told = opener.kill()
    shell("restore", str(tmp_path / "copy"), "--for-good")
    rows = everything(shop)
    assert 2 <= len(rows["tickets"]) == len(rows["ticket_events"]) <= 1 + len(told) + 1


def test_restoring_asks_first(shop: Store, shell: Shell, tmp_path: Path):
    shell("backup", str(tmp_path / "copy"))
    fill(shop, an_order("9999"))
    assert shell("restore", str(tmp_path / "copy")).code == 3
    assert shell("restore", str(tmp_path / "copy"), typed="n\n").code == 3
    assert shop.get_order("9999", STAFF) is not None


def test_what_is_no_backup_is_not_put_in_place(shop: Store, shell: Shell, tmp_path: Path):
    before = everything(shop)
    text = tmp_path / "notes.txt"
    text.write_bytes(b"No backup. " * 999)
    for file in (text, tmp_path / "absent", tmp_path):
        ran = shell("restore", str(file), "--for-good")
        assert ran.code == 1 and "Traceback" not in ran.err and ran.out == ""
    assert everything(shop) == before


# ---------------------------------------------------------------- a SQLite file


@pytest.fixture
def kept(sqlite_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    store = Store(open_engine(sqlite_url), lambda: NOW)
    fill(store, *[an_order(str(number)) for number in range(100)])
    store.engine.dispose()
    return shell_on(sqlite_url, monkeypatch, capsys)


def _cut(file: Path) -> None:
    with file.open("r+b") as opened:
        opened.truncate(file.stat().st_size // 2)


def _scratch(file: Path) -> None:
    with file.open("r+b") as opened:
        opened.seek(file.stat().st_size // 3)
        opened.write(os.urandom(30_000))


DAMAGES: dict[str, Callable[[Path], Any]] = {
    "cut": _cut,
    "scratched": _scratch,
    "another file": lambda file: file.write_bytes(b"This is no database. " * 5000),
    "empty": lambda file: file.write_bytes(b""),
    "deleted": lambda file: file.unlink(),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_restored(damage: str, sqlite_url: str, kept: Shell, tmp_path: Path):
    file = database_file(sqlite_url)
    assert kept("backup", str(tmp_path / "copy")).code == 0
    DAMAGES[damage](file)
    assert kept("restore", str(tmp_path / "copy"), "--for-good").code == 0
    store = Store(open_engine(sqlite_url))
    assert len(store.orders(STAFF, 999)) == 100
    store.engine.dispose()
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_a_file_that_cannot_be_read_is_put_aside(sqlite_url: str, kept: Shell, tmp_path: Path):
    file = database_file(sqlite_url)
    kept("backup", str(tmp_path / "copy"))
    file.write_bytes(b"This is no database. " * 5000)
    assert f"is now {file}.damaged" in kept("restore", str(tmp_path / "copy"), "--for-good").err
    assert Path(f"{file}.damaged").read_bytes().startswith(b"This is no database.")


@pytest.mark.parametrize("damage", ["cut", "scratched", "empty"])
def test_a_damaged_backup_is_refused(damage: str, sqlite_url: str, kept: Shell, tmp_path: Path):
    copy = tmp_path / "copy"
    kept("backup", str(copy))
    DAMAGES[damage](copy)
    before = database_file(sqlite_url).read_bytes()
    ran = kept("restore", str(copy), "--for-good")
    assert ran.code == 1 and str(copy) in ran.err
    assert database_file(sqlite_url).read_bytes() == before


def test_a_damaged_database_is_not_taken_for_a_backup(sqlite_url: str, kept: Shell, tmp_path: Path):
    _scratch(database_file(sqlite_url))
    ran = kept("backup", str(tmp_path / "copy"))
    assert ran.code == 1 and not (tmp_path / "copy").exists()


def test_a_backup_of_a_newer_schema_is_refused(kept: Shell, tmp_path: Path):
    kept("backup", str(tmp_path / "copy"))
    with closing(sqlite3.connect(tmp_path / "copy")) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '0009'")
        connection.commit()
    ran = kept("restore", str(tmp_path / "copy"), "--for-good")
    assert ran.code == 1 and "is of schema 0009, newer than this code" in ran.err


def test_a_server_that_runs_goes_on_with_the_restored_data(sqlite_url: str, kept: Shell, tmp_path: Path):
    server = Store(open_engine(sqlite_url), lambda: NOW)
    kept("backup", str(tmp_path / "copy"))
    fill(server, an_order("9999"))
    kept("restore", str(tmp_path / "copy"), "--for-good")
    assert server.get_order("9999", STAFF) is None
    assert server.open_ticket(about("5"), limit=3).outcome == "created"
    server.engine.dispose()


def test_a_database_that_is_being_written_is_not_restored_over(
    sqlite_url: str, kept: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    kept("backup", str(tmp_path / "copy"))
    monkeypatch.setattr("store.backup._BUSY_S", 0.05)
    with closing(sqlite3.connect(database_file(sqlite_url), isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        ran = kept("restore", str(tmp_path / "copy"), "--for-good")
    assert ran.code == 1 and "Stop the programs that use it" in ran.err


def test_without_postgres_programs_the_command_to_run_is_told_without_the_password(
    tmp_path: Path, postgres_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setenv("PATH", str(tmp_path))
    url = postgres_url.replace("postgres@", "postgres:s3cret@")
    ran = shell_on(url, monkeypatch, capsys)("backup", str(tmp_path / "copy"))
    assert ran.code == 1 and "pg_dump is not on this machine's PATH" in ran.err
    assert "--format=custom" in ran.err and "s3cret" not in ran.err
    assert not (tmp_path / "copy").exists()
