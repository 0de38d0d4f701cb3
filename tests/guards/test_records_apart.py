"""guards/records.py: what belongs to one order is not said of another."""

from typing import Any

import pytest

from guards.output import Observed, unverified

ORDERS: list[dict[str, Any]] = [
    {"order_id": "4471", "total": "49.99", "placed_on": "2026-11-29", "tracking_number": "JD0146000044711"},
    {
        "order_id": "4468",
        "total": "34.50",
        "delivered_on": "2026-11-28",
        "tracking_number": "DPD05212876431",
        "items": [{"item_id": "111111", "price": "30.00"}, {"item_id": "222222", "price": "4.50"}],
    },
]


@pytest.fixture(params=["one by one", "as a list"])
def seen(request: pytest.FixtureRequest) -> Observed:
    watched = Observed()
    watched.hear("orders 4471 and 4468; I paid 12.00 EUR")
    if request.param == "as a list":
        text = (
            "Order 4471 was placed on 29 November 2026 for 49.99 EUR;"
            " order 4468 was delivered on 28 November 2026 for 34.50 EUR."
        )
        watched.see({"orders": ORDERS}, text)
    else:
        for order in ORDERS:
            watched.see(order, f"Order {order['order_id']} came to {order['total']} EUR.")
    return watched


@pytest.mark.parametrize(
    "reply",
    [
        "Order 4471 came to 34.50 EUR.",
        "Order 4468 came to 49.99 EUR.",
        "Order 4471 was delivered on 28 November 2026.",
        "Order 4471 travels as DPD05212876431.",
        "4471 cost 34.50 EUR and 4468 cost 49.99 EUR.",
        "Item 111111 cost 4.50 EUR.",
    ],
)
def test_a_value_of_another_record_is_named(reply: str, seen: Observed):
    assert unverified(reply, seen)


@pytest.mark.parametrize(
    "reply",
    [
        "Order 4471 came to 49.99 EUR and order 4468 to 34.50 EUR.",
        "Orders 4471 and 4468 came to 49.99 EUR and 34.50 EUR.",
        "Both orders, 4471 and 4468, came to 84.49 EUR.",
        "Order 4468 was delivered on 28 November 2026 as DPD05212876431.",
        "Item 111111 cost 30.00 EUR and item 222222 4.50 EUR, so order 4468 came to 34.50 EUR.",
        "You wrote that you paid 12.00 EUR for order 4471.",
        "49.99 EUR and 34.50 EUR make 84.49 EUR.",
    ],
)
def test_a_value_of_its_own_record_and_of_none_may_be_said(reply: str, seen: Observed):
    assert unverified(reply, seen) == []


def test_a_payment_method_is_no_record_of_its_own():
    watched = Observed()
    watched.see({"user_id": "ava_1", "payment_methods": {"card_77001": {"id": "card_77001"}}}, "")
    watched.see({"order_id": "4471", "total": "49.99", "payments": [{"amount": "49.99"}]}, "")
    assert unverified("The 49.99 goes back to card_77001.", watched) == []


def test_many_records_are_bounded():
    watched = Observed()
    for number in range(1_000, 2_000):
        watched.see({"order_id": str(number), "total": f"{number}.10"}, "")
    assert len(watched.records.kept) <= 400
    assert unverified("Order 1999 came to 1998.10 EUR.", watched)
