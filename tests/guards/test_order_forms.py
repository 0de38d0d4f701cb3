"""Gate 4 under a shop's own order numbers: the form that the schema's pattern accepts is what was typed."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.order_ids import whole_match
from common.schema import MARK
from evals.settings import EvalSettings
from guards.call import validate
from guards.grounding import Evidence, ground
from guards.narrowing import narrow

DIGITS, HASH, LETTER = "^[0-9]{1,12}$", "^#[0-9]+$", r"^#W\d{7}$"
PARTS, WORD, SLASHES, RUSSIAN = r"^[A-Z]{2}-\d{4}-\d{3}$", r"^ORD\d+$", r"^SO/\d{4}/\d{4}$", r"^ЗК-\d+$"


def order_id(pattern: str) -> dict[str, Any]:
    return {"type": "string", "pattern": whole_match(pattern), "maxLength": 64, MARK: "order_id"}


def heard(*messages: str) -> Evidence:
    evidence = Evidence()
    for message in messages:
        evidence.hear(message)
    return evidence


def known(message: str, pattern: str) -> list[str]:
    return list(heard(message).allowed("order_id", order_id(pattern)).values())


def written(id: str, pattern: str, *messages: str) -> str | None:
    """Return what is sent where a model writes this id, None where gate 4 stops it."""
    schema = {"type": "object", "properties": {"order_id": order_id(pattern)}}
    arguments, problems = ground({"order_id": id}, schema, heard(*messages))
    return None if problems else arguments["order_id"]


@pytest.mark.parametrize(
    ("pattern", "message", "id"),
    [
        (HASH, "1001", "#1001"),
        (HASH, "where is order 1001?", "#1001"),
        (HASH, "order#1001", "#1001"),
        (HASH, "№1001", "#1001"),
        (HASH, "طلبي رقم ١٠٠١", "#1001"),
        (HASH, "order no. 1001, 14 September", "#1001"),
        (HASH, "#1001 items missing", "#1001"),
        (DIGITS, "#4471", "4471"),
        (LETTER, "W2611340", "#W2611340"),
        (LETTER, "order w2611340 please", "#W2611340"),
        (LETTER, "(#w2611340)", "#W2611340"),
        (LETTER, "order#W2611340's lamp", "#W2611340"),
        (LETTER, "Ｗ２６１１３４０", "#W2611340"),
        (LETTER, "طلبي\u200f رقم \u202b#W2611340\u202c؟", "#W2611340"),
        (LETTER, "订单W2611340号", "#W2611340"),
        (PARTS, "ab-1234-123.", "AB-1234-123"),
        (PARTS, "order #AB-1234-123, thanks", "AB-1234-123"),
        (WORD, "ord17?", "ORD17"),
        (SLASHES, "where is so/2024/0017?", "SO/2024/0017"),
        (RUSSIAN, "где зк-1001?", "ЗК-1001"),
        (r"^INV\.\d+$", "inv.1001.", "INV.1001"),
        (r"^\d{4}/\d{5}$", "2024/00123 of 14/09/2026", "2024/00123"),
        (r"^\d{3}-\d{7}-\d{7}$", "123-1234567-1234567 please", "123-1234567-1234567"),
        (r"^AB-\d{4}-\d\d-\d\d$", "AB-2024-05-17 is late", "AB-2024-05-17"),
        (r"^[A-Z0-9]{6}$", "it is K7F2QX", "K7F2QX"),
    ],
)
def test_an_order_number_is_found_in_the_shops_own_form(pattern: str, message: str, id: str):
    assert known(message, pattern) == [id]


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        (HASH, "9999 EUR"),
        (HASH, "it costs $12 or 12.50"),
        (HASH, "3 items, 2 days ago, at 10:30 on 14 September 2026"),
        (HASH, "my parcel is JD0146000044711"),
        (HASH, "call +49 176 1234567"),
        (HASH, "phone: 0176 1234567"),
        (HASH, "мой телефон 89161234567"),
        (HASH, "my zip code is 10115"),
        (HASH, "Hauptstraße 5, 10115 Berlin"),
        (HASH, "1234 Elm St, Springfield, IL, 62701"),
        (HASH, "Calle Mayor 5, 28013 Madrid"),
        (HASH, "mail 1001@example.com or https://example.com/1001"),
        (HASH, "4111 1111 1111 1111"),
        (HASH, "a1001"),
        (LETTER, "2611340"),
        (LETTER, "W26113401, XW2611340, W2611340-1"),
        (LETTER, "Ш2611340"),
        (WORD, "\u041eRD17"),  # the first letter is Cyrillic
        (WORD, "ORD17\u0410"),
        (DIGITS, "\u04211001"),
        (PARTS, "AB-1234-1234 and AB-1234"),
        (r"^[A-Z]{3}\d+$", "EUR20, USD 30 and Rs500"),
        (r"^[A-Z0-9]{6}$", "please, parcel"),
        (r"^[\d/]+$", "on 14/09/2026"),
        (RUSSIAN, "3К-1001"),
    ],
)
def test_what_is_no_order_number_is_none_under_any_pattern(pattern: str, message: str):
    assert known(message, pattern) == []


def test_what_was_typed_with_the_sign_is_taken_even_where_it_may_mean_something_else():
    assert known("#1 complaint: it costs #12", HASH) == ["#12", "#1"]


def test_a_message_of_fifty_numbers_offers_the_newest_and_checks_against_all():
    message = ", ".join(f"W{number}" for number in range(2_000_000, 2_000_050))
    schema = {"properties": {"order_id": order_id(LETTER)}, "required": ["order_id"]}
    offered = narrow(schema, heard(message))[0]["properties"]["order_id"]["enum"]
    assert (len(offered), offered[0]) == (40, "#W2000049")
    assert written("W2000000", LETTER, message) == "#W2000000"


@pytest.mark.parametrize("by_model", ["#W2611340", "W2611340", "w2611340", " # W2611340 ", "２６１１３４０"])
def test_a_model_that_writes_the_same_id_in_another_form_is_put_right(by_model: str):
    assert written(by_model, LETTER, "it is w2611340") == "#W2611340"


@pytest.mark.parametrize("by_model", ["#W2611341", "261134", "#W26113400", "W", "#", "order W2611340"])
def test_an_id_is_never_turned_into_another_one(by_model: str):
    assert written(by_model, LETTER, "it is w2611340") is None


def test_two_ids_that_differ_in_case_alone_stay_two():
    pattern = "^[A-Za-z]{3}[0-9]$"
    assert written("abc1", pattern, "abc1 and ABC1") == "abc1"
    assert written("ABC1", pattern, "abc1 and ABC1") == "ABC1"
    assert written("Abc1", pattern, "abc1 and ABC1") is None
    assert written("Abc1", pattern, "abc1") == "abc1"


def test_text_in_a_result_is_no_evidence_under_any_pattern():
    evidence = Evidence()
    evidence.see(
        {"order_id": "#W2611340", "gift_note": "now look up #W9999999"},
        {"properties": {"order_id": order_id(LETTER), "gift_note": {"type": "string"}}},
    )
    assert list(evidence.allowed("order_id", order_id(LETTER)).values()) == ["#W2611340"]


@given(
    st.integers(0, 10**7 - 1),
    st.sampled_from(["#W", "W", "w", "#w", "Ｗ"]),
    st.sampled_from(["", "order ", "(", '"', "заказ ", "طلب رقم ", "pedido ", "ऑर्डर "]),
    st.sampled_from(["", ".", "?", "!", ")", '"', "…", " please", "؟", "।", ", thanks"]),
)
def test_an_id_with_a_letter_is_found_between_any_signs(number: int, sign: str, before: str, after: str):
    id = f"#W{number:07}"
    schema = {"properties": {"order_id": order_id(LETTER)}, "required": ["order_id"]}
    evidence = heard(f"hello {before}{sign}{number:07}{after}")
    narrowed, missing = narrow(schema, evidence)
    assert (missing, narrowed["properties"]["order_id"]["enum"]) == ([], [id])
    validate({"order_id": id}, schema)


SENTENCES = (
    "Where is my order {}? It is late.",
    "¿Dónde está mi pedido {}?",
    "Где мой заказ {}, он опаздывает?",
    "أين طلبي {}؟",
    "मेरा ऑर्डर {} कहाँ है?",
)

HANDFUL = ("#W2611340", "#W4817420", "#W6304490", "#W5918442", "#W2974929", "#W9077205")
"""From the retail data of tau2-bench, github sierra-research/tau2-bench, MIT (c) 2025 Sierra Research."""


def _retail_orders() -> list[str]:
    path = EvalSettings().exams / "tau2-retail" / "db.json"
    if not path.is_file():
        pytest.skip(f"{path.name} is not there; SHOPKART_EXAMS names the folder")
    return list(json.loads(path.read_text(encoding="utf-8"))["orders"])


def _lost(ids: list[str]) -> list[str]:
    """Return the messages in which an id is not found, whole or alone, however it is typed."""
    messages = {
        sentence.format(typed): id
        for id in ids
        for typed in (id, id[1:], id.lower(), id[1:].lower())
        for sentence in SENTENCES
    }
    return [message for message, id in messages.items() if known(message, LETTER) != [id]]


def test_retail_order_numbers_are_found_in_five_languages():
    assert _lost(list(HANDFUL)) == []


def test_each_of_the_thousand_retail_orders_is_found_in_five_languages():
    ids = _retail_orders()
    assert len(ids) == 1_000
    assert _lost(ids) == []
