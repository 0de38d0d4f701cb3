"""Whether the policies answer: what is covered, what is not mentioned, in the customer's words."""

import pytest

from common.language import LANGUAGES
from store.lexicon import lexicon
from store.library import Library
from store.policies import every_policy
from store.quantities import named, quantities
from store.wording import search_told

LIBRARY = Library(every_policy())


@pytest.mark.parametrize(
    "query",
    [
        "how many days do I have to return something?",
        "when do I get my money back",
        "until when can i send it back",
        "how long until my refund arrives",
        "can you delete my data",
        "do you accept PayPal?",
        "PayPal",
        "whats ur retrun polcy",
        "does the warranty last 2 years",
        "is the refund there within five days",
        "do you ship to Germany, Austria or France?",
        "how much is express, and can I pay with PayPal",
        "My kettle broke. Is that covered by the warranty?",
        "¿se puede pagar con PayPal?",
        "aceptan paypal?",
        "¿cuánto tarda el reembolso?",
        "принимаете paypal?",
        "сколько идет доставка",
        "متى ترجع فلوسي",
        "مَتى تَرجِع فُلوسي",
        "هل تقبلون paypal",
        "रिफंड कब मिलेगा",
        "क्या paypal चलता है",
    ],
)
def test_a_question_that_the_policies_answer_is_stated(query: str):
    found = LIBRARY.search(query)
    assert found.stated
    assert found.unmatched == ()


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("Do you ship to Nepal?", ("Nepal",)),
        ("do you ship to nepal", ("nepal",)),
        ("I live in Nepal, do you ship there?", ("Nepal",)),
        ("Can I return an item after 45 days?", ("45 days",)),
        ("is shipping free above €50", ("€50",)),
        ("is shipping free above 50 euros", ("50 euros",)),
        ("is it open on Sundays", ("Sundays",)),
        ("do you sell lamps?", ("lamps",)),
        ("can I pay with Apple Pay", ("Apple Pay",)),
        ("can I pay with Klarna", ("Klarna",)),
        ("does the warranty cover drones", ("drones",)),
        ("¿enviáis a Nepal?", ("Nepal",)),
        ("¿puedo devolverlo después de 45 días?", ("45 días",)),
        ("доставляете в Непал?", ("Непал",)),
        ("можно вернуть через 45 дней?", ("45 дней",)),
        ("هل تشحنون إلى نيبال؟", ("نيبال",)),
        ("क्या आप नेपाल भेजते हैं", ("नेपाल",)),
    ],
)
def test_what_is_not_mentioned_is_named_as_it_was_written_and_nothing_is_stated(
    query: str, words: tuple[str, ...]
):
    found = LIBRARY.search(query)
    assert found.unmatched == words
    assert not found.stated


@pytest.mark.parametrize(
    "query",
    [
        "what is my account number",
        "which credit card should i get",
        "when do you open",
        "how fast am i going",
        "can I return it within 14 days",
        "what time does the courier come",
        "how do i make money",
    ],
)
def test_words_that_stand_in_a_policy_in_passing_do_not_make_an_answer(query: str):
    assert not LIBRARY.search(query).stated


def test_the_covered_words_are_told_too():
    coverage = LIBRARY.search("Do you ship to Nepal?").coverage
    assert (coverage.matched, coverage.unmatched) == (("ship",), ("Nepal",))
    assert coverage.status == "not_stated"
    assert 0 < coverage.share < 0.5


def test_a_word_that_is_only_told_before_the_question_does_not_stop_the_answer():
    assert LIBRARY.search("The velvet armchair fell apart. How long is the warranty?").stated
    assert not LIBRARY.search("How long is the warranty of the velvet armchair?").stated


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_sentence_says_what_is_not_mentioned_and_quotes_what_is_near(language: str):
    found = LIBRARY.search("Do you ship to Nepal?")
    told = search_told(found, LIBRARY, language)
    assert "Nepal" in told
    assert found.passages
    assert LIBRARY.translated(found.passages[0], language).sentences[0] in told


def test_nothing_is_quoted_that_is_not_on_the_topic():
    assert search_told(LIBRARY.search("do you sell lamps?"), LIBRARY) == (
        'The shop\'s policies do not say anything about this: they do not mention "lamps".'
    )


def test_a_near_rule_that_does_not_answer_is_said_to_be_no_more_than_near():
    told = search_told(LIBRARY.search("can I return it within 14 days"), LIBRARY)
    assert told.startswith(
        "The shop's policies do not answer exactly this; the nearest rule follows. From the"
    )
    assert "30 days" in told


# ---------------------------------------------------------------- amounts and times


@pytest.mark.parametrize(
    ("language", "text", "value", "unit"),
    [
        ("en", "after 45 days", 45, "day"),
        ("en", "two weeks later", 2, "week"),
        ("en", "5 working days", 5, "day"),
        ("en", "over €9.90", 9.9, "eur"),
        ("en", "9,90 EUR an order", 9.9, "eur"),
        ("es", "cuesta 9,90 €", 9.9, "eur"),
        ("es", "dos semanas", 2, "week"),
        ("ru", "30 дней", 30, "day"),
        ("ar", "٣٠ يوما", 30, "day"),
        ("hi", "तीन महीने", 3, "month"),
    ],
)
def test_a_quantity_is_read_in_each_language(language: str, text: str, value: float, unit: str):
    (found,) = quantities(text, lexicon(language))
    assert (found.value, found.unit) == (value, unit)


@pytest.mark.parametrize(("asked", "rule"), [("2 years", "24 months"), ("two weeks", "14 days")])
def test_the_same_time_in_other_units_is_the_same(asked: str, rule: str):
    english = lexicon("en")
    (found,) = quantities(asked, english)
    assert set(found.same()) & named(rule, english)


def test_a_number_without_a_unit_is_no_quantity():
    assert quantities("order 4471 of 2", lexicon("en")) == ()


def test_a_range_names_both_ends():
    assert {(3.0, "day"), (5.0, "day")} <= named("3 to 5 working days", lexicon("en"))
