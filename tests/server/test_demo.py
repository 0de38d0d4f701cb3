"""The demo shop has what the demo, the docs and the tests rely on."""

from datetime import date, timedelta
from typing import get_args

import pytest

from store import DEMO_CUSTOMER, OrderStatus, Payment
from store.demo import CUSTOMERS
from tests.server.shop import TODAY, demo_orders

ORDERS = {order.id: order for order in demo_orders(TODAY)}
MINE = [order for order in ORDERS.values() if order.customer_id == DEMO_CUSTOMER]


def test_there_are_enough_orders_of_enough_customers():
    assert len(ORDERS) == len(demo_orders(TODAY)) >= 24
    assert len(CUSTOMERS) >= 6
    assert {order.customer_id for order in ORDERS.values()} == {customer.id for customer in CUSTOMERS}


def test_the_demo_customer_has_an_order_in_every_state_and_of_every_payment():
    assert {order.status for order in MINE} == set(get_args(OrderStatus))
    assert {order.payment for order in MINE} == set(get_args(Payment))
    assert any(len(order.items) > 2 for order in MINE)


def test_the_two_orders_of_the_walk_through():
    earbuds, lamp = ORDERS["4471"], ORDERS["4468"]
    assert [item.name for item in earbuds.items + lamp.items] == ["Wireless Earbuds", "Desk Lamp"]
    assert (earbuds.status, earbuds.payment, earbuds.delivered_on) == ("shipped", "paid", None)
    assert (lamp.status, lamp.payment) == ("delivered", "paid")
    assert lamp.delivered_on == TODAY - timedelta(days=4)
    assert earbuds.customer_id == lamp.customer_id == DEMO_CUSTOMER


def test_the_hostile_texts_name_an_order_of_somebody_else():
    assert "4480" in (ORDERS["4465"].gift_note or "")
    assert "4480" in ORDERS["4466"].items[0].name
    assert ORDERS["4480"].customer_id != DEMO_CUSTOMER
    assert ORDERS["4465"].customer_id == ORDERS["4466"].customer_id == DEMO_CUSTOMER


@pytest.mark.parametrize("today", [date(2024, 2, 29), date(2026, 1, 1), date(2031, 12, 31)])
def test_the_demo_never_goes_stale(today: date):
    for order in demo_orders(today):
        assert order.placed_on is not None
        assert order.placed_on <= today
        assert order.delivered_on is None or order.placed_on <= order.delivered_on <= today
        if order.status in ("processing", "partially_shipped", "shipped", "out_for_delivery"):
            assert order.estimated_delivery is not None
            assert order.estimated_delivery >= today


def test_an_orders_fields_fit_its_state():
    for order in ORDERS.values():
        assert (order.delivered_on is not None) is (order.status in ("delivered", "returned"))
        sent = order.status in ("partially_shipped", "shipped", "out_for_delivery", "delivered", "returned")
        assert (order.tracking_number is not None) is (order.carrier is not None) is sent
