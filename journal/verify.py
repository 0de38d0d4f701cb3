"""Proves the trail: every chain unbroken, or the first row that is not.

Knows:    the rows, and the keys they may have been written with.
Does not: change anything, or print.   (__main__.py)
Proves:   no row was altered, put in, or taken out of a chain's middle; and none from a chain's end after
          which another writer has written. What was cut from the end of the whole trail is seen by its newest
          hash alone, noted elsewhere: `holds`. docs/audit.md says more.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, Engine, select

from journal.chain import NAMES, Row, problem_of, walked
from journal.key import JournalKey
from journal.schema import audit

_ALL = (
    select(*(audit.c[name] for name in NAMES))
    .order_by(audit.c.writer, audit.c.seq)
    .execution_options(yield_per=1_000)
)


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
        # One picture of the table for both questions, while others write.
        connection = plain.execution_options(
            **({"isolation_level": "REPEATABLE READ"} if engine.dialect.name == "postgresql" else {})
        )
        with connection.begin():
            bad = None
            with connection.execute(_ALL) as found:  # closed at once where the first bad row ends it
                for row, before, is_last in walked(Row(*row) for row in found):
                    rows += 1
                    chains += before is None
                    open_chains += is_last and row.decision != "ended"
                    if problem := problem_of(row, before, keys):
                        bad = BadRow(row.writer, row.seq, problem)
                        break
            return Report(rows, chains, open_chains, _newest_hash(connection), bad or _cut_off(connection))


def holds(engine: Engine, noted: str) -> bool:
    """Say whether the row of a hash that was noted earlier is still there."""
    with engine.begin() as connection:
        return connection.scalar(select(audit.c.number).where(audit.c.hash == noted).limit(1)) is not None


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
