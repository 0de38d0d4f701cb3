"""What the words of a message show without a model, in five languages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.language import LANGUAGES, language_of
from model import support, wording

FACTS = (
    'Order 4471 (1 x "Desk Lamp") has been shipped with DHL and is expected on 4 December 2026. 49.99 EUR.'
)


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("hello", "hello"),
        ("Hi there!", "hello"),
        ("thanks a lot, that's all", "goodbye"),
        ("perfect, thank you so much", "thanks"),
        ("are you a real person?", "who"),
        ("Hello! How are you?", "pleasantry"),
        ("what can you do?", "can_do"),
        ("¡Hola! ¿Eres un robot?", "who"),
        ("muchas gracias, muy amable", "thanks"),
        ("спасибо большое!", "thanks"),
        ("здравствуйте", "hello"),
        ("شُكْرًا جزيلًا", "thanks"),
        ("السلام عليكم ورحمة الله وبركاته", "hello"),
        ("नमस्ते, आप कैसे हैं?", "pleasantry"),
        ("बहुत धन्यवाद", "thanks"),
    ],
)
def test_a_courtesy_is_known(said: str, kind: str):
    assert wording.courtesy(said, language_of(said)) == kind


@pytest.mark.parametrize(
    "said",
    [
        "hello, where is my order",
        "thanks, and 4468?",
        "ok",
        "yes please",
        "no",
        "??",
        "",
        "great, but it is broken",
        "hola, mi pedido no llega",
        "спасибо, а где заказ",
        "hello " * 20,
    ],
)
def test_a_message_that_wants_something_is_no_courtesy(said: str):
    assert wording.courtesy(said, language_of(said)) is None


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ("when will 4471 get here?", []),
        ("Has my order left the warehouse?", []),
        ("who is bringing the lamp", []),
        ("what colour is the lamp?", ["colour"]),
        ("how heavy is it", ["heavy"]),
        ("why is it so slow", ["why", "slow"]),
        ("¿cuándo llega mi pedido?", []),
        ("¿de qué color es?", ["color"]),
        ("когда придёт мой заказ?", []),
        ("какого он цвета?", ["цвета"]),
        ("متى يصل طلبي؟", []),
        ("ما لون المصباح؟", ["لون", "المصباح"]),
        ("मेरा ऑर्डर कब आएगा?", []),
        ("इसका रंग क्या है?", ["रंग"]),
    ],
)
def test_the_words_beyond_the_facts_are_found(asked: str, words: list[str]):
    assert support.beyond(asked, FACTS, language_of(asked)) == words


@pytest.mark.parametrize(
    "sentence",
    ["It is expected on 4 December 2026.", "The lamp was shipped with DHL.", "Your order has been shipped."],
)
def test_a_sentence_made_of_the_facts_is_supported(sentence: str):
    assert support.supported(sentence, FACTS, "when does 4471 come?", "en")


@pytest.mark.parametrize(
    "sentence",
    [
        "The lamp is red.",
        "The driver is called DHL.",
        "It is expected on 5 December 2026.",
        "It weighs 4 kg.",
        "A refund takes 30 days.",
    ],
)
def test_a_sentence_with_a_word_or_figure_of_its_own_is_not(sentence: str):
    assert not support.supported(sentence, FACTS, "when does 4471 come?", "en")


def test_words_of_two_sentences_are_not_joined():
    facts = (
        "It has not been sent. It is expected on 4 December 2026. It can be cancelled until it is shipped."
    )
    assert support.supported("It is expected on 4 December 2026.", facts, "when does 4471 come?", "en")
    assert not support.supported(
        "It will be shipped on 4 December 2026.", facts, "when does 4471 come?", "en"
    )


def test_figures_of_two_sentences_are_not_joined():
    rules = "Items can be returned within 30 days. A refund takes 5 days."
    assert support.supported("A refund takes 5 days.", rules, "how long", "en")
    assert not support.supported("Returned within 30 days, a refund takes 5 days.", rules, "how long", "en")


@pytest.mark.parametrize(
    ("said", "parts"),
    [
        ("where is 4471 and how long can I return it?", ["where is 4471", "how long can I return it"]),
        ("4472 - is that before 2pm? i have a dentist appointment", ["4472 - is that before 2pm"]),
        ("thanks. my lamp is broken", []),
        ("they are fine. am i allowed to keep them", ["am i allowed to keep them"]),
        ("so is it here? hi, can you look", ["so is it here", "can you look"]),
        ("¿dónde está 4471 y cuánto tarda un reembolso?", ["dónde está 4471", "cuánto tarda un reembolso"]),
        ("ऑर्डर 4471 निकल गया क्या? और नियम क्या है?", ["ऑर्डर 4471 निकल गया क्या", "नियम क्या है"]),
    ],
)
def test_a_message_is_parted_into_its_questions(said: str, parts: list[str]):
    assert wording.questions(said, language_of(said)) == parts


@pytest.mark.parametrize(
    ("said", "concerns"),
    [
        ("do you ship to Nepal?", True),
        ("is gift wrapping possible", True),
        ("¿tenéis tienda en Madrid?", True),
        ("сколько стоит доставка", True),
        ("هل يوجد ضمان", True),
        ("डिलीवरी का चार्ज", True),
        ("will it rain in Hamburg tomorrow?", False),
        ("what is the capital of France", False),
        ("write me a poem", False),
    ],
)
def test_what_concerns_a_shop_is_told_from_what_does_not(said: str, concerns: bool):
    assert wording.concerns_shop(said, language_of(said)) is concerns


def test_a_question_about_the_rules_names_nothing_of_ones_own():
    assert wording.asks_of_rules("can I return opened earbuds?", "en")
    assert not wording.asks_of_rules("when does my refund come?", "en")
    assert not wording.asks_of_rules("refund please", "en")


@given(st.text(max_size=60), st.sampled_from([*LANGUAGES, "xx"]))
def test_no_text_breaks_it(text: str, language: str):
    wording.courtesy(text, language)
    wording.questions(text, language)
    wording.concerns_shop(text, language)
    assert support.beyond(text, text, language) == []
    assert support.supported(text, text, text, language)
