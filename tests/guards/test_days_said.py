"""guards/days.py: a weekday or a word as "tomorrow" is a date, and is compared as one."""

from datetime import date

import pytest

from guards.output import Observed, unverified

TODAY = date(2026, 10, 13)
"""A Tuesday."""


def seen() -> Observed:
    watched = Observed()
    watched.tell("Staff are there from Monday to Thursday.")
    watched.see({"due": "2026-10-14", "placed_on": "2026-10-12", "ends": "2026-11-18"}, "")
    return watched


@pytest.mark.parametrize(
    "reply",
    [
        "It arrives tomorrow.",
        "You placed it yesterday.",
        "It comes this week.",
        "It ends next month.",
        "It arrives on Wednesday, 14 October.",
        "Staff are there on Tuesdays.",
        "Llega mañana.",
        "Заказ прибудет завтра.",
        "يصل الطلب غدا.",
        "ऑर्डर कल पहुँचेगा।",
        "in 1 day",
    ],
)
def test_a_day_that_is_an_observed_date_may_be_said(reply: str):
    assert unverified(reply, seen(), (), TODAY) == []


@pytest.mark.parametrize(
    "reply",
    [
        "It arrives today.",
        "It arrives the day after tomorrow.",
        "You placed it the day before yesterday.",
        "It comes next week.",
        "It arrives on Saturday.",
        "It is expected next Friday.",
        "Llega hoy.",
        "Llega el viernes.",
        "Заказ прибудет послезавтра.",
        "Заказ прибудет в пятницу.",
        "يصل الطلب اليوم.",
        "ऑर्डर आज पहुँचेगा।",
        "ऑर्डर शनिवार को पहुँचेगा।",
    ],
)
def test_a_day_that_is_none_is_named(reply: str):
    assert unverified(reply, seen(), (), TODAY)


def test_without_knowing_the_day_no_word_for_one_is_supported():
    assert unverified("It arrives tomorrow.", seen())
    watched = Observed()
    watched.hear("does it come tomorrow?")
    assert unverified("Yes, it comes tomorrow.", watched)


@pytest.mark.parametrize(
    "reply",
    [
        "How can I help you today?",
        "Thanks for writing today.",
        "I cannot say whether it arrives today.",
        "If it has not arrived by then, write to us today.",
        "You said that you need it to arrive today.",
        "¿Desea algo más hoy?",
        "Lo atendemos por la mañana.",
        "Чем помочь сегодня?",
        "كيف أساعدك اليوم؟",
        "आज मैं कैसे मदद करूँ?",
    ],
)
def test_courtesy_denial_condition_and_the_customers_words_tell_no_day(reply: str):
    assert unverified(reply, seen(), (), TODAY) == []


@pytest.mark.parametrize(
    "reply",
    [
        "the fourteenth of October",
        "October the fourteenth",
        "the 14th day of October",
        "catorce de octubre",
        "четырнадцатого октября",
        "चौदह अक्टूबर",
        "14-Oct-2026",
        "14/Oct/2026",
        "Oct. 14, 2026",
        "in October",
        "en octubre",
        "в октябре",
        "2026.10.14",
    ],
)
def test_a_date_is_read_in_words_and_in_any_order(reply: str):
    assert unverified(reply, seen()) == []
    other = Observed()
    other.see({"due": "2026-12-25"}, "")
    assert unverified(reply, other)


def test_days_are_counted_within_one_record_and_from_today():
    watched = Observed()
    watched.see({"order_id": "1111", "delivered_on": "2026-10-01", "return_until": "2026-10-31"}, "")
    watched.see({"order_id": "2222", "delivered_on": "2026-09-20"}, "")
    assert unverified("You have 30 days.", watched, (), TODAY) == []
    assert unverified("You have 41 days.", watched, (), TODAY)  # from one order to the other
    assert unverified("in 18 days", watched, (), TODAY) == []
    assert unverified("in 12 days", watched, (), TODAY)
    assert unverified("12 days ago", watched, (), TODAY) == []
    assert unverified("18 days ago", watched, (), TODAY)
    assert unverified("within 30 working days", watched, (), TODAY)
