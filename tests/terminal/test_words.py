"""Lines made from plain values: calls, costs, outcomes."""

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from common.approval import Approval, Verdict
from terminal.words import (
    amount,
    answered_text,
    closing_line,
    in_progress,
    outcome_text,
    shortened,
    tool_line,
)


@pytest.mark.parametrize(
    ("width", "line"),
    [
        (None, f'tool: create_ticket {{"summary": "{"x" * 80}"}} · ok · 17 B · 0.2 s'),
        (40, "tool: create_ticket… · ok · 17 B · 0.2 s"),
        (80, f'tool: create_ticket {{"summary": "{"x" * 26}… · ok · 17 B · 0.2 s'),
    ],
)
def test_a_call_s_line_is_shortened_and_its_outcome_is_not(width: int | None, line: str):
    call = f'create_ticket {{"summary": "{"x" * 80}"}}'
    assert tool_line(call, "ok · 17 B", 0.21, width) == line
    assert width is None or cell_len(line) == width


@given(
    call=st.text(st.characters(exclude_categories=["C"]), max_size=200),
    outcome=st.text(st.characters(exclude_categories=["C"]), min_size=1, max_size=200),
    width=st.integers(40, 200),
)
def test_a_tool_s_line_is_one_line_at_any_width_and_says_how_it_ended(call: str, outcome: str, width: int):
    line = tool_line(call, f"refused at grounding: {outcome}", 0.2, width)
    assert cell_len(line) <= width
    assert " · refused at grounding" in line


@pytest.mark.parametrize(
    ("title", "doing"),
    [
        ("Look up an order", "Looking up an order"),
        ("Search the shop's policies", "Searching the shop's policies"),
        ("Open a ticket", "Opening a ticket"),
        ("Order status", "Order status"),
        ("get_order_status", "get_order_status"),
        ("", ""),
    ],
)
def test_a_tool_s_title_says_what_is_being_done(title: str, doing: str):
    assert in_progress(title) == doing


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "0"),
        (999, "999"),
        (1_000, "1.0k"),
        (2_130, "2.1k"),
        (9_949, "9.9k"),
        (9_950, "10k"),
        (48_210, "48k"),
        (999_499, "999k"),
        (999_500, "1.0M"),
        (12_345_678, "12M"),
    ],
)
def test_a_count_is_said_in_a_few_characters(count: int, text: str):
    assert amount(count) == text


@pytest.mark.parametrize(
    ("meta", "line"),
    [
        (
            {
                "llm_calls": 2,
                "usage": {"prompt_tokens": 2_130, "completion_tokens": 340},
                "tools_used": ["a", "b"],
            },
            "2.1k in · 340 out · 3.2 s · 2 tools · 2 model calls",
        ),
        ({"llm_calls": 1, "usage": None, "tools_used": []}, "3.2 s · 0 tools · 1 model call"),
        ({}, "3.2 s"),
    ],
)
def test_the_closing_line_leaves_out_what_nobody_reported(meta: dict, line: str):
    assert closing_line(meta, 3.21) == line


@pytest.mark.parametrize(
    ("is_error", "data", "text"),
    [
        (False, {"error": "not one"}, "ok · 20 B"),
        (False, {"text": "x" * 2_000}, "ok · 2.0kB"),
        (True, {"error": "wrong_state"}, "refused: wrong_state"),
        (True, {"error": "unknown_outcome"}, "refused: unknown_outcome"),
        (True, {}, "failed"),
        (True, {"error": 7}, "failed"),
    ],
)
def test_the_outcome_of_a_call_is_its_size_or_the_server_s_code(is_error: bool, data: dict, text: str):
    assert outcome_text(is_error, data) == text


def test_a_megabyte_is_shortened_without_being_escaped_whole():
    assert shortened("\x1b" * 1_000_000, 60) == ("\\u001b" * 10)[:59] + "…"
    assert shortened("a\nb", 60) == "a b"


def test_tokens_that_an_endpoint_does_not_report_are_left_out():
    meta = {"llm_calls": 1, "tools_used": [], "usage": {"prompt_tokens": 0, "completion_tokens": 0}}
    assert closing_line(meta, 1.0) == "1.0 s · 0 tools · 1 model call"


@pytest.mark.parametrize(
    ("outcome", "told"),
    [
        ("expired", "not approved: nobody answered in time"),
        ("not_possible", "not approved: there is nobody here who could"),
        ("cancelled", "not approved: the question was withdrawn before it was answered"),
        ("superseded", "not approved: something else was written first"),
        ("void", "not approved: what would be done is no longer what was shown"),
        ("used", "not approved: this question had been answered before"),
        ("waiting", "not approved: it waits for a member of the staff"),
        ("unknown", "agreed to in an earlier chat, which ended before it was known what came of it"),
        ("changed", "changed by nobody"),
        ("declined", "declined by nobody"),
    ],
)
def test_whatever_a_question_comes_to_is_said_with_its_reason(outcome: str, told: str):
    assert answered_text(outcome, None) == told


def test_every_verdict_has_its_words():
    texts = [answered_text(verdict, None) for verdict in get_args(Verdict)]
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize(
    ("approval", "is_form", "told"),
    [
        (
            Approval("", True, "you", always=True),
            False,
            "approved by you, and all like it: /permissions lists them",
        ),
        (Approval("", True, "you\u202e"), False, "approved by you\\u202e"),
        (Approval("", True, "you", content={}), True, "filled in by you"),
    ],
)
def test_a_yes_says_how_far_it_reaches(approval: Approval, is_form: bool, told: str):
    assert answered_text("approved", approval, is_form=is_form) == told
