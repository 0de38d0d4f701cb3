"""guards/{output,values}.py: a reply in Arabic, Hindi, Russian or Spanish is checked as an English one is."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guards.output import Observed, unverified
from guards.sentences import sentences
from guards.spelled import SPELLED
from guards.values import values
from guards.words import any_of, levelled

ORDER: dict[str, Any] = {
    "order_id": "4471",
    "total": "1499.00",
    "currency": "USD",
    "placed_on": "2026-09-14",
    "delivered_on": "2026-10-14",
    "window": "30 days",
    "carrier_time": "3-5 business days",
    "deduction": "20 %",
    "fee": "9.90",
}


def observed(data: dict[str, Any] | None = None) -> Observed:
    watched = Observed()
    watched.see(ORDER if data is None else data, "")
    return watched


TRUE = [
    # Spanish
    "1.499,00 dólares",
    "1499 dolares",
    "El total es de 1.499,00 US$.",
    "Se realizó el 14 de septiembre de 2026.",
    "el 14 de setiembre",
    "14 sept. 2026",
    "14/9/2026",
    "hasta el 14/10",
    "entre el 14 de septiembre y el 14 de octubre",
    "el día 14.",
    "30 días naturales",
    "treinta días",
    "de 3 a 5 días laborables",
    "entre tres y cinco días",
    "el 20 %",
    "veinte por ciento",
    "9,90 US$",
    "Hace 3 días",
    # Russian
    "1 499,00 долларов",
    "1499,00 долл. США",
    "Заказ оформлен 14 сентября 2026 г.",
    "14-го сентября 2026 года",
    "14 сент. 2026",
    "14.09.2026",
    "до 14-го.",
    "14 числа",
    "в сентябре 2026",
    "в течение тридцати дней",
    "30 календарных дней",
    "от 3 до 5 рабочих дней",
    "от трёх до пяти дней",
    "двадцать процентов",
    "заказ №4471",
    # Hindi
    "1,499.00 डॉलर",
    "१४९९ डॉलर",
    "14 सितंबर 2026 को",
    "14 सितम्बर",
    "१४ सितंबर",
    "सितंबर में",
    "14 सित॰ 2026",
    "14 तारीख को",
    "14/9 को",
    "30 दिनों के भीतर",
    "तीस दिन",
    "3 से 5 कार्य दिवस",
    "तीन से पाँच दिनों में",
    "20 प्रतिशत",
    "बीस प्रतिशत",
    "ऑर्डर 4471 भेज दिया गया है।",
    # Arabic
    "١٤٩٩٫٠٠ دولار",
    "١٬٤٩٩٫٠٠ دولارًا",
    "1499,00 دولار",
    "14 سبتمبر 2026",
    "١٤ سبتمبر ٢٠٢٦",
    "14 من أيلول",
    "يوم 14.",
    "في 14/9",
    "30 يومًا",
    "ثلاثين يومًا",
    "خلال الثلاثين يومًا",
    "من 3 إلى 5 أيام عمل",
    "ثلاثة إلى خمسة أيام",
    "٢٠٪",
    "%20",
    "عشرون بالمئة",
    "لطلبك رقم٤٤٧١",
    "9٫90 دولار",
]


@pytest.mark.parametrize("true", TRUE)
def test_an_observed_value_may_be_said_in_any_of_its_forms(true: str) -> None:
    assert unverified(true, observed()) == []


FALSE = [
    # Spanish
    "1.498,00 dólares",
    "1.499,00 €",
    "1499 euros",
    "15 de septiembre de 2026",
    "14 de agosto",
    "14 ago 2026",
    "el 15.",
    "el día 16",
    "hasta el 15/10",
    "45 días",
    "cuarenta y cinco días",
    "de 3 a 6 días",
    "el 25 %",
    "veinticinco por ciento",
    "noventa y nueve dólares",
    "5 mil dólares",
    "siete semanas",
    "99 céntimos",
    "el 14 de septiembre de 2025",
    # Russian
    "1 498 долларов",
    "1499 евро",
    "1499 руб.",
    "15 сентября",
    "14 авг. 2026",
    "в августе 2026",
    "до 15-го.",
    "16 числа",
    "сорока пяти дней",
    "45 календарных дней",
    "от 3 до 6 рабочих дней",
    "двадцать пять процентов",
    "семь недель",
    "девяносто девять долларов",
    "5 тысяч долларов",
    "14 сентября 2025 года",
    # Hindi
    "1,498 डॉलर",
    "1499 रुपये",
    "₹1499",
    "१५ सितंबर",
    "मई में",
    "14 अगस्त",
    "16 तारीख को",
    "15/9 को",
    "पैंतालीस दिन",
    "45 दिनों",
    "3 से 6 दिन",
    "पच्चीस प्रतिशत",
    "निन्यानवे डॉलर",
    "5 हज़ार डॉलर",
    "सात हफ़्ते",
    "४४७२",
    # Arabic
    "١٤٩٨٫٠٠ دولار",
    "1499 يورو",
    "1499 جنيهًا",
    "15 سبتمبر",
    "14 أغسطس 2026",
    "١٥ أيلول",
    "يوم 15.",
    "في 15/9",
    "45 يومًا",
    "خمسة وأربعين يومًا",
    "من 3 إلى 6 أيام",
    "٢٥٪",
    "%25",
    "شهرين",
    "تسعة وتسعون دولارًا",
    "5 آلاف دولار",
    "رقم٤٤٧٢",
    "٤٩٫٩٩",
]


@pytest.mark.parametrize("false", FALSE)
def test_a_value_that_nothing_observed_supports_is_named(false: str) -> None:
    assert unverified(false, observed())


@pytest.mark.parametrize(
    "text",
    [
        "5 जनों ने पूछा",
        "Hace 3 días. 14 artículos",
        "It was 3 days ago. 2 items",
        "Te atiende 24/7",
        "el 2.º artículo",
        "2-й товар",
        "los 2 artículos",
        "दो सामान",
        "سلعتان",
        "два товара",
        "в 2 магазинах",
        "на 2 этаже",
    ],
)
def test_a_small_count_is_no_value(text: str) -> None:
    assert unverified(text, observed()) == []


@pytest.mark.parametrize("text", ["two weeks", "dos semanas", "две недели", "दो हफ़्ते", "أسبوعين", "للأسبوعين"])
def test_two_of_a_unit_is_two(text: str) -> None:
    assert unverified(text, observed({"trial": "2 weeks"})) == []
    assert unverified(text, observed({"trial": "4 weeks"}))


NUMERALS = {"ar": "٠١٢٣٤٥٦٧٨٩", "hi": "०१२३४५६७८९", "en": "0123456789"}
FORMS = {
    "en": ("{}.{}", "{} USD"),
    "es": ("{},{}", "{} dólares"),
    "ru": ("{},{}", "{} долларов"),
    "hi": ("{}.{}", "{} डॉलर"),
    "ar": ("{}٫{}", "{} دولار"),
}


@given(
    st.integers(100, 10**8),
    st.integers(0, 5),
    st.sampled_from(sorted(FORMS)),
    st.sampled_from(sorted(NUMERALS)),
)
def test_an_amount_is_compared_to_its_last_digit_in_every_form(cents: int, off: int, form: str, digits: str):
    number, sentence = FORMS[form]
    written = sentence.format(number.format(cents // 100, f"{cents % 100:02d}"))
    told = written.translate(str.maketrans("0123456789", NUMERALS[digits]))
    seen = observed({"total": f"{(cents + off) // 100}.{(cents + off) % 100:02d}", "currency": "USD"})
    assert bool(unverified(told, seen)) == (off != 0)


MONTHS = {
    "es": "{} de septiembre de {}",
    "ru": "{} сентября {} года",
    "hi": "{} सितंबर {} को",
    "ar": "{} سبتمبر {}",
}


@given(st.integers(1, 30), st.integers(1, 30), st.sampled_from(sorted(MONTHS)))
def test_a_date_in_words_is_compared_by_its_day_in_every_language(day: int, seen: int, language: str):
    watched = observed({"placed_on": f"2026-09-{seen:02d}"})
    assert bool(unverified(MONTHS[language].format(day, 2026), watched)) == (day != seen)


@given(st.sampled_from(sorted(SPELLED)), st.integers(101, 199))
def test_a_number_in_words_is_the_number_it_names(word: str, other: int):
    told = f"{word} %"
    assert unverified(told, observed({"share": f"{SPELLED[word]} %"})) == []
    assert SPELLED[word] == other or unverified(told, observed({"share": f"{other} %"}))


LETTERS = st.sampled_from("0123456789.,٫٬-/ %٪#٤٥६७абвгдняйпть بتثسيوماहदनकोेी।؟:\n")


@given(st.text(LETTERS, max_size=60))
def test_what_the_customer_wrote_may_be_repeated_to_them(text: str) -> None:
    watched = Observed()
    watched.hear(text)
    assert [one for one in unverified(text, watched) if not one.startswith("the claim")] == []


@given(st.text(LETTERS, max_size=60))
def test_levelling_twice_is_levelling_once(text: str) -> None:
    assert levelled(levelled(text)) == levelled(text)


@pytest.mark.parametrize(
    "piece", ["тридцать ", "ثلاثين و", "तीस ", "cuarenta y ", "1 тысяч ", "14 сен", "%", "٤٫"]
)
def test_a_long_hostile_text_is_read_in_one_pass(piece: str) -> None:
    text = (piece * 8_000)[:8_000]
    assert sum(len(value.written) for value in values(text)) <= 2 * len(levelled(text))


def test_a_pattern_of_many_words_takes_the_longest():
    import re

    pattern = re.compile(any_of(["сто", "сорок", "сорок пять", "so", "a.b"]))
    assert [found[0] for found in pattern.finditer("сорок пять сто axb a.b")] == ["сорок пять", "сто", "a.b"]


@pytest.mark.parametrize(
    "text",
    ["Заказ от 14 сент. 2026 г. доставлен. ", "El 14 sept. 2026 llegó. ", "Стоимость 49,99 руб. за штуку. "],
)
def test_an_abbreviation_ends_no_sentence(text: str):
    assert sentences(f"{text}1")[0] == [text]


def test_each_script_has_its_own_full_stop():
    assert sentences("हो गया। ठीक है? 1")[0] == ["हो गया। ", "ठीक है? "]
    assert sentences("هل وصل؟ نعم. 1")[0] == ["هل وصل؟ ", "نعم. "]


@pytest.mark.parametrize(
    "text",
    [
        "El cliente debe indicar el número.",
        "El resultado de la herramienta no lo dice.",
        "Попросите клиента подождать.",
        "В результате инструмента этого нет.",
        "اطلب من العميل الانتظار.",
        "ग्राहक से पूछें।",
    ],
)
def test_words_between_the_agent_and_the_model_are_not_for_the_customer(text: str):
    assert unverified(text, Observed()) == ["text that is not meant for the customer"]


@pytest.mark.parametrize(
    "text",
    [
        "Atención al cliente le responde.",
        "Укажите номер клиента.",
        "يُرجى ذكر رقم العميل.",
        "ग्राहक सेवा से मदद मिलेगी।",
    ],
)
def test_a_customer_service_and_a_customer_number_may_be_named(text: str):
    assert unverified(text, Observed()) == []
