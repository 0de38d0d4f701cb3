"""Gate 4 for tickets: a number that the customer calls a ticket is a ticket's, and no order's."""

from typing import Any

import pytest

from common.schema import MARK
from guards.grounding import Evidence, ground

TICKET_ID = {"type": "string", "pattern": "^T-[0-9]{1,15}$", MARK: "ticket_id"}
ORDER_ID = {"type": "string", "pattern": "^[0-9]{1,12}$", MARK: "order_id"}


def heard(message: str) -> Evidence:
    evidence = Evidence()
    evidence.hear(message)
    return evidence


def known(message: str, kind: str, schema: dict[str, Any]) -> list[Any]:
    return list(heard(message).allowed(kind, schema).values())


@pytest.mark.parametrize(
    "message",
    [
        "T-1001",
        "how is t-1001?",
        "ticket 1001",
        "Ticket: #1001",
        "my ticket number is 1001?",
        "ticket no. 1001.",
        "ticket T-1001",
        "número de ticket 1001",
        "mi incidencia número 1001",
        "номер тикета 1001",
        "заявка №1001",
        "тикет №1001 закрыт?",
        "ما وضع التذكرة 1001؟",
        "تذكرة رقم ١٠٠١",
        "टिकट 1001 का क्या हुआ?",
        "टिकट नंबर १००१",
    ],
)
def test_a_ticket_that_a_customer_names_is_a_ticket_and_no_order(message: str):
    assert known(message, "ticket_id", TICKET_ID) == ["T-1001"]
    assert known(message, "order_id", ORDER_ID) == []


@pytest.mark.parametrize(
    "message",
    ["1001", "order 1001", "ticket for order 1001", "ticket, 1001", "ticket 10.01", "ticket 1001-2"],
)
def test_a_number_that_nobody_called_a_ticket_is_none(message: str):
    assert known(message, "ticket_id", TICKET_ID) == []


@pytest.mark.parametrize(
    "message",
    ["open a ticket 4471 is broken", "create ticket 4471", "откройте тикет 4471", "टिकट 4471 खोलो"],
)
def test_who_asks_to_open_a_ticket_may_mean_the_order_by_the_number(message: str):
    assert known(message, "order_id", ORDER_ID) == ["4471"]


def test_an_order_and_a_ticket_in_one_message_are_each_their_own():
    message = "order 4471 and ticket 1001"
    assert known(message, "order_id", ORDER_ID) == ["4471"]
    assert known(message, "ticket_id", TICKET_ID) == ["T-1001"]


@pytest.mark.parametrize("by_model", ["T-1001", "t-1001", "1001", "#1001"])
def test_a_model_that_leaves_out_what_every_ticket_begins_with_is_put_right(by_model: str):
    schema = {"properties": {"ticket_id": TICKET_ID}}
    assert ground({"ticket_id": by_model}, schema, heard("ticket 1001")) == ({"ticket_id": "T-1001"}, [])


def test_a_server_without_marks_takes_a_ticket_for_a_ticket_and_for_an_id_but_for_no_order():
    evidence = heard("ticket 1001")
    for name, refused in (
        ("ticket_id", []),
        ("id", []),
        ("order_id", ["order_id"]),
        ("customer_id", ["customer_id"]),
    ):
        _, problems = ground({name: "1001"}, {"properties": {name: {"type": "string"}}}, evidence)
        assert [problem.path for problem in problems] == refused
