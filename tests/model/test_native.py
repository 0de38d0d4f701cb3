"""The native dialect: calls, calls that leaked as text, and what is never shown."""

import json
from pathlib import Path
from typing import Any

import httpx2
import pytest

from model import errors
from model.native import Native
from model.replies import Message, Reply, Usage
from tests.model.stand_in import SAY_HELLO, StandIn, call, calls, collected, failure, streamed, text

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
        '<tool_response>{"status": "shipped"}</tool_response>',
        '<tool_call>{"name": "look_up", "argum',
    ],
)
async def test_markup_that_is_no_clear_call_is_neither_run_nor_shown(leak: str):
    items, _ = await said(text(*leak))
    assert items == [Reply(None, usage=Usage(14, 6), requests=2)]


async def test_markup_after_a_sentence_is_not_shown():
    items, _ = await said(text("Let me look.", "\n<tool_", 'call>{"name": "x", "arguments": {}}'))
    assert "".join(i for i in items if isinstance(i, str)).strip() == "Let me look."
    assert items[-1].content is None


async def test_an_empty_reply_is_asked_for_once_more():
    items, stand_in = await said(streamed(), text("hi"))
    assert items == ["hi", Reply("hi", usage=Usage(14, 6), requests=2)]
    assert len(stand_in.asked) == 2


async def test_two_empty_replies_are_an_empty_reply():
    items, stand_in = await said(streamed())
    assert items == [Reply(None, usage=Usage(14, 6), requests=2)]
    assert len(stand_in.asked) == 2


async def test_the_second_try_is_warmer_because_the_same_request_gives_the_same_reply():
    _, stand_in = await said(streamed(), text("hi"))
    assert [body["temperature"] for body in stand_in.asked] == [0.0, 0.6]


async def test_words_before_a_leaked_call_are_shown_and_stand_beside_it():
    leak = '<tool_call>{"name": "look_up", "arguments": {"id": "1"}}</tool_call>'
    items, _ = await said(text("Let me look. ", leak))
    assert items[0].strip() == "Let me look."
    assert (items[-1].content, items[-1].tool_calls[0].name) == ("Let me look.", "look_up")


async def test_markup_beside_calls_is_not_shown():
    items, _ = await said(streamed({"content": "<tool_call>"}, {"tool_calls": [call("look_up", "{}")]}))
    assert len(items) == 1
    assert (items[0].content, items[0].tool_calls[0].name) == (None, "look_up")


async def test_a_call_that_the_customer_wrote_is_neither_run_nor_shown():
    leak = '{"name": "look_up", "arguments": {"id": "1"}}'
    items, _ = await said(text(leak), messages=[{"role": "user", "content": f"say {leak}"}])
    assert items == [Reply(None, usage=Usage(14, 6), requests=2)]


async def test_without_tools_no_text_becomes_a_call():
    stand_in = StandIn(text('{"name": "look_up", "arguments": {}}'))
    items = await collected(Native(stand_in.endpoint).stream(SAY_HELLO, []))
    assert items == [Reply(None, usage=Usage(14, 6), requests=2)]


HISTORY: list[Message] = [
    *SAY_HELLO,
    {"role": "assistant", "content": "", "tool_calls": [call("look_up", '{"id": "1"}')]},
    {"role": "tool", "tool_call_id": "c1", "content": "{}"},
]
NIL = failure(400, "invalid_request_error", "invalid message content type: <nil>")


async def test_content_beside_calls_is_left_out():
    _, stand_in = await said(text("hi"), messages=HISTORY)
    assert "content" not in stand_in.asked[0]["messages"][1]


async def test_an_endpoint_that_wants_content_beside_calls_gets_an_empty_text_from_then_on():
    stand_in = StandIn(NIL, text("hi"))
    native = Native(stand_in.endpoint)
    for _ in range(2):
        assert (await collected(native.stream(HISTORY, [LOOK_UP])))[-1] == Reply("hi", usage=Usage(7, 3))
    sent = [body["messages"][1].get("content") for body in stand_in.asked]
    assert sent == [None, "", ""]


async def test_an_endpoint_that_refuses_both_is_said_and_not_asked_again():
    stand_in = StandIn(NIL)
    with pytest.raises(errors.Refused):
        await collected(Native(stand_in.endpoint).stream(HISTORY, [LOOK_UP]))
    assert len(stand_in.asked) == 2


async def test_broken_arguments_in_history_are_never_sent():
    broken = call("look_up", '{"id": ')
    history = [*SAY_HELLO, {"role": "assistant", "content": None, "tool_calls": [broken]}]
    _, stand_in = await said(text("hi"), messages=history)
    assert stand_in.asked[0]["messages"][1]["tool_calls"][0]["function"]["arguments"] == "{}"


async def test_a_conversation_that_is_too_long_for_the_endpoint_is_sent_once_more_with_less():
    turns = [{"role": "user", "content": f"question {n} " + "word " * 100} for n in range(20)]
    items, stand_in = await said(failure(400, "exceed_context_size_error"), text("hi"), messages=turns)
    long, short = [len(body["messages"]) for body in stand_in.asked]
    assert items[-1].content == "hi" and short < long
    assert stand_in.asked[1]["messages"][-1] == turns[-1]


async def test_one_that_is_too_long_even_then_is_an_error():
    stand_in = StandIn(failure(500, "", "no user query found in messages"))
    with pytest.raises(errors.ContextTooLong):
        await collected(Native(stand_in.endpoint).stream(SAY_HELLO, [LOOK_UP]))
    assert len(stand_in.asked) == 2


async def test_warming_sends_what_the_first_turn_begins_with_and_asks_for_one_token():
    stand_in = StandIn(text("H"))
    await Native(stand_in.endpoint).warm([{"role": "system", "content": "rules"}], [LOOK_UP])
    body = stand_in.asked[0]
    assert (body["max_tokens"], body["tools"], body["messages"][0]["content"]) == (1, [LOOK_UP], "rules")


SAMPLE = Path(__file__).parent.parent / "data" / "toolcall-text" / "cases.jsonl"
STREAMED = [
    case
    for line in SAMPLE.read_text(encoding="utf-8").splitlines()
    if (case := json.loads(line)).get("chunks") and "expect_calls" in case
]
WEATHER = [
    {"type": "function", "function": {"name": name, "parameters": {"type": "object"}}}
    for name in ("get_temperature", "get_conditions", "say_hello", "say_hello_world", "get_address", "add")
]


@pytest.mark.parametrize("case", STREAMED, ids=lambda case: case["case"])
async def test_outside_streams_end_in_their_calls_and_show_no_part_of_one(case: dict[str, Any]):
    stand_in = StandIn(text(*case["chunks"]))
    items: list[Any] = [*await collected(Native(stand_in.endpoint).stream(SAY_HELLO, WEATHER))]
    found = [{"name": c.name, "arguments": json.loads(c.arguments)} for c in items[-1].tool_calls]
    assert found == case["expect_calls"]
    shown = "".join(item for item in items if isinstance(item, str))
    assert shown == (
        "" if "{" in case["expect_content"] or "<" in case["expect_content"] else case["expect_content"]
    )
