"""What one conversation may take: each limit is told to the customer and the model, and is an event."""

import string
from collections.abc import AsyncIterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.limits import MOST_HEARD, Spent, tokens_of
from agent.settings import AgentSettings, agent_settings
from agent_mcp import Conversation
from common.events import GateDecision
from common.language import LANGUAGES
from common.phrases import phrase
from common.settings import BadSettings, load
from journal.entry import REASONS
from llm import Reply, ToolCall, Usage
from tests.agent.scripted import Person, Scripted, calls, desk, says, settings

pytestmark = pytest.mark.anyio

ASKED = "what is the status of order 4471?"
STATUS = calls(("get_order_status", {"order_id": "4471"}))
SHIPPED = says("It has been shipped.")


def stopped(events: list[Any]) -> list[str]:
    """The codes of the limits that were met, in order."""
    return [
        event.code
        for event in events
        if isinstance(event, GateDecision) and event.gate == "limit" and event.code
    ]


# ---------------------------------------------------------------- messages and tokens of a conversation


async def test_after_its_last_message_a_conversation_ends_politely_and_asks_no_model():
    with settings(turns_per_chat=2):
        async with desk() as at:
            for _ in range(2):
                assert not (await at.ask("hello", says_hello())).meta["blocked"]
            model = Scripted(SHIPPED)
            outcome = await at.ask(ASKED, model)
    assert outcome.reply == phrase("chat_full", "en")
    assert "/new" in outcome.reply
    assert outcome.meta["blocked"] is True
    assert model.messages == []
    assert stopped(at.events) == ["too_many_turns"]


def says_hello() -> Scripted:
    return Scripted(says("Hello."))


@pytest.mark.parametrize("language", LANGUAGES)
async def test_the_end_of_a_conversation_is_told_in_the_customers_language(language: str):
    questions = {
        "en": "Where is my order?",
        "es": "¿Dónde está mi pedido?",
        "ru": "Где мой заказ?",
        "ar": "أين طلبي؟",
        "hi": "मेरा ऑर्डर कहाँ है?",
    }
    with settings(tokens_per_chat=1_000):
        async with desk() as at:
            at.conversation.spent.tokens = 1_000
            outcome = await at.ask(questions[language], says_hello())
    assert outcome.reply == phrase("chat_full", language)
    assert stopped(at.events) == ["too_many_tokens"]


async def test_a_conversation_that_is_begun_anew_has_taken_nothing():
    with settings(tokens_per_chat=1_000):
        async with desk() as at:
            await at.ask("hello", Scripted(Reply("Hello.", (), Usage(990, 20))))
            assert (await at.ask("hello", says_hello())).meta["blocked"]
            at.conversation.restore(Conversation())
            assert not (await at.ask("hello", says_hello())).meta["blocked"]


async def test_what_is_undone_was_taken_all_the_same():
    async with desk() as at:
        await at.ask("hello", says_hello())
        before = at.conversation.snapshot()
        await at.ask("hello", Scripted(Reply("Hello.", (), Usage(300, 5))))
        taken = at.conversation.spent.tokens
        at.conversation.restore(before)
        assert at.conversation.spent.tokens == taken >= 305


async def test_a_turn_at_its_tokens_asks_no_model_again_and_tells_what_was_found():
    dear = Reply(None, STATUS.tool_calls, Usage(2_000, 10))
    with settings(tokens_per_turn=2_000):
        async with desk() as at:
            model = Scripted(dear, SHIPPED)
            outcome = await at.ask(ASKED, model)
    assert len(model.messages) == 1
    assert outcome.meta["tools_used"] == ["get_order_status"]
    assert outcome.reply.startswith("Order 4471 (")
    assert outcome.reply.endswith(phrase("turn_full", "en"))
    assert stopped(at.events) == ["too_many_tokens"]


async def test_a_turn_at_its_tokens_with_nothing_found_says_only_so():
    with settings(tokens_per_turn=1_000):
        async with desk() as at:
            outcome = await at.ask(ASKED, Scripted(Reply("It costs 99.99.", (), Usage(1_000, 1))))
    assert outcome.reply == phrase("turn_full", "en")
    assert outcome.meta["llm_calls"] == 1


async def test_a_call_that_a_person_agreed_to_is_made_and_told_whatever_the_turn_has_taken():
    ticket = {"order_id": "4468", "category": "damaged", "summary": "The lamp is broken."}
    wanted = calls(("create_ticket", ticket))
    with settings(tokens_per_turn=1_000):
        async with desk() as at:
            dear = Reply(None, wanted.tool_calls, Usage(9_000, 1))
            asked = "please open a ticket for 4468: the lamp is broken"
            outcome = await at.ask(asked, Scripted(dear, SHIPPED), Person(True))
    assert [name for name, _ in at.sent] == ["create_ticket"]
    assert outcome.meta["tools_used"] == ["create_ticket"]
    assert "T-" in outcome.reply


async def test_a_model_that_tells_no_tokens_is_estimated():
    async with desk() as at:
        await at.ask("hello", says_hello())
        assert 0 < at.conversation.spent.tokens < 5_000


def test_an_answer_without_a_model_takes_nothing_and_a_long_one_no_more_than_is_heard():
    assert tokens_of(Reply("Hello.", requests=0), [{"content": "x" * 900}]) == 0
    assert tokens_of(Reply("x" * 10_000_000), []) == tokens_of(Reply("x" * MOST_HEARD), [])
    call = ToolCall("c", "name", "x" * 3_000)
    assert tokens_of(Reply(None, (call,)), []) == 1_000
    assert tokens_of(Reply(None, usage=Usage(-5, 7)), []) == 7


@given(st.text(), st.lists(st.text(alphabet=string.printable)))
def test_an_estimate_is_never_negative_and_bounded(content: str, texts: list[str]):
    messages = [{"content": text} for text in [*texts, None]]
    assert 0 <= tokens_of(Reply(content), messages) <= 4_096 + MOST_HEARD


# ---------------------------------------------------------------- calls


async def test_calls_beyond_those_of_a_minute_are_refused_and_the_customer_is_told():
    now = [0.0]
    with settings(calls_per_minute=2):
        async with desk() as at:
            at.conversation.spent = Spent(lambda: now[0])
            model = Scripted(STATUS, SHIPPED)
            for _ in range(2):
                model.steps[:] = [STATUS, SHIPPED]
                await at.ask(ASKED, model)
            model.steps[:] = [STATUS, says("It costs 99.99.")]
            outcome = await at.ask(ASKED, model)
            assert len(at.sent) == 2
            assert outcome.reply == phrase("too_many_calls", "en")
            (told,) = [each for each in model.results(-2) if each.get("error") == "too_many_calls"]
            assert "Call nothing more" in told["next"]
            now[0] = 60.0
            model.steps[:] = [STATUS, SHIPPED]
            await at.ask(ASKED, model)
    assert len(at.sent) == 3
    assert stopped(at.events) == ["too_many_calls"]


@given(st.lists(st.floats(0, 30), max_size=60), st.integers(1, 5))
def test_in_no_minute_are_there_more_calls_than_may_be(pauses: list[float], limit: int):
    now, called = [0.0], []
    spent = Spent(lambda: now[0])
    for pause in pauses:
        now[0] += pause
        if spent.may_call(limit):
            called.append(now[0])
    for at in called:
        assert sum(at <= other < at + 60 for other in called) <= limit


async def test_calls_beyond_those_of_a_reply_are_answered_and_not_made():
    with settings(calls_per_reply=2):
        async with desk() as at:
            three = calls(*[("search_policy", {"query": word}) for word in ("return", "refund", "warranty")])
            model = Scripted(three, says("It is in the rules."))
            await at.ask("what are the rules on returns, refunds and the warranty?", model)
    assert len(at.sent) == 2
    assert model.results()[2]["error"] == "limit_reached"


# ---------------------------------------------------------------- sizes


async def test_a_message_over_the_limit_is_answered_with_both_lengths():
    with settings(message_chars=20):
        async with desk() as at:
            outcome = await at.ask("x" * 21, says_hello())
    assert outcome.reply == phrase("too_long", "en", length=21, limit=20)


async def test_the_model_is_shown_a_result_up_to_the_limit():
    with settings(result_chars=200):
        async with desk() as at:
            model = Scripted(STATUS, SHIPPED)
            await at.ask(ASKED, model)
    (result,) = [message for message in model.messages[-1] if message["role"] == "tool"]
    assert 200 < len(result["content"]) < 260
    assert "cut; the result has" in result["content"]


async def test_a_reply_over_the_limit_is_not_shown():
    with settings(reply_chars=100):
        async with desk() as at:
            outcome = await at.ask("hello", Scripted(says("Hello. " * 20)))
    assert "Hello." * 2 not in at.shown.replace(" ", "")[100:]
    assert outcome.reply != ("Hello. " * 20).strip()


async def test_an_endless_stream_is_left_after_some_time_and_kept_nowhere():
    sent = [0]

    class Endless:
        async def __call__(self, messages: Any, tools: Any) -> Reply:
            raise AssertionError("it streams")

        async def stream(self, messages: Any, tools: Any) -> AsyncIterator[str | Reply]:
            while True:
                sent[0] += 1
                yield "word " * 200

    async with desk() as at:
        outcome = await at.ask("hello", Endless())
    assert sent[0] <= 2 * (MOST_HEARD // 1_000 + 1)
    assert len(outcome.reply) < 1_000


# ---------------------------------------------------------------- the settings


@pytest.mark.parametrize("name", [name for name in AgentSettings.model_fields if name != "approval_file"])
@pytest.mark.parametrize("value", ["0", "-1", "99999999999", "many"])
def test_a_limit_that_is_none_is_refused_with_its_name(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv(name.upper(), value)
    with pytest.raises(BadSettings) as refused:
        load(AgentSettings)
    assert f"- {name.upper()}: " in str(refused.value)


def test_the_trail_knows_the_word_for_each_limit():
    assert {
        "too_many_turns",
        "too_many_tokens",
        "too_many_calls",
        "too_many_open",
        "limit_reached",
    } <= REASONS


def test_the_settings_are_read_once():
    assert agent_settings() is agent_settings()
