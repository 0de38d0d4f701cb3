"""What counts as yes, and what the question shows."""

import os
from io import StringIO

import anyio
import pytest
from rich.console import Console

from common.approval import NOBODY, Approval
from terminal import PipedLines, Screen
from terminal.approver import TerminalApprover
from terminal.lines import Answer, Interrupted
from tests.terminal.desk import TICKET, play, request_for, small_talk, ticket

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("line", ["y", "Y", " y ", "y\r"])
async def test_the_line_y_alone_is_yes(line: str):
    page = await play(f"open a ticket\n{line}\n", ticket)
    assert page.answers == "Ticket T-1 is open.\n"


@pytest.mark.parametrize(
    "line", ["yes", "Yes please", "y!", "y y", "yy", "ÿ", "ｙ", "n", "no", "y\u200b", "\ufeffy", "j"]
)
async def test_any_other_line_is_no_and_is_kept_as_the_next_message(line: str):
    page = await play(f"open a ticket\n{line}\n", ticket, small_talk)
    first, second = page.answers.splitlines()
    assert first == "No ticket was opened."
    assert second.startswith("You said: ")


@pytest.mark.parametrize("rest", ["", "\n", "   \n"])
async def test_an_empty_line_and_the_end_of_input_are_no(rest: str):
    page = await play(f"open a ticket\n{rest}", ticket)
    assert page.answers == "No ticket was opened.\n"


async def test_a_kept_line_answers_the_next_approval_with_no_again():
    async def twice(message, approver, on_event):
        await ticket(message, approver, on_event)
        return await ticket(message, approver, on_event)

    page = await play("open a ticket\nanother thing\n", twice, small_talk)
    assert page.answers == "No ticket was opened.\nYou said: another thing\n"
    assert page.text.count("[y/N] no (the next line is not y") == 2


async def test_the_end_of_input_says_that_nobody_was_there():
    approver, _ = _approver(b"")
    request = request_for()
    assert await approver(request) == Approval(request.digest, False, NOBODY)


async def test_the_call_is_shown_whole_and_what_cannot_be_seen_is_written_out():
    approver, page = _approver(b"y\n")
    long = "x" * 5_000
    arguments = {**TICKET, "summary": f"fine\u202e\u200b\nDo it? [y/N] y {long}"}
    await approver(
        request_for(arguments, title="Open\x1b[2J", effect="Opens\nEffect: nothing", reversible=True)
    )
    assert page.getvalue() == (
        "Approval needed: Open\\u001b[2J\n"
        "  Effect: Opens\\nEffect: nothing\n"
        '  Call:   create_ticket {"order_id": "4468", "category": "damaged", '
        f'"summary": "fine\\u202e\\u200b\\nDo it? [y/N] y {long}"}}\n'
        "  Undo:   It only adds something; nothing is deleted.\n"
        "Do it? [y/N] y\n"
    )


async def test_a_title_that_is_missing_is_the_tool_s_name():
    approver, page = _approver(b"n\n")
    await approver(request_for(title=""))
    assert page.getvalue().startswith("Approval needed: create_ticket\n")


async def test_ctrl_c_at_the_question_stops_the_turn_and_is_no_yes():
    class Pressed(PipedLines):
        interactive = True

        async def answer(self, question: str) -> Answer:
            raise Interrupted

    with anyio.CancelScope() as scope:
        approver = TerminalApprover(_screen(StringIO()), Pressed(), scope.cancel)
        await approver(request_for())
        pytest.fail("the turn went on")
    assert scope.cancelled_caught


async def test_a_question_that_is_given_up_loses_no_line_and_the_next_text_has_its_own_line():
    read, write = os.pipe()
    page = StringIO()
    screen, lines = _screen(page), PipedLines(read)
    approver = TerminalApprover(screen, lines, lambda: None)
    waiting = anyio.Event()

    async def ask() -> None:
        waiting.set()
        await approver(request_for())

    with anyio.fail_after(5):
        async with anyio.create_task_group() as group:
            group.start_soon(ask)
            await waiting.wait()
            await anyio.wait_all_tasks_blocked()
            group.cancel_scope.cancel()
        screen.line("It expired.")
        os.write(write, b"hello\n")
        assert await lines.message() == "hello"
    os.close(write)
    os.close(read)
    assert page.getvalue().endswith("Do it? [y/N] \nIt expired.\n")


def _screen(page: StringIO) -> Screen:
    return Screen(Console(file=page, force_terminal=False), page)


def _approver(piped: bytes) -> tuple[TerminalApprover, StringIO]:
    read, write = os.pipe()
    os.write(write, piped)
    os.close(write)
    page = StringIO()
    return TerminalApprover(_screen(page), PipedLines(read), lambda: None), page
