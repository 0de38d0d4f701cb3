"""`python -m journal`: what a person is told of the trail."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from journal import Trail
from journal.__main__ import main
from journal.key import FILE_NAME, key_of
from journal.settings import JournalSettings
from tests.journal.writers import KEY, entry, forge, opened, rows

MONDAY = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
TUESDAY = datetime(2026, 12, 1, 12, 0, tzinfo=UTC)


@pytest.fixture
def url(kept_url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    monkeypatch.setenv("DATABASE_URL", kept_url)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.delenv("JOURNAL_KEY", raising=False)
    key = key_of(JournalSettings())
    with opened(kept_url) as engine:
        trail = Trail(engine, key)
        trail.record(entry(at=MONDAY), entry(at=TUESDAY, role="staff", customer_id="", session="s2"))
        trail.record(entry(at=TUESDAY, side="agent", role="", customer_id="", tool="search_policy"))
        trail.close()
    return kept_url


def ran(*line: str) -> Result:
    return CliRunner().invoke(main, line)


def test_an_unbroken_trail_is_told_with_its_newest_hash(url: str):
    newest = rows(url)[-1]["hash"]
    result = ran("verify")
    assert result.exit_code == 0
    assert result.output.splitlines()[:2] == ["Unbroken: 5 rows in 1 chain.", f"Newest hash: {newest}"]
    assert ran("verify", "--holds", newest).exit_code == 0


def test_a_chain_without_a_last_row_is_told(url: str):
    with opened(url) as engine:
        Trail(engine, key_of(JournalSettings())).record(entry())
    assert "1 chain without a last row: still being written, or killed.\n" in ran("verify").output


def test_a_broken_trail_is_told_with_its_first_bad_row_and_exits_1(url: str):
    writer = rows(url)[0]["writer"]
    forge(url, "UPDATE audit SET decision = 'approved' WHERE seq = 2")
    result = ran("verify")
    assert result.exit_code == 1
    assert result.output == (
        f"The trail is broken at row 2 of the writer {writer}: its content is not what was written.\n"
    )


def test_a_noted_hash_that_is_gone_exits_1(url: str):
    result = ran("verify", "--holds", "0" * 64)
    assert (result.exit_code, "rows were cut from its end" in result.output) == (1, True)


@pytest.mark.parametrize("noted", ["", " ", "0" * 63, "Newest hash:"])
def test_a_noted_hash_that_was_lost_on_the_way_is_no_hash_that_was_found(url: str, noted: str):
    result = ran("verify", "--holds", noted)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "64 hexadecimal digits" in result.stderr


def test_a_trail_without_a_row_is_not_called_unbroken(url: str):
    noted = rows(url)[-1]["hash"]
    forge(url, "DELETE FROM audit")
    result = ran("verify")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "nothing was written yet, or all was removed" in result.stderr
    assert ran("verify", "--holds", noted).exit_code == 1


@pytest.mark.parametrize("command", ["verify", "show"])
def test_a_trail_whose_table_is_gone_is_broken(url: str, command: str):
    forge(url, "DROP TABLE audit")
    result = ran(command)
    assert (result.exit_code, result.exception.__class__) == (1, SystemExit)
    assert result.output.startswith("The trail is broken: its table in ")


def test_a_database_that_cannot_be_read_is_told_in_a_sentence(url: str):
    forge(url, "ALTER TABLE audit RENAME COLUMN reason TO reasons")
    result = ran("verify")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "cannot be read" in result.stderr and "Mend that, and ask again." in result.stderr


@pytest.mark.parametrize("command", ["verify", "show"])
def test_who_reads_the_trail_makes_no_key(url: str, tmp_path: Path, command: str):
    (tmp_path / "shopkart" / FILE_NAME).unlink()
    result = ran(command)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "is not there" in result.stderr and "JOURNAL_KEY" in result.stderr
    assert not (tmp_path / "shopkart" / FILE_NAME).exists()


def test_an_older_key_is_given_as_a_file(url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("JOURNAL_KEY", "a new key, of thirty-two characters")
    assert ran("verify").exit_code == 1
    assert ran("verify", "--old-key", str(tmp_path / "shopkart" / FILE_NAME)).exit_code == 0
    missing = ran("verify", "--old-key", str(tmp_path / "none"))
    assert (missing.exit_code, "cannot be read (No such file or directory)." in missing.stderr) == (2, True)


def test_rows_are_shown_without_a_value_that_is_personal(url: str):
    result = ran("show")
    lines = result.output.splitlines()
    assert len(lines) == 5
    assert lines[1].startswith("2026-11-30 12:00:00  ")
    assert "server precondition refused      unknown_order          get_order_status " in lines[1]
    assert "C-1001" not in result.output and "4471" not in result.output


def test_one_customers_rows_are_those_of_the_customer_and_of_their_sessions(url: str):
    """The agent did not know whom its server serves; the server's row of the same session says it."""
    shown = [json.loads(line) for line in ran("show", "--customer", "C-1001", "--json").output.splitlines()]
    assert [(row["schema"], row["side"], row["tool"]) for row in shown] == [
        ("shopkart/audit-row/1", "server", "get_order_status"),
        ("shopkart/audit-row/1", "agent", "search_policy"),
    ]
    assert len({row["identity"] for row in shown}) == 1
    assert ran("show", "--customer", "C-1002").output == ""


@pytest.mark.parametrize(
    ("options", "count"),
    [
        (("--tool", "search_policy"), 1),
        (("--since", "2026-12-01", "--tool", "get_order_status"), 1),
        (("--since", "2026-11-30T13:00+01:00", "--tool", "get_order_status"), 2),
        (("--arguments", '{"order_id": "4471"}'), 3),
        (("--arguments", '{"order_id": "4472"}'), 0),
    ],
)
def test_rows_are_chosen(url: str, options: tuple[str, ...], count: int):
    assert len(ran("show", *options).output.splitlines()) == count


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--since", "yesterday"), "Write 2026-11-30"),
        (("--arguments", "{"), "no JSON at column 2"),
        (("--arguments", "[]"), "must be a JSON object"),
    ],
)
def test_an_option_that_cannot_be_read_is_told(url: str, options: tuple[str, ...], told: str):
    result = ran("show", *options)
    assert (result.exit_code, told in result.stderr) == (2, True)


@pytest.mark.parametrize("command", ["verify", "show"])
def test_data_in_memory_have_nothing_to_prove_and_that_is_no_success(
    command: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("DATABASE_URL", "sqlite://")
    result = ran(command)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "Set DATABASE_URL to a file, as sqlite:///shop.db" in result.stderr


def test_a_database_without_tables_is_told_what_to_run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path / 'empty.db'}")
    result = ran("verify")
    assert (result.exit_code, "python -m store migrate" in result.stderr) == (2, True)


def test_the_help_starts_with_an_example():
    assert ran("--help").output.startswith(
        "Example: DATABASE_URL=sqlite:///shop.db python -m journal verify\n"
    )
    assert KEY.fingerprint not in ran("--help").output
