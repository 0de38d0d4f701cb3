"""Kill -9 of a server: between the row that a change starts, the change, and the row that it was made."""

import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

import pytest
from sqlalchemy import select

from common.database import open_engine
from journal.schema import audit
from store.database import Store
from store.tickets import read_tickets
from tests.house.tree import ROOT
from tests.journal.writers import KEY, proven
from tests.store.test_kills import assert_kept, shop_with

KILLS = 4
KILLS_IN_SOAK = 60
ORDERS = 60
"""More than a server opens tickets for before it is killed."""
LONGEST_S = 0.1
LIMIT_S = 60


class Served:
    """A server over stdio in a process of its own, asked for many tickets at once."""

    def __init__(self, url: str, orders: Sequence[str]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, str(ROOT / "server.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={
                "PATH": os.environ["PATH"],
                "LANG": "C.UTF-8",
                "DATABASE_URL": url,
                "JOURNAL_KEY": KEY.secret.decode(),
                "SHOPKART_CUSTOMER": "C-1",
                "SHOPKART_LOOKUPS_PER_MINUTE": "0",
            },
        )
        client = {"name": "test", "version": "1"}
        hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}
        self._send({"id": 0, "method": "initialize", "params": hello})
        assert self._next(), self._process.communicate(timeout=LIMIT_S)[1]
        self._send({"method": "notifications/initialized"})
        for number, order in enumerate(orders, 1):
            arguments = {"order_id": order, "category": "other", "summary": "Killed at any moment."}
            asked = {"name": "create_ticket", "arguments": arguments}
            self._send({"id": number, "method": "tools/call", "params": asked})

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin
        self._process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self._process.stdin.flush()

    def _next(self) -> bytes:
        assert self._process.stdout
        return self._process.stdout.readline()

    def killed_after(self, seconds: float) -> list[str]:
        """Kill it so long after the first ticket that it made; return those that it answered as created."""
        first = self._next()
        while not list(_created(first)):  # some are there from the servers before it
            first += self._next() or pytest.fail("it ended, or made no ticket")
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(seconds)
        self._process.kill()
        answers, errors = self._process.communicate(timeout=LIMIT_S)
        assert b"Traceback" not in errors, errors
        return list(_created(first + answers))


def _created(answers: bytes) -> Iterator[str]:
    for line in answers.split(b"\n")[:-1]:  # what was cut off was not told
        result = json.loads(line)["result"]
        assert not result.get("isError"), result
        if result["structuredContent"]["created"]:
            yield result["structuredContent"]["ticket_id"]


def survive(url: str, kills: int) -> None:
    chance = random.Random(kills)
    orders = [str(number) for number in range(1, kills * ORDERS)]
    store = Store(open_engine(url))
    shop_with(store, orders)
    told: list[str] = []
    for _ in range(kills):
        told += Served(url, chance.sample(orders, ORDERS)).killed_after(chance.uniform(0, LONGEST_S))
    assert len(told) >= kills, "too few tickets were opened between the kills: they show nothing"
    assert_kept(store, told)
    assert proven(url).bad is None
    assert _started(store) >= _kept(store), "a ticket was opened of which no row tells that it would be"
    store.engine.dispose()


def _started(store: Store) -> int:
    query = select(audit.c.argument_digest).where(
        audit.c.tool == "create_ticket", audit.c.decision == "started"
    )
    with store.engine.connect() as connection:
        return len(set(connection.scalars(query)))


def _kept(store: Store) -> int:
    with store.engine.connect() as connection:
        return len(read_tickets(connection))


def test_killed_servers_lose_no_ticket_make_none_twice_and_leave_a_trail_that_verifies(sqlite_url: str):
    survive(sqlite_url, KILLS)


@pytest.mark.soak
def test_many_killed_servers_lose_no_ticket_and_leave_a_trail_that_verifies(kept_url: str):
    survive(kept_url, KILLS_IN_SOAK)
