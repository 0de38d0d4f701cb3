"""Which numbers of a message name something."""

import pytest

from model.numbers import is_quantity


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
    ],
)
def test_it_counts_or_measures(value: str, text: str):
    assert is_quantity(value, text)
