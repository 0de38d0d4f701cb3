"""What `verify` proves: each way of forging a trail is named with its first bad row."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from journal import Trail
from journal.chain import GENESIS, NAMES, Row, problem_of, sealed
from journal.key import JournalKey
from journal.verify import holds
from tests.journal.writers import KEY, entry, forge, opened, proven, rows

OTHER_KEY = JournalKey(b"another key")


@pytest.fixture
def url(kept_url: str) -> str:
    """Two chains of four rows, one after the other."""
    with opened(kept_url) as engine:
        for _ in range(2):
            trail = Trail(engine, KEY)
            trail.record(entry(arguments={"order_id": "1"}))
            trail.record(entry(arguments={"order_id": "2"}))
            trail.close()
    return kept_url


def bad(url: str, *keys: JournalKey) -> tuple[str, int, str]:
    found = proven(url, *keys).bad
    assert found
    return found.writer, found.seq, found.problem


def test_an_unbroken_trail_is_proven(url: str):
    report = proven(url)
    assert (report.rows, report.chains, report.open_chains, report.bad) == (8, 2, 0, None)
    assert report.newest_hash == rows(url)[-1]["hash"]


def test_an_empty_trail_has_nothing_bad(kept_url: str):
    report = proven(kept_url)
    assert (report.rows, report.newest_hash, report.bad) == (0, "", None)


@pytest.mark.parametrize(
    "column", [name for name in NAMES if name not in {"writer", "seq", "prev_hash", "key"}]
)
def test_any_altered_column_is_found(sqlite_url: str, column: str):
    with opened(sqlite_url) as engine:
        trail = Trail(engine, KEY)
        trail.record(entry())
        trail.record(entry())
    forge(sqlite_url, f"UPDATE audit SET {column} = '9' WHERE seq = 1")
    writer = rows(sqlite_url)[0]["writer"]
    assert bad(sqlite_url) == (writer, 1, "its content is not what was written")


def test_a_row_taken_from_the_middle_is_named(url: str):
    writer = rows(url)[0]["writer"]
    forge(url, f"DELETE FROM audit WHERE writer = '{writer}' AND seq = 1")
    assert bad(url) == (writer, 2, "row 1 of this writer is missing before it")


def test_a_row_taken_from_the_front_is_named(url: str):
    writer = rows(url)[-1]["writer"]
    forge(url, f"DELETE FROM audit WHERE writer = '{writer}' AND seq = 0")
    assert bad(url) == (writer, 1, "row 0 of this writer is missing before it")


def test_rows_cut_from_the_end_of_an_earlier_chain_are_found(url: str):
    first, later = rows(url)[0]["writer"], rows(url)[-1]["writer"]
    forge(url, f"DELETE FROM audit WHERE writer = '{first}' AND seq >= 2")
    assert bad(url) == (
        first,
        3,
        f"it is gone from the end of its chain: row 0 of the writer {later} has seen it",
    )


def test_a_whole_chain_that_is_gone_is_found(url: str):
    first = rows(url)[0]["writer"]
    forge(url, f"DELETE FROM audit WHERE writer = '{first}'")
    assert bad(url)[:2] == (first, 3)


def test_what_was_cut_from_the_end_of_the_whole_trail_is_shown_by_a_hash_that_was_noted(url: str):
    noted, last = rows(url)[-1]["hash"], rows(url)[-1]["number"]
    with opened(url) as engine:
        assert holds(engine, noted)
    forge(url, f"DELETE FROM audit WHERE number = {last}")
    report = proven(url)
    assert (report.bad, report.open_chains) == (None, 1)  # alone, it looks like a writer that was killed
    with opened(url) as engine:
        assert not holds(engine, noted)


def test_rows_of_two_chains_that_changed_places_are_found(url: str):
    one, other = rows(url)[0]["writer"], rows(url)[-1]["writer"]
    forge(
        url,
        f"UPDATE audit SET writer = 'x' WHERE writer = '{one}' AND seq = 2",
        f"UPDATE audit SET writer = '{one}' WHERE writer = '{other}' AND seq = 2",
        f"UPDATE audit SET writer = '{other}' WHERE writer = 'x'",
    )
    assert bad(url)[1:] == (2, "it does not follow the row before it")


def test_a_chain_computed_again_without_the_key_is_found(url: str):
    writer = rows(url)[-1]["writer"]
    forger = JournalKey(b"")
    before = GENESIS
    for row in filter(lambda row: row["writer"] == writer, rows(url)):
        forged: dict[str, Any] = {name: row[name] for name in NAMES} | {
            "decision": "approved",
            "prev_hash": before,
        }
        before = sealed(Row(**forged), forger).hash
        forge(
            url,
            f"UPDATE audit SET decision = 'approved', prev_hash = '{forged['prev_hash']}', hash = '{before}' "
            f"WHERE number = {row['number']}",
        )
    assert bad(url) == (writer, 0, "its content is not what was written")


def test_rows_of_another_key_are_not_called_proven(url: str):
    assert bad(url, OTHER_KEY)[2].startswith(
        f"it was written with the key {KEY.fingerprint}, which is not here"
    )


def test_rows_of_an_older_key_are_proven_with_it(url: str):
    with opened(url) as engine:
        Trail(engine, OTHER_KEY).record(entry())
    assert bad(url)[2].startswith(f"it was written with the key {OTHER_KEY.fingerprint}")
    assert proven(url, OTHER_KEY, KEY).bad is None


TEXT = st.text(max_size=8)
ROWS = st.builds(
    Row,
    writer=TEXT,
    seq=st.just(0),
    at=TEXT,
    session=TEXT,
    identity=TEXT,
    side=TEXT,
    gate=TEXT,
    tool=TEXT,
    argument_digest=TEXT,
    decision=TEXT,
    reason=TEXT,
    seen_writer=st.none() | TEXT,
    seen_seq=st.none() | st.integers(0, 9),
    seen_hash=st.none() | TEXT,
    key=st.just(KEY.fingerprint),
    prev_hash=st.just(GENESIS),
)


@given(ROWS, ROWS)
def test_no_two_rows_have_the_same_hash_whatever_stands_in_them(one: Row, other: Row):
    assert (sealed(one, KEY).hash == sealed(other, KEY).hash) == (one == other)
    assert problem_of(sealed(one, KEY), None, [KEY]) is None


@given(TEXT, TEXT)
def test_a_digest_tells_what_kind_of_value_it_is_of(one: str, other: str):
    assert KEY.digest("session", one) != KEY.digest("customer", one)
    assert (KEY.digest("session", one) == KEY.digest("session", other)) == (one == other)
    assert json.dumps(KEY.digest("session", one)) not in KEY.seal(one)
