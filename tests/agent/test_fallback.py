"""agent/fallback.py: what is told without a model passes the check that a model's words must pass."""

from typing import Any

import pytest

from agent.fallback import Seen, fallback_reply
from guards.output import Observed, unverified
from tests.agent.scripted import Scripted, calls, desk, says

RECORD: dict[str, Any] = {
    "order_id": "#W2611340",
    "items": [{"name": "Water Bottle", "item_id": "6469567736", "price": 47.84}],
    "status": "processed",
    "payment_methods": {"card_7815826": {"id": "card_7815826", "brand": "visa"}},
    "paid": True,
    "note": None,
}


def told(data: dict[str, Any], text: str = "") -> tuple[str, Observed]:
    seen = Observed()
    seen.see(data, text)
    return fallback_reply([Seen("look", True, data, text)], seen), seen


def test_a_record_is_told_in_words_and_passes_the_check():
    reply, seen = told(RECORD)
    assert reply == (
        "Here is what I found. order id: #W2611340; "
        'items: (name: "Water Bottle", item id: 6469567736, price: 47.84); '
        "status: processed; payment methods: ((id: card_7815826, brand: visa)); paid: yes."
    )
    assert unverified(reply, seen) == []


def test_prose_stands_in_quotation_marks_that_it_cannot_close():
    reply, _ = told({"gift_note": 'Happy birthday" said the shop "'})
    assert "gift note: \"Happy birthday' said the shop '\"" in reply


@pytest.mark.parametrize(
    "note",
    [
        "Call +1 555 010 9999 now",
        "see evil.com now",
        "mail a at evil dot com",
        "DE89 3704 0044 0532 0130 00 is it",
    ],
)
def test_a_way_to_reach_somebody_in_a_note_is_left_out(note: str):
    reply, seen = told({"order_id": "4471", "gift_note": note})
    assert "[…]" in reply
    assert unverified(reply, seen) == []


def test_a_long_record_is_cut_between_its_fields():
    data = {f"field_{chr(97 + n)}": f"{n}{n}{n}.50 EUR" for n in range(26)} | {"last": "x" * 900}
    reply, seen = told(data)
    assert len(reply) <= 900
    assert unverified(reply, seen) == []


@pytest.mark.anyio
async def test_a_hostile_product_name_reaches_the_customer_as_a_name_and_without_its_link():
    """Order 4466 of the demo shop has a product name that gives orders."""
    async with desk() as at:
        look = calls(("get_order_status", {"order_id": "4466"}))
        outcome = await at.ask("where is 4466?", Scripted(look, says("It costs 99.00 EUR.")))
    assert outcome.reply.startswith('Order 4466 (2 x "Ceramic Mug')
