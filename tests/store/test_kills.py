"""Kill -9: a ticket that was answered "created" is there afterwards, and once."""

import os
import random
import signal
from collections.abc import Callable, Iterator, Sequence
from threading import Event

import pytest
from sqlalchemy import create_engine, func, insert, select, text
from sqlalchemy.exc import OperationalError

from common.database import open_engine
from store import schema
from store.database import Store
from store.migrate import migrate
from store.tickets import read_tickets
from tests.postgres import Postgres
from tests.store.processes import Opener
from tests.store.shop import MIRA, fill

KILLS = 20
KILLS_IN_SOAK = 200
CRASHES_IN_SOAK = 40
ORDERS_A_KILL = 60
LONGEST_S = 0.03
"""Until the kill: some thirty tickets are opened in that."""

Ending = Callable[[Opener, float], list[str]]
"""Lets a process run for so many seconds, ends it, and returns what it told."""


def killed(process: Opener, seconds: float) -> list[str]:
    process.opens_one()  # on a busy machine that alone takes longer than all that follows
    process.ends_within(seconds)
    return process.kill()


def survive(url: str, ending: Ending, times: int) -> None:
    """End one process after the other; each starts anywhere among the same orders."""
    store = Store(open_engine(url))
    orders = [str(number) for number in range(times * ORDERS_A_KILL)]
    shop_with(store, orders)
    chance = random.Random(times)
    told: list[str] = []
    for _ in range(times):
        chance.shuffle(orders)
        told += ending(Opener(url, orders, "C-1"), chance.uniform(0, LONGEST_S))
    store.engine.dispose()  # after a crash of the server, what was open is broken
    assert len(told) >= times, "too few tickets were opened between the kills: they show nothing"
    assert_kept(store, told)
    store.engine.dispose()


def shop_with(store: Store, orders: Sequence[str]) -> None:
    plain = {
        "customer_id": "C-1",
        "status": "shipped",
        "payment": "paid",
        "currency": "EUR",
        "total_minor": 1,
    }
    fill(store, MIRA)
    with store.writing() as connection:
        connection.execute(insert(schema.orders), [{"id": each, "digest": "", **plain} for each in orders])


def assert_kept(store: Store, told: Sequence[str]) -> None:
    """See that each ticket that was told is there, once, whole, and that no order has two."""
    events = schema.ticket_events.c.ticket_id
    with store.engine.connect() as connection:
        kept = read_tickets(connection)
        histories = connection.execute(select(events, func.count()).group_by(events)).all()
        if store.engine.name == "sqlite":
            assert connection.execute(text("PRAGMA integrity_check")).scalar_one() == "ok"
            assert connection.execute(text("PRAGMA foreign_key_check")).all() == []
    assert sorted(set(told) - {ticket.id for ticket in kept}) == [], "what was told is lost"
    assert len(told) == len(set(told)), "a number was given twice"
    assert len({ticket.order_id for ticket in kept}) == len(kept), "an order has the same ticket twice"
    assert [number for _, number in histories] == [1] * len(kept), "a ticket without its history"


def test_twenty_kills_lose_no_ticket_and_make_none_twice(kept_url: str):
    survive(kept_url, killed, KILLS)


@pytest.mark.soak
def test_two_hundred_kills_lose_no_ticket_and_make_none_twice(kept_url: str):
    survive(kept_url, killed, KILLS_IN_SOAK)


@pytest.fixture
def durable() -> Iterator[Postgres]:
    server = Postgres(durable=True)
    yield server
    server.stop()


@pytest.mark.soak
def test_crashes_of_postgres_lose_no_ticket_and_make_none_twice(durable: Postgres):
    url = durable.create("shop")
    migrate(url)

    def crashed(process: Opener, seconds: float) -> list[str]:
        process.opens_one()
        process.ends_within(seconds)
        for (pid,) in durable.run("SELECT pid FROM pg_stat_activity WHERE datname = 'shop'"):
            os.kill(int(str(pid)), signal.SIGKILL)  # the server then restarts, and reads its log again
        process.ends_within(10)  # by itself: its server has left it
        told = process.kill()
        wait_for(url)
        return told

    survive(url, crashed, CRASHES_IN_SOAK)


def wait_for(url: str) -> None:
    """Try until the server answers again; each try waits for it a little."""
    engine = create_engine(url)
    for _ in range(600):
        try:
            engine.connect().close()
        except OperationalError:
            Event().wait(0.05)
        else:
            break
    engine.dispose()
