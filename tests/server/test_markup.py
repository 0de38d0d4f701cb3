"""Policies as shops write them, read out without Markdown's marks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.library import Library
from store.markup import read_out
from store.model import Policy
from store.wording import search_told

TABLE = """## Shipping

| Where | Price | Time |
|---|:--:|---|
| UK | £15 | 2 days |
| Rest of EU | 8.90 EUR | |

*Last reviewed by **Anna***, see [the list](https://example.com/x).
"""


def test_a_row_of_a_table_is_a_sentence_with_the_names_of_its_columns():
    told = read_out(TABLE)
    assert "UK – Price: £15, Time: 2 days." in told
    assert "Rest of EU – Price: 8.90 EUR." in told
    assert "|" not in told


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("**30 days** from *delivery*", "30 days from delivery"),
        ("write `T-1001` or [call](tel:1)", "write T-1001 or call"),
        ("a * b * c and snake_case_name", "a * b * c and snake_case_name"),
        ("5 * 3 = 15, 2*3", "5 * 3 = 15, 2*3"),
        ("yes | no, without a table", "yes | no, without a table"),
    ],
)
def test_marks_go_and_what_is_none_stays(written: str, read: str):
    assert read_out(written) == read


@given(st.text(alphabet="ab*_`|-:[]() \n", max_size=60))
def test_reading_out_never_fails_and_ends(text: str):
    assert isinstance(read_out(text), str)


def test_a_table_answers_what_it_holds():
    library = Library([Policy("shipping", "Shipping", "# Shipping\n\n" + TABLE)])
    told = search_told(library.search("what does shipping to the UK cost?"), library)
    assert "UK – Price: £15" in told


@pytest.mark.parametrize("asked", ["сколько дней на возврат?", "¿Cuánto cuesta el envío a España?"])
def test_rules_without_a_translation_are_said_to_have_none_and_no_word_to_be_missing(asked: str):
    library = Library([Policy("returns", "Returns", "# Returns\n\n## How long\n14 days.\n")])
    found = library.search(asked)
    assert found.untranslated
    told = search_told(found, library, "es")
    assert told.startswith("Las normas de la tienda no están en español")
