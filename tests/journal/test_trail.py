"""The trail as it is written: what a row holds, what it never holds, and what a failed write means."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta, timezone
from time import monotonic

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError, OperationalError

from common.database import WAIT_S, DatabaseUnusable, open_engine, take_turns, writing
from journal import JournalFailed, NoTrail, Trail, open_trail
from journal.chain import GENESIS
from journal.trail import TURN
from tests.journal.writers import KEY, entry, forge, killed_after, opened, proven, rows, wrote_at_once

KILLS = 10
KILLS_IN_SOAK = 200


def write(url: str, *entries, key=KEY, close: bool = True) -> None:
    with opened(url) as engine:
        trail = Trail(engine, key)
        for each in entries:
            trail.record(each)
        if close:
            trail.close()


def test_a_row_tells_who_what_and_why_without_a_value(kept_url: str):
    at = datetime(2026, 11, 30, 13, 0, tzinfo=timezone(timedelta(hours=1)))
    write(kept_url, entry(at=at))
    began, row, ended = rows(kept_url)
    assert (began["decision"], ended["decision"]) == ("began", "ended")
    assert row | {"hash": "", "prev_hash": "", "writer": ""} == {
        "number": 2,
        "writer": "",
        "seq": 1,
        "at": "2026-11-30T12:00:00.000000Z",
        "session": KEY.digest("session", "s1")[:16],
        "identity": f"customer:{KEY.digest('customer', 'C-1001')[:16]}",
        "side": "server",
        "gate": "precondition",
        "tool": "get_order_status",
        "argument_digest": KEY.digest("arguments", '{"order_id":"4471"}'),
        "decision": "refused",
        "reason": "unknown_order",
        "seen_writer": None,
        "seen_seq": None,
        "seen_hash": None,
        "key": KEY.fingerprint,
        "prev_hash": "",
        "hash": "",
    }
    assert (began["prev_hash"], row["prev_hash"], ended["prev_hash"]) == (
        GENESIS,
        began["hash"],
        row["hash"],
    )


def test_a_reason_that_is_no_code_of_the_house_is_not_kept(sqlite_url: str):
    write(sqlite_url, entry(reason="Kim Lee, 12 High Street"), entry(reason="kim_lee"))
    assert [row["reason"] for row in rows(sqlite_url)[1:3]] == ["other", "other"]


def test_staff_and_guests_are_told_by_their_role(sqlite_url: str):
    write(
        sqlite_url,
        entry(role="staff", customer_id=""),
        entry(role="guest", customer_id="", session=""),
    )
    assert [(row["identity"], bool(row["session"])) for row in rows(sqlite_url)[1:3]] == [
        ("staff", True),
        ("guest", False),
    ]


def test_the_same_arguments_have_the_same_digest_however_they_were_written(sqlite_url: str):
    write(sqlite_url, entry(arguments={"a": 1, "b": "ж"}), entry(arguments={"b": "ж", "a": 1}))
    digests = {row["argument_digest"] for row in rows(sqlite_url)[1:3]}
    assert len(digests) == 1


def test_arguments_that_no_text_can_hold_are_digested_all_the_same(sqlite_url: str):
    write(sqlite_url, entry(arguments='{"a": "\ud800'), entry(arguments={"a": "\ud800"}))
    assert proven(sqlite_url).bad is None


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE audit SET decision = 'allowed'",
        "DELETE FROM audit",
        "DELETE FROM audit WHERE seq = 1",
        "TRUNCATE audit",
        "INSERT OR REPLACE INTO audit SELECT * FROM audit WHERE seq = 1",
        "INSERT INTO audit SELECT * FROM audit WHERE seq = 1 ON CONFLICT (number) DO UPDATE SET tool = 'x'",
    ],
)
def test_a_row_cannot_be_altered_removed_or_replaced(kept_url: str, statement: str):
    write(kept_url, entry())
    before = rows(kept_url)
    with opened(kept_url) as engine, pytest.raises(DBAPIError), writing(engine) as connection:
        connection.execute(text(statement))
    assert rows(kept_url) == before


def test_two_writers_commit_to_each_others_newest_rows(kept_url: str):
    with opened(kept_url) as engine:
        one, other = Trail(engine, KEY), Trail(engine, KEY)
        one.record(entry())
        other.record(entry())
        one.record(entry(), entry())
    first, second, third, fourth, fifth, sixth = rows(kept_url)
    assert first["seen_hash"] is None
    assert (third["seen_writer"], third["seen_seq"]) == (second["writer"], second["seq"])
    assert fourth["seen_hash"] is None
    assert fifth["seen_hash"] == fourth["hash"]
    assert sixth["seen_hash"] is None


def test_a_row_that_cannot_be_written_is_said_and_the_chain_goes_on(sqlite_url: str):
    with opened(sqlite_url) as engine:
        trail = Trail(engine, KEY)
        trail.record(entry())
        with writing(engine) as connection:
            connection.execute(text("ALTER TABLE audit RENAME TO away"))
        with pytest.raises(JournalFailed, match=r"shop\.db.*no such table.*Nothing goes on without it"):
            trail.record(entry())
        with writing(engine) as connection:
            connection.execute(text("ALTER TABLE away RENAME TO audit"))
        trail.record(entry())
        trail.close()
    assert [row["decision"] for row in rows(sqlite_url)] == ["began", "refused", "refused", "ended"]
    report = proven(sqlite_url)
    assert (report.bad, report.chains, report.open_chains) == (None, 1, 0)


@contextmanager
def locked(url: str) -> Iterator[None]:
    """Hold what a writer of the trail must have, as an import or a stopped process does."""
    with opened(url) as engine, writing(engine) as connection:
        take_turns(connection, TURN)
        yield


def test_a_locked_database_fails_as_any_other_and_the_chain_goes_on_after_it(kept_url: str):
    with opened(kept_url) as engine:
        trail = Trail(engine, KEY)
        trail.record(entry())
        with locked(kept_url), pytest.raises(JournalFailed, match=r"database is locked|lock timeout"):
            trail.record(entry(), until=monotonic() + 0.05)
        trail.record(entry())
        trail.close()
    report = proven(kept_url)
    assert (report.bad, report.rows, report.chains) == (None, 4, 1)


def test_whoever_waits_for_another_thread_has_one_deadline_for_both_waits(sqlite_url: str):
    with opened(sqlite_url) as engine:
        trail = Trail(engine, KEY)
        with trail._turn(monotonic()), pytest.raises(JournalFailed, match="writing for too long"):
            trail.record(entry(), until=monotonic() + 0.05)
        # It is late, but the way is free: nothing has to be waited for.
        trail.record(entry(), until=monotonic())
    assert proven(sqlite_url).rows == 2


def test_a_short_wait_for_one_write_leaves_the_connections_usual_wait(sqlite_url: str):
    with opened(sqlite_url) as engine:
        with writing(engine, wait_s=0.05) as connection:
            connection.execute(text("SELECT 1"))
        with locked(sqlite_url), pytest.raises(OperationalError), writing(engine, wait_s=0.05):
            pass
        with engine.connect() as connection:
            assert connection.scalar(text("PRAGMA busy_timeout")) == WAIT_S * 1000


def test_the_text_of_a_failure_holds_no_password_and_no_value():
    nowhere = "postgresql://shop:hunter2@/nowhere?host=/nowhere"
    with opened(nowhere) as engine, pytest.raises(JournalFailed) as caught:
        Trail(engine, KEY).record(entry(arguments={"order_id": "778899"}))
    assert "hunter2" not in str(caught.value)
    assert "778899" not in str(caught.value)


def test_a_chain_that_goes_on_in_a_copy_of_the_process_begins_anew(sqlite_url: str):
    with opened(sqlite_url) as engine:
        trail = Trail(engine, KEY)
        trail.record(entry())
        copy = Trail(engine, KEY)
        vars(copy).update({"_writer": trail._writer, "_last": trail._last})  # what a fork leaves behind
        trail.record(entry())
        with pytest.raises(JournalFailed):
            copy.record(entry())
        copy.record(entry())
    assert proven(sqlite_url).bad is None


def test_twenty_writers_at_once_lose_no_row_and_break_no_chain(kept_url: str):
    wrote_at_once(kept_url, writers=20, each=10)
    report = proven(kept_url)
    assert report == report.__class__(20 * 12, 20, 0, report.newest_hash, None)


def test_threads_of_one_writer_keep_one_chain(kept_url: str):
    import threading

    with opened(kept_url) as engine:
        trail = Trail(engine, KEY)
        threads = [threading.Thread(target=trail.record, args=(entry(), entry())) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
    report = proven(kept_url)
    assert (report.bad, report.rows, report.chains) == (None, 17, 1)


def survive(url: str, kills: int) -> None:
    chance = random.Random(kills)
    told = sum(killed_after(url, chance.uniform(0, 0.03)) for _ in range(kills))
    report = proven(url)
    assert (report.bad, report.chains, report.open_chains) == (None, kills, kills)
    # Each first write is two rows; of the last one the writer may not have heard any more.
    assert told + kills <= report.rows <= told + 2 * kills


def test_a_writer_that_is_killed_leaves_a_chain_that_verifies(kept_url: str):
    survive(kept_url, KILLS)


@pytest.mark.soak
def test_hundreds_of_killed_writers_leave_chains_that_verify(kept_url: str):
    survive(kept_url, KILLS_IN_SOAK)


def test_data_in_memory_have_no_trail():
    trail = open_trail("sqlite://")
    assert isinstance(trail, NoTrail)
    trail.record(entry())
    trail.close()


def test_a_database_without_tables_is_no_place_for_a_trail(tmp_path):
    with pytest.raises(DatabaseUnusable, match="python -m store migrate"):
        open_trail(f"sqlite:///{tmp_path / 'empty.db'}")


def test_another_key_than_before_is_said_in_the_log(sqlite_url: str, caplog: pytest.LogCaptureFixture):
    write(sqlite_url, entry())
    write(sqlite_url, entry(), key=type(KEY)(b"another key"))
    assert "another key" in caplog.text


def test_a_migrated_database_and_one_made_from_the_tables_guard_the_trail_alike(sqlite_url: str):
    from journal.schema import metadata

    query = text(
        "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'audit' ORDER BY name"
    )
    with opened(sqlite_url) as migrated, opened("sqlite://") as made:
        metadata.create_all(made)
        with migrated.begin() as one, made.begin() as other:
            assert one.execute(query).all() == other.execute(query).all()


def test_the_trail_is_forgeable_by_the_databases_owner_so_these_tests_can_try(kept_url: str):
    write(kept_url, entry())
    forge(kept_url, "UPDATE audit SET tool = 'x' WHERE seq = 1")
    assert rows(kept_url)[1]["tool"] == "x"
    open_engine(kept_url).dispose()
