"""Gates 5 and 7: which ticket is opened, and that it is opened once."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from threading import Barrier
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp import Client

from store import Category, Item, Opening, Order, OrderStatus, Payment, Wanted
from store.rules import (
    ALLOWED_STATES,
    DEMO_RULES,
    MAX_OPEN_TICKETS,
    ShopRules,
    broken_rule,
    may_have_arrived,
    return_until,
)
from store.wording import broken_told
from tests.server.shop import DRY_RUN, TODAY, ask, code, data, demo, opened, said, ticket

pytestmark = pytest.mark.anyio

CATEGORIES: tuple[Category, ...] = get_args(Category)
STATES: tuple[OrderStatus, ...] = get_args(OrderStatus)


def order(status: OrderStatus, payment: Payment = "paid", delivered_days_ago: int | None = 1) -> Order:
    came = None if delivered_days_ago is None else TODAY - timedelta(days=delivered_days_ago)
    items = (Item("Desk Lamp", 1, 3450),)
    due = TODAY + timedelta(days=2) if status in ("shipped", "out_for_delivery") else None
    placed = TODAY - timedelta(days=60)
    return Order("1", "C", status, payment, items, placed, estimated_delivery=due, delivered_on=came)


@pytest.mark.parametrize("category", ["delivery", "return", "damaged", "refund", "other"])
def test_what_was_sent_and_may_have_arrived_can_be_late_broken_or_sent_back(category: Category):
    sent = replace(order("shipped", delivered_days_ago=None), estimated_delivery=None)
    assert may_have_arrived(sent)
    assert broken_rule(sent, category, TODAY) is None


def test_a_shop_that_has_not_said_its_days_is_not_told_the_demos():
    came = order("delivered", delivered_days_ago=400)
    assert return_until(came, ShopRules()) is None
    assert broken_rule(came, "return", TODAY, ShopRules()) is None
    fortnight = ShopRules(return_days=14)
    assert return_until(came, fortnight) == TODAY - timedelta(days=386)
    assert broken_rule(came, "return", TODAY, fortnight) is not None
    assert DEMO_RULES.return_days == 30


FITS: dict[Category, set[OrderStatus]] = {
    "delivery": {"pending", "processing", "partially_shipped", "shipped", "out_for_delivery"},
    "return": {"delivered"},
    "damaged": {"delivered"},
    "refund": {"delivered", "cancelled"},
    "other": set(STATES),
}


@pytest.mark.parametrize("category", CATEGORIES)
@pytest.mark.parametrize("status", STATES)
def test_a_category_fits_exactly_its_states(status: OrderStatus, category: Category):
    broken = broken_rule(order(status), category, TODAY)
    assert (broken is None) is (status in FITS[category])
    if broken:
        assert broken.code == "wrong_state"
        message, advice = broken_told(broken, order(status), category)
        assert status.replace("_", " ") in message
        assert "other" in advice


@pytest.mark.parametrize(
    ("days_ago", "accepted"),
    [(0, True), (4, True), (30, True), (31, False), (400, False), (None, True)],
)
def test_a_return_is_accepted_for_30_days_from_delivery(days_ago: int | None, accepted: bool):
    broken = broken_rule(order("delivered", delivered_days_ago=days_ago), "return", TODAY)
    assert (broken is None) is accepted
    if broken:
        assert broken.code == "outside_return_window"


@pytest.mark.parametrize("status", ["delivered", "cancelled"])
@pytest.mark.parametrize(("payment", "accepted"), [("paid", True), ("unpaid", False), ("refunded", False)])
def test_a_refund_needs_a_payment_that_is_still_ours(status: OrderStatus, payment: Payment, accepted: bool):
    broken = broken_rule(order(status, payment), "refund", TODAY)
    assert (broken is None) is accepted
    if broken:
        assert broken.code == "nothing_to_refund"


@given(
    status=st.sampled_from(STATES),
    payment=st.sampled_from(get_args(Payment)),
    days=st.none() | st.integers(0, 90),
    category=st.sampled_from(CATEGORIES),
)
def test_what_a_refusal_offers_would_be_accepted(
    status: OrderStatus, payment: Payment, days: int | None, category: Category
):
    one = order(status, payment, days)
    if broken := broken_rule(one, category, TODAY):
        _, advice = broken_told(broken, one, category)
        offered = advice.rsplit(": ", 1)[1].rstrip(".").split(", ")
        assert [each for each in ALLOWED_STATES if broken_rule(one, each, TODAY) is None] == offered
        assert list(broken.fitting) == offered
        assert category not in offered


def test_only_a_delivered_order_has_a_last_day_for_its_return():
    assert [status for status in STATES if return_until(order(status))] == ["delivered"]


# ---------------------------------------------------------------- through the server


async def test_every_refusal_has_its_own_code_and_sentences(shop: Client):
    for category in ("damaged", "refund", "return"):
        data(await ticket(shop, "4470", category))
    told = {
        "unknown_order": await ticket(shop, "999999", "other"),
        "wrong_state": await ticket(shop, "4468", "delivery"),
        "outside_return_window": await ticket(shop, "4459", "return"),
        "nothing_to_refund": await ticket(shop, "4461", "refund"),
        "too_many_tickets": await ticket(shop, "4470", "other"),
        "invalid_arguments": await ticket(shop, "4468", "other?"),
    }
    assert {name: code(result) for name, result in told.items()} == {name: name for name in told}
    assert len({said(result) for result in told.values()}) == len(told)


async def test_a_ticket_is_opened_and_then_returned(shop: Client):
    first = await ticket(shop, "4468", "damaged")
    assert data(first) == {
        "ticket_id": "T-1001",
        "created": True,
        "order_id": "4468",
        "category": "damaged",
        "status": "open",
        "dry_run": False,
    }
    assert said(first) == (
        "Ticket T-1001 ('damaged') has been opened for order 4468 (1 x \"Desk Lamp\"). Staff will answer it."
    )
    second = await ticket(shop, "4468", "damaged")
    assert data(second) == data(first) | {"created": False}
    assert "already open" in said(second)


async def test_the_open_ticket_is_returned_even_when_no_further_one_may_be_opened(shop: Client):
    first = [
        data(await ticket(shop, "4470", category))["ticket_id"]
        for category in ("damaged", "refund", "return")
    ]
    assert code(await ticket(shop, "4470", "other")) == "too_many_tickets"
    assert data(await ticket(shop, "4470", "damaged"))["ticket_id"] == first[0]


async def test_a_dry_run_tells_the_effect_and_changes_nothing(era: str):
    store = demo()
    async with opened(era, store=store) as client:
        result = await ticket(client, "4468", "damaged", DRY_RUN)
        assert (
            said(result)
            == "Opens a 'damaged' ticket for order 4468 (1 x \"Desk Lamp\"). Staff will answer it."
        )
        assert data(result)["ticket_id"] is None
        assert data(result)["status"] == "not_opened"
        assert data(result)["created"] is False
        assert data(result)["dry_run"] is True
        assert store.open_tickets("4468") == []
        made = data(await ticket(client, "4468", "damaged"))
        again = await ticket(client, "4468", "damaged", DRY_RUN)
    assert data(again) == made | {"created": False, "dry_run": True}
    assert said(again).startswith("Opens nothing new")


async def test_a_dry_run_is_refused_where_the_call_would_be(shop: Client):
    for category in ("damaged", "refund", "return"):
        data(await ticket(shop, "4470", category))
    for order_id, category in (
        ("999999", "other"),
        ("4468", "delivery"),
        ("4459", "return"),
        ("4470", "other"),
    ):
        tried = await ticket(shop, order_id, category, DRY_RUN)
        assert code(tried) == code(await ticket(shop, order_id, category))


@pytest.mark.parametrize("value", ["true", 1, 0, "", [], {}, "false"])
async def test_a_dry_run_that_is_not_clearly_off_is_on(era: str, value: object):
    store = demo()
    async with opened(era, store=store) as client:
        assert data(await ticket(client, "4468", "damaged", {"shopkart/dry_run": value}))["dry_run"] is True
    assert store.open_tickets("4468") == []


@pytest.mark.parametrize(
    "meta", [{"shopkart/dry_run": False}, {"shopkart/dry_run": None}, {"other": True}, None]
)
async def test_a_call_that_asks_for_no_dry_run_is_none(shop: Client, meta: dict[str, object] | None):
    assert data(await ticket(shop, "4468", "damaged", meta))["created"] is True


async def test_a_read_ignores_the_dry_run(shop: Client):
    assert data(await ask(shop, "get_order_status", DRY_RUN, order_id="4471"))["status"] == "shipped"


# ---------------------------------------------------------------- the store, from many threads


def test_fifty_threads_open_one_ticket():
    store, start = demo(), Barrier(50)

    def open_it(_: int) -> Opening:
        start.wait(timeout=5)
        return store.open_ticket(Wanted("damaged", "It is broken.", "4468"), limit=MAX_OPEN_TICKETS)

    with ThreadPoolExecutor(50) as pool:
        openings = list(pool.map(open_it, range(50)))
    assert Counter(opening.outcome for opening in openings) == {"created": 1, "existing": 49}
    assert len({opening.ticket for opening in openings}) == 1


def test_fifty_threads_never_open_more_than_the_limit():
    store, start = demo(), Barrier(50)

    def open_it(index: int) -> Opening:
        start.wait(timeout=5)
        return store.open_ticket(
            Wanted(CATEGORIES[index % 5], "It is broken.", "4468"), limit=MAX_OPEN_TICKETS
        )

    with ThreadPoolExecutor(50) as pool:
        openings = list(pool.map(open_it, range(50)))
    assert sum(opening.outcome == "created" for opening in openings) == MAX_OPEN_TICKETS
    assert len(store.open_tickets("4468")) == MAX_OPEN_TICKETS
    assert all((opening.ticket is None) is (opening.outcome == "too_many") for opening in openings)


@given(
    st.lists(st.tuples(st.sampled_from(["4468", "4470", "4471"]), st.sampled_from(CATEGORIES)), max_size=40)
)
def test_an_order_never_has_two_open_tickets_of_a_category_nor_more_than_three(
    calls: list[tuple[str, Category]],
):
    store = demo()
    for order_id, category in calls:
        store.open_ticket(Wanted(category, "It is broken.", order_id), limit=MAX_OPEN_TICKETS)
    every = [ticket for order_id in ("4468", "4470", "4471") for ticket in store.open_tickets(order_id)]
    assert len({ticket.id for ticket in every}) == len(every)
    assert len({(ticket.order_id, ticket.category) for ticket in every}) == len(every)
    assert max(Counter(ticket.order_id for ticket in every).values(), default=0) <= MAX_OPEN_TICKETS
