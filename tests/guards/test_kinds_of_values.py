"""guards/{observed,output}.py: a value is evidence of its own kind, a minus is part of an amount."""

from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guards.output import Observed, unverified

TODAY = date(2026, 10, 13)
ORDER: dict[str, Any] = {
    "order_id": "4471",
    "total": "1499.00",
    "currency": "EUR",
    "placed_on": "2026-09-14",
    "delivered_on": "2026-10-14",
    "tracking_number": "1Z999AA10123456784",
    "items": [{"name": "Lamp", "quantity": 120, "price": "34.50"}],
    "return_days": 30,
    "ticket_id": "T-1001",
}


def told(heard: str = "", data: dict[str, Any] | None = None) -> Observed:
    seen = Observed()
    seen.tell("Write to support@shop.example. Monday to Friday, 9:00 to 17:00.", "EUR")
    seen.hear(heard)
    if data:
        seen.see(data, "")
    return seen


def flagged(text: str, seen: Observed) -> list[str]:
    return unverified(text, seen, (), TODAY)


@pytest.mark.parametrize(
    ("heard", "reply"),
    [
        ("order 4471", "You paid 4471 EUR."),
        ("order 4471", "You paid 4471."),
        ("order 4471", "The total is 4471."),
        ("order 4471", "It takes 4471 days."),
        ("order 4471", "Ticket 4471 is open to you."),
        ("order 4471", "Pagó 4471."),
        ("заказ 4471", "Сумма 4471."),
        ("طلب 4471", "المبلغ 4471."),
        ("ऑर्डर 4471", "कीमत 4471 है।"),
        ("4471", "The price is 4471."),
        ("I paid 4471 EUR", "Order 4471 has been shipped."),
        ("I paid 4471 EUR", "Your parcel is #4471."),
        ("I have waited 120 days", "You paid 120 EUR."),
        ("it was in 2026", "That was 2026 EUR."),
        ("ticket T-1001", "Order 1001 is on its way."),
    ],
)
def test_a_number_of_one_kind_is_no_evidence_for_another(heard: str, reply: str):
    assert flagged(reply, told(heard))


@pytest.mark.parametrize(
    "reply",
    [
        "You paid 120 EUR.",
        "It cost 2026 EUR.",
        "It weighs 34.50 and you paid 34.51.",
        "Your ticket is 4471.",
        "Your tracking number is 4471.",
        "Order 1Z999AA10123456784 has been shipped.",
        "Order T-1001 has been shipped.",
        "You have 120 days.",
        "You paid 30 EUR.",
    ],
)
def test_a_field_says_what_its_number_is(reply: str):
    assert flagged(reply, told("order 4471", ORDER))


@pytest.mark.parametrize(
    ("heard", "reply"),
    [
        ("order 4471", "About order 4471: let me look."),
        ("order 4471", "4471 is the one?"),
        ("4471", "Order 4471? Ticket 4471?"),
        ("orders 4471 and 4468", "Orders 4471, 4468: which one?"),
        ("I paid 4471 EUR", "You say that you paid 4471 EUR."),
        ("my mail is kim@example.org", "I see kim@example.org in your message."),
    ],
)
def test_what_was_typed_is_evidence_of_what_it_was_typed_as(heard: str, reply: str):
    assert flagged(reply, told(heard)) == []


@pytest.mark.parametrize(
    "reply",
    [
        "Order 4471, ticket T-1001, tracking number 1Z999AA10123456784.",
        "Ticket 1001 is about order 4471.",
        "You ordered 120 lamps at 34.50 each.",
        "You have 30 days, until about a month after.",
        "That was in 2026.",
        "#4471 cost 1499.",
    ],
)
def test_each_kind_may_be_said_as_such(reply: str):
    assert flagged(reply.replace("about a month after", "then"), told("order 4471", ORDER)) == []


@given(st.integers(100, 10**6), st.sampled_from(["order {}", "tracking number {}", "ticket {}", "#{}"]))
def test_no_id_is_ever_a_price(number: int, written: str):
    assert flagged(f"You paid {number} EUR.", told(written.format(number)))


# ---------------------------------------------------------------- a minus

ACCOUNT: dict[str, Any] = {
    "account": {"balance": -20.00, "limit_amount": 150.00},
    "exchange_price_difference": "-2.86",
    "refund_amount": "12.00",
}


@pytest.mark.parametrize(
    "reply",
    [
        "Your balance is 20.00 EUR.",
        "The price difference is 2.86 EUR.",
        "The price difference is 2.86 EUR, and you get a refund of 12.00 EUR.",
        "You paid -150.00 EUR.",
        "Your refund is -12.00 EUR.",
        "El saldo es de 20,00 EUR.",
        "Баланс 20,00 EUR.",
        "رصيدك 20.00 EUR.",
        "बैलेंस 20.00 EUR है।",
    ],
)
def test_a_minus_that_is_dropped_or_added_makes_another_amount(reply: str):
    assert flagged(reply, told("", ACCOUNT))


@pytest.mark.parametrize(
    "reply",
    [
        "Your balance is -20.00 EUR.",
        "Your balance is −€20.00.",
        "Your balance is minus twenty euros.",
        "Your balance: EUR -20.00",
        "You owe 20.00 EUR.",
        "The price difference is -2.86.",
        "You get 2.86 EUR back.",
        "It is 2.86 EUR cheaper.",
        "Le devolvemos 2,86 EUR.",
        "Мы вернём 2,86 EUR.",
        "Your refund is 12.00 EUR.",
        "- 12.00 EUR refunded",
        "12.00-150.00 EUR",
    ],
)
def test_a_minus_stands_or_a_word_says_which_way_the_amount_goes(reply: str):
    assert [found for found in flagged(reply, told("", ACCOUNT)) if "claim" not in found] == []


# ---------------------------------------------------------------- odd ways of writing


@pytest.mark.parametrize(
    "written",
    [
        "1'499 EUR", "1’499 EUR", "1 499 EUR", "1_499 EUR", "1.499,00 EUR", "١٤٩٩ EUR", "１４９９ EUR",
        "1.499k EUR", "EUR 1,499", "one thousand four hundred ninety-nine euros",
        "fourteen hundred and ninety-nine euros",
        "mil cuatrocientos noventa y nueve euros", "тысяча четыреста девяносто девять евро",
        "एक हज़ार चार सौ निन्यानवे यूरो", "ألف وأربعمئة وتسعة وتسعون يورو",
    ],
)  # fmt: skip
def test_an_amount_is_read_however_it_is_written(written: str):
    assert flagged(written, told("", ORDER)) == []
    assert flagged(written, told("", {**ORDER, "total": "1498.00"}))


@pytest.mark.parametrize(
    "written",
    [
        "4471", "#4471", "٤٤٧١", "४४७१", "４４７１", "⁴⁴⁷¹", "4\u200b4\u200b7\u200b1", "4̶4̶7̶1̶",
        "4 4 7 1", "4-4-7-1", "4‑4‑7‑1", "44 71", "44**71**", "four four seven one", "four-four-seven-one",
        "cuatro cuatro siete uno",
        "четыре четыре семь один", "चार चार सात एक", "four thousand four hundred and seventy-one",
    ],
)  # fmt: skip
def test_an_id_is_read_however_it_is_written(written: str):
    assert flagged(f"order {written}", told("order 4471")) == []
    assert flagged(f"order {written}", told("order 4472"))


@pytest.mark.parametrize(
    "written", ["5OO EUR", "l498 EUR", "5k EUR", "1.5k", "$5 million", "2 thousand euros"]
)
def test_letters_that_look_like_digits_and_short_thousands_hide_no_number(written: str):
    assert flagged(f"It is {written}.", told("", ORDER))


@pytest.mark.parametrize(
    "written", ["half the price", "a dozen days", "half an hour", "35 percent", "la mitad"]
)
def test_a_part_in_words_needs_one_that_was_seen(written: str):
    assert flagged(written, told("", ORDER))
    seen = told("", {"text": "You get 50 %, in 12 days, within 30 minutes, or 35 %."})
    assert flagged(written, seen) == []


def test_a_unit_is_part_of_a_duration():
    seen = told("", {"window": "2 weeks", "warranty": "24 months"})
    assert flagged("You have 14 days and a warranty of two years.", seen) == []
    assert flagged("You have two months.", seen)
    assert flagged("You have 24 days.", seen)


@pytest.mark.parametrize("reply", ["9 am to 5 pm", "at 17:00", "from 9:00"])
def test_a_time_is_compared_by_the_clock(reply: str):
    assert flagged(reply, told()) == []
    assert flagged(reply.replace("9", "8").replace("5 pm", "6 pm").replace("17", "18"), told())
