"""The native dialect: calls, calls that leaked as text, and what is never shown."""

from typing import Any

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.leaks import Held, recovered
from model.native import Native
from model.replies import Message, Reply, Usage
from tests.model.stand_in import SAY_HELLO, StandIn, call, calls, collected, streamed, text

pytestmark = pytest.mark.anyio
LOOK_UP = {"type": "function", "function": {"name": "look_up", "parameters": {"type": "object"}}}


async def said(*answers: httpx2.Response, messages: list[Message] = SAY_HELLO) -> tuple[list[Any], StandIn]:
    stand_in = StandIn(*answers)
    items = await collected(Native(stand_in.endpoint).stream(messages, [LOOK_UP]))
    return [*items], stand_in


async def test_tools_are_sent_and_their_calls_come_back():
    items, stand_in = await said(calls(call("look_up", '{"id": "1"}')))
    assert [c.arguments for c in items[-1].tool_calls] == ['{"id": "1"}']
    assert stand_in.asked[0]["tools"] == [LOOK_UP]


async def test_no_tools_means_none_are_sent():
    stand_in = StandIn(text("hi"))
    await collected(Native(stand_in.endpoint).stream(SAY_HELLO, []))
    assert "tools" not in stand_in.asked[0]


@pytest.mark.parametrize(
    "leak",
    [
        '{"name": "look_up", "arguments": {"id": "1"}}',
        '```json\n{"name": "look_up", "arguments": {"id": "1"}}\n```',
        '<tool_call>\n{"name": "look_up", "arguments": {"id": "1"}}\n</tool_call>',
        '<tool_call>\n{"name": "look_up", "arguments": {"id": "1"}}',
        '<tools>{"name": "look_up", "arguments": {"id": "1"}}</tools>',
    ],
)
async def test_a_call_that_leaked_as_text_becomes_a_call_and_is_not_shown(leak: str):
    items, _ = await said(text(*leak))
    assert len(items) == 1
    assert items[0].content is None
    assert [(c.name, c.arguments) for c in items[0].tool_calls] == [("look_up", '{"id": "1"}')]


@pytest.mark.parametrize(
    "leak",
    [
        '{"name": "delete_all", "arguments": {}}',
        '{"name": "look_up", "arguments": "1"}',
        '{"name": "look_up", "arguments": {"id": "1", "id": "2"}}',
        '{{"name": "look_up", "arguments": {"id": "1"}}}',
        '<tool_response>{"status": "shipped"}</tool_response>',
        '<tool_call>{"name": "look_up", "argum',
    ],
)
async def test_markup_that_is_no_clear_call_is_neither_run_nor_shown(leak: str):
    items, _ = await said(text(*leak))
    assert items == [Reply(None, usage=Usage(14, 6), requests=2)] or items == [Reply(None, usage=Usage(7, 3))]


async def test_markup_after_a_sentence_is_not_shown():
    items, _ = await said(text("Let me look.", "\n<tool_", 'call>{"name": "x", "arguments": {}}'))
    assert "".join(i for i in items if isinstance(i, str)).strip() == "Let me look."
    assert items[-1].content is None


@pytest.mark.parametrize("harmless", ["I <3 this. Bye.", "```\nSo it is.\n```", "One.\n{two} three"])
async def test_text_that_only_looks_like_a_call_is_shown_whole(harmless: str):
    items, _ = await said(text(*harmless))
    assert "".join(i for i in items if isinstance(i, str)) == harmless
    assert items[-1].content == harmless


async def test_an_empty_reply_is_asked_for_once_more():
    items, stand_in = await said(streamed(), text("hi"))
    assert items == ["hi", Reply("hi", usage=Usage(14, 6), requests=2)]
    assert len(stand_in.asked) == 2


async def test_two_empty_replies_are_an_empty_reply():
    items, stand_in = await said(streamed())
    assert items == [Reply(None, usage=Usage(14, 6), requests=2)]
    assert len(stand_in.asked) == 2


async def test_a_call_in_history_is_sent_with_text_as_content():
    history = [*SAY_HELLO, {"role": "assistant", "content": None, "tool_calls": [call("look_up", "{}")]}]
    _, stand_in = await said(text("hi"), messages=history)
    assert stand_in.asked[0]["messages"][1]["content"] == ""


@given(st.lists(st.text(alphabet='ab {[<`\n"', max_size=6), max_size=8))
def test_what_is_shown_and_what_is_held_is_the_text(pieces: list[str]):
    held = Held()
    shown = "".join(held.take(piece) for piece in pieces)
    assert shown + held.rest() == "".join(pieces)


@given(st.text(max_size=200))
def test_no_text_is_taken_for_a_call_that_was_not_offered(text: str):
    assert recovered(text, set()) == ()
