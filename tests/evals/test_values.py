"""Values in the five languages: dates, weekdays and amounts are found by value, however they are written."""

from datetime import date
from decimal import Decimal

import pytest
from babel.dates import format_date

from common.events import ToolReturned
from evals.months import weekdays_in
from evals.transcript import Transcript
from evals.truth import Evidence, holds, unverified
from evals.values import plain, values_in

DAY = (2026, 12, 4)


def seen(**data: object) -> Evidence:
    evidence = Evidence()
    result = ToolReturned("c1", "get_order_status", {}, False, data, "", 0.1)
    evidence.add(Transcript("4471", events=[result]))
    return evidence


@pytest.mark.parametrize(
    "text",
    [
        "llega el 4 de diciembre de 2026",
        "llega el viernes, 4 de diciembre del 2026",
        "4 dic 2026",
        "приедет 4 декабря 2026 г.",
        "4 дек. 2026",
        "يصل في 4 ديسمبر 2026",
        "٤ ديسمبر، ٢٠٢٦",
        "4 كانون الأول 2026",
        "4 दिसंबर 2026 को",
        "4 दिस॰ 2026",
        "४ दिसम्बर २०२६",
        "दिसंबर 4, 2026",
    ],
)
def test_a_date_has_one_value_in_every_language(text: str) -> None:
    assert values_in(text).dates == {DAY}


@pytest.mark.parametrize("locale", ["en", "es", "ru", "hi", "ar", "ar_SY"])
@pytest.mark.parametrize("form", ["long", "medium", "full"])
@pytest.mark.parametrize("month", range(1, 13))
def test_every_month_is_read_as_the_library_writes_it(locale: str, form: str, month: int) -> None:
    written = format_date(date(2026, month, 14), form, locale=locale)
    if any(char.isalpha() for char in written):
        clean = "".join(char for char in written if char not in "\u200e\u200f")
        found = values_in(clean)
        assert found.dates == {(2026, month, 14)}, written
        assert {day for day, _ in weekdays_in(clean)} <= {date(2026, month, 14).weekday()}, written


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("1.234,56 €", "1234.56"),
        ("49,99 US$", "49.99"),
        ("US$49.99", "49.99"),
        ("49,99 dólares", "49.99"),
        ("1 499,00 долларов", "1499"),
        ("34,50 евро", "34.5"),
        ("٤٩٫٩٩ دولار", "49.99"),
        ("١٬٤٩٩٫٠٠ يورو", "1499"),
        ("34.50 डॉलर", "34.5"),
        ("रुपये 350", "350"),
        ("₹1,49,900.00", "149900"),
        ("450 центов", "4.5"),
    ],
)
def test_an_amount_has_one_value_in_every_language(text: str, amount: str) -> None:
    assert values_in(text).amounts == {Decimal(amount).normalize()}


@pytest.mark.parametrize(
    "text",
    ["mayor de 30 años", "30 marcos", "el 5 marca", "10 agosts", "4 декабристы", "30 марта́н", "5 मार्चिंग"],
)
def test_a_word_that_only_begins_like_a_month_is_none(text: str) -> None:
    assert values_in(text).dates == set()


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("on Friday", 4),
        ("el viernes", 4),
        ("в пятницу", 4),
        ("يوم الجمعة", 4),
        ("शुक्रवार को", 4),
        ("el miércoles", 2),
        ("يوم الاثنين", 0),
        ("गुरुवार", 3),
    ],
)
def test_a_weekday_is_read_in_every_language(text: str, day: int) -> None:
    assert [number for number, _ in weekdays_in(text)] == [day]


@pytest.mark.parametrize(
    "text", ["الطلبين الاثنين", "الأحد عشر", "среди заказов", "los martesanos", "Fridays-ish?"]
)
def test_a_word_that_is_no_weekday_is_none(text: str) -> None:
    assert weekdays_in(text) == []


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("Llega el viernes 4 de diciembre.", "Llega el sábado 4 de diciembre."),
        ("Приедет в пятницу, 4 декабря.", "Приедет в субботу, 4 декабря."),
        ("يصل يوم الجمعة 4 ديسمبر", "يصل يوم السبت 4 ديسمبر"),
        ("शुक्रवार, 4 दिसंबर को", "शनिवार, 4 दिसंबर को"),
        ("Cuesta 34,50 €.", "Cuesta 34,51 €."),
        ("Стоит 34,50 евро.", "Стоит 35 евро."),
        ("السعر ٣٤٫٥٠ يورو", "السعر ٣٤٫٦٠ يورو"),
        ("कुल 34.50 यूरो", "कुल 3450 यूरो"),
    ],
)
def test_a_reply_in_every_language_is_verified_by_value(right: str, wrong: str) -> None:
    evidence = seen(estimated_delivery="2026-12-04", total="34.50")
    assert unverified(right, evidence) == []
    assert unverified(wrong, evidence) != []


@pytest.mark.parametrize(
    ("reply", "value", "held"),
    [
        ("Llega el 4 de diciembre.", "2026-12-04", True),
        ("Приедет 5 декабря.", "2026-12-04", False),
        ("Total: 34,50 €", "34.50", True),
        ("कुल राशि ३४.५० यूरो", "34.50", True),
        ("Su pedido está en camino.", "shipped", True),
        ("Su pedido aún no ha sido enviado.", "shipped", False),
        ("Su pedido aún no ha sido enviado.", "processing", True),
        ("Заказ отправлен.", "shipped", True),
        ("Заказ ещё не был доставлен.", "delivered", False),
        ("Заказ доставлен.", "delivered", True),
        ("تم شحن طلبك.", "shipped", True),
        ("لم يتم تسليم طلبك بعد.", "delivered", False),
        ("تم تسليم الطلب.", "delivered", True),
        ("ऑर्डर भेज दिया गया है।", "shipped", True),
        ("ऑर्डर डिलीवर नहीं हुआ है।", "delivered", False),
        ("ऑर्डर डिलीवर हो गया है।", "delivered", True),
        ("ऑर्डर तैयार किया जा रहा है।", "processing", True),
        ("It has not been delivered yet.", "delivered", False),
        ("It hasn't been delivered.", "delivered", False),
        ("It is not late: it was delivered.", "delivered", True),
        ("It has not been paid.", "paid", False),
        ("It is unpaid.", "paid", False),
        ("It is not paid yet.", "unpaid", True),
        ("It is on its way.", "delivered", False),
    ],
)
def test_a_fact_is_held_in_every_language_and_a_denied_state_is_not(
    reply: str, value: str, held: bool
) -> None:
    assert holds(reply, value) is held


def test_digits_and_separators_of_every_script_are_one() -> None:
    assert plain("٤٤٧١ ४४७१ ４４７１ ١٬٤٩٩٫٥٠") == "4471 4471 4471 1,499.50"
