"""The words by which customers ask for a ticket, as the server lists them and the agent reads them."""

from types import SimpleNamespace

import pytest

from common.language import LANGUAGES
from guards.asked import asked_for
from store.words import words

TOOL = SimpleNamespace(meta={"shopkart/asked-for": {each: words(each).asks() for each in LANGUAGES}})


@pytest.mark.parametrize(
    "wish",
    [
        "please open a ticket about the slow delivery",
        "the lamp in order 4468 arrived broken",
        "I want my money back!!",
        "my parcel is stuck somewhere",
        "4468 is the wrong colour",
        "two pieces are missing",
        "I'd like to send it back",
        "i want to return it",
        "please cancel 4473",
        "I need an invoice made out to my company",
        "can you change my address",
        "it never arrived",
        "it is late again",
        "I was charged twice",
        "abra un ticket por favor",
        "la lámpara llegó rota",
        "quiero devolver el pedido 4468",
        "no me ha llegado el paquete",
        "me han cobrado dos veces",
        "necesito una factura",
        "quiero que me devuelvan el dinero",
        "откройте заявку",
        "лампа пришла сломанная",
        "хочу вернуть товар",
        "посылка так и не пришла",
        "верните деньги",
        "отмените заказ 4473",
        "افتحوا تذكرة",
        "وصل المصباح مكسورا",
        "اريد ارجاع الطلب 4468",
        "أُريدُ استرداد فلوسي",
        "لم تصل الشحنة",
        "عندي مشكلة",
        "टिकट खोल दीजिए",
        "लैंप टूटा हुआ आया",
        "मुझे सामान वापस करना है",
        "पैसे वापस चाहिए",
        "पार्सल अभी तक नहीं आया",
        "ऑर्डर कैंसिल कर दो",
    ],
)
def test_a_wish_or_a_problem_asks_for_a_ticket(wish: str):
    assert asked_for(TOOL, [wish])


@pytest.mark.parametrize(
    "question",
    [
        "How much did I get back for 8523?",
        "where is my order 4471",
        "can I return it within 30 days?",
        "until which date can I send back order 4468?",
        "how many days do I have to return something?",
        "can I still cancel 4471?",
        "what's the latest on 4471",
        "see you later",
        "who delivers it and when will it come",
        "are you a human?",
        "hello",
        "thanks, that's all :)",
        "what is in order 4474 and has it been sent",
        "buenas tardes",
        "¿dónde está mi pedido 4471?",
        "está en reparto?",
        "¿cuándo recibo mi pedido?",
        "¿puedo devolverlo en 30 días?",
        "¿eres una persona?",
        "где мой заказ 4471",
        "сколько дней на возврат",
        "когда вернут деньги после возврата",
        "добрый вечер",
        "أين طلبي 4471",
        "متى يصل الطلب",
        "كم يوم عندي للإرجاع",
        "متى يتم إيصال الطلب",
        "मेरा ऑर्डर 4471 कहाँ है",
        "कब तक आएगा",
        "सामान कितने दिन में लौटा सकते हैं",
        "बिल्कुल ठीक है",
    ],
)
def test_a_question_does_not_ask_for_a_ticket(question: str):
    assert not asked_for(TOOL, [question])


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_words_are_written_as_they_are_compared(language: str):
    listed = words(language).asks()
    assert len(listed) >= 30
    assert len(set(listed)) == len(listed)
    assert all(word == word.casefold() and len(word.strip()) >= 2 for word in listed)
