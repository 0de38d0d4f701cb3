"""The chain: each row of a writer covers the one before it, and the newest it saw of another writer's.

Knows:    what a row's hash is computed over, and how the rows of all writers follow each other. Pure.
Does not: read or write a row.   (trail.py, verify.py)
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace

from common.approval import canonical
from journal.key import JournalKey

FORM = "shopkart/audit/1"
GENESIS = "0" * 64
"""What a writer's first row has in the place of the hash before it."""


@dataclass(frozen=True)
class Row:
    """One row, with the names of its columns."""

    writer: str
    seq: int
    at: str
    session: str
    identity: str
    side: str
    gate: str
    tool: str
    argument_digest: str
    decision: str
    reason: str
    seen_writer: str | None
    seen_seq: int | None
    seen_hash: str | None
    key: str
    prev_hash: str
    hash: str = ""


NAMES = tuple(field.name for field in fields(Row))


def sealed(row: Row, key: JournalKey) -> Row:
    """Return the row with its hash, which covers every other column."""
    covered = [getattr(row, name) for name in NAMES if name != "hash"]
    return replace(row, hash=key.seal(canonical([FORM, *covered])))


def problem_of(row: Row, before: Row | None, keys: Sequence[JournalKey]) -> str | None:
    """Return what is wrong with a row that follows another of its writer; None where nothing is.

    before: the row that stands before it, None for the writer's first.
    """
    expected = before.seq + 1 if before else 0
    if row.seq != expected:
        return f"row {expected} of this writer is missing before it"
    if row.prev_hash != (before.hash if before else GENESIS):
        return "it does not follow the row before it"
    key = next((key for key in keys if key.fingerprint == row.key), None)
    if key is None:
        return f"it was written with the key {row.key}, which is not here; give that key with --old-key"
    if sealed(row, key).hash != row.hash:
        return "its content is not what was written"
    return None


def order_problem(row: Row, before: Row | None) -> str | None:
    """Return what is wrong with a row's place among the rows of all writers; None where nothing is.

    Since writers take turns, a row covers the row that was written before it: as the one before it in its own
    chain, or as the newest that it saw.
    before: the row that was written before it, None for the first of all.
    """
    if before is None:
        is_first = row.seq == 0 and row.seen_hash is None
        return None if is_first else "it is not the trail's first row, and none is left before it"
    seen = (row.seen_writer, row.seen_seq, row.seen_hash)
    if row.writer == before.writer:
        follows = row.prev_hash == before.hash and seen == (None, None, None)
    else:
        follows = seen == (before.writer, before.seq, before.hash)
    if follows:
        return None
    if row.seq == 0 and row.seen_hash is None:
        return "it is the first row of another trail, which was put in here"
    return (
        f"it was not written after row {before.seq} of the writer {before.writer}, behind which it stands: "
        "rows were put in, taken out, or numbered anew"
    )


def walked(rows: Iterator[Row]) -> Iterator[tuple[Row, Row | None, bool]]:
    """Yield each row with the one before it of its writer, and whether it is the writer's last.

    rows: ordered by writer, then by their place in its chain.
    """
    before: Row | None = None
    row = next(rows, None)
    while row is not None:
        following = next(rows, None)
        yield row, before, following is None or following.writer != row.writer
        before = row if following is not None and following.writer == row.writer else None
        row = following
