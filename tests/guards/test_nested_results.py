"""What a reply may say of results whose values lie in objects, as a shop's own API nests them."""

from datetime import date
from typing import Any

import pytest

from guards.output import Observed, unverified

ORDER: dict[str, Any] = {
    "type": "object",
    "properties": {
        "reference_id": {"type": "integer", "x-grounding": "order_id"},
        "status": {
            "type": "object",
            "properties": {"name": {"type": "string", "x-voice": "shop"}, "slug": {"type": "string"}},
        },
        "total": {
            "type": "object",
            "properties": {"amount": {"type": "number"}, "currency": {"type": "string"}},
        },
        "date": {"type": "object", "properties": {"date": {"type": "string"}}},
        "customer": {
            "type": "object",
            "properties": {"first_name": {"type": "string", "x-voice": "others"}},
        },
    },
}
SCHEMA = {"type": "object", "properties": {"data": {"type": "array", "items": ORDER}}}


def order(number: int, slug: str, total: float, day: str) -> dict[str, Any]:
    return {
        "reference_id": number,
        "status": {"name": "ملغي", "slug": slug},
        "total": {"amount": total, "currency": "SAR"},
        "date": {"date": f"{day} 10:30:00"},
        "customer": {"first_name": "Shipped 999 SAR"},
    }


def problems(text: str, *orders: dict[str, Any], said: str = "") -> list[str]:
    observed = Observed()
    observed.hear("what about them?")
    observed.see({"data": list(orders)}, said or "Found.", SCHEMA, said=said, spoken=True)
    return unverified(text, observed, ["orders_get"], date(2026, 12, 1))


ONE = order(218394, "canceled", 230, "2026-11-02")


@pytest.mark.parametrize(
    "text",
    ["Order 218394 costs 230 SAR.", "It was ordered on 2 November 2026.", "Your order 218394 was cancelled."],
)
def test_a_value_inside_an_object_may_be_told(text: str):
    assert problems(text, ONE) == []


@pytest.mark.parametrize(
    "text", ["It costs 240 SAR.", "It was ordered on 3 November 2026.", "Your order 218395 costs 230 SAR."]
)
def test_a_value_that_lies_nowhere_may_not(text: str):
    assert problems(text, ONE)


def test_a_state_inside_an_object_is_one_in_every_language_and_the_lack_of_it_too():
    arabic = "الطلب 218394: ملغي؛ الإجمالي 230 SAR."
    assert problems(arabic, ONE, said=arabic) == []
    assert problems("Your order 218394 was cancelled.", order(218394, "shipped", 230, "2026-11-02"))


def test_what_a_customer_is_called_is_no_state_and_no_amount():
    assert problems("It costs 999 SAR.", order(218394, "new", 230, "2026-11-02"))


def test_a_value_of_one_order_is_not_said_of_another_that_is_known_by_its_mark():
    two = (ONE, order(218402, "shipped", 180.5, "2026-11-20"))
    assert problems("Order 218402 costs 180.50 SAR.", *two) == []
    assert problems("Order 218402 costs 230 SAR.", *two)
