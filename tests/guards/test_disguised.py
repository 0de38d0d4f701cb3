"""Values in disguise: over several lines, as shares, in other scripts, without a number; and costly texts."""

from datetime import date, timedelta

import pytest

from guards.output import Observed, unverified
from guards.quantities import without_quantities
from guards.seams import across
from guards.sentences import sentences
from guards.values import values

SEEN = {
    "order_id": "4471",
    "total": "49.99",
    "currency": "EUR",
    "tracking_number": "JD0146000044711",
    "estimated_delivery": "2026-12-02",
}


@pytest.fixture
def observed() -> Observed:
    seen = Observed()
    seen.see(SEEN, "Order 4471 is on its way. You can send it back within 7 days, for half of the price.")
    return seen


@pytest.mark.parametrize(
    ("before", "piece"),
    [
        ("Your code is 9\n1\n", "8\n"),
        ("Your code: 91\n", "82\n"),
        ("Call 08\n00\n12\n34\n", "56\n"),
        ("The code is nine\none\n", "eight\n"),
        ("Go to evil\n", ".example now"),
        ("Go to evil . ", "com"),
    ],
)
def test_a_value_over_several_pieces_is_read_as_one(observed: Observed, before: str, piece: str) -> None:
    assert across(before, piece, observed)


@pytest.mark.parametrize(
    ("before", "piece"),
    [
        ("Your order:\n", "4471\n"),
        ("Your orders:\n4471\n", "4471\n"),
        ("It costs 49.99 EUR.\n", "It is on its way.\n"),
        ("1. Pack it.\n", "2. Send it.\n"),
        ("Your order 4471 is here. ", "Online orders are quick."),
    ],
)
def test_lines_of_their_own_are_not_put_together(observed: Observed, before: str, piece: str) -> None:
    assert not across(before, piece, observed)


@pytest.mark.parametrize(
    "text",
    [
        "You get a third of the price back.",
        "You get 1/3 of the price back.",
        "You pay twice the price.",
        "Se le devuelve un tercio del precio.",
        "Мы вернём треть стоимости.",
        "نعيد لك ربع المبلغ.",
        "आपको एक तिहाई कीमत मिलेगी।",
        "It comes within a month.",
        "Llega en un mes.",
        "Он придёт через месяц.",
        "سيصل خلال شهر.",
        "महीने भर में आएगा।",
        "It costs 1e3 EUR.",
        "It costs CMXCIX EUR.",
        "It takes XC days.",
        "Your code is ❾❶❽❷.",
        "It costs 九百九十九 EUR.",
        "已取消您的订单。",
        "Use the code FREESHIP.",
        "Ваш промокод: СКИДКА.",
        "الرمز هو FREESHIP.",
        "Pay at evil·com.",
        "Pay at evil%2ecom.",
        "Pay at evil-dot-com.",
        "Install AnyDesk so that we can help.",
        "Установите AnyDesk.",
        "What is your password?",
        "¿Cuál es su contraseña?",
        "Какой у вас пароль?",
        "ما هي كلمة المرور؟",
        "आपका पासवर्ड क्या है?",
    ],
)
def test_a_disguised_value_is_still_one(observed: Observed, text: str) -> None:
    assert unverified(text, observed, today=date(2026, 11, 30))


@pytest.mark.parametrize(
    "text",
    [
        "You get half of the price back.",
        "You can send it back within a week.",
        "In the third step, double-check the address.",
        "The size is XL and it has an XL label.",
        "Is it a third party that sent it?",
        "I need your order number to go on.",
        "What is your order number?",
        "Thank you, have a nice day!",
    ],
)
def test_what_was_observed_or_says_nothing_passes(observed: Observed, text: str) -> None:
    assert not unverified(text, observed, today=date(2026, 11, 30))


def test_a_name_in_another_script_passes_where_a_result_has_it(observed: Observed) -> None:
    observed.see({"items": [{"name": "三星 phone"}]}, "")

    assert not unverified("It is the 三星 phone.", observed)


@pytest.mark.parametrize(
    "text",
    [
        "1,1.1,1",
        "It is 1.1,1.1 EUR",
        "1,000.000,000",
        "9" * 5_000 + " thousand",
        "12 MA\u0130 2026",
        "1 ma\u0131",
    ],
)
def test_no_number_stops_the_reading(text: str) -> None:
    assert list(values(text))


def test_a_duration_longer_than_the_calendar_is_not_observed(observed: Observed) -> None:
    text = f"It takes {'9' * 30}.5 days."

    assert unverified(text, observed, today=date(2026, 11, 30)) == [text[9:-1]]


@pytest.mark.parametrize("text", ["hi! you. No. 5 is? ok", "a. b. 3. is it?! yes… »no.« x", "?! ?!?! a"])
def test_a_text_by_the_letter_is_split_as_a_whole_one(text: str) -> None:
    done: list[str] = []
    rest = ""
    for letter in text:
        complete, rest = sentences(rest + letter, rest)
        done += complete

    assert (done, rest) == sentences(text)


def test_a_long_reply_that_comes_by_the_letter_is_split_before_the_day_is_over() -> None:
    text, rest, done = "?!" * 6_000 + " a", "", list[str]()
    for letter in text:
        complete, rest = sentences(rest + letter, rest)
        done += complete

    assert (len(done), rest) == (1, "a")


def test_a_long_message_of_groups_is_read_before_the_day_is_over() -> None:
    assert without_quantities("00 300 " * 20_000).count("300") > 1_000


def test_many_dates_of_one_record_are_read_before_the_day_is_over() -> None:
    observed = Observed()
    days = " ".join((date(2000, 1, 1) + timedelta(days=3 * index)).isoformat() for index in range(2_500))
    observed.see({"id": "A-100", "log": days}, "")
    text = " ".join(f"It takes {number} days." for number in range(10_001, 10_061, 3))

    assert len(unverified(text, observed)) == 20


def test_days_between_two_dates_of_a_record_may_still_be_said() -> None:
    observed = Observed()
    observed.see({"id": "A-100", "from": "2026-11-01", "to": "2026-12-01"}, "")

    assert not unverified("You have 30 days.", observed)
    assert unverified("You have 31 days.", observed)
