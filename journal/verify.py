"""Proves the trail: every chain unbroken, or the first row that is not.

Knows:    the rows, and the keys they may have been written with.
Does not: change anything, or print.   (__main__.py)
Proves:   no row was altered, put in, taken out or moved; none was cut off after which any other was written.
          What was cut from the end of the whole trail, or a whole trail in the place of this one, is seen by
          its newest hash alone, noted elsewhere: `holds`. docs/audit.md says more.
"""

from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Column, Connection, Engine, select

from journal.chain import NAMES, Row, order_problem, problem_of, walked
from journal.key import JournalKey
from journal.schema import audit

_ALL = select(*(audit.c[name] for name in NAMES)).execution_options(yield_per=1_000)


@dataclass(frozen=True)
class BadRow:
    """The first row that does not hold."""

    writer: str
    seq: int
    problem: str


@dataclass(frozen=True)
class Report:
    """What was found. open_chains: without a last row; their writers run still, or were killed."""

    rows: int
    chains: int
    open_chains: int
    newest_hash: str
    bad: BadRow | None


def verify(engine: Engine, keys: Sequence[JournalKey]) -> Report:
    """Prove every chain, as it stands in one moment."""
    rows = chains = open_chains = 0
    with engine.connect() as plain:
        # One picture of the table for all questions, while others write.
        connection = plain.execution_options(
            **({"isolation_level": "REPEATABLE READ"} if engine.dialect.name == "postgresql" else {})
        )
        with connection.begin():
            bad = None
            with closing(_rows(connection, audit.c.writer, audit.c.seq)) as found:
                for row, before, is_last in walked(found):
                    rows += 1
                    chains += before is None
                    open_chains += is_last and row.decision != "ended"
                    if problem := problem_of(row, before, keys):
                        bad = BadRow(row.writer, row.seq, problem)
                        break
            bad = bad or _cut_off(connection) or _out_of_order(connection)
            return Report(rows, chains, open_chains, _newest_hash(connection), bad)


def holds(engine: Engine, noted: str) -> bool:
    """Say whether the row of a hash that was noted earlier is still there."""
    with engine.begin() as connection:
        return connection.scalar(select(audit.c.number).where(audit.c.hash == noted).limit(1)) is not None


def _rows(connection: Connection, *order: Column[Any]) -> Generator[Row]:
    with connection.execute(
        _ALL.order_by(*order)
    ) as found:  # closed with the generator, at the first bad row
        for row in found:
            yield Row(*row)


def _out_of_order(connection: Connection) -> BadRow | None:
    """Return the first row, as they are numbered, that was not written after the one it stands behind."""
    before: Row | None = None
    with closing(_rows(connection, audit.c.number)) as found:
        for row in found:
            if problem := order_problem(row, before):
                return BadRow(row.writer, row.seq, problem)
            before = row
    return None


def _newest_hash(connection: Connection) -> str:
    return connection.scalar(select(audit.c.hash).order_by(audit.c.number.desc()).limit(1)) or ""


def _cut_off(connection: Connection) -> BadRow | None:
    """Return the first row that another writer has seen and that is not there as it was."""
    seen = audit.alias("seen")
    missing = (
        select(audit.c.writer, audit.c.seq, audit.c.seen_writer, audit.c.seen_seq)
        .join(
            seen,
            (seen.c.writer == audit.c.seen_writer)
            & (seen.c.seq == audit.c.seen_seq)
            & (seen.c.hash == audit.c.seen_hash),
            isouter=True,
        )
        .where(audit.c.seen_writer.is_not(None), seen.c.number.is_(None))
        .order_by(audit.c.number)
        .limit(1)
    )
    found = connection.execute(missing).first()
    if found is None:
        return None
    return BadRow(
        found.seen_writer,
        found.seen_seq,
        f"it is gone from the end of its chain: row {found.seq} of the writer {found.writer} has seen it",
    )
