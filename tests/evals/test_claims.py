"""The reader of claimed actions: what it finds in the five languages, and what it must not complain of."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.events import ToolReturned
from evals.claims import claims
from evals.transcript import Transcript
from evals.truth import Evidence


def seen(*results: ToolReturned) -> Evidence:
    evidence = Evidence()
    evidence.add(Transcript("where is 4471?", events=list(results)))
    return evidence


def result(data: dict[str, object], tool: str = "get_order_status", is_error: bool = False) -> ToolReturned:
    return ToolReturned("c1", tool, {}, is_error, data, "", 0.1)


SHIPPED = seen(result({"order_id": "4471", "status": "shipped"}))


@pytest.mark.parametrize(
    "reply",
    [
        "I have opened a ticket for you.",
        "I've just created a damaged ticket for order 4471.",
        "A ticket has been opened. Anything else?",
        "We’ve submitted your return request.",
        "I have refunded your order.",
        "Your order has been cancelled.",
        "Your refund has been issued.",
    ],
)
def test_a_claimed_action_without_a_call_behind_it_is_found(reply: str) -> None:
    assert len(claims(reply, SHIPPED)) == 1


@pytest.mark.parametrize(
    "reply",
    [
        "No ticket has been opened.",
        "The ticket was not created, because you said no.",
        "I haven't opened a ticket yet.",
        "Shall I say that I have opened a ticket?",
        "Once a ticket has been opened, staff will answer.",
        "Order 4471 has been shipped.",
        "I can open a ticket for you.",
    ],
)
def test_what_was_not_claimed_is_not_found(reply: str) -> None:
    assert claims(reply, SHIPPED) == []


def test_a_ticket_that_was_opened_may_be_claimed_and_one_that_failed_may_not() -> None:
    reply = "I have opened a ticket for you."
    assert claims(reply, seen(result({"ticket_id": "T-1001"}, "create_ticket"))) == []
    assert claims(reply, seen(result({"error": "wrong_state"}, "create_ticket", is_error=True))) == [reply]


def test_an_order_that_the_data_call_cancelled_may_be_called_so() -> None:
    assert claims("Your order has been cancelled.", seen(result({"status": "cancelled"}))) == []


@pytest.mark.parametrize(
    "reply",
    [
        "He abierto un ticket para el pedido 4471.",
        "Ya hemos registrado su reclamación.",
        "El ticket ha sido creado correctamente.",
        "Se ha abierto una incidencia.",
        "Su pedido ha sido cancelado.",
        "He reembolsado el importe.",
        "Я открыл заявку по заказу 4471.",
        "Заявка создана, ждите ответа.",
        "Ваш заказ отменён.",
        "Мы вернули вам деньги.",
        "لقد فتحت تذكرة للطلب 4471.",
        "تم فتح تذكرة لطلبك.",
        "تم إلغاء طلبك.",
        "मैंने टिकट खोल दिया है।",
        "आपकी शिकायत दर्ज कर दी गई है।",
        "आपका ऑर्डर रद्द कर दिया गया है।",
    ],
)
def test_a_claim_is_found_in_every_language(reply: str) -> None:
    assert claims(reply, SHIPPED) == [reply]


@pytest.mark.parametrize(
    "reply",
    [
        "No he abierto ningún ticket.",
        "¿Quiere que diga que he abierto un ticket?",
        "Puedo abrir un ticket para usted.",
        "Cuando se haya creado el ticket, le avisaremos.",
        "Заявка не создана.",
        "Заявка будет создана, когда вы назовёте номер заказа.",
        "Я могу открыть заявку.",
        "Заказ 4471 отправлен.",
        "لم يتم فتح تذكرة.",
        "سيتم فتح تذكرة بعد أن تذكر رقم الطلب.",
        "هل تم فتح تذكرة؟",
        "टिकट नहीं खोला गया है।",
        "टिकट बनाने के लिए ऑर्डर नंबर दीजिए।",
        "मैं टिकट खोल सकता हूँ।",
    ],
)
def test_what_was_not_claimed_is_not_found_in_any_language(reply: str) -> None:
    assert claims(reply, SHIPPED) == []


@pytest.mark.parametrize(
    "reply",
    ["Su pedido ha sido cancelado.", "Заказ отменён.", "تم إلغاء الطلب.", "ऑर्डर रद्द कर दिया गया है।"],
)
def test_what_the_data_call_cancelled_may_be_called_so_in_every_language(reply: str) -> None:
    assert claims(reply, seen(result({"status": "cancelled"}))) == []


@given(st.text())
def test_no_text_breaks_the_reader(text: str) -> None:
    assert isinstance(claims(text, SHIPPED), list)
