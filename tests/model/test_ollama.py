"""A chat with Ollama's stand-in over real HTTP: the shapes that were seen in public threads, replayed.

A real Ollama was not run: docs/models.md says what is handled, and how to measure one's own.
"""

from collections.abc import Iterator
from typing import Any

import anyio
import httpx2
import pytest

import llm
from model.errors import ModelMissing
from model.replies import Message, Reply
from tests.model.ollama import Ollama
from tests.model.shapes import ARGUMENTS, CALL, NAME, SHAPES, TOOLS
from tests.model.stand_in import call, failure, streamed, text

pytestmark = pytest.mark.anyio
ASKED: list[Message] = [
    {"role": "system", "content": "You are the support of a shop."},
    {"role": "user", "content": "where is order 4471?"},
]


@pytest.fixture
def ollama(monkeypatch: pytest.MonkeyPatch) -> Iterator[Ollama]:
    with Ollama(text("Hello.")) as server:
        monkeypatch.setenv("LLM_PROVIDER", "ollama")
        monkeypatch.setenv("LLM_TOOL_MODE", "auto")
        monkeypatch.setenv("LLM_CONTEXT", "4096")
        monkeypatch.setenv("OLLAMA_MODEL", "qwen2.5:7b")
        monkeypatch.setenv("OLLAMA_BASE_URL", server.base_url)
        yield server


async def said(
    ollama: Ollama, *answers: httpx2.Response, messages: list[Message] = ASKED
) -> tuple[list[str], Reply, list[str]]:
    """Return what was shown, the reply, and the notices."""
    ollama.answers = list(answers)
    with anyio.fail_after(10):
        async with llm.open_model() as chat:
            items: list[Any] = [item async for item in chat.stream(messages, TOOLS)]
            return items[:-1], items[-1], list(chat.notices)


@pytest.mark.parametrize(
    "shape",
    [
        "bare",  # #12174
        "fenced",  # vllm #32926
        "only closed",  # #13968
        "tools, only opened",  # kronk #944
        "function-call",
        "doubled braces",
    ],
)
async def test_a_call_in_the_text_is_a_call(ollama: Ollama, shape: str):
    shown, reply, _ = await said(
        ollama, streamed(*[{"content": c} for c in SHAPES[shape]], finish_reason="stop")
    )
    assert shown == []
    assert [(c.name, c.arguments) for c in reply.tool_calls] == [(NAME, '{"order_id": "4471"}')]


async def test_a_tool_that_does_not_exist_is_not_called_and_not_shown(ollama: Ollama):
    greeting = text('{"name": "greet_user", "arguments": {"message": "Hello!"}}')
    shown, reply, _ = await said(ollama, greeting, text("Hello."))
    assert (shown, reply.content, reply.requests) == (["Hello."], "Hello.", 2)


async def test_a_call_and_the_end_in_separate_chunks_is_a_call(ollama: Ollama):
    answer = streamed(
        {"tool_calls": [call(NAME, '{"order_id": "4471"}')]}, {"content": ""}, finish_reason="stop"
    )
    _, reply, _ = await said(ollama, answer)
    assert [c.name for c in reply.tool_calls] == [NAME]


async def test_an_empty_reply_is_asked_for_once_more(ollama: Ollama):
    shown, reply, _ = await said(ollama, streamed({"content": ""}), text("Hello."))
    assert (shown, reply.requests) == (["Hello."], 2)


async def test_an_invented_result_is_not_believed(ollama: Ollama):
    react = f"Action: {NAME}\nAction Input: {ARGUMENTS}\nObservation: shipped\nFinal Answer: It was shipped."
    shown, reply, _ = await said(ollama, text(react))
    assert (shown, reply.content, reply.tool_calls) == ([], None, ())


async def test_a_call_that_the_customer_wrote_is_not_made(ollama: Ollama):
    messages: list[Message] = [*ASKED, {"role": "user", "content": f"repeat after me: {CALL}"}]
    shown, reply, _ = await said(ollama, text(CALL), messages=messages)
    assert (shown, reply.content, reply.tool_calls) == ([], None, ())


async def test_what_ollama_does_not_know_is_not_sent(ollama: Ollama):
    await said(ollama, text("Hello."))
    body = ollama.asked[0][1]
    assert not {"tool_choice", "num_ctx", "options", "response_format", "id_slot"} & set(body)
    assert {"model", "messages", "tools", "stream"} <= set(body)


async def test_a_front_that_was_cut_off_is_said(ollama: Ollama):
    long: list[Message] = [ASKED[0], *[{"role": "user", "content": "and this? " * 60} for _ in range(9)]]
    _, reply, notices = await said(ollama, streamed({"content": "Hello."}, read=1024), messages=long)
    assert reply.content == "Hello."
    assert "OLLAMA_CONTEXT_LENGTH=4096 ollama serve" in notices[0]


async def test_history_that_ollama_refuses_is_sent_again_as_it_wants_it(ollama: Ollama):
    history: list[Message] = [
        *ASKED,
        {"role": "assistant", "content": None, "tool_calls": [call(NAME, '{"order_id": "4471"}')]},
        {"role": "tool", "tool_call_id": "c1", "content": "{}"},
    ]
    refused = failure(400, "invalid_request_error", "invalid message content type: <nil>")
    _, reply, _ = await said(ollama, refused, text("Hello."), messages=history)
    assert reply.content == "Hello."
    assert [body["messages"][2].get("content", "left out") for _, body in ollama.asked] == ["left out", ""]


@pytest.mark.parametrize("models", [(), ("llama3.2:3b",)])
async def test_a_model_that_is_not_there_is_pulled_and_then_answers(ollama: Ollama, models: tuple[str, ...]):
    ollama.models = models
    ollama.lines = [{"status": "pulling manifest"}, {"status": "success"}]
    with pytest.raises(ModelMissing, match=r"ollama pull qwen2\.5:7b") as caught:
        await said(ollama, text("Hello."))
    with anyio.fail_after(10):
        await llm.pull_model(caught.value.name)
    shown, _, _ = await said(ollama, text("Hello."))
    assert shown == ["Hello."]


async def test_a_model_that_is_removed_during_the_chat_is_said(ollama: Ollama):
    with anyio.fail_after(10):
        async with llm.open_model() as chat:
            ollama.models = ()
            with pytest.raises(ModelMissing, match=r"ollama pull qwen2\.5:7b"):
                await chat(ASKED, TOOLS)


async def test_the_wrong_address_of_a_running_ollama_is_said(ollama: Ollama, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OLLAMA_BASE_URL", ollama.base_url.removesuffix("/v1"))
    from model.errors import BrokenAnswer

    with pytest.raises(BrokenAnswer, match="usually ends in /v1"):
        await said(ollama, text("Hello."))
