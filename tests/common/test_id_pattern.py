"""common/id_pattern.py: a pattern for ids means one thing everywhere, or is refused with what to write."""

import re
from typing import Annotated

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field, TypeAdapter

from common.id_pattern import as_in, example_of, prefix_of, read_pattern
from common.rules import rules_of


@pytest.mark.parametrize(
    ("written", "text", "example", "prefix"),
    [
        ("^[0-9]{1,12}$", "^[0-9]{1,12}$", "1234", ""),
        (r"^#W\d{7}$", "^#W[0-9]{7}$", "#W1234567", "#W"),
        ("^#[0-9]+$", "^#[0-9]+$", "#1234", "#"),
        (r"^[A-Z]{2}-\d{4}-\d{3}$", "^[A-Z]{2}-[0-9]{4}-[0-9]{3}$", "AB-1234-123", ""),
        (r"^ORD\d+$", "^ORD[0-9]+$", "ORD1234", "ORD"),
        ("^T-[0-9]{1,15}$", "^T-[0-9]{1,15}$", "T-1234", "T-"),
        (r"^[\d-]{3,9}$", r"^[0-9\-]{3,9}$", "1234", ""),
        (r"^\w{6}$", "^[A-Za-z0-9_]{6}$", "A1B2C3", ""),
        (r"^SO/\d{4}$", "^SO/[0-9]{4}$", "SO/1234", "SO/"),
        (r"^INV\.\d+$", r"^INV\.[0-9]+$", "INV.1234", "INV."),
        (r"^ЗК-\d+$", "^ЗК-[0-9]+$", "ЗК-1234", "ЗК-"),
        ("^#?[0-9]{3,}$", "^#?[0-9]{3,}$", "1234", ""),
        ("^([A-Z]{2}-)?[0-9]{4}$", "^([A-Z]{2}-)?[0-9]{4}$", "1234", ""),
        (r"^(?:AB|CD)\d{3}$", "^(?:AB|CD)[0-9]{3}$", "AB123", ""),
    ],
)
def test_a_shops_pattern_is_read(written: str, text: str, example: str, prefix: str):
    read = read_pattern(written)
    assert (read.text, read.example, read.prefix) == (text, example, prefix)


@pytest.mark.parametrize("written", ["#[0-9]+", "^#[0-9]+", "#[0-9]+$"])
def test_a_pattern_without_anchors_gets_them(written: str):
    assert read_pattern(written).text == "^#[0-9]+$"


def test_alternatives_are_anchored_on_both_sides():
    assert read_pattern("^A[0-9]{3}|B[0-9]{3}$").text == "^(?:A[0-9]{3}|B[0-9]{3})$"


def test_digits_of_other_scripts_are_no_digits():
    assert re.fullmatch(read_pattern(r"\d+").text, "٤٤٧١") is None


@pytest.mark.parametrize(
    ("written", "because"),
    [
        ("", "empty"),
        ("^$", "empty"),
        ("[0-9]*", "empty"),
        ("|1", "empty"),
        ("[A-Z]+", "digit"),
        ("[0-9]{65}", "64"),
        ("[0-9]{40}[0-9]{40}", "64"),
        ("[0-9]{5,3}", "64"),
        ("[0-9]{1,9999}", "write {4}"),
        ("x{", "write {4}"),
        ("[0-9", "ends in the middle"),
        ("^[0-9$", "ends in the middle"),
        ("4\\", "ends in the middle"),
        ("(4", "without its )"),
        ("^)[0-9](^$", "without its ("),
        ("^a)|(b1$", "without its ("),
        (r"^[0-9]+\$", "'$'"),
        ("[0-9 ]+", "white space"),
        (r"[0-9]+\s?", "white space"),
        ("[0-9\t]", "white space"),
        ("4\u202e", "control"),
        (".+", "any character"),
        ("[^a]4", "[^...]"),
        (r"\D\d", r"\D"),
        (r"\b4", r"\b"),
        (r"([0-9])\1", r"\1"),
        (r"\p{L}4", r"\p"),
        ("(?=4)[0-9]+", "look around"),
        ("(?i)w[0-9]+", "flag"),
        ("(?P<x>[0-9])", "group"),
        ("([0-9]+-)+[0-9]", "too long to try"),
        ("([0-9]|[0-9][0-9])*4", "too long to try"),
        ("[0-9]+-?[0-9]+-?[0-9]+-?[0-9]+", "too long to try"),
        ("[0-9]+?", "repeats a repeat"),
        ("[0-9]++", "repeats a repeat"),
        ("[[:digit:]]", "[ in a class"),
        ("[9-0]", "range"),
        ("[0-9&&[4]]", "'&'"),
        ("[０-９]", "'０'"),
        ("№[0-9]+", "'№'"),
        ("a@[0-9]+", "'@'"),
        ("(" * 9 + "4" + ")" * 9, "8 groups"),
    ],
)
def test_a_pattern_that_means_too_much_is_refused_with_the_reason(written: str, because: str):
    with pytest.raises(ValueError, match=re.escape(because)):
        read_pattern(written)


PIECES = ["[0-9]", "[A-Z]", r"\d", r"\w", "#", "W", "-", "/", r"\.", "[a-z0-9_-]", "(?:AB|c)", "(x-)", "Ж"]
REPEATS = ["", "", "", "?", "*", "+", "{2}", "{1,3}", "{2,}"]


@given(st.lists(st.tuples(st.sampled_from(PIECES), st.sampled_from(REPEATS)), min_size=1, max_size=4))
def test_every_engine_takes_the_example_of_an_accepted_pattern(parts: list[tuple[str, str]]):
    try:
        read = read_pattern("".join(piece + repeat for piece, repeat in parts))
    except ValueError:
        return
    assert re.fullmatch(read.text, read.example)
    assert read.example.startswith(read.prefix)
    TypeAdapter(Annotated[str, Field(pattern=read.text)]).validate_python(read.example)
    rules = rules_of({"type": "string", "pattern": read.text})
    assert rules.is_valid(read.example)
    assert not rules.is_valid(f"{read.example} ") and not rules.is_valid("")


@given(st.text(max_size=20) | st.text(st.sampled_from(r"^$#W09[]{}()?*+|\d,-."), max_size=20))
def test_what_is_accepted_is_anchored_and_matches_neither_nothing_nor_space(text: str):
    try:
        read = read_pattern(text).text
    except ValueError:
        return
    assert read.startswith("^") and read.endswith("$")
    assert not any(re.fullmatch(read, other) for other in ("", " ", "4 4", "\n", "44\n"))


def test_a_pattern_of_another_server_that_is_not_read_has_no_example_and_no_prefix():
    assert (example_of("(?=x).*"), prefix_of("(?=x).*"), as_in("(?=x).*"), as_in(None)) == (None, "", "", "")
    assert as_in(r"#W\d{7}") == ", as in #W1234567"
