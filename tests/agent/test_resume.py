"""A question that a chat left open: the same card again, answered once, or closed and told."""

import time
from collections import Counter
from dataclasses import replace

import anyio
import pytest
from sqlalchemy import text

from agent_mcp import approve_none
from common.approval import Approval, ApprovalRequest
from common.database import open_engine, writing
from common.phrases import phrase
from guards.policy import policy_of
from journal.errors import QuestionsFailed
from journal.served import Served
from tests.agent.left import JONAS, MIRA, REFUND, STAFF, WANTED, Till, chat, no, yes
from tests.agent.scripted import Scripted, assert_valid, calls, says
from tests.journal.writers import rows

pytestmark = pytest.mark.anyio

ERAS = pytest.mark.parametrize("mode", ["auto", "legacy"])
ASKS = calls(("refund", REFUND))


@ERAS
async def test_the_next_chat_shows_the_same_card_and_a_yes_runs_exactly_it_once(kept_url: str, mode: str):
    till = Till()
    async with chat(till, kept_url, mode=mode) as first:
        request = await first.leave()
    async with chat(till, kept_url, mode=mode) as second:
        (left,) = await second.left()
        assert left.request == request
        outcome = await second.take_up(left, yes)
        assert await second.left() == []
    assert second.shown() == [request] and second.outcomes() == ["approved"]
    assert till.done == [("4471", 12.5)]
    assert outcome.reply == "Refunded 12.5 for order 4471."
    assert outcome.meta["tools_used"] == ["refund"]
    assert_valid(second.conversation)


async def test_the_trail_tells_the_card_the_yes_and_the_call(sqlite_url: str):
    till = Till()
    async with chat(till, sqlite_url) as first:
        await first.leave()
    async with chat(till, sqlite_url) as second:
        await second.take_up((await second.left())[0], yes)
    told = [(row["gate"], row["decision"]) for row in rows(sqlite_url) if row["gate"] != "journal"]
    assert told == [
        ("permission", "asked"),
        ("permission", "approved"),
        ("execute", "started"),
        ("execute", "done"),
    ]
    assert len({row["argument_digest"] for row in rows(sqlite_url) if row["tool"]}) == 1


async def test_a_no_closes_it_and_is_told_to_person_and_model(sqlite_url: str):
    till = Till()
    async with chat(till, sqlite_url) as first:
        await first.leave()
    async with chat(till, sqlite_url) as second:
        outcome = await second.take_up((await second.left())[0], no)
        assert await second.left() == []
    assert till.done == []
    assert phrase("declined", "en") in outcome.reply and "not now" in outcome.reply
    assert second.conversation.messages[-1]["content"] == outcome.reply
    assert_valid(second.conversation)


async def test_where_nobody_can_answer_it_is_closed(sqlite_url: str):
    till = Till()
    async with chat(till, sqlite_url) as first:
        await first.leave()
    async with chat(till, sqlite_url) as second:
        await second.take_up((await second.left())[0], approve_none)
        assert (await second.left(), second.outcomes(), till.done) == ([], ["not_possible"], [])


async def test_a_question_in_memory_is_gone_with_its_chat_and_the_chat_can_tell():
    till = Till()
    async with chat(till, None) as first:
        await first.leave()
        assert first.conversation.approvals.durable is False
    async with chat(till, None) as second:
        assert await second.left() == []


@pytest.mark.parametrize(
    "served",
    [
        JONAS,
        Served("s", "customer", "C-1", server="another till"),
        Served("s", "guest", server="till"),
        Served("s", server="till"),
        Served("s", "staff", server="till"),
    ],
    ids=["another customer", "another server", "a guest", "nobody who is known", "the staff"],
)
async def test_nobody_else_is_offered_it(sqlite_url: str, served: Served):
    till = Till()
    async with chat(till, sqlite_url) as first:
        await first.leave()
    async with chat(till, sqlite_url, served) as second:
        assert await second.left() == []
        await second.ask("hello", Scripted(says("Hello.")))
    async with chat(till, sqlite_url) as third:
        assert len(await third.left()) == 1  # nor has anybody else closed it


@pytest.mark.parametrize(
    "served", [JONAS, Served("s", "guest", server="till"), STAFF], ids=["a customer", "a guest", "staff"]
)
async def test_nobody_else_can_answer_or_close_it_whichever_card_their_program_has(
    sqlite_url: str, served: Served
):
    till = Till()
    async with chat(till, sqlite_url) as first:
        await first.leave()
        (left,) = await first.left()
    async with chat(till, sqlite_url, served) as second:
        await second.take_up(left, yes)
        await second.take_up(left, no)
    assert (second.outcomes(), till.done) == (["used", "used"], [])
    async with chat(till, sqlite_url) as third:
        assert len(await third.left()) == 1


async def test_whom_the_server_says_it_serves_is_the_same_person_as_the_one_who_is_named(sqlite_url: str):
    till = Till()
    async with chat(till, sqlite_url, Served("s", server="till", signed_in="C-1")) as first:
        request = await first.leave()
    async with chat(till, sqlite_url, MIRA) as second:
        assert [left.request for left in await second.left()] == [request]


async def test_who_is_not_known_is_asked_all_the_same_and_leaves_nothing(sqlite_url: str):
    till = Till()
    nobody = Served("s", server="till")
    async with chat(till, sqlite_url, nobody) as first:
        await first.ask(WANTED, Scripted(ASKS, says("Done.")), yes)
        assert till.done == [("4471", 12.5)]
        await first.leave()
    async with chat(till, sqlite_url, nobody) as second:
        assert await second.left() == []
    assert "4471" not in _requests(sqlite_url)


# ---------------------------------------------------------------- once


@ERAS
async def test_twenty_chats_that_were_shown_one_card_and_all_say_yes_execute_once(kept_url: str, mode: str):
    till = Till()
    answered: Counter[str] = Counter()
    async with chat(till, kept_url, mode=mode) as first:
        await first.leave()
    async with chat(till, kept_url, mode=mode) as second:
        (left,) = await second.left()

        async def take_up() -> None:
            async with chat(till, kept_url, mode=mode) as one:
                await one.take_up(left, yes)
                answered.update(one.outcomes())

        with anyio.fail_after(60):
            async with anyio.create_task_group() as group:
                for _ in range(20):
                    group.start_soon(take_up)
    assert till.done == [("4471", 12.5)]
    assert answered == {"approved": 1, "used": 19}


async def test_a_no_to_a_card_that_another_chat_has_used_tells_so_and_hides_no_outcome(sqlite_url: str):
    till = Till()
    async with chat(till, sqlite_url) as first, chat(till, sqlite_url) as second:
        request = await first.leave()
        (left,) = await first.left()
        assert first.journal is not None
        assert await first.journal.approvals.redeem(request.digest, time.time())
        outcome = await second.take_up(left, no)
        assert outcome.reply == phrase("approval_used", "en")
        assert await first.journal.approvals.finish(request.digest)


async def test_a_message_instead_of_an_answer_closes_the_question_and_both_are_told(kept_url: str):
    till = Till()
    async with chat(till, kept_url) as first:
        await first.leave()
    async with chat(till, kept_url) as second:
        (left,) = await second.left()
        model = Scripted(says("Hello."))
        await second.ask("hello, where is my order?", model)
        assert second.outcomes() == ["superseded"]
        told = phrase("approval_superseded", "en", title="Refund an order")
        assert told in [message["content"] for message in model.messages[0]]
        outcome = await second.take_up(left, yes)
    assert outcome.reply == phrase("approval_used", "en")
    assert till.done == []
    assert ("permission", "superseded") in [(row["gate"], row["decision"]) for row in rows(kept_url)]


async def test_a_message_does_not_close_what_another_chat_is_carrying_out(sqlite_url: str):
    till = Till()
    async with chat(till, sqlite_url) as first, chat(till, sqlite_url) as second:
        request = await first.leave()
        await second.left()
        assert first.journal is not None
        assert await first.journal.approvals.redeem(request.digest, time.time())
        await second.ask("hello", Scripted(says("Hello.")))
        assert second.outcomes() == []
        assert await first.journal.approvals.finish(request.digest)


# ---------------------------------------------------------------- too late, and not any more


async def test_what_expired_meanwhile_is_not_asked_and_told_once(kept_url: str):
    till = Till()
    async with chat(till, kept_url) as first:
        await first.leave(ttl_s=-1)
    async with chat(till, kept_url) as second:
        (left,) = await second.left()
        outcome = await second.take_up(left, yes)
        assert outcome.reply == phrase("approval_lapsed", "en", title="Refund an order")
        assert second.conversation.messages[-1]["content"] == outcome.reply
        assert (second.shown(), second.outcomes(), till.done) == ([], ["expired"], [])
    async with chat(till, kept_url) as third:
        assert await third.left() == []


async def test_a_chat_that_ended_between_yes_and_outcome_is_told_and_nothing_is_repeated(kept_url: str):
    till = Till()
    async with chat(till, kept_url) as first:
        request = await first.leave()
        assert first.journal is not None
        assert await first.journal.approvals.redeem(request.digest, time.time())
    async with chat(till, kept_url) as second:
        (left,) = await second.left()
        assert left.started
        outcome = await second.take_up(left, yes)
    assert outcome.reply == phrase("approval_unknown", "en", title="Refund an order")
    assert second.conversation.messages[-1]["content"] == outcome.reply
    assert (second.shown(), second.outcomes(), till.done) == ([], ["unknown"], [])
    async with chat(till, kept_url) as third:
        assert await third.left() == []


CHANGES = {
    "another title": Till(title="Give money back"),
    "another effect": Till(effect="Refunds {amount} for order {order_id}, to another account."),
    "what it may do": Till(destructive=True),
    "not allowed any more": Till(most=10),
}


@pytest.mark.parametrize("till", CHANGES.values(), ids=CHANGES.keys())
async def test_what_would_not_do_exactly_what_was_shown_is_void_and_not_asked(sqlite_url: str, till: Till):
    async with chat(Till(), sqlite_url) as first:
        await first.leave()
    async with chat(till, sqlite_url) as second:
        outcome = await second.take_up((await second.left())[0], yes)
        assert await second.left() == []
    assert outcome.reply == phrase("approval_void", "en")
    assert (second.shown(), second.outcomes(), till.done) == ([], ["void"], [])


async def test_a_tool_that_is_gone_makes_the_question_void(sqlite_url: str):
    async with chat(Till(), sqlite_url) as first:
        await first.leave()
    async with chat(Till(), sqlite_url) as second:
        second.bridge._listing.tools.clear()  # type: ignore[union-attr]
        await second.take_up((await second.left())[0], yes)
    assert second.outcomes() == ["void"]


@pytest.mark.parametrize("decision", ["deny", "staff"])
async def test_a_rule_that_the_shop_has_made_since_makes_it_void(
    sqlite_url: str, decision: str, monkeypatch: pytest.MonkeyPatch
):
    till = Till()
    async with chat(till, sqlite_url) as first:
        await first.leave()
    rules = policy_of(f"rules: [{{tool: refund, decision: {decision}}}]")
    monkeypatch.setattr("agent_mcp.shop_policy", lambda: rules)
    async with chat(till, sqlite_url) as second:
        await second.take_up((await second.left())[0], yes)
    assert (second.outcomes(), till.done) == (["void"], [])


# ---------------------------------------------------------------- while it is asked


async def test_a_turn_that_is_stopped_while_it_asks_closes_the_question(kept_url: str):
    till, asked = Till(), anyio.Event()

    async def thinks(request: ApprovalRequest) -> Approval:
        asked.set()
        return await anyio.sleep_forever()  # type: ignore[return-value]

    async with chat(till, kept_url) as one:
        with anyio.fail_after(30):
            async with anyio.create_task_group() as group:
                group.start_soon(one.ask, WANTED, Scripted(ASKS, says("Done.")), thinks)
                await asked.wait()
                group.cancel_scope.cancel()
        assert one.outcomes() == ["cancelled"]
        assert await one.left() == []
    assert till.done == []
    assert [row["decision"] for row in rows(kept_url) if row["gate"] == "permission"] == [
        "asked",
        "cancelled",
    ]


@pytest.mark.parametrize("event", ["approval_answered", "gate_decision", "tool_started"])
async def test_a_turn_that_ends_between_yes_and_call_leaves_nothing_that_is_unknown(
    sqlite_url: str, event: str
):
    """Nothing has left: so nothing may be told to be unknown, and nothing is asked again."""
    till = Till()

    class Broken(list):
        def append(self, told) -> None:
            if told.type == event and getattr(told, "gate", "permission") == "permission":
                raise RuntimeError("the screen is gone")
            super().append(told)

    async with chat(till, sqlite_url) as one:
        one.events = Broken()
        with pytest.raises(RuntimeError):
            await one.ask(WANTED, Scripted(ASKS, says("Done.")), yes)
        assert (await one.left(), till.done) == ([], [])


@pytest.mark.parametrize("kept", [True, False], ids=["kept", "in memory"])
async def test_a_stop_in_the_moment_of_a_yes_runs_nothing_and_leaves_nothing(kept: bool, sqlite_url: str):
    till = Till()
    async with chat(till, sqlite_url if kept else None) as one:
        approvals = one.journal.approvals if one.journal else one.conversation.approvals
        redeem = approvals.redeem
        with anyio.fail_after(30), anyio.CancelScope() as scope:

            async def stopped(digest: str, now: float) -> bool:
                used = await redeem(digest, now)
                scope.cancel()
                return used

            approvals.redeem = stopped  # type: ignore[method-assign]
            await one.ask(WANTED, Scripted(ASKS, says("Done.")), yes)
        assert scope.cancelled_caught
        assert (await one.left(), till.done) == ([], [])
        assert not await approvals.finish(one.shown()[0].digest)
        assert_valid(one.conversation)


GARBAGE = {
    "nothing": None,
    "a word": "yes",
    "a yes to another question": Approval("0" * 64, True, "test"),
}


@pytest.mark.parametrize("answer", GARBAGE.values(), ids=GARBAGE.keys())
async def test_garbage_is_no_yes_and_closes_the_question(sqlite_url: str, answer: object):
    async def garbage(request: ApprovalRequest) -> Approval:
        return answer  # type: ignore[return-value]

    till = Till()
    async with chat(till, sqlite_url) as one:
        await one.ask(WANTED, Scripted(ASKS, says("No.")), garbage)
        assert (await one.left(), till.done) == ([], [])


async def test_an_approver_that_breaks_is_no_yes_and_closes_the_question(sqlite_url: str):
    async def breaks(request: ApprovalRequest) -> Approval:
        raise OSError("the terminal is gone")

    till = Till()
    async with chat(till, sqlite_url) as one:
        await one.ask(WANTED, Scripted(ASKS, says("No.")), breaks)
        assert (await one.left(), till.done, one.outcomes()) == ([], [], ["not_possible"])


@pytest.mark.parametrize("kept", [True, False], ids=["kept", "in memory"])
async def test_one_answer_given_to_two_questions_runs_the_first_alone(kept: bool, sqlite_url: str):
    given: list[Approval] = []

    async def always_the_same(request: ApprovalRequest) -> Approval:
        given.append(given[0] if given else Approval(request.digest, True, "test"))
        return given[-1]

    till = Till()
    async with chat(till, sqlite_url if kept else None) as one:
        both = calls(("refund", REFUND), ("refund", {**REFUND, "amount": 99}))
        await one.ask(f"{WANTED}, and 99 too", Scripted(both, says("Done.")), always_the_same)
    assert till.done == [("4471", 12.5)]
    assert one.outcomes() == ["approved", "declined"]


async def test_changed_arguments_are_another_question_and_the_first_is_closed(sqlite_url: str):
    async def changes(request: ApprovalRequest) -> Approval:
        if request.arguments["amount"] == 12.5:
            return Approval(request.digest, False, "test", changed={**request.arguments, "amount": 5})
        return Approval(request.digest, True, "test")

    till = Till()
    async with chat(till, sqlite_url) as one:
        await one.ask(WANTED, Scripted(ASKS, says("Done.")), changes)
        first, second = one.shown()
        assert first.digest != second.digest
        assert one.journal is not None
        assert not await one.journal.approvals.redeem(first.digest, time.time())
        assert await one.left() == []
    assert till.done == [("4471", 5)]
    assert one.outcomes() == ["changed", "approved"]


# ---------------------------------------------------------------- a store that fails


def _with_a_fault(at: str) -> object:
    async def failing(*_: object) -> bool:
        raise QuestionsFailed("a database", "the disk is full")

    return failing


@pytest.mark.parametrize("at", ["ask", "redeem"])
async def test_where_a_question_cannot_be_kept_or_used_nothing_runs(
    sqlite_url: str, at: str, monkeypatch: pytest.MonkeyPatch
):
    till = Till()
    async with chat(till, sqlite_url) as one:
        assert one.journal is not None
        monkeypatch.setattr(one.journal.approvals, at, _with_a_fault(at))
        with pytest.raises(QuestionsFailed, match="Nothing is done without them"):
            await one.ask(WANTED, Scripted(ASKS, says("Done.")), yes)
        assert till.done == []
        assert_valid(one.conversation)


async def test_where_a_no_cannot_be_kept_the_turn_ends_and_nothing_runs(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
):
    till = Till()
    async with chat(till, sqlite_url) as one:
        assert one.journal is not None
        monkeypatch.setattr(one.journal.approvals, "settle", _with_a_fault("settle"))
        with pytest.raises(QuestionsFailed):
            await one.ask(WANTED, Scripted(ASKS, says("Done.")), no)
    assert till.done == []


async def test_a_table_that_is_gone_ends_the_turn_with_a_sentence(kept_url: str):
    engine = open_engine(kept_url)
    with writing(engine) as connection:
        connection.execute(text("ALTER TABLE approvals RENAME TO away"))
    engine.dispose()
    till = Till()
    async with chat(till, kept_url) as one:
        with pytest.raises(QuestionsFailed, match="The open questions in"):
            await one.ask(WANTED, Scripted(ASKS, says("Done.")), yes)
    assert till.done == []


async def test_a_trail_that_cannot_be_written_leaves_no_question_behind(sqlite_url: str):
    engine = open_engine(sqlite_url)
    till = Till()

    async def breaks_the_trail(request: ApprovalRequest) -> Approval:
        with writing(engine) as connection:
            connection.execute(text("ALTER TABLE audit RENAME TO away"))
        return Approval(request.digest, True, "test")

    async with chat(till, sqlite_url) as one:
        with pytest.raises(Exception, match="The audit trail in"):
            await one.ask(WANTED, Scripted(ASKS, says("Done.")), breaks_the_trail)
        assert (await one.left(), till.done) == ([], [])
    engine.dispose()


def _requests(url: str) -> str:
    engine = open_engine(url)
    with engine.connect() as connection:
        kept = connection.execute(text("SELECT request FROM approvals")).scalars().all()
    engine.dispose()
    return " ".join(kept)


async def test_where_the_dry_run_that_a_card_told_of_is_gone_it_is_void():
    till = Till()
    async with chat(till, None) as one:
        await one.leave()
        (left,) = await one.left()
        changed = {"refund": "It was changed, and changed back."}
        one.bridge._listing = replace(one.bridge._listing, changed=changed)  # type: ignore[attr-defined]
        await one.take_up(left, yes)
    assert (one.outcomes(), till.done) == (["void"], [])


async def test_a_card_of_one_server_is_no_yes_at_another_whose_tool_says_the_same():
    here, there = Till(), Till()
    async with chat(here, None) as one:
        await one.leave()
        (left,) = await one.left()
    async with chat(there, None) as other:
        other.bridge._target = ["python", "another.py"]  # type: ignore[attr-defined]
        other.conversation.approvals = one.conversation.approvals
        await other.take_up(left, yes)
    assert (other.outcomes(), here.done, there.done) == (["void"], [], [])
