"""common/order_ids.py: what was typed is an order number in the one form that the shop prints."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from common.order_ids import DIGITS, OrderIdSettings, form_that_matches, key_of

HASH, LETTER, PARTS = "^#[0-9]+$", r"^#W\d{7}$", r"^[A-Z]{2}-\d{4}-\d{3}$"


@pytest.mark.parametrize(
    ("typed", "pattern", "id"),
    [
        ("4471", DIGITS, "4471"),
        ("#4471", DIGITS, "4471"),
        (" # 4471 ", DIGITS, "4471"),
        ("٤٤٧١", DIGITS, "4471"),
        ("４４７１", r"^\d+$", "4471"),
        ("1001", HASH, "#1001"),
        ("#1001", HASH, "#1001"),
        ("№1001", HASH, "#1001"),
        ("W2611340", LETTER, "#W2611340"),
        ("#W2611340", LETTER, "#W2611340"),
        ("w2611340", LETTER, "#W2611340"),
        ("#w2611340", LETTER, "#W2611340"),
        ("Ｗ２６１１３４０", LETTER, "#W2611340"),
        ("ab-1234-123", PARTS, "AB-1234-123"),
        ("#AB-1234-123", PARTS, "AB-1234-123"),
        ("ord17", r"^ORD\d+$", "ORD17"),
        ("ORD17", r"^Ord\d+$", "Ord17"),
        ("ORD17", r"^ord\d+$", "ord17"),
        ("зк-17", r"^ЗК-\d+$", "ЗК-17"),
        ("#1001", "^#?[0-9]+$", "#1001"),
        ("1001", "^#?[0-9]+$", "1001"),
    ],
)
def test_the_form_that_matches_is_the_id(typed: str, pattern: str, id: str):
    assert form_that_matches(typed, pattern) == id


@pytest.mark.parametrize(
    ("typed", "pattern"),
    [
        ("", DIGITS),
        ("#", HASH),
        ("44 71", DIGITS),
        ("W2611340", DIGITS),
        ("2611340", LETTER),
        ("W26113401", LETTER),
        ("\u0428" + "2611340", LETTER),  # a Cyrillic letter
        ("1" * 65, HASH),
        ("1" * 10_000, HASH),
        ("please", "^[A-Z0-9]{6}$"),
    ],
)
def test_what_is_no_id_in_any_form_is_none(typed: str, pattern: str):
    assert form_that_matches(typed, pattern) is None


def test_two_forms_in_other_cases_name_neither():
    assert form_that_matches("aB1", "^(?:AB|ab)[0-9]$") is None
    assert form_that_matches("ab1", "^(?:AB|ab)[0-9]$") == "ab1"


@given(st.integers(0, 10**7 - 1), st.sampled_from(["#W", "W", "#w", "w", " # W"]))
def test_no_digit_is_ever_lost_or_added(number: int, before: str):
    assert form_that_matches(f"{before}{number:07}", LETTER) == f"#W{number:07}"


@given(st.text(max_size=80), st.sampled_from([DIGITS, HASH, LETTER, PARTS]))
def test_any_text_is_tried_and_what_comes_back_is_itself_the_id(text: str, pattern: str):
    id = form_that_matches(text, pattern)
    assert id is None or (form_that_matches(id, pattern) == id and key_of(id) == key_of(text).upper())


def test_an_empty_setting_is_the_default_and_a_bad_one_says_what_to_write(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("ORDER_ID_PATTERN", "")
    assert OrderIdSettings().order_id_pattern == DIGITS
    with pytest.raises(ValidationError, match="for any character; write which"):
        OrderIdSettings(order_id_pattern="W.+")


def test_a_settings_file_may_hold_a_sign_and_a_class(tmp_path: object, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("ORDER_ID_PATTERN", raising=False)
    file = f"{tmp_path}/.env"
    for written, read in ((r"^#W\d{7}$", "^#W[0-9]{7}$"), (r"#\d+", "^#[0-9]+$")):
        with open(file, "w", encoding="utf-8") as out:
            out.write(f"ORDER_ID_PATTERN={written}\n")
        assert OrderIdSettings(_env_file=file).order_id_pattern == read  # pyright: ignore[reportCallIssue]
