"""guards/output.py: no reply carries a value that nothing observed supports, and no true one is withheld."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guards.output import Observed, unverified
from guards.sentences import sentences
from store.policies import load_policies

ORDER: dict[str, Any] = {
    "order_id": "4471",
    "total": "1499.00",
    "currency": "USD",
    "placed_on": "2026-09-14",
    "delivered_on": "2026-10-14",
    "tracking": "1Z999AA10123456784",
    "ticket": "T-1001",
    "window": "30 days",
    "carrier_time": "3-5 business days",
    "link": "https://shop.example/returns",
    "version": "12-34-56",
    "deduction": "20 %",
}


def observed(data: dict[str, Any] | None = None, text: str = "", heard: str = "") -> Observed:
    watched = Observed()
    watched.hear(heard)
    if data or text:
        watched.see(data or {}, text)
    return watched


@pytest.mark.parametrize(
    "true",
    [
        "$1,499.00",
        "1499 USD",
        "USD 1499",
        "USD1499",
        "1499USD",
        "1.499,00 $",
        "1 499,00 USD",
        "1\xa0499.00 USD",
        "1499 US dollars",
        "1,499 dollars",
        "14 September 2026",
        "September 14, 2026",
        "14th of September",
        "Sep 14",
        "2026-09-14",
        "2026/09/14",
        "14.09.2026",
        "09/14/2026",
        "14-09-2026",
        "14. September 2026",
        "14 de septiembre de 2026",
        "14 сентября 2026",
        "on the 14th.",
        "by 9/14",
        "order 4471",
        "#4471",
        "order-4471",
        "4471-related",
        "ticket T-1001",
        "ticket 1001",
        "1Z999AA10123456784",
        "https://shop.example/returns.",
        "shop.example/returns",
        "[here](https://shop.example/returns)",
        "thirty days",
        "a 30-day window",
        "3 to 5 business days",
        "3–5 business days",
        "20%",
        "twenty percent",
        "12-34-56",
        "Both items: 2",
        "the 2nd item",
        "10-12 items",
        "12-14 September",
        "1st attempt",
        "24/7",
        "order 4471 may be returned",
        "all 3 may be returned",
        "٤٤٧١",
        "**4471**",
        "4471.",
        "May I help?",
        "version 2",
        "1499",
        "१४ सितंबर 2026",
        "you have 30 days",
    ],
)
def test_an_observed_value_may_be_said_in_any_of_its_forms(true: str) -> None:
    assert unverified(true, observed(ORDER)) == []


@pytest.mark.parametrize(
    "false",
    [
        "$1,498.00",
        "€1499",
        "1499 EUR",
        "4472",
        "44710",
        "order 4471 $99 fee",
        "15 September 2026",
        "14 September 2025",
        "2026/09/15",
        "2026-09-15",
        "09/15/2026",
        "on the 15th.",
        "by 9/15",
        "evil.com",
        "evil.com/x",
        "www.evil.com",
        "http://shop.example/return",
        "shop.example/pay",
        "ftp://x.y",
        "a@b.com",
        "+1-800-555-0199",
        "800 555 0199",
        "ninety-nine dollars",
        "fifty dollars",
        "99 cents",
        "45 days",
        "two weeks",
        "a hundred dollars",
        "44**72**",
        "4 4 7 2",
        "4️⃣4️⃣7️⃣2️⃣",
        "４４７２",
        "44\u200b72",
        "15 de septiembre de 2026",
        "15 сентября",
        "१५ सितंबर",
        "T-1002",
        "1Z999AA10123456785",
        "1 498,00 USD",
        "25%",
        "T1002",
        "Sept. 15th, 2026",
        "15.9.2026",
        "15-09-2026",
        "12345678901234567890123456789012",
    ],
)
def test_a_value_that_nothing_observed_supports_is_named(false: str) -> None:
    assert unverified(false, observed(ORDER))


@given(st.text(max_size=80) | st.text(st.sampled_from("0123456789.,-/ $€%aT#:May@\n"), max_size=40))
def test_what_the_customer_wrote_may_be_repeated_to_them(text: str) -> None:
    ours = ("the claim", "text that")
    assert [one for one in unverified(text, observed(heard=text)) if not one.startswith(ours)] == []


@given(st.integers(0, 10**7), st.integers(0, 10**7))
def test_sums_and_differences_of_observed_amounts_may_be_said(one: int, other: int) -> None:
    seen = observed({"a": f"{one / 100:.2f}", "b": f"{other / 100:.2f}"})
    for total in (one + other, abs(one - other)):
        assert total == 0 or unverified(f"${total / 100:,.2f}", seen) == []


@given(st.integers(100, 10**40), st.integers(100, 10**40))
def test_a_long_number_is_compared_to_its_last_digit(seen: int, said: int) -> None:
    assert bool(unverified(f"{said}", observed({"n": str(seen)}))) == (seen != said)


def test_the_currency_is_the_one_of_the_results_whatever_the_customer_calls_it() -> None:
    seen = observed({"total": "50.00", "currency": "USD"}, heard="do I get my 50 euros back?")
    assert unverified("You get €50.00.", seen)
    assert unverified("You get $50.00.", seen) == []


def test_a_currency_that_only_the_customer_named_does_not_withhold_a_true_amount() -> None:
    seen = observed({"text": "Shipping costs $50."}, heard="is it 20 euros?")
    assert unverified("It costs $50.", seen) == []


def test_days_between_observed_dates_may_be_said() -> None:
    seen = observed({"delivered_on": "2026-10-14", "return_until": "2026-11-13"})
    assert unverified("You have 30 days from delivery.", seen) == []
    assert unverified("You have 31 days from delivery.", seen)


def test_an_impossible_date_in_a_result_breaks_nothing() -> None:
    assert unverified("within 5 days", observed({"a": "2026-02-31", "b": "0000-99-99"}))


def test_a_price_after_an_order_number_is_still_a_price() -> None:
    assert unverified("For order 4471 $99 is due.", observed(ORDER)) == ["$99"]


def test_a_word_in_a_gift_note_is_no_state_of_the_order() -> None:
    assert unverified("Your order was refunded.", observed({"status": "paid", "gift_note": "refunded"}))


@pytest.mark.parametrize(
    "data", [{"refunded": True}, {"is_refunded": True}, {"refunded_at": "x"}, {"payment": "refunded"}]
)
def test_a_field_that_is_a_state_reports_it(data: dict[str, Any]) -> None:
    assert unverified("Your money was refunded.", observed(data)) == []


def test_a_field_that_denies_a_state_reports_nothing() -> None:
    assert unverified("Your money was refunded.", observed({"refunded": False, "refunded_at": None}))


def test_a_server_that_answers_in_words_reports_states_and_a_refusal_reports_none() -> None:
    assert unverified("Your order was cancelled.", observed(text="Order was cancelled.")) == []
    assert unverified("Your order was cancelled.", observed(text="An order on its way cannot be cancelled."))


def test_a_word_in_a_products_name_is_no_state_of_the_order() -> None:
    seen = observed(text='Order 4471 (1 x "Mug that was refunded") has arrived.')
    assert unverified("Your money was refunded.", seen)


@pytest.mark.parametrize(
    "leak", ['{"name": "x"}', "<tool_call>", "call create_ticket now", "<|im_start|>", '"arguments": {}']
)
def test_the_machinery_is_not_shown_to_the_customer(leak: str) -> None:
    assert unverified(leak, Observed(), ["create_ticket"]) == ["text that is not meant for the customer"]


def test_odd_results_break_nothing() -> None:
    deep: Any = "4471"
    for _ in range(5_000):
        deep = [deep]
    watched = observed({"deep": deep, "long": 10**5_000, "nan": float("nan"), "none": None, "flag": True})
    assert unverified("4471", watched)


def test_every_sentence_of_the_policies_may_be_said_once_it_was_looked_up() -> None:
    for policy in load_policies():
        watched = observed({"passages": [{"text": policy.text}]}, policy.text)
        done, rest = sentences(policy.text)
        assert [
            unverified(sentence, watched) for sentence in [*done, rest] if unverified(sentence, watched)
        ] == []


@pytest.mark.parametrize(
    "text",
    [
        "The tool result does not say anything about that.",
        "Please ask the customer to check it.",
        "The customer should not try again.",
    ],
)
def test_words_between_the_agent_and_the_model_are_not_for_the_customer(text: str):
    assert unverified(text, Observed()) == ["text that is not meant for the customer"]


def test_a_customer_service_may_be_named():
    assert unverified("The customer service team answers in the support chat.", Observed()) == []
