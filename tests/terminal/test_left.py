"""Questions that an earlier chat left: shown when the next begins, answered by the same keys, or closed."""

import os
import re
import time
from collections.abc import Callable
from io import StringIO
from typing import Any

import anyio
import pytest

from agent.permission import asked_by, described, hash_of
from agent_mcp import Conversation, run
from common.approval import Approver
from common.events import Event
from common.pending import Pending
from guards.approval import Question
from guards.approval import request_for as approval_request
from guards.grants import Grants
from journal.served import Served
from mcp_tools import connect
from terminal import Agent, Exit, PipedLines, Session
from terminal.left import NOT_DURABLE
from terminal.open_questions import OpenQuestions
from terminal.permissions import Permissions
from tests.agent.left import MIRA, STAFF, Till, chat
from tests.agent.scripted import Scripted, calls, says
from tests.bridge.servers.asking import Asking, form
from tests.terminal.desk import Notes, Outcome, meta, request_for, small_talk
from tests.terminal.typed import CTRL_C, Typed, screen_on

pytestmark = pytest.mark.anyio

CARD = """\
Approval needed: Refund an order
  From:    the assistant of this chat, at till
  Effect:  Refunds 12.5 for order 4471.
  Call:    refund {"amount": 12.5, "order_id": "4471"}
  Changes: It adds something new; nothing that is there is altered or deleted.
  Undo:    Nothing is lost by it. What it adds stays: this chat cannot take it back, staff can.
"""


async def held(
    till: Till,
    url: str | None,
    *lines: str,
    served: Served = MIRA,
    piped: str | None = None,
    question: str = "",
    model: Any = None,
) -> tuple[str, Exit]:
    """Hold the next chat: at a keyboard, or from a pipe."""
    page = StringIO()
    read = -1
    if piped is not None:
        read, write = os.pipe()
        os.write(write, piped.encode())
        os.close(write)
    async with chat(till, url, served) as now:

        async def ask(message: str, approver: Approver, see: Callable[[Event], None]) -> Any:
            return await run(
                message,
                model or Scripted(says("Hello.")),
                approver,
                bridge=now.bridge,
                conversation=now.conversation,
                on_event=see,
                journal=now.journal,
            )

        questions = OpenQuestions(now.bridge, now.conversation, now.journal, served.is_staff)
        agent = Agent(
            ask, memory=Notes(), questions=questions, permissions=Permissions(now.conversation.grants)
        )
        session = Session(agent, screen_on(page), Typed(*lines) if piped is None else PipedLines(read))
        try:
            with anyio.fail_after(10):
                ended = await (session.once(question) if question else session.chat())
        finally:
            if piped is not None:
                os.close(read)
    return re.sub(r", \d\d:\d\d(?=:)", ", 12:34", page.getvalue()), ended


async def left(till: Till, url: str, served: Served = MIRA, **differs: Any) -> None:
    async with chat(till, url, served) as first:
        await first.leave(**differs)


async def test_it_is_shown_before_the_first_message_and_a_y_does_exactly_it(sqlite_url: str):
    till = Till()
    await left(till, sqlite_url)
    page, _ = await held(till, sqlite_url, "y")
    assert page.startswith(
        f"Left open by an earlier chat, 12:34:\n{CARD}approved by a person at the terminal\n"
    )
    assert "Refunded 12.5 for order 4471.\n" in page
    assert till.done == [("4471", 12.5)]
    assert (await held(till, sqlite_url))[0] == ""


async def test_each_of_several_is_asked_and_each_answer_is_for_one(sqlite_url: str):
    till = Till()
    await left(till, sqlite_url)
    await left(till, sqlite_url, amount=99.0)
    page, _ = await held(till, sqlite_url, "n not now", "y")
    assert page.count("Left open by an earlier chat") == 2
    assert "declined by a person at the terminal: not now\n" in page
    assert till.done == [("4471", 99.0)]


async def test_it_is_answered_as_it_stands_no_always_and_no_edit(sqlite_url: str):
    till = Till()
    await left(till, sqlite_url)
    page, _ = await held(till, sqlite_url, "a", "e", "perhaps", "w", "")
    assert "There is no yes to all for this call: it is asked about each time." in page
    assert "A question that was left open is answered as it stands: y or n." in page
    assert "e changes an argument" not in page
    assert "  For:" in page
    assert till.done == []


async def test_ctrl_c_withdraws_it_and_the_chat_goes_on(sqlite_url: str):
    till = Till()
    await left(till, sqlite_url)
    page, _ = await held(till, sqlite_url, CTRL_C, "hi")
    assert "Stopped. Nothing was changed.\n" in page
    assert "Hello.\n" in page
    assert till.done == []
    assert (await held(till, sqlite_url))[0] == ""


async def test_in_a_pipe_a_first_line_that_is_y_does_it(sqlite_url: str):
    till = Till()
    await left(till, sqlite_url)
    page, ended = await held(till, sqlite_url, piped="y\nhi\n")
    assert f"{CARD}Do it? [y/N] y\napproved by a line of the piped input\n" in page
    assert page.count("Approval needed") == 1
    assert till.done == [("4471", 12.5)]
    assert ended is Exit.DONE


async def test_in_a_pipe_any_other_first_line_is_the_first_message_and_supersedes_them_all(sqlite_url: str):
    till = Till()
    await left(till, sqlite_url)
    await left(till, sqlite_url, amount=99.0)
    page, ended = await held(till, sqlite_url, piped="hi\n")
    assert page.count("Left open by an earlier chat") == 1
    assert "no (the next line is not y; it is kept as the next message)\nyou> hi\n" in page
    told = "Refund an order: not approved: something else was written first\n"
    assert page.count(told) == 2
    assert (till.done, ended) == ([], Exit.DONE)
    assert (await held(till, sqlite_url))[0] == ""


async def test_in_a_pipe_the_end_of_input_leaves_it_open(sqlite_url: str):
    till = Till()
    await left(till, sqlite_url)
    page, ended = await held(till, sqlite_url, piped="")
    assert page.endswith("Do it? [y/N] (end of input: the question stays open)\n")
    assert ended is Exit.DONE
    assert CARD in (await held(till, sqlite_url, ""))[0]


async def test_a_single_question_says_how_many_wait_and_leaves_them(sqlite_url: str):
    till = Till()
    await left(till, sqlite_url)
    page, _ = await held(till, sqlite_url, question="hi", piped="y\n")
    assert page.startswith(
        "1 question of an earlier chat is still open. Start a chat without a question to answer.\n"
    )
    assert "Approval needed" not in page
    assert CARD in (await held(till, sqlite_url, ""))[0]


async def test_one_that_was_used_and_never_came_back_is_told_and_not_asked(sqlite_url: str):
    till = Till()
    async with chat(till, sqlite_url) as first:
        request = await first.leave()
        assert first.journal and await first.journal.approvals.redeem(request.digest, time.time())
    page, _ = await held(till, sqlite_url)
    assert page.startswith(
        "Asked by an earlier chat, 12:34:\n"
        "Refund an order: agreed to in an earlier chat, which ended before it was known what came of it\n"
        "An earlier request was agreed to (Refund an order)"
    )
    assert "Do it?" not in page
    assert till.done == []


async def test_one_that_nobody_answered_in_time_is_told_once(sqlite_url: str):
    till = Till()
    await left(till, sqlite_url, ttl_s=-1.0)
    page, _ = await held(till, sqlite_url)
    assert page.startswith(
        "Asked by an earlier chat, 12:34:\nRefund an order: not approved: nobody answered in time\n"
    )
    assert (await held(till, sqlite_url))[0] == ""


async def test_one_that_would_do_something_else_now_is_void_and_said(sqlite_url: str):
    till = Till()
    await left(till, sqlite_url)
    till.effect = "Refunds {amount} and closes order {order_id}."
    page, ended = await held(till, sqlite_url, piped="y\n")
    assert "Refund an order: not approved: what would be done is no longer what was shown\n" in page
    assert (till.done, ended) == ([], Exit.REFUSED)


async def test_a_question_for_the_staff_is_asked_in_a_chat_of_theirs_and_again_on_request(sqlite_url: str):
    till = Till()
    await left(till, sqlite_url, audience="staff")
    assert (await held(till, sqlite_url, "y"))[0].count("Approval needed") == 0
    page, _ = await held(till, sqlite_url, CTRL_C, "/approvals", "y", "/approvals", served=STAFF)
    assert page.count("Left open by an earlier chat") == 2
    assert "  Staff: Only a member of the staff may agree to this.\n" in page
    assert till.done == [("4471", 12.5)]
    assert page.endswith("No question waits to be answered here.\n")


async def test_a_staff_chat_may_answer_by_a_pipe_too(sqlite_url: str):
    till = Till()
    await left(till, sqlite_url, audience="staff")
    await held(till, sqlite_url, piped="y\n", served=STAFF)
    assert till.done == [("4471", 12.5)]


async def test_what_waits_for_the_staff_is_said_where_a_customer_sees_it():
    page = StringIO()
    waiting = request_for(audience="staff", expires_at=time.time() + 900)

    class Waiting:
        staff, durable = False, True

        async def count(self) -> int:
            return 1

        async def offered(self) -> list[Pending]:
            return [Pending(waiting, asked_at=time.time())]

        async def take_up(self, pending: Pending, approver: Approver, on_event: Any) -> Any:
            pytest.fail("a customer was asked")

    agent = Agent(small_talk, questions=Waiting(), permissions=Permissions(Grants()))
    await Session(agent, screen_on(page), Typed("hi")).chat()
    assert re.match(r"Waits for a member of the staff, \d\d:\d\d: Open a ticket\n", page.getvalue())


async def test_where_nothing_is_kept_the_first_card_at_a_keyboard_says_so_once():
    asks = Scripted(calls(("refund", {"order_id": "4471", "amount": 1.0})), says("Nothing was done."))
    wanted = "please refund 1.00 for order 4471"
    page, _ = await held(Till(), None, wanted, "n", "", wanted, "n", "", model=asks)
    assert page.count(f"  {NOT_DURABLE}\n") == 1
    piped, _ = await held(Till(), None, piped=f"{wanted}\nn\n", model=asks)
    assert NOT_DURABLE not in piped


async def test_a_question_of_another_day_says_which():
    page = StringIO()
    pending = Pending(request_for(), asked_at=0.0 + 86_400)

    class Old:
        staff, durable = False, True

        async def count(self) -> int:
            return 1

        async def offered(self) -> list[Pending]:
            return [pending]

        async def take_up(self, pending: Pending, approver: Approver, on_event: Any) -> Any:
            return Outcome("Told.", meta(0, (0, 0)))

    agent = Agent(small_talk, questions=Old(), permissions=Permissions(Grants()))
    await Session(agent, screen_on(page), Typed()).chat()
    assert re.match(r"Left open by an earlier chat, 1970-01-0[12] \d\d:\d\d:\nTold.\n", page.getvalue())


async def test_a_y_from_a_pipe_is_for_the_card_alone_and_not_for_what_the_server_asks_in_its_call():
    server, talk, page = Asking({"ok": form("And your house for 1.00?")}), Conversation(), StringIO()
    async with connect(server, mode="legacy") as bridge:
        tool = bridge.tools[0]
        asked = Question(described(tool), asked_by(bridge))
        request = approval_request(tool, {"amount": 5}, asked, time.time(), 900)
        await talk.approvals.ask(Pending(request, hash_of(tool), "en", asked_at=time.time()))
        read, write = os.pipe()
        os.write(write, b"y\nno, only that\n")
        os.close(write)

        async def ask(message: str, approver: Approver, see: Callable[[Event], None]) -> Any:
            return await run(message, Scripted(says("Hello.")), approver, bridge=bridge, conversation=talk)

        questions = OpenQuestions(bridge, talk, None, False)
        agent = Agent(ask, memory=Notes(), questions=questions, permissions=Permissions(talk.grants))
        try:
            with anyio.fail_after(10):
                await Session(agent, screen_on(page), PipedLines(read)).chat()
        finally:
            os.close(read)
    assert server.heard[0].action == "decline"
    assert "And your house for 1.00?" in page.getvalue()
    assert "no, only that" in page.getvalue()
