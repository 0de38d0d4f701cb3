"""The customer's language and the reply's: what is measured, and what has no part in it."""

import pytest

from common.events import ToolReturned
from evals.messages import Dialogue
from evals.tongue import in_language, languages
from evals.transcript import Transcript
from evals.truth import Evidence


def dialogue(*texts: str, **fields: str) -> Dialogue:
    turns = [{"text": text, "calls": []} for text in texts]
    return Dialogue.model_validate({"id": "one", "group": "g", "turns": turns, **fields})


DATA = {
    "order_id": "4470",
    "items": [{"name": "Noise-Cancelling Headphones"}],
    "carrier": "UPS",
    "currency": "EUR",
}
EVIDENCE = Evidence()
EVIDENCE.add(Transcript("?", events=[ToolReturned("c1", "get_order_status", {}, False, DATA, "", 0.1)]))


def test_a_number_alone_stays_in_the_language_of_the_dialogue() -> None:
    assert languages(dialogue("хочу жалобу", "4468", "thank you very much")) == ["ru", "ru", "en"]
    assert languages(dialogue("4468")) == ["en"]


def test_a_written_language_goes_before_the_words() -> None:
    assert languages(dialogue("Wie lange?", "ok", language="de")) == ["de", "de"]


@pytest.mark.parametrize(
    ("language", "reply"),
    [
        ("en", "Order 4470 has been shipped."),
        ("es", "Su pedido 4470 está en camino."),
        ("ru", "Заказ 4470 (Noise-Cancelling Headphones) в пути, UPS."),
        ("ar", "طلبك 4470 (Noise-Cancelling Headphones) في الطريق مع UPS."),
        ("hi", "आपका ऑर्डर 4470 (Noise-Cancelling Headphones) रास्ते में है।"),
        ("es", "4470: UPS"),
        ("en", "T-1001."),
    ],
)
def test_a_reply_in_the_customers_language_is_one_whatever_the_items_are_called(
    language: str, reply: str
) -> None:
    assert in_language(reply, language, EVIDENCE) is True


@pytest.mark.parametrize(
    ("language", "reply"),
    [
        ("en", "Su pedido está en camino y llega mañana."),
        ("en", "订单已发货，正在路上。"),
        ("es", "Your order has been shipped and will arrive soon."),
        ("ru", "Order 4470 has been shipped."),
        ("ar", "Заказ в пути."),
        ("hi", "Your order is on the way, धन्यवाद।"),
        ("ru", ""),
        ("en", " "),
    ],
)
def test_a_reply_in_another_language_or_none_is_not(language: str, reply: str) -> None:
    assert in_language(reply, language, EVIDENCE) is False


def test_a_language_that_the_shop_does_not_speak_is_not_measured() -> None:
    assert in_language("You have 30 days.", "de", EVIDENCE) is None
