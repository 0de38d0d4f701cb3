"""Fifty processes at once: the database lets one of them in, on a SQLite file and on Postgres."""

from collections import Counter
from collections.abc import Iterator
from typing import cast, get_args

import pytest

from common.database import open_engine
from store.database import Store
from store.model import Category
from store.rules import MAX_OPEN_TICKETS
from tests.store.processes import asked_at_once
from tests.store.shop import about, an_order, fill, hand_off

AT_ONCE = 50


@pytest.fixture
def shop(kept_url: str) -> Iterator[Store]:
    """A store with one order."""
    store = Store(open_engine(kept_url))
    fill(store, an_order("1001"))
    yield store
    store.engine.dispose()


def test_fifty_processes_that_ask_for_one_ticket_get_one_ticket(shop: Store, kept_url: str):
    answers = asked_at_once(kept_url, [about("1001")] * AT_ONCE, MAX_OPEN_TICKETS)
    assert Counter(outcome for outcome, _ in answers) == {"created": 1, "existing": AT_ONCE - 1}
    assert {ticket for _, ticket in answers} == {shop.open_tickets("1001")[0].id}
    assert len(shop.open_tickets("1001")) == 1


def test_fifty_processes_never_pass_the_limit_of_an_order(shop: Store, kept_url: str):
    categories = cast("tuple[Category, ...]", get_args(Category))
    wanted = [about("1001", categories[number % len(categories)]) for number in range(AT_ONCE)]
    outcomes = Counter(outcome for outcome, _ in asked_at_once(kept_url, wanted, MAX_OPEN_TICKETS))
    assert outcomes["created"] == MAX_OPEN_TICKETS == len(shop.open_tickets("1001"))
    assert outcomes["too_many"] > 0


def test_fifty_processes_of_one_conversation_hand_it_over_once(shop: Store, kept_url: str):
    answers = asked_at_once(kept_url, [hand_off("one")] * AT_ONCE, MAX_OPEN_TICKETS)
    assert Counter(outcome for outcome, _ in answers) == {"created": 1, "existing": AT_ONCE - 1}
    assert len({ticket for _, ticket in answers}) == 1
