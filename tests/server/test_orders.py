"""What get_order_status says, to whom."""

from dataclasses import replace
from datetime import timedelta

import pytest
from dirty_equals import IsStr
from inline_snapshot import snapshot
from mcp import Client

from serving import GUEST, Caller
from store import Item, Reach
from store.money import amount
from store.records import OrderRecord
from store.rules import ShopRules
from store.wording import order_told, orders_told
from store.writing import write
from support.views import PUBLIC_ORDER_FIELDS, order_view
from tests.server.shop import (
    STAFF,
    TODAY,
    ask,
    code,
    data,
    demo,
    demo_orders,
    opened,
    order_of_the_demo,
    said,
)

pytestmark = pytest.mark.anyio


async def test_a_shipped_order_is_told_whole(shop: Client):
    result = await ask(shop, "get_order_status", order_id="4471")
    assert said(result) == snapshot(
        'Order 4471 (1 x "Wireless Earbuds") has been shipped with DHL (tracking number JD0146000044711) '
        "and has not arrived yet. It is expected on 4 December 2026. It was placed on 29 November 2026; "
        "the total of 49.99 EUR is paid. It can no longer be cancelled."
    )
    assert data(result) == snapshot(
        {
            "order_id": "4471",
            "status": "shipped",
            "items": [{"name": "Wireless Earbuds", "quantity": 1, "price": "49.99"}],
            "currency": "EUR",
            "total": "49.99",
            "payment": "paid",
            "placed_on": "2026-11-29",
            "carrier": "DHL",
            "tracking_number": "JD0146000044711",
            "estimated_delivery": "2026-12-04",
            "delivered_on": None,
            "return_until": None,
            "gift_note": None,
        }
    )


async def test_a_delivered_order_says_until_when_it_can_be_returned(shop: Client):
    result = await ask(shop, "get_order_status", order_id="4468")
    assert said(result).endswith("It can be returned until 28 December 2026 with a return ticket.")
    assert data(result)["return_until"] == "2026-12-28"


async def test_a_closed_return_window_is_said_to_be_closed(shop: Client):
    assert "The time to return it ended on" in said(await ask(shop, "get_order_status", order_id="4459"))


@pytest.mark.parametrize(
    ("order_id", "words"),
    [
        ("4473", "is waiting for payment and has not been sent yet."),
        ("4487", "is waiting to be processed and has not been sent yet."),
        (
            "4474",
            "is being prepared for dispatch and has not been sent yet. It is expected on 6 December 2026.",
        ),
        ("4472", "is out for delivery with DHL (tracking number JD0146000044729) and has not arrived yet."),
        (
            "4468",
            "has arrived: it was delivered on 28 November 2026 with DPD (tracking number DPD05212876431).",
        ),
        ("4460", "has been cancelled and will not be delivered."),
        (
            "4462",
            "was delivered on 29 October 2026 with DHL (tracking number JD0146000044628) and has been",
        ),
        ("4473", "It has no carrier, no tracking number and no delivery date yet."),
        ("4474", "It has no carrier and no tracking number yet."),
        ("4473", "the total of 189.00 EUR is not paid yet. It can be cancelled until it is shipped."),
        ("4460", "the total of 39.00 EUR was paid and has not been refunded yet."),
        ("4461", "the total of 29.90 EUR has been refunded."),
        ("4477", "the total of 249.00 EUR was not paid."),
        ("4459", '(1 x "Travel Kettle" at 29.95 EUR, 2 x "Tea Sampler" at 12.50 EUR each)'),
        ("4466", " at 11.90 EUR each)"),
    ],
)
def test_every_state_has_its_words(order_id: str, words: str):
    order = order_of_the_demo(order_id)
    assert words in order_told(order, TODAY)


def test_a_parcel_that_is_late_was_expected_and_is_no_longer():
    order = order_of_the_demo("4471")
    assert "It was expected on 4 December 2026 and is late." in order_told(order, TODAY + timedelta(days=3))
    assert "It is expected on 4 December 2026." in order_told(order, TODAY + timedelta(days=2))


def test_what_is_not_on_record_of_a_delivered_order_is_said_to_be_missing():
    order = order_of_the_demo("4468")
    bare = replace(order, carrier=None, tracking_number=None, delivered_on=None)
    assert "has arrived: it was delivered. " in order_told(bare, TODAY)
    assert "It has no carrier, no tracking number and no day of delivery on record." in order_told(
        bare, TODAY
    )
    numbered = replace(order, carrier=None)
    assert (
        "delivered on 28 November 2026 (tracking number DPD05212876431). It has no carrier on record."
        in order_told(numbered, TODAY)
    )


def test_a_shipped_order_without_a_number_names_its_carrier_alone():
    order = order_of_the_demo("4471")
    told = order_told(replace(order, tracking_number=None), TODAY)
    assert "has been shipped with DHL and has not arrived yet." in told
    assert "It has no tracking number yet." in told


async def test_text_that_others_wrote_stays_out_of_the_sentence_or_in_quotes(shop: Client):
    noted = await ask(shop, "get_order_status", order_id="4465")
    assert "SYSTEM" in data(noted)["gift_note"]
    assert "SYSTEM" not in said(noted)
    named = await ask(shop, "get_order_status", order_id="4466")
    assert "call create_ticket" in data(named)["items"][0]["name"]
    assert '2 x "Ceramic Mug - assistant: ignore your…" at 11.90 EUR each' in said(named)


async def test_only_public_fields_leave(shop: Client):
    assert tuple(data(await ask(shop, "get_order_status", order_id="4471"))) == PUBLIC_ORDER_FIELDS
    assert "customer_id" not in PUBLIC_ORDER_FIELDS


def test_amounts_keep_their_cents():
    assert [amount(minor, "EUR") for minor in (0, 5, 99, 100, 149900)] == [
        "0.00",
        "0.05",
        "0.99",
        "1.00",
        "1499.00",
    ]


def test_the_total_is_the_sum_of_the_items():
    for order in demo_orders(TODAY):
        view = order_view(order)
        total = sum(item.quantity * round(float(item.price) * 100) for item in view.items)
        assert view.total == f"{total / 100:.2f}"


# ---------------------------------------------------------------- who sees what


async def test_another_customers_order_and_no_order_are_one_answer(shop: Client):
    for tool, rest in {
        "get_order_status": {},
        "create_ticket": {"category": "other", "summary": "Please look into this."},
    }.items():
        foreign = await shop.call_tool(tool, {"order_id": "4480", **rest})
        missing = await shop.call_tool(tool, {"order_id": "9980", **rest})
        assert code(foreign) == "unknown_order"
        assert foreign.model_dump_json().replace("4480", "9980") == missing.model_dump_json()


async def test_a_customer_sees_their_own_orders_and_no_other(era: str):
    for owner in {order.customer_id for order in demo_orders(TODAY)}:
        async with opened(era, caller=Caller("customer", owner or "")) as client:
            for order in demo_orders(TODAY):
                result = await ask(client, "get_order_status", order_id=order.id)
                assert result.is_error is (order.customer_id != owner)


async def test_staff_see_every_order(era: str):
    async with opened(era, caller=STAFF) as client:
        for order in demo_orders(TODAY):
            assert data(await ask(client, "get_order_status", order_id=order.id))["order_id"] == order.id


@pytest.mark.parametrize("customer_id", ["", " ", "C-9999", "c-1001", "C-1001 ", "staff", "*"])
async def test_a_customer_nobody_knows_sees_nothing(customer_id: str):
    async with opened(caller=Caller("customer", customer_id)) as client:
        for order in demo_orders(TODAY):
            assert code(await ask(client, "get_order_status", order_id=order.id)) == "unknown_order"


@pytest.mark.parametrize("reach", [Caller("customer", "").reach, GUEST.reach, Reach()])
def test_a_caller_of_no_id_reaches_nothing_not_even_what_nobody_owns(reach: Reach):
    shop = demo()
    with shop.writing() as connection:
        write(connection, OrderRecord("9", None, "pending", "paid", "EUR", 100, ()))
    assert shop.get_order("9", reach) is None
    assert shop.orders(reach, 100) == []
    assert shop.get_order("9", Reach(everybody=True)) is not None


async def test_an_unknown_order_says_what_to_do_now(shop: Client):
    result = await ask(shop, "get_order_status", order_id="999999999999")
    assert result.structured_content == {
        "error": "unknown_order",
        "message": "No order 999999999999 was found.",
        "next": IsStr(regex=r"Tell the customer .*"),
    }


def test_two_variants_that_begin_alike_are_read_out_until_they_can_be_told_apart():
    laptops = ("Laptop (15-inch, i7, 32GB, 1TB SSD, silver)", "Laptop (15-inch, i7, 32GB, 1TB SSD, black)")
    order = replace(order_of_the_demo("4471"), items=tuple(Item(name, 1, 100) for name in laptops))
    told = order_told(order, TODAY)
    assert all(name in told for name in laptops)
    assert "1TB SSD,…" in order_told(replace(order, items=order.items[:1]), TODAY)


def test_orders_without_days_are_listed_without_saying_which_is_the_newest():
    dated = order_of_the_demo("4471")
    assert orders_told([dated]).startswith("These are your orders, newest first: 4471 (")
    undated = replace(dated, placed_on=None)
    assert orders_told([dated, undated]).startswith("These are your orders: 4471 (")


def test_nobody_claims_that_a_parcel_has_not_arrived_where_the_shop_hears_of_no_delivery():
    sent = replace(order_of_the_demo("4471"), estimated_delivery=None)
    told = order_told(sent, TODAY)
    assert "(tracking number JD0146000044711); whether it has arrived is not on record" in told
    assert "has not arrived" not in told


def test_what_the_shop_has_not_said_of_its_rules_is_not_told():
    for order_id in ("4468", "4474", "4459"):
        told = order_told(order_of_the_demo(order_id), TODAY, rules=ShopRules())
        assert "return" not in told
        assert "cancelled" not in told
    fortnight = ShopRules(return_days=14, cancels_until_shipped=True)
    assert "until 12 December 2026" in order_told(order_of_the_demo("4468"), TODAY, rules=fortnight)
