"""A turn that is stopped: nothing runs after the stop, and the conversation can go on."""

from typing import Any

import anyio
import pytest

from agent_mcp import approve_all
from common.approval import Approval
from mcp_tools import ToolResult
from tests.agent.scripted import Scripted, assert_valid, calls, desk, says

pytestmark = pytest.mark.anyio

TICKET = {"order_id": "4468", "category": "damaged", "summary": "The lamp arrived broken."}
OPEN = calls(("create_ticket", TICKET), ("get_order_status", {"order_id": "4468"}))
WANTED = "the lamp in order 4468 arrived broken, please open a ticket"


async def test_a_stop_while_the_model_thinks_leaves_a_valid_history():
    thinking = anyio.Event()

    async def model(messages, tools):
        thinking.set()
        await anyio.sleep_forever()

    async with desk() as at:
        await _stopped(at, model, thinking)
        outcome = await at.ask("are you there?", Scripted(says("Yes.")))
    assert outcome.reply == "Yes."


async def test_a_stop_while_a_person_is_asked_runs_nothing_and_answers_every_call():
    asked = anyio.Event()

    async def slow(request):
        asked.set()
        await anyio.sleep_forever()
        return Approval(request.digest, True, "test")

    async with desk() as at:
        await _stopped(at, Scripted(OPEN), asked, slow)
        results = [message for message in at.conversation.messages if message["role"] == "tool"]
    assert at.sent == []
    assert len(results) == 2
    assert all('"error":"stopped"' in message["content"] for message in results)


async def test_a_stop_between_the_yes_and_the_call_runs_nothing():
    async with desk() as at:
        with anyio.fail_after(5), anyio.CancelScope() as scope:

            async def yes_then_stop(request):
                scope.cancel()
                return Approval(request.digest, True, "test")

            await at.ask(WANTED, Scripted(OPEN), yes_then_stop)
        assert scope.cancelled_caught
    assert at.sent == []
    assert_valid(at.conversation)


async def test_a_stop_during_a_call_says_that_it_may_have_been_carried_out():
    calling = anyio.Event()
    async with desk() as at:

        async def never(name: str, arguments: dict[str, Any]) -> ToolResult:
            at.sent.append((name, arguments))
            calling.set()
            await anyio.sleep_forever()
            raise AssertionError("nobody wakes it")

        at.bridge.call = never
        await _stopped(at, Scripted(OPEN), calling, approve_all)
        results = [message["content"] for message in at.conversation.messages if message["role"] == "tool"]
    assert len(at.sent) == 1
    assert "may have been carried out" in results[0]


async def _stopped(at, model, moment: anyio.Event, approver=approve_all) -> None:
    with anyio.fail_after(5):
        async with anyio.create_task_group() as group:
            group.start_soon(at.ask, WANTED, model, approver)
            await moment.wait()
            group.cancel_scope.cancel()
    assert_valid(at.conversation)
