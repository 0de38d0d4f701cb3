"""common/language.py: a message is answered in the language it was written in."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.language import LANGUAGES, language_of
from evals.settings import EvalSettings
from tests.house.tree import ROOT

WRITTEN = {
    "en": [
        "where is my order 4471?",
        "refund",
        "desk lamp broken",
        "is it paid",
        "and the other one?",
        "thx",
        "do you ship to España?",
        "how do you say 'where is my parcel' in Spanish: ¿Dónde?",
        "a lamp from Peña arrived broken",
        "do you have El Niño t-shirts",
        "My name is Иван Петров",
        "where is my order Наушники",
        "set a timer for the order, call me",
    ],
    "es": [
        "¿Dónde está mi pedido 4471?",
        "donde esta mi pedido",
        "hola",
        "cuanto cuesta el envio",
        "no me llega",
        "buenas, el 4468 vino rajado",
        "y el 4468?",
        "abre un ticket",
        "quiero un refund del order 4471",
        "Wireless Earbuds cuando llegan",
        "eres un robot?",
        "perfecto",
    ],
    "ru": ["где мой заказ 4471", "А 4468?", "мой Desk Lamp пришел сломанный", "Что такое return policy"],
    "hi": ["मेरा ऑर्डर 4471 कहाँ है?", "order status बताओ please", "return policy क्या है", "नमस्ते"],
    "ar": ["وين طلبي 4471", "أين طلبي رقم ٤٤٧١؟", "بدي refund", "شُكْرًا", "الطلب order 4471"],
}
PAIRS = [(language, text) for language, texts in WRITTEN.items() for text in texts]


@pytest.mark.parametrize(("language", "text"), PAIRS)
@pytest.mark.parametrize("before", ["en", "es", "ru"])
def test_a_message_is_in_the_language_of_most_of_its_words(language: str, text: str, before: str):
    assert language_of(text, before) == language


@pytest.mark.parametrize(
    "text", ["", "4471", "#4471", "ok", "?", "👍", "JD0146000044711", "Mira Holm", "٤٤٧١"]
)
@pytest.mark.parametrize("before", LANGUAGES)
def test_what_says_nothing_about_the_language_leaves_it_as_it_was(text: str, before: str):
    assert language_of(text, before) == before


@given(st.text(), st.sampled_from(LANGUAGES))
def test_any_text_has_one_of_the_five_languages(text: str, before: str):
    assert language_of(text, before) in LANGUAGES


DIGITS = st.sampled_from("0123456789٤٤٧१२３")


@given(st.sampled_from([text for _, text in PAIRS]) | st.text(max_size=60), DIGITS, st.integers(0, 60))
def test_digits_never_change_the_answer(text: str, digit: str, at: int):
    with_digit = " ".join([text[:at], digit, text[at:]]) if text[at - 1 : at].isspace() else f"{text} {digit}"
    assert language_of(with_digit) == language_of(text)
    assert language_of("".join("7" if char.isdecimal() else char for char in text)) == language_of(text)


@given(st.sampled_from([text for _, text in PAIRS]))
def test_capitals_and_apostrophes_never_change_the_answer(text: str):
    assert language_of(text.upper()) == language_of(text) == language_of(text.replace("'", ""))


def ordinary() -> list[str]:
    whole = EvalSettings().exams / "benign-messages" / "clinc150_test.jsonl"
    path = whole if whole.is_file() else ROOT / "tests/data/benign-messages/clinc150_300.jsonl"
    return [json.loads(line)["text"] for line in Path(path).read_text(encoding="utf-8").splitlines()]


def test_ordinary_english_stays_english():
    texts = ordinary()
    others = [text for text in texts if language_of(text) != "en"]
    assert len(others) * 500 < len(texts), others


@pytest.mark.parametrize("said", ["y", "n", "ok", "no", "si"])
def test_a_short_word_alone_keeps_the_language(said: str) -> None:
    assert language_of(said, "en") == "en" and language_of(said, "es") == "es"
