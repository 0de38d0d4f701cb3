"""A span for each request to a model: which, how many tokens, and how it ended; never what was said."""

import json
from contextlib import aclosing
from typing import Any

import httpx2
import pytest

from common import tracing
from model.chat import Chat
from model.endpoint import Endpoint, Request
from model.errors import BrokenAnswer, ModelError
from model.native import Native
from model.target import Target
from tests.agent.scripted import desk
from tests.tracing.spans import facts, is_below, watched

pytestmark = pytest.mark.anyio

TARGET = Target("qwen on Ollama", "http://localhost:11434/v1", "qwen2.5:7b", provider="ollama")
ASKED = [{"role": "user", "content": "I am ann@example.org"}]


def streamed(*pieces: str) -> httpx2.Response:
    chunks: list[dict[str, Any]] = [
        {"choices": [{"index": 0, "delta": {"content": piece}}]} for piece in pieces
    ]
    tokens = {"prompt_tokens": 11, "completion_tokens": 3, "total_tokens": 14}
    chunks.append({"choices": [], "usage": tokens})
    common = {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    lines = [f"data: {json.dumps({**common, **chunk})}\n\n" for chunk in chunks]
    body = "".join([*lines, "data: [DONE]\n\n"])
    return httpx2.Response(200, headers={"content-type": "text/event-stream"}, text=body)


def endpoint(*answers: httpx2.Response) -> Endpoint:
    left = list(answers)

    async def pause(_: float) -> None:
        return None

    return Endpoint(TARGET, httpx2.MockTransport(lambda _: left.pop(0)), pause)


async def test_a_request_tells_the_model_and_the_tokens():
    with watched() as spans:
        await endpoint(streamed("Hello", ".")).reply(Request(ASKED, max_tokens=9))
    span = spans.the("chat qwen2.5:7b")
    assert span.kind.name == "CLIENT"
    assert facts(span) == {
        tracing.OPERATION: "chat",
        tracing.PROVIDER: "ollama",
        tracing.REQUEST_MODEL: "qwen2.5:7b",
        tracing.REQUEST_MAX_TOKENS: 9,
        tracing.REQUEST_TEMPERATURE: 0.0,
        tracing.INPUT_TOKENS: 11,
        tracing.OUTPUT_TOKENS: 3,
    }
    assert "ann@" not in spans.text() and "Hello" not in spans.text()


async def test_a_request_that_is_tried_again_is_one_span():
    with watched() as spans:
        await endpoint(httpx2.Response(500), streamed("Hello.")).reply(Request(ASKED))
    assert len(spans.named("chat")) == 1


async def test_a_request_that_fails_tells_the_kind_and_nothing_that_the_endpoint_said():
    refused = httpx2.Response(
        401, json={"error": {"message": "bad key sk-abcdefghijklmnop for ann@example.org"}}
    )
    with watched() as spans, pytest.raises(ModelError):
        await endpoint(refused).reply(Request(ASKED))
    span = spans.the("chat qwen2.5:7b")
    assert facts(span)[tracing.ERROR_TYPE] == "refused"
    assert span.status.is_ok is False and span.events == ()
    assert "sk-" not in spans.text() and "ann@" not in spans.text()


async def test_a_stream_of_which_no_more_is_read_has_not_failed():
    with watched() as spans:
        async with aclosing(endpoint(streamed("One.", "Two.")).stream(Request(ASKED))) as items:  # type: ignore[type-var]
            async for _ in items:
                break
    assert tracing.ERROR_TYPE not in facts(spans.the("chat qwen2.5:7b"))


async def test_the_requests_of_a_turn_stand_below_it_and_no_other_span_counts_them_again():
    at_model = endpoint(streamed("Hello there."))
    chat = Chat(at_model, Native(at_model))
    with watched() as spans:
        async with desk() as at:
            outcome = await at.ask("hello", chat)
    assert outcome.reply == "Hello there."
    turn = spans.the("invoke_agent shopkart")
    assert facts(turn)[tracing.PROVIDER] == "ollama"
    assert facts(turn)[tracing.REQUEST_MODEL] == "qwen2.5:7b"
    (chat_span,) = spans.named("chat")
    assert is_below(chat_span, turn, spans.ended)


async def test_wanted_content_of_a_request_is_redacted():
    with watched(content=True) as spans:
        await endpoint(streamed("You are ann@example.org.")).reply(Request(ASKED))
    told = facts(spans.the("chat qwen2.5:7b"))
    assert json.loads(told[tracing.INPUT_MESSAGES]) == [
        {"role": "user", "parts": [{"type": "text", "content": "I am [e-mail]"}]}
    ]
    assert json.loads(told[tracing.OUTPUT_MESSAGES])[0]["parts"] == [
        {"type": "text", "content": "You are [e-mail]."}
    ]


async def test_an_answer_that_does_not_end_is_not_read_to_its_end():
    with watched() as spans, pytest.raises(BrokenAnswer) as refused:
        await endpoint(streamed(*["x" * 1_000] * 300)).reply(Request(ASKED))
    assert "more than 200000 characters" in str(refused.value)
    assert facts(spans.the("chat qwen2.5:7b"))[tracing.ERROR_TYPE] == BrokenAnswer.code
