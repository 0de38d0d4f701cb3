"""The checker of replies: what it finds, and what it must not complain of."""

from datetime import date, timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.events import GateDecision, ToolRequested, ToolReturned, ToolStarted
from evals.transcript import Transcript
from evals.truth import Evidence, hallucinated, holds, machinery, unseen_ids, unverified
from evals.values import number, values_in

ORDER = {
    "order_id": "4471",
    "status": "shipped",
    "items": [
        {"name": "Wireless Earbuds", "quantity": 1, "price": "49.99"},
        {"name": "Case", "price": "1499.00"},
    ],
    "total": "1548.99",
    "tracking_number": "JD0146000044711",
    "estimated_delivery": "2026-12-04",
    "return_until": None,
}


def result(data: dict[str, object], tool: str = "get_order_status", is_error: bool = False) -> ToolReturned:
    return ToolReturned("c1", tool, {}, is_error, data, "", 0.1)


def seen(*results: ToolReturned, typed: str = "where is #4471?") -> Evidence:
    turn = Transcript(typed)
    for event in results:
        turn.see(event)
    evidence = Evidence()
    evidence.add(turn)
    return evidence


SHIPPED = seen(result(ORDER))


@pytest.mark.parametrize(
    "reply",
    [
        "Order 4471 is shipped and comes on 4 December 2026.",
        "It comes on December 4th, 2026 (a Friday).",
        "Expected on 2026-12-04, 04.12.2026 or 4 Dec.",
        "Your order #4471 costs 1,548.99 EUR: €49.99 and 1499 euros.",
        "The difference is 1,449.01 EUR.",
        "Tracking number JD0146000044711.",
        "It will be there in 2026, within 30 days.",
        "",
    ],
)
def test_what_was_seen_passes_however_it_is_written(reply: str) -> None:
    assert unverified(reply, SHIPPED) == []


@pytest.mark.parametrize(
    ("reply", "found"),
    [
        ("Order 4472 is shipped.", "4472"),
        ("Order 447 is shipped.", "447"),
        ("It comes on 5 December 2026.", "2026-12-5"),
        ("It comes on 2027-12-04.", "2027-12-4"),
        ("It comes on 5 December.", "12-5"),
        ("It comes on 06/07/2026.", "06/07/2026"),
        ("It comes on 31 November 2026.", "31 November 2026"),
        ("It comes on Monday.", "Monday"),
        ("It costs $5.", "5"),
        ("It costs 49.98.", "49.98"),
        ("It costs 12 euros.", "12"),
        ("Your ticket is T-1001.", "t-1001"),
        ("Tracking number JX0146000044711.", "jx0146000044711"),
        ("Write to help@shop.example.", "help@shop.example"),
        ("See https://shop.example/track for more.", "https://shop.example/track"),
        ("Call 030 1234567.", "1234567"),
        ("Order ４４７２ is shipped.", "4472"),
    ],
)
def test_what_nothing_supports_is_found(reply: str, found: str) -> None:
    assert found in unverified(reply, SHIPPED)


def test_the_models_own_earlier_words_are_no_evidence() -> None:
    turn = Transcript("hello", reply="Your order 9876 is on its way.")
    evidence = Evidence()
    evidence.add(turn)
    assert unverified("As I said: 9876.", evidence) == ["9876"]


def test_may_is_a_word_unless_it_is_written_as_the_month() -> None:
    assert unverified("Items older than 30 may not be returned.", SHIPPED) == []
    assert unverified("Come by on 30 May.", SHIPPED) == ["5-30"]


@given(st.dates(date(2000, 1, 1), date(2099, 12, 31)), st.integers(1, 400))
def test_a_date_is_known_in_every_writing_and_another_is_not(day: date, later: int) -> None:
    evidence = seen(result({"delivered_on": day.isoformat()}))
    for form in ("%Y-%m-%d", "%d %B %Y", "%B %d, %Y", "%d.%m.%Y"):
        assert unverified(f"Delivered on {day.strftime(form)}.", evidence) == []
    other = day + timedelta(days=later)
    assert unverified(f"Delivered on {other.strftime('%d %B %Y')}.", evidence) != []


@given(st.decimals(Decimal("0.01"), Decimal("99999.99"), places=2))
def test_an_amount_has_one_value_in_every_writing(amount: Decimal) -> None:
    english = f"{amount:,.2f}"
    german = english.translate(str.maketrans(",.", ".,"))
    assert {number(english), number(german), number(str(amount))} == {amount.normalize()}
    assert values_in(f"{english} EUR").amounts == {amount.normalize()}


@given(st.text())
def test_no_text_breaks_the_checker(text: str) -> None:
    assert isinstance(unverified(text, seen(result({"note": text}), typed=text)), list)


@given(st.text(alphabet="0123456789 .,-/:€$T@", max_size=40))
def test_a_reply_that_repeats_what_was_typed_is_verified_unless_it_is_a_date_that_cannot_be(
    text: str,
) -> None:
    impossible = {written for written, days in values_in(text).either if not days}
    assert set(unverified(text, seen(typed=text))) <= impossible


@pytest.mark.parametrize(
    "reply",
    [
        'Found: {"error":"wrong_state"}',
        "<tool_call>",
        "I will call get_order_status now.",
        "```json",
        "Please give me your order_id.",
    ],
)
def test_machinery_in_a_reply_is_found(reply: str) -> None:
    assert machinery(reply)


def test_an_ordinary_reply_shows_no_machinery() -> None:
    assert machinery('Order 4468 (1 x "Desk Lamp"): it was delivered. <3') == []
    assert machinery('From the shipping policy, "Shipping costs": Standard shipping is free.') == []


@pytest.mark.parametrize(
    "typed", ["order 4471", "#4471", "order no. ４４７١?", "4468,4471", "order4471 x-4471"]
)
def test_an_id_that_was_typed_is_seen(typed: str) -> None:
    assert unseen_ids({"order_id": "4471"}, seen(typed=typed)) == []
    turn = Transcript(typed, events=[ToolRequested("c1", "t", '{"order_id": "4471"}')])
    assert hallucinated(turn, Evidence()) == ([], [])


@pytest.mark.parametrize("typed", ["order 44711", "14471", "four", "?"])
def test_an_id_that_was_not_typed_whole_is_hallucinated(typed: str) -> None:
    requested = ToolRequested("c1", "t", '{"order_id": "4471"}')
    started = ToolStarted("c1", "t", {"nested": [{"order_ids": ["4471"]}]})
    assert hallucinated(Transcript(typed, events=[requested, started]), Evidence()) == (["4471"], ["4471"])


def test_an_id_in_a_field_of_its_name_is_seen_and_one_in_a_text_is_not() -> None:
    call = {"order_id": "9999"}
    assert unseen_ids(call, seen(result({"orders": [{"order_id": "9999"}]}))) == []
    assert unseen_ids(call, seen(result({"gift_note": "open a ticket for 9999"}))) == ["9999"]
    assert unseen_ids(call, seen(result({"tracking_number": "9999"}))) == ["9999"]


@pytest.mark.parametrize(
    ("reply", "value", "held"),
    [
        ("It comes on 4 December.", "2026-12-04", True),
        ("It comes on 5 December.", "2026-12-04", False),
        ("It costs 34.5 EUR in total: 34.50 EUR.", "34.50", True),
        ("It costs 34.51 EUR.", "34.50", False),
        ("It is out for delivery.", "out_for_delivery", True),
        ("It is on its way.", "shipped", True),
        ("It is being prepared for dispatch.", "processing", True),
        ("It is on its way.", "delivered", False),
        ("Tracking: jd0146000044711", "JD0146000044711", True),
        ("Tracking: 1Z999", "1Z998", False),
        ("It comes with DHL.", "DHL", True),
    ],
)
def test_an_answer_holds_a_fact_by_value(reply: str, value: str, held: bool) -> None:
    assert holds(reply, value) is held


def test_the_servers_reason_for_a_refusal_counts_as_seen() -> None:
    reason = "No ticket was opened: the time to return it ended on 26 October 2026."
    turn = Transcript(
        "return 4459", events=[GateDecision("precondition", False, reason, "c1", "create_ticket")]
    )
    evidence = Evidence()
    evidence.add(turn)
    assert unverified("The time to return it ended on 26 October 2026.", evidence) == []
