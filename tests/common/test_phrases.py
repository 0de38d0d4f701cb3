"""common/phrases.py: each fixed sentence exists in five languages and says the same."""

import string

import pytest

from common.language import LANGUAGES, language_of
from common.phrases import catalogue, noun, phrase
from common.text import unsafe_characters

KEYS = sorted(catalogue("en"))
OTHERS = [language for language in LANGUAGES if language != "en"]
END = {"en": ".?!", "es": ".?!", "ru": ".?!", "ar": ".؟!", "hi": "।?!"}
VALUES = {
    "shop": "ShopKart",
    "detail": "x",
    "noun": "x",
    "value": "9999",
    "length": 4001,
    "limit": 4000,
    "hand_off": "help@example.com",
    "hours": "9-17",
    "note": "x.",
    "title": "x",
    "host": "example.com",
    "characters": "U+202E",
}


def placeholders(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


@pytest.mark.parametrize("language", OTHERS)
def test_every_language_has_the_same_sentences_with_the_same_placeholders(language: str):
    shapes = {key: placeholders(sentence) for key, sentence in catalogue(language).items()}
    assert shapes == {key: placeholders(sentence) for key, sentence in catalogue("en").items()}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_is_in_its_own_language_and_ends_as_one_does_there(language: str):
    for key in KEYS:
        sentence = phrase(key, language, **VALUES)
        assert language_of(sentence, "none") == language, key
        assert sentence[-1] in END[language] or key in ("hand_off", "hours", "reason_given"), key
        assert unsafe_characters(sentence) == [], key
        assert "{" not in sentence, key


@pytest.mark.parametrize("language", LANGUAGES)
def test_digits_are_the_same_in_every_language(language: str):
    told = phrase("too_long", language, length=4001, limit=4000)
    assert "4001" in told and "4000" in told
    assert all(char.isascii() for key in KEYS for char in catalogue(language)[key] if char.isdigit())


def test_a_language_that_is_none_of_the_five_is_answered_in_english():
    assert phrase("thanks", "fr") == phrase("thanks", "en")
    assert noun("order number", "fr") == "order number"


def test_a_detail_is_named_in_the_customers_language_and_an_unknown_one_as_it_is():
    assert noun("order number", "es") == "número de pedido"
    assert noun("order number", "ru") == "номер заказа"
    assert noun("parcel colour", "es") == "parcel colour"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_knows_the_same_details(language: str):
    known = {"order number", "ticket number", "tracking number", "customer number", "item number"}
    assert [word for word in known if noun(word, language) == word] == ([] if language != "en" else [*known])


def test_a_value_is_never_read_as_a_placeholder():
    assert "{shop}" in phrase("ask_detail", "en", detail="{shop}")


def test_a_key_that_does_not_exist_is_an_error_of_the_program():
    with pytest.raises(KeyError):
        phrase("no such sentence", "en")
