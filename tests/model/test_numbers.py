"""Which numbers of a message name something."""

import pytest

from model.numbers import is_quantity, names_ticket, stands_in


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("4471", "4471"),
        ("4471", "where's #4471?"),
        ("4471", "4471 arrived broken"),
        ("4471", "Status of 4471 + 4473 please"),
        ("17", "order 17?"),
        ("17", "my order number is: 17"),
        ("4471", "طلبي رقم 4471 متى يصل"),
        ("4471", "Заказ №4471"),
        ("4471", "ऑर्डर 4471 कब आएगा"),
        ("4471", "I paid 4471 euros for order 4471"),
        ("4471", "４４７１"),
        ("A-17", "A-17"),
        ("#1001", "where is 1001?"),
        ("#12", "#12 is late"),
        ("#W2611340", "w2611340 hours late"),
    ],
)
def test_it_names(value: str, text: str):
    assert not is_quantity(value, text)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("17", "what is 17 times 23?"),
        ("23", "what is 17 times 23?"),
        ("3999", "it cost 3999 cents"),
        ("1200", "I spent $1200"),
        ("1200", "потратил 1200 руб"),
        ("120", "I need 120 desk lamps"),
        ("30", "within 30 days"),
        ("2026", "2026 %"),
        ("#9999", "it took 9999 minutes"),
        ("#12", "what is 12 plus 3?"),
    ],
)
def test_it_counts_or_measures(value: str, text: str):
    assert is_quantity(value, text)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("4471", "where is ٤٤٧١?"),
        ("#1001", "where is 1001?"),
        ("#1001", "order#1001"),
        ("#W2611340", "¿Dónde está w2611340?"),
        ("#W2611340", "أين #W2611340؟"),
        ("AB-1234-123", "ab-1234-123."),
        ("T-1001", "how is t-1001?"),
        ("1001", "order-1001 and 7"),
        ("1001", "order 1001 and ticket 7"),
    ],
)
def test_a_value_stands_in_the_text_in_any_form(value: str, text: str):
    assert stands_in(value, text)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("#W2611340", "W26113401"),
        ("#1001", "10010"),
        ("1001", "how is ticket 1001?"),
        ("1001", "how is T-1001?"),
        ("1234", "AB-1234-123"),
        ("1001", "номер тикета 1001"),
        ("", "anything"),
        ("#", "# 4"),
    ],
)
def test_another_value_or_a_tickets_number_is_not_it(value: str, text: str):
    assert not stands_in(value, text)


def test_a_ticket_is_named_by_its_word_and_number():
    assert names_ticket("T-1001", "what about ticket no. 1001?")
    assert not names_ticket("T-1001", "what about order 1001?")
