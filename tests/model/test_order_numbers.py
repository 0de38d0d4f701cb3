"""The constrained dialect at a shop whose order numbers have letters and signs in them."""

import json

import pytest

from model import deciding, routing
from model.replies import Message, Schema
from tests.model.desk import SEARCH, actions, called, known, talk, tool, turn

pytestmark = pytest.mark.anyio

GET_TICKET = tool("get_ticket", ticket_id={"type": "string", "enum": ["T-1001"]})


def lacking(said: str, *details: str) -> list[Message]:
    messages = talk(said)
    messages[0]["content"] += f"\n\nNot yet known: {', '.join(details)}. Without it look_up cannot be used."
    return messages


def takers(said: str, tools: list[Schema]) -> list[str]:
    return [routing.name_of(each) for each in deciding.choices(talk(said), tools)[0]]


@pytest.mark.parametrize(
    "said",
    [
        "Where is my order w2611340?",
        "¿Dónde está mi pedido #W2611340?",
        "Где мой заказ W2611340?",
        "أين طلبي #w2611340؟",
        "मेरा ऑर्डर W2611340 कहाँ है?",
    ],
)
async def test_an_order_that_is_named_in_any_form_is_what_the_message_is_about(said: str):
    items, stand_in = await turn(
        talk(said), known("#W2611340", "#W1111111"), '{"action": "look_up", "id": "#W2611340"}'
    )
    assert json.loads(items[-1].tool_calls[0].arguments) == {"id": "#W2611340"}
    assert actions(stand_in) == ["look_up", "report"]


def test_a_count_is_no_order_where_orders_have_a_sign():
    assert takers("it took 9999 minutes", known("#9999")) == ["search"]
    assert "look_up" in takers("where is 9999?", known("#9999"))


@pytest.mark.parametrize("detail", ["W2611340", "#w2611340.", "it is AB-1234-123", "SO/2024/0017"])
def test_a_message_that_is_only_the_number_asked_for_belongs_to_the_wish_before_it(detail: str):
    messages = [*talk("has it been sent?"), {"role": "assistant", "content": "Which?"}]
    messages.append({"role": "user", "content": detail})
    assert deciding.due(messages)[-1]["content"] == f"has it been sent?\n{detail}"


async def test_of_two_orders_in_one_message_the_second_is_still_due():
    said = "where are w2611340 and w1111111?"
    messages = [*talk(said), *called("look_up", '{"summary": "It came."}', id="#W2611340")]
    items, stand_in = await turn(messages, known("#W2611340", "#W1111111"))
    assert json.loads(items[-1].tool_calls[0].arguments) == {"id": "#W1111111"}
    assert stand_in.asked == []


def test_a_ticket_that_is_named_is_looked_up_and_the_order_of_its_number_is_not():
    tools = [*known("1001"), GET_TICKET]
    assert takers("how is ticket 1001?", tools) == ["get_ticket"]
    assert takers("how is T-1001?", tools) == ["get_ticket"]
    assert takers("where is order 1001?", tools) == ["look_up", "report"]


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("where is my order?", "Please tell me the order number, such as #W1234567."),
        ("how is my ticket going?", "Please tell me the ticket number, such as T-1234."),
        ("please open a ticket", "Please tell me the order number, such as #W1234567."),
        ("I need a ticket", "Please tell me the order number, such as #W1234567."),
        ("¿dónde está mi pedido?", "Por favor, indíqueme su número de pedido, como #W1234567."),
        ("где мой заказ?", "Пожалуйста, укажите номер заказа, например #W1234567."),
        ("أين طلبي؟", "يُرجى ذكر رقم الطلب، مثل #W1234567."),
        ("मेरा ऑर्डर कहाँ है?", "कृपया ऑर्डर नंबर (जैसे #W1234567) बताएँ।"),
    ],
)
async def test_the_question_back_says_how_the_shop_writes_what_is_missing(said: str, asked: str):
    details = ("order number (such as #W1234567)", "ticket number (such as T-1234)")
    items, _ = await turn(lacking(said, *details), [SEARCH], '{"action": "ask"}')
    assert items[-1].content == asked
