"""Text is shown in checked sentences: a failing one never, a withdrawn version is announced."""

from collections.abc import AsyncIterator

import pytest

from agent_mcp import run
from common.events import ReplyChecked, Token
from llm import Reply
from tests.agent.scripted import Scripted, calls, desk, says

pytestmark = pytest.mark.anyio


class Streaming(Scripted):
    """Sends each reply's text in small pieces, then the Reply."""

    async def stream(self, messages, tools) -> AsyncIterator[str | Reply]:
        reply = await self(messages, tools)
        text = reply.content or ""
        for start in range(0, len(text), 3):
            yield text[start : start + 3]
        yield reply


async def test_each_sentence_is_shown_when_it_is_complete():
    async with desk() as at:
        text = "Hello there. How can I help?\n- orders\n- rules"
        outcome = await at.ask("hi", Streaming(says(text)))
    tokens = [event.text for event in at.events if isinstance(event, Token)]
    assert tokens == ["Hello there. ", "How can I help?\n", "- orders\n", "- rules"]
    assert outcome.reply == text


async def test_nothing_after_a_failing_sentence_is_shown_and_the_version_is_withdrawn():
    async with desk() as at:
        bad = says("Of course. It costs 888.00. Anything else?")
        outcome = await at.ask("what does it cost?", Streaming(bad, says("I do not know the price.")))
    assert at.shown == "Of course. I do not know the price."
    assert outcome.reply == "I do not know the price."
    verdicts = [(event.ok, event.unverified) for event in at.events if isinstance(event, ReplyChecked)]
    assert verdicts == [(False, ("888.00",)), (True, ())]


async def test_words_before_a_call_are_withdrawn_and_are_not_the_reply():
    async with desk() as at:
        first = calls(("get_order_status", {"order_id": "4471"}), text="Let me look. One moment.")
        outcome = await at.ask("order 4471?", Streaming(first, says("It has been shipped.")))
    assert outcome.reply == "It has been shipped."
    assert [event.ok for event in at.events if isinstance(event, ReplyChecked)] == [False, True]


async def test_a_reply_that_differs_from_what_was_streamed_is_not_told():
    class Liar(Streaming):
        async def stream(self, messages, tools):
            yield "Hello there. "
            yield Reply("Order 123456 is yours.")

    async with desk() as at:
        outcome = await at.ask("hi", Liar(says("unused")))
    assert "123456" not in at.shown
    assert "123456" not in outcome.reply


async def test_an_async_listener_is_awaited_before_the_turn_goes_on():
    heard: list[str] = []

    async def listener(event):
        heard.append(event.type)

    async with desk() as at:
        await run("hi", Streaming(says("Hello.")), bridge=at.bridge, on_event=listener)
    assert heard == ["model_started", "token", "reply_checked", "done"]
