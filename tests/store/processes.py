"""Processes that use a store and nothing else: started together, or killed at any moment.

Knows:    how to have many quickly: a light parent imports the store once and forks each of them.
Does not: import the SDK or pytest; what runs in a child is here, and tells of itself through a pipe.
"""

import multiprocessing
import os
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from typing import Any

from sqlalchemy.exc import OperationalError

from common.database import open_engine
from store.database import Store
from store.tickets import Wanted

ANSWERED_WITHIN_S = 60
"""A bound for a machine that is busy, not a promise."""

_context = multiprocessing.get_context("forkserver")
_context.set_forkserver_preload(
    ["tests.store.processes", "psycopg", "sqlalchemy.dialects.postgresql.psycopg"]
)

Answer = tuple[str, str | None]
"""The outcome, and the ticket's id."""


def asked_at_once(url: str, wanted: Sequence[Wanted], limit: int) -> list[Answer]:
    """Open each ticket in a process of its own, all at the same moment; return their answers."""
    barrier = _context.Barrier(len(wanted))
    pipes = [_context.Pipe(duplex=False) for _ in wanted]
    for each, (_, answers) in zip(wanted, pipes, strict=True):
        _start(_open_one, url, each, limit, barrier, answers)
        answers.close()
    return [_received(reader) for reader, _ in pipes]


def _received(reader: Connection) -> Answer:
    assert reader.poll(ANSWERED_WITHIN_S), "a process did not answer"
    return reader.recv()


def _open_one(url: str, wanted: Wanted, limit: int, barrier: Any, answers: Connection) -> None:
    store = Store(open_engine(url))
    barrier.wait(ANSWERED_WITHIN_S)
    opened = store.open_ticket(wanted, limit=limit)
    answers.send((opened.outcome, opened.ticket and opened.ticket.id))


class Opener:
    """A process that opens a ticket for one order after another, and tells each id once it has it.

    Each id is told by one write(2) after `open_ticket` has returned; a line that was cut counts for nothing.
    """

    def __init__(self, url: str, orders: Sequence[str], by: str) -> None:
        self._reader, writer = _context.Pipe(duplex=False)
        self._process = _start(_open_many, url, list(orders), by, writer)
        writer.close()
        self._told = b""
        self._wait_for(b"started")

    def opens_one(self) -> None:
        """Wait until it has told of a ticket."""
        self._wait_for(b"created")

    def _wait_for(self, word: bytes) -> None:
        while word not in self._told:
            assert self._reader.poll(ANSWERED_WITHIN_S), "the process opened nothing"
            self._told += os.read(self._reader.fileno(), 1 << 16)

    def ends_within(self, seconds: float) -> bool:
        """Let it run for so long, unless it ends by itself."""
        self._process.join(seconds)
        return self._process.exitcode is not None

    def kill(self) -> list[str]:
        """Kill -9 it, and return what it told."""
        self._process.kill()
        self._process.join()
        with os.fdopen(os.dup(self._reader.fileno()), "rb") as told:
            lines = (self._told + told.read()).split(b"\n")[:-1]
        self._reader.close()
        return [line.decode().removeprefix("created ") for line in lines if line.startswith(b"created ")]


def _open_many(url: str, orders: Sequence[str], by: str, told: Connection) -> None:
    store = Store(open_engine(url))
    os.write(told.fileno(), b"started\n")
    for order in orders:
        try:
            opened = store.open_ticket(Wanted("other", "Killed at any moment.", order, by), limit=3)
        except OperationalError:  # the server was killed: what it did not answer was not promised
            return
        if opened.outcome == "created" and opened.ticket:
            os.write(told.fileno(), f"created {opened.ticket.id}\n".encode())


def _start(run: Callable[..., None], *args: Any) -> Any:
    process = _context.Process(target=run, args=args, daemon=True)
    process.start()
    return process
