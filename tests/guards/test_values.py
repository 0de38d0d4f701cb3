"""guards/values.py: values are read by what they mean, and a text is cut into whole sentences."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guards.calendar import MONTH
from guards.sentences import sentences
from guards.values import numbers, values

HOSTILE = [
    "a",
    "@",
    "1,",
    "1 ",
    " ",
    "a-",
    "a.",
    "'\"",
    "1-",
    "$",
    "(",
    "may ",
    "1. ",
    "https://",
    "1/",
    "\n",
    "३",
    "a@a.",
    "**1",
    "one ",
    "twenty-",
    "half ",
    "a dot ",
    "a at b dot ",
    "www.",
    "xn--",
    "+1 ",
    "call 1 ",
    "order number ",
    "paid total of ",
    "minus ",
    "1k ",
    "O0",
    "whatsapp ",
    "send me your pin ",
    "monday to ",
    "arrives tomorrow ",
    "1 Main ",
    "] (",
]


@pytest.mark.parametrize(
    "written", ["1,499.00", "1499", "1.499,00", "1499.0", "1'499.00", "1 499,00", "1,499"]
)
def test_a_number_is_one_value_however_it_is_grouped(written: str) -> None:
    assert Decimal(1499) in numbers(written)


def test_an_indian_grouping_is_read() -> None:
    assert Decimal(149900) in numbers("1,49,900")


@pytest.mark.parametrize("name", sorted(MONTH))
def test_every_name_of_a_month_is_read_in_a_date(name: str) -> None:
    month = name.capitalize() if name == "may" else name
    assert [value.readings for value in values(f"14 {month} 2026")] == [((2026, MONTH[name], 14),)]


@pytest.mark.parametrize("text", ["All 3 may be returned", "You may 2", "Item 12 may have been lost"])
def test_may_as_a_verb_makes_no_date(text: str) -> None:
    assert [value.kind for value in values(text)] == ["number"]


@given(st.text() | st.text(st.sampled_from(".!? \n1aNo…؟。-"), max_size=60))
def test_sentences_and_the_rest_are_the_whole_text(text: str) -> None:
    done, rest = sentences(text)
    assert "".join(done) + rest == text
    assert all(done)


@given(
    st.text(st.sampled_from(".!? \n1aNo。"), max_size=40), st.text(st.sampled_from(".!? \na"), max_size=20)
)
def test_a_sentence_that_is_complete_stays_complete_when_more_text_comes(text: str, more: str) -> None:
    done, _ = sentences(text)
    longer, _ = sentences(text + more)
    assert "".join(longer).startswith("".join(done[:-1]))


def test_abbreviations_and_list_numbers_end_no_sentence() -> None:
    assert sentences("Order no. 4471 is here. Bye. ")[0] == ["Order no. 4471 is here. "]
    assert sentences("1. First\n2. Second\n")[0] == ["1. First\n", "2. Second\n"]


@given(st.text(max_size=200))
def test_any_text_is_read(text: str) -> None:
    for value in values(text):
        assert value.written


@pytest.mark.parametrize("piece", HOSTILE)
def test_a_long_hostile_text_yields_no_more_values_than_it_has_characters(piece: str) -> None:
    text = (piece * 8_000)[:8_000]
    assert sum(len(value.written) for value in values(text)) <= 2 * len(text)
    assert "".join(sentences(text)[0]) + sentences(text)[1] == text
