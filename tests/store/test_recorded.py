"""What the staff change in the shell is in the trail, on a SQLite file and on Postgres."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import select, text

from common.database import open_engine
from common.settings import load
from journal.key import key_of
from journal.schema import audit
from journal.settings import JournalSettings
from journal.verify import verify
from store.database import Store
from tests.store.shell import Shell, shell_on
from tests.store.shop import NOW, about, an_order, fill


@pytest.fixture
def shop(kept_url: str) -> Iterator[Store]:
    store = Store(open_engine(kept_url), lambda: NOW)
    fill(store, an_order("1001"))
    yield store
    store.engine.dispose()


@pytest.fixture
def shell(kept_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    return shell_on(kept_url, monkeypatch, capsys)


def rows(shop: Store) -> list[tuple[str, str, str]]:
    wanted = select(audit.c.side, audit.c.tool, audit.c.decision).order_by(audit.c.number)
    with shop.engine.connect() as connection:
        return [tuple(row) for row in connection.execute(wanted) if row.tool]


def test_a_ticket_that_is_closed_in_the_shell_has_its_rows(shop: Store, shell: Shell):
    shop.open_ticket(about("1001"), limit=3)
    shell("tickets", "close", "1001", "--note", "Sent again; call kim@example.com")
    tool = "store tickets close"
    assert rows(shop) == [("shell", tool, "started"), ("shell", tool, "written")]


def test_a_forgotten_customer_and_a_read_folder_have_theirs_and_no_value_is_in_them(
    shop: Store, shell: Shell, tmp_path: Path
):
    (tmp_path / "returns.md").write_text("# Returns\n\nWithin 14 days.\n", encoding="utf-8")
    assert shell("policies", str(tmp_path)).code == 0
    assert shell("forget", "mira.holm@example.com", "--for-good").code == 0
    assert [row[1:] for row in rows(shop)] == [
        ("store policies", "started"),
        ("store policies", "written"),
        ("store forget", "started"),
        ("store forget", "written"),
    ]
    with shop.engine.connect() as connection:
        kept = str(connection.execute(select(audit)).all())
    assert "C-1" not in kept
    assert "example.com" not in kept


def test_an_import_that_is_refused_is_told_as_failed(shop: Store, shell: Shell, tmp_path: Path):
    bad = tmp_path / "bad.json"
    bad.write_text("[", encoding="utf-8")
    assert shell("import", str(bad)).code == 1
    assert [decision for _, _, decision in rows(shop)] == ["started", "failed"]


def test_a_command_whose_row_cannot_be_written_does_nothing(shop: Store, shell: Shell):
    shop.open_ticket(about("1001"), limit=3)
    with shop.engine.begin() as connection:
        connection.execute(text("ALTER TABLE audit RENAME TO elsewhere"))
    told = shell("tickets", "close", "1001", "--note", "Done.")
    assert told.code == 1
    assert "could not be written" in told.err
    with shop.engine.begin() as connection:
        connection.execute(text("ALTER TABLE elsewhere RENAME TO audit"))
        assert connection.execute(text("SELECT status FROM tickets")).scalar_one() == "open"


def test_the_chains_of_the_shell_hold(shop: Store, shell: Shell):
    shop.open_ticket(about("1001"), limit=3)
    shell("tickets", "close", "1001", "--note", "Done.")
    report = verify(shop.engine, [key_of(load(JournalSettings))])
    assert report.bad is None
    assert report.rows == 4  # it began, it started, it wrote, it ended
