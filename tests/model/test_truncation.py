"""A conversation whose front the endpoint cut off is noticed and said, once."""

import pytest

from model.endpoint import Endpoint, Request
from model.replies import Message, Usage
from model.target import Target
from model.tokens import of_messages
from model.truncation import Watch
from tests.model.stand_in import StandIn, streamed

pytestmark = pytest.mark.anyio
OLLAMA = Target("qwen2.5:7b on Ollama", "http://test.invalid/v1", "qwen2.5:7b", pullable="qwen2.5:7b")


def talk(turns: int) -> list[Message]:
    said = "What does the shop say about returning a lamp that was used for a week, and what does it cost me?"
    return [
        {"role": "system", "content": "rules"},
        *[{"role": "user", "content": said} for _ in range(turns)],
    ]


LONG = talk(90)
SENT = of_messages(LONG)


async def notices(*read: int, messages: list[Message] = LONG, target: Target = OLLAMA) -> list[str]:
    stand_in = StandIn(*[streamed({"content": "hi"}, read=count) for count in read], target=target)
    for _ in read:
        await stand_in.endpoint.reply(Request(messages))
    return stand_in.endpoint.notices


@pytest.mark.parametrize("read", [2048, 2045, 1024, SENT // 4], ids=["half", "with answer", "quarter", "few"])
async def test_a_prompt_that_was_cut_is_said_with_the_setting_and_the_command(read: int):
    (said,) = await notices(read)
    assert said.startswith(f"qwen2.5:7b on Ollama read {read} tokens of about {SENT}")
    assert "`OLLAMA_CONTEXT_LENGTH=4096 ollama serve`" in said and "LLM_CONTEXT (4096)" in said


async def test_it_is_said_once():
    assert len(await notices(2048, 2048, 1024)) == 1


@pytest.mark.parametrize("read", [int(SENT * 0.6), int(SENT * 0.8), SENT - 1, SENT + 200])
async def test_a_prompt_that_was_read_whole_is_no_news(read: int):
    assert await notices(read, read, read) == []


async def test_a_sudden_fall_is_a_cut():
    assert await notices(int(SENT * 0.9), int(SENT * 0.85)) == []
    assert len(await notices(int(SENT * 0.9), int(SENT * 0.6))) == 1


async def test_a_count_that_happens_to_be_a_window_is_no_news_when_it_was_so_before():
    share = 2048 / SENT
    assert await notices(int(SENT * share) - 1, 2048) == []


async def test_an_endpoint_that_does_not_count_is_not_accused():
    assert await notices(0, 100, 511) == []


async def test_a_short_prompt_is_never_cut():
    assert await notices(7, messages=talk(2)) == []


async def test_another_endpoint_than_ollama_is_told_without_the_command_of_ollama():
    (said,) = await notices(1024, target=Target("gpt at example", "http://test.invalid/v1", "gpt"))
    assert "ollama" not in said.lower() and "LLM_CONTEXT" in said


def test_requests_that_begin_differently_are_not_compared():
    watch = Watch()
    assert not watch.is_cut("route", 3000, Usage(2700, 1), 4096)
    assert not watch.is_cut("answer", 3000, Usage(1500, 1), 4096)


async def test_the_embedded_engine_refuses_instead_of_cutting_and_is_not_watched():
    assert await notices(1024, target=Target("small", "http://test.invalid/v1", "small", slots=True)) == []


async def test_a_chat_shows_the_notices_of_its_endpoint():
    from model.provider import Chosen

    chosen = Chosen(OLLAMA, constrained=False)
    chat = chosen.chat()
    try:
        assert list(chat.notices) == []
    finally:
        await chat.aclose()
    assert isinstance(Endpoint(OLLAMA).notices, list)
