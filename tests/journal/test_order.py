"""All rows of a trail are one line: what was put in, cut off or numbered anew shows, without the key."""

import shutil
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import insert, select

from common.database import open_engine, writing
from journal import Trail
from journal.chain import NAMES, Row, order_problem
from journal.schema import audit, metadata
from store.migrate import migrate
from tests.journal.writers import KEY, entry, forge, opened, proven, rows


def chain(url: str, count: int = 2) -> str:
    """Write one chain of a row before, so many, and one after; return its writer."""
    with opened(url) as engine:
        trail = Trail(engine, KEY)
        for _ in range(count):
            trail.record(entry())
        trail.close()
    return rows(url)[-1]["writer"]


def put_in(url: str, strangers: list[dict[str, object]]) -> None:
    forge(url)
    with opened(url) as engine, writing(engine) as connection:
        connection.execute(insert(audit), strangers)


def without_number(row: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in row.items() if name != "number"}


def found(url: str) -> tuple[str, int, str]:
    bad = proven(url).bad
    assert bad, "nothing was found"
    return bad.writer, bad.seq, bad.problem


@pytest.fixture
def other_url(tmp_path: Path) -> str:
    """Another database of the same person, with the same key."""
    url = f"sqlite:///{tmp_path / 'other.db'}"
    migrate(url)
    return url


@pytest.mark.parametrize("place", ["behind", "before"])
def test_a_chain_of_another_database_with_the_same_key_is_found(kept_url: str, other_url: str, place: str):
    own = chain(kept_url)
    stranger = chain(other_url)
    taken = [without_number(row) for row in rows(other_url)]
    if place == "before":
        taken = [{**row, "number": number - 100} for number, row in enumerate(taken)]
    put_in(kept_url, taken)
    bad = stranger if place == "behind" else own
    assert found(kept_url) == (bad, 0, "it is the first row of another trail, which was put in here")


def test_a_chain_that_went_on_in_a_copy_of_the_database_is_found(sqlite_url: str, tmp_path: Path):
    """It began with rows that are here, too; so no name of the database would tell it apart."""
    chain(sqlite_url)
    copy = f"sqlite:///{shutil.copy(tmp_path / 'shop.db', tmp_path / 'copy.db')}"
    stranger = chain(copy)
    chain(sqlite_url)
    put_in(sqlite_url, [without_number(row) for row in rows(copy) if row["writer"] == stranger])
    assert found(sqlite_url)[:2] == (stranger, 0)


def test_rows_that_were_numbered_backwards_are_found(kept_url: str):
    last = chain(kept_url)
    forge(kept_url, "UPDATE audit SET number = -number")
    assert found(kept_url) == (last, 3, "it is not the trail's first row, and none is left before it")


def test_an_old_row_numbered_as_the_newest_hides_no_chain_from_later_writers(kept_url: str):
    chain(kept_url)
    cut = chain(kept_url)
    forge(kept_url, "UPDATE audit SET number = 1000 WHERE number = 1")
    if kept_url.startswith("postgres"):
        forge(kept_url, "ALTER TABLE audit ALTER COLUMN number RESTART WITH 1001")
    chain(kept_url)
    later = chain(kept_url)
    assert proven(kept_url).bad
    forge(
        kept_url,
        f"DELETE FROM audit WHERE writer = '{cut}'",
        "UPDATE audit SET number = 1 WHERE number = 1000",
    )
    writer, seq, problem = found(kept_url)
    assert (writer != later, seq) == (True, 0)
    assert "rows were put in, taken out, or numbered anew" in problem


def test_rows_of_writers_in_turn_are_one_line(kept_url: str):
    with opened(kept_url) as engine:
        trails = [Trail(engine, KEY) for _ in range(3)]
        for trail in (*trails, *reversed(trails), trails[0], trails[0]):
            trail.record(entry(), entry())
    report = proven(kept_url)
    assert (report.bad, report.rows) == (None, 8 * 2 + 3)


@cache
def line() -> list[Row]:
    """Nine rows of three writers, in turn."""
    engine = open_engine("sqlite://")
    metadata.create_all(engine)
    trails = [Trail(engine, KEY) for _ in range(3)]
    for trail in (*trails, trails[0], trails[0], trails[2]):
        trail.record(entry())
    with engine.begin() as connection:
        query = select(*(audit.c[name] for name in NAMES)).order_by(audit.c.number)
        found = [Row(*row) for row in connection.execute(query)]
    engine.dispose()
    return found


def holds(found: list[Row]) -> bool:
    return not any(order_problem(*pair) for pair in zip(found, [None, *found], strict=False))


@given(st.permutations(range(9)))
def test_no_other_order_of_the_rows_holds(order: list[int]):
    assert holds([line()[number] for number in order]) == (order == sorted(order))


@given(st.sets(st.integers(0, 8)))
def test_no_rows_can_be_taken_out_but_from_the_end_of_the_whole_trail(left: set[int]):
    assert holds([line()[number] for number in sorted(left)]) == (left == set(range(len(left))))
