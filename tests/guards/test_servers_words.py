"""What the server says, in five languages, passes the output check once it was seen, and only then."""

from datetime import date, timedelta
from typing import get_args

import pytest

from common.language import LANGUAGES
from guards.output import Observed, unverified
from guards.sentences import sentences
from store.forms import spoken_amount, spoken_date
from store.model import Category, Order
from store.policies import load_policies
from store.rules import broken_rule
from store.wording import (
    broken_told,
    order_told,
    ticket_told,
    too_many_hand_offs_told,
    too_many_tickets_told,
    unknown_order_told,
)
from tests.server.shop import demo_orders

TODAY = date(2026, 12, 1)
ORDERS = demo_orders(TODAY)
CATEGORIES: tuple[Category, ...] = get_args(Category)
BOTH_WAYS = [(seen, told) for seen in LANGUAGES for told in LANGUAGES if seen == told or "en" in (seen, told)]


def watching(order: Order, *texts: str) -> Observed:
    watched = Observed()
    watched.hear(order.id)
    watched.see(
        {"status": order.status, "payment": order.payment, "currency": order.currency}, "\n".join(texts)
    )
    return watched


def flagged(text: str, watched: Observed) -> list[str]:
    done, rest = sentences(text)
    return [f"{sentence}: {found}" for sentence in [*done, rest] if (found := unverified(sentence, watched))]


@pytest.mark.parametrize(("seen", "told"), BOTH_WAYS)
def test_an_order_seen_in_one_language_may_be_told_in_another(seen: str, told: str):
    wrong = [
        flagged(order_told(order, TODAY, told), watching(order, order_told(order, TODAY, seen)))
        for order in ORDERS
    ]
    assert [each for each in wrong if each] == []


@pytest.mark.parametrize(("seen", "told"), BOTH_WAYS)
def test_a_policy_seen_in_one_language_may_be_told_in_another(seen: str, told: str):
    for known, other in zip(load_policies(seen), load_policies(told), strict=True):
        watched = Observed()
        watched.see({"passages": [{"text": known.text}]}, known.text)
        assert flagged(other.text, watched) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_ticket_that_was_opened_may_be_told_and_one_that_was_not_may_not(language: str):
    for category in CATEGORIES:
        told = ticket_told("opened", ORDERS[0], category, "T-1001", language)
        watched = watching(ORDERS[0], "T-1001")
        assert flagged(told, watched) != []
        watched.act("create_ticket", "Open a ticket")
        assert flagged(told, watched) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_refusal_may_be_told_and_claims_nothing(language: str):
    refused = [
        (order, broken_told(broken, order, category, language))
        for order in ORDERS
        for category in CATEGORIES
        if (broken := broken_rule(order, category, TODAY))
    ]
    refused += [(ORDERS[0], unknown_order_told(ORDERS[0].id, language))]
    refused += [(ORDERS[0], too_many_tickets_told(ORDERS[0].id, language))]
    refused += [(ORDERS[0], too_many_hand_offs_told(language))]
    # In English what to do now is said to the model; in the other languages, to the customer.
    wrong = [
        flagged(message if language == "en" else f"{message} {now}", watching(order, f"{message} {now}"))
        for order, (message, now) in refused
    ]
    assert [each for each in wrong if each] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_another_day_or_another_total_is_flagged_in_every_language(language: str):
    order = next(order for order in ORDERS if order.status == "shipped")
    watched = watching(order, order_told(order, TODAY))
    placed, total = order.placed_on, order.total_minor
    assert placed is not None
    assert flagged(spoken_date(placed, language), watched) == []
    assert flagged(spoken_date(placed - timedelta(days=200), language), watched) != []
    assert flagged(spoken_amount(total, order.currency, language), watched) == []
    assert flagged(spoken_amount(total + 1, order.currency, language), watched) != []
    assert flagged(spoken_amount(total, "USD", language), watched) != []
