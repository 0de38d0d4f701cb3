"""A server's form: asked field by field, checked as it is typed, sent after a last yes."""

import os
from io import StringIO

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.approval import NOBODY, Approval, ApprovalRequest
from guards.form import filled, form_of
from terminal import PipedLines
from terminal.approver import BY, BY_PIPE, TerminalApprover
from terminal.form_fields import FormField, NotAValue, form_fields
from tests.terminal.desk import request_for
from tests.terminal.typed import CTRL_C, Typed, screen_on

pytestmark = pytest.mark.anyio

FORM = form_of(
    {
        "type": "object",
        "properties": {
            "size": {"type": "string", "title": "Size", "enum": ["s", "m"], "enumNames": ["Small", "Medium"]},
            "colours": {"type": "array", "items": {"type": "string", "enum": ["red", "blue"]}, "maxItems": 2},
            "count": {"type": "integer", "minimum": 1, "maximum": 9, "default": 1},
            "weight": {"type": "number", "description": "in kilograms"},
            "gift": {"type": "boolean", "title": "Wrap it as a gift"},
            "mail": {"type": "string", "format": "email"},
            "note": {"type": "string", "maxLength": 10},
        },
        "required": ["size", "gift"],
    }
)


def form_request(form: dict = FORM, **changes: object) -> ApprovalRequest:
    return request_for({}, effect="A few details, please.", form=form, asked_by="the server x", **changes)


async def answered(*lines: str, form: dict = FORM) -> tuple[Approval, str, list[str]]:
    page, person = StringIO(), Typed(*lines)
    approval = await TerminalApprover(screen_on(page), person, lambda: None)(form_request(form))
    assert approval.digest == form_request(form).digest or form is not FORM
    return approval, page.getvalue(), person.asked


async def piped(text: str, form: dict = FORM) -> tuple[Approval, str, str | None]:
    """Answer from a pipe; return the answer, the page, and the next message."""
    read, write = os.pipe()
    os.write(write, text.encode())
    os.close(write)
    page, lines = StringIO(), PipedLines(read)
    try:
        with anyio.fail_after(5):
            approval = await TerminalApprover(screen_on(page), lines, lambda: None)(form_request(form))
            try:
                kept = await lines.message()
            except EOFError:
                kept = None
    finally:
        os.close(read)
    return approval, page.getvalue(), kept


async def test_a_form_is_asked_field_by_field_and_sent_after_a_last_y():
    approval, page, asked = await answered("2", "red, 2", "", "1.5", "y", "kim@example.com", "", "y")
    assert (approval.approved, approval.by) == (True, BY)
    assert approval.content == {
        "size": "m",
        "colours": ["red", "blue"],
        "count": 1,
        "weight": 1.5,
        "gift": True,
        "mail": "kim@example.com",
    }
    assert asked == [
        "Size (1-2): ",
        "colours (1-2, with commas): ",
        "count (a whole number) [1]: ",
        "weight (a number): ",
        "Wrap it as a gift (y/n): ",
        "mail: ",
        "note: ",
        "Send this? [y/N] ",
    ]
    assert page.split("leaves out what can be left out.\n")[1] == (
        "  Size\n"
        "    1  Small (s)\n"
        "    2  Medium (m)\n"
        "  colours (can be left out)\n"
        "    1  red\n"
        "    2  blue\n"
        "  count\n"
        "  weight (can be left out): in kilograms\n"
        "  Wrap it as a gift\n"
        "  mail (can be left out)\n"
        "  note (can be left out)\n"
        "  Size:              Medium\n"
        "  colours:           red, blue\n"
        "  count:             1\n"
        "  weight:            1.5\n"
        "  Wrap it as a gift: yes\n"
        "  mail:              kim@example.com\n"
    )


async def test_what_does_not_fit_is_said_and_asked_again():
    approval, page, _ = await answered(
        *("", "large", "medium"),
        *("green", ""),
        *("many", "12", "2.5", "3"),
        *("heavy", "NaN", "1e999", ""),
        *("perhaps", "n"),
        *("kim", ""),
        *("x" * 11, "hello"),
        "y",
    )
    assert approval.content == {"size": "m", "count": 3, "gift": False, "note": "hello"}
    for told in (
        "Size is needed. To send nothing at all, type n.",
        "Size must be one of: Small, Medium.",
        "colours must be one of: red, blue.",
        "count must be a number, such as 12 or 12.5.",
        "count must be at most 9.",
        "count must be of type integer.",
        "weight must be a number, such as 12 or 12.5.",
        "Wrap it as a gift is answered with y or n.",
        "mail must be an e-mail address, such as name@example.com.",
        "note must have at most 10 characters.",
    ):
        assert f"  {told}\n" in page


@pytest.mark.parametrize("before", [[], ["1"], ["1", "", ""], ["1", "", "", "", "y", ""]])
async def test_n_at_any_field_is_no_to_all_of_it(before: list[str]):
    approval, _, _ = await answered(*before, "n", "y")
    assert (approval.approved, approval.content, approval.note) == (False, None, None)


@pytest.mark.parametrize("last", ["", "n", "yes", "Y!", "a"])
async def test_nothing_is_sent_without_a_last_y(last: str):
    approval, _, _ = await answered("1", "", "", "", "n", "", "", last)
    assert (approval.approved, approval.content) == (False, None)


async def test_ctrl_d_is_no_and_ctrl_c_stops_the_turn():
    approval, _, _ = await answered("1")
    assert (approval.approved, approval.by) == (False, BY)
    with anyio.CancelScope() as scope:
        await TerminalApprover(screen_on(), Typed("1", CTRL_C), scope.cancel)(form_request())
        pytest.fail("the turn went on")
    assert scope.cancelled_caught


async def test_a_form_without_fields_asks_for_the_last_y_alone():
    form = {"type": "object", "properties": {}, "required": []}
    approval, _, asked = await answered("y", form=form)
    assert (approval.approved, approval.content, asked) == (True, {}, ["Send this? [y/N] "])


async def test_a_choice_whose_values_are_numbers_is_made_by_value_and_never_by_place():
    form = {"type": "object", "properties": {"n": {"type": "string", "enum": ["2", "1"]}}, "required": ["n"]}
    approval, page, _ = await answered("1", "y", form=form)
    assert approval.content == {"n": "1"}
    assert "    · 2\n    · 1\n" in page


async def test_hostile_titles_are_written_out():
    form = {"type": "object", "properties": {"a": {"type": "string", "title": "Na\u202eme\n  Undo: x"}}}
    _, page, asked = await answered("", "", form=form)
    assert "\u202e" not in page + "".join(asked)
    assert asked[0] == "Na\\u202eme Undo: x: "
    assert "Hidden characters: U+202E in the form" in page


async def test_in_a_pipe_the_next_lines_answer_field_by_field():
    approval, page, kept = await piped("m\n\n4\n\ny\n\n\ny\nthank you\n")
    assert (approval.approved, approval.by) == (True, BY_PIPE)
    assert approval.content == {"size": "m", "count": 4, "gift": True}
    assert "Size (1-2): m\n" in page
    assert kept == "thank you"


async def test_in_a_pipe_a_line_that_does_not_fit_is_no_and_the_next_message():
    approval, page, kept = await piped("where is my order?\n")
    assert (approval.approved, approval.by, approval.content) == (False, BY_PIPE, None)
    assert "no (the next line does not fit; it is kept as the next message)\n" in page
    assert kept == "where is my order?"


@pytest.mark.parametrize("text", ["", "m\n", "m\n\n4\n\ny\n\n\n"])
async def test_in_a_pipe_the_end_of_input_is_nobody(text: str):
    approval, page, _ = await piped(text)
    assert (approval.approved, approval.by) == (False, NOBODY)
    assert page.endswith("no (end of input)\n")


@given(st.sampled_from(form_fields(form_request())), st.text(max_size=30))
def test_whatever_is_typed_is_a_value_that_the_form_allows_or_is_refused_in_words(
    field: FormField, typed: str
):
    try:
        value = field.read(typed)
    except NotAValue as problem:
        assert str(problem)
        return
    if value is not None:
        filled({**FORM, "required": []}, {field.name: value})


def choice(**names: str) -> dict:
    return {"type": "string", "title": "Sell it", "enum": list(names), "enumNames": list(names.values())}


async def test_a_word_that_is_one_choices_value_and_anothers_title_chooses_neither():
    form = form_of({"type": "object", "properties": {"a": choice(yes="No", no="Yes")}, "required": ["a"]})
    approval, page, _ = await answered("yes", "1", "y", form=form)
    assert approval.content == {"a": "yes"}
    assert "yes may be one or another of them. Type its number." in page
    assert "Sell it: No" in page


async def test_of_choices_that_differ_in_their_case_the_one_that_is_typed_exactly_is_meant():
    form = form_of({"type": "object", "properties": {"a": {"type": "string", "enum": ["Keep", "keep"]}}})
    for typed in ("Keep", "keep"):
        assert (await answered(typed, "y", form=form))[0].content == {"a": typed}
    assert "may be one or another" in (await answered("KEEP", "keep", "y", form=form))[1]


async def test_a_long_title_is_shown_to_its_end():
    title = (
        "Do you want to hear of new things now and then, by mail, at most once a month, and pay 500.00 now?"
    )
    form = form_of({"type": "object", "properties": {"a": {"type": "boolean", "title": title}}})
    assert title in (await answered("n", "y", form=form))[1]
