"""Trails for the tests: with a key of their own, forged by the database's owner, killed at any moment.

Knows:    the table, and how its triggers are taken away.
Does not: import pytest or the SDK; what runs in a child is here.
"""

import multiprocessing
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Engine, select, text

from common.database import open_engine, writing
from journal import Entry, Trail
from journal.key import JournalKey
from journal.schema import audit
from journal.verify import Report, verify

KEY = JournalKey(b"the key of the tests, 32 bytes..")
ANSWERED_WITHIN_S = 60
"""A bound for a machine that is busy, not a promise."""

_context = multiprocessing.get_context("forkserver")
_context.set_forkserver_preload(
    ["tests.journal.writers", "psycopg", "sqlalchemy.dialects.postgresql.psycopg"]
)


def entry(**differs: Any) -> Entry:
    """One decision like any other."""
    usual: dict[str, Any] = {
        "side": "server",
        "gate": "precondition",
        "decision": "refused",
        "tool": "get_order_status",
        "arguments": {"order_id": "4471"},
        "reason": "unknown_order",
        "session": "s1",
        "role": "customer",
        "customer_id": "C-1001",
    }
    return Entry(**(usual | differs))


@contextmanager
def opened(url: str) -> Iterator[Engine]:
    engine = open_engine(url)
    try:
        yield engine
    finally:
        engine.dispose()


def proven(url: str, *keys: JournalKey) -> Report:
    with opened(url) as engine:
        return verify(engine, keys or (KEY,))


def rows(url: str) -> list[dict[str, Any]]:
    """Every row, in the order of writing."""
    with opened(url) as engine, engine.begin() as connection:
        return [dict(row) for row in connection.execute(select(audit).order_by(audit.c.number)).mappings()]


def forge(url: str, *statements: str) -> None:
    """Change the table as its owner can: without the triggers."""
    with opened(url) as engine, writing(engine) as connection:
        if engine.dialect.name == "sqlite":
            for name in ("update", "delete", "replace"):
                connection.execute(text(f"DROP TRIGGER IF EXISTS audit_no_{name}"))
        else:
            connection.execute(text("ALTER TABLE audit DISABLE TRIGGER ALL"))
        for statement in statements:
            connection.execute(text(statement))


def wrote_at_once(url: str, writers: int, each: int) -> None:
    """Have so many processes write so many rows each, all from the same moment on."""
    barrier = _context.Barrier(writers)
    processes = [_start(_write, url, each, barrier) for _ in range(writers)]
    for process in processes:
        process.join(ANSWERED_WITHIN_S)
        assert process.exitcode == 0


def _write(url: str, each: int, barrier: Any) -> None:
    with opened(url) as engine:
        trail = Trail(engine, KEY)
        barrier.wait(ANSWERED_WITHIN_S)
        for number in range(each):
            trail.record(entry(arguments={"order_id": str(number)}))
        trail.close()


def killed_after(url: str, seconds: float) -> int:
    """Let a process write until it is killed -9; return how many rows it had been told are kept."""
    reader, writer = _context.Pipe(duplex=False)
    process = _start(_write_on, url, writer)
    writer.close()
    assert reader.poll(ANSWERED_WITHIN_S), "the process wrote nothing"
    process.join(seconds)
    process.kill()
    process.join()
    with os.fdopen(os.dup(reader.fileno()), "rb") as told:
        kept = told.read().count(b"k")
    reader.close()
    return kept


def _write_on(url: str, told: Any) -> None:
    with opened(url) as engine:
        trail = Trail(engine, KEY)
        for number in range(100_000):
            trail.record(entry(arguments={"order_id": str(number)}))
            os.write(told.fileno(), b"k")


def _start(run: Callable[..., None], *args: Any) -> Any:
    process = _context.Process(target=run, args=args, daemon=True)
    process.start()
    return process
