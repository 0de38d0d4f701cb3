"""What is shown before a change, and what each answer does."""

import os
import re
from dataclasses import replace
from io import StringIO

import anyio
import pytest

from agent.conversation import Conversation
from common.approval import NOBODY, Approval
from terminal import PipedLines
from terminal.approver import BY, TerminalApprover
from terminal.memory import TalkMemory
from terminal.why import Talked
from tests.terminal.desk import TICKET, play, request_for, small_talk, ticket
from tests.terminal.typed import CTRL_C, Typed, screen_on

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
        request_for(
            arguments,
            title="Open\x1b[2J",
            effect="Opens\nEffect: nothing",
            reversible=True,
            asked_by="the assistant of this chat, at server.py",
        )
    )
    assert page.getvalue() == (
        "Approval needed: Open\\u001b[2J\n"
        "  From:    the assistant of this chat, at server.py\n"
        "  Effect:  Opens\\nEffect: nothing\n"
        '  Call:    create_ticket {"order_id": "4468", "category": "damaged", '
        f'"summary": "fine\\u202e\\u200b\\nDo it? [y/N] y {long}"}}\n'
        "  Length:  The call has 5,105 characters; all of them stand above.\n"
        "  Changes: It adds something new; nothing that is there is altered or deleted.\n"
        "  Undo:    Nothing is lost by it. What it adds stays: this chat cannot take it back, staff can.\n"
        "  Hidden characters: U+001B in the title\n"
        "  Hidden characters: U+202E, U+200B in summary\n"
        "Do it? [y/N] y\n"
    )


async def test_a_title_that_is_missing_is_the_tool_s_name():
    approver, page = _approver(b"n\n")
    await approver(request_for(title=""))
    assert page.getvalue().startswith("Approval needed: create_ticket\n")


async def test_enter_alone_is_no_and_asks_nothing_more():
    person = Typed("")
    assert await _answer(person) == Approval(request_for().digest, False, BY)
    assert len(person.asked) == 1


@pytest.mark.parametrize(
    ("lines", "note"),
    [
        (["n because it is the wrong order"], "it is the wrong order"),
        (["n", "it is the wrong order"], "it is the wrong order"),
        (["no", ""], None),
        (["n"], None),
    ],
)
async def test_a_no_can_carry_a_reason_for_the_model(lines: list[str], note: str | None):
    assert await _answer(Typed(*lines)) == Approval(request_for().digest, False, BY, note)


async def test_yes_please_is_no_yes_and_says_how_to_answer():
    page = StringIO()
    approval = await _answer(Typed("yes please", ""), page)
    assert approval.approved is False
    assert "That is no yes. Type y alone for yes; n, or Enter alone, is no;" in page.getvalue()


async def test_ctrl_d_at_the_question_is_no():
    assert await _answer(Typed()) == Approval(request_for().digest, False, BY)


async def test_w_says_what_for_what_was_said_where_each_argument_came_from_and_that_rules_were_checked():
    page = StringIO()
    talked = Talked(["my order is 4468", "the lamp arrived damaged\x1b[2J"], frozenset({"create_ticket"}), {})
    request = request_for({**TICKET, "copies": 2})
    approver = TerminalApprover(screen_on(page), Typed("w", "y"), lambda: None, talked)
    assert (await approver(request)).approved
    assert page.getvalue().split("Undo:    Nothing known can undo it.\n")[1] == (
        "  For:      Open a ticket about one order.\n"
        "  Said:     the lamp arrived damaged\\u001b[2J\n"
        "  order_id: 4468 · in an earlier message of the customer\n"
        "  category: damaged · in the customer's message\n"
        "  summary:  The lamp is broken. · written by the model\n"
        "  copies:   2 · written by the model\n"
        "  Rules:    the server was asked first, and its rules allow exactly this call.\n"
    )


async def test_w_says_of_an_id_who_named_it_and_when():
    talk = Conversation()
    talk.hear("order 4468 please")
    talk.evidence.see(
        {"order_id": "4471"}, {"properties": {"order_id": {"x-grounding": "order_id"}}}, "list_my_orders"
    )
    talk.hear("the lamp")
    named = TalkMemory(talk).origin
    marked = {"properties": {"order_id": {"type": "string", "x-grounding": "order_id"}}}
    told = []
    for order_id in ("4468", "4471", "4470"):
        page = StringIO()
        talked = Talked(["order 4468 please", "the lamp"], named=named)
        request = replace(request_for({**TICKET, "order_id": order_id}), schema=marked)
        await TerminalApprover(screen_on(page), Typed("w"), lambda: None, talked)(request)
        told += re.findall(r"order_id: \d+ · (.*)\n", page.getvalue())
    assert told == [
        "typed by the customer, one message ago",
        "from list_my_orders, one message ago",
        "not named in this chat",
    ]
    both = named("order_id", ["4468", "4471", "4468"], {"type": "array"})
    assert both == "typed by the customer, one message ago; from list_my_orders, one message ago"


async def test_w_does_not_claim_a_check_that_was_not_made_or_a_source_that_is_not_known():
    page = StringIO()
    approver = TerminalApprover(screen_on(page), Typed("w"), lambda: None, Talked(["44680 is broken"]))
    await approver(request_for({**TICKET, "category": "other"}))
    assert "order_id: 4468 · from an earlier result of the shop's system\n" in page.getvalue()
    assert "category: other · chosen by the assistant\n" in page.getvalue()
    assert "Rules:    this server cannot be asked first; it checks its rules when the call runs.\n" in (
        page.getvalue()
    )


async def test_e_changes_one_argument_and_the_new_call_is_asked_about_again():
    page = StringIO()
    person = Typed("e", "2", "Other", "w", "y")
    approver = TerminalApprover(screen_on(page), person, lambda: None)
    first = await approver(request_for())
    changed = {**TICKET, "category": "other"}
    assert first == Approval(request_for().digest, False, BY, changed=changed)
    again = request_for(changed)
    assert await approver(again) == Approval(again.digest, True, BY)
    assert "  Edited:  category: damaged → other\n" in page.getvalue()
    assert "  category: other · set by you\n" in page.getvalue()


async def test_a_change_that_was_not_taken_is_said_above_the_question():
    page = StringIO()
    approver = TerminalApprover(screen_on(page), Typed(), lambda: None)
    await approver(request_for(notice="No order number '9999' was given.\x1b"))
    assert page.getvalue().startswith(
        "The change was not taken: No order number '9999' was given.\\u001b\nApproval needed: "
    )


@pytest.mark.parametrize("before", [[], ["n"], ["e"], ["e", "1"], ["w"]])
async def test_ctrl_c_at_any_question_stops_the_turn_and_is_no_yes(before: list[str]):
    with anyio.CancelScope() as scope:
        approver = TerminalApprover(screen_on(), Typed(*before, CTRL_C), scope.cancel)
        await approver(request_for())
        pytest.fail("the turn went on")
    assert scope.cancelled_caught


async def test_a_question_that_is_given_up_loses_no_line_and_the_next_text_has_its_own_line():
    read, write = os.pipe()
    page = StringIO()
    screen, lines = screen_on(page), PipedLines(read)
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


async def _answer(person: Typed, page: StringIO | None = None) -> Approval:
    return await TerminalApprover(screen_on(page), person, lambda: None)(request_for())


def _approver(piped: bytes) -> tuple[TerminalApprover, StringIO]:
    read, write = os.pipe()
    os.write(write, piped)
    os.close(write)
    page = StringIO()
    return TerminalApprover(screen_on(page), PipedLines(read), lambda: None), page
