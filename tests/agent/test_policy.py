"""The shop's rules in a turn, and the staff who answer what waits for them."""

from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp_types import Tool, ToolAnnotations

from agent.policy_file import BadApprovalFile, policy_at
from agent.saved import loaded, saved
from agent.settings import agent_settings
from common.approval import BY_POLICY, Approval
from common.events import ApprovalAnswered
from common.phrases import phrase
from common.settings import ROOT
from guards.policy import policy_of
from tests.agent.left import JONAS, MIRA, REFUND, STAFF, WANTED, Boss, Till, chat, no, yes
from tests.agent.scripted import Person, Scripted, calls, says
from tests.house.markdown import fences
from tests.journal.writers import rows

pytestmark = pytest.mark.anyio

ASKS = calls(("refund", REFUND))
OVER_TEN = "rules: [{tool: refund, when: {amount: {over: 10}}, decision: staff, say: The staff decide that.}]"


@pytest.fixture
def ruled(monkeypatch: pytest.MonkeyPatch):
    """Have the shop the rules of a text."""

    def rule(text: str) -> None:
        rules = policy_of(text)
        monkeypatch.setattr("agent_mcp.shop_policy", lambda: rules)

    return rule


def told(url: str) -> list[tuple[str, str]]:
    return [(row["decision"], row["reason"]) for row in rows(url) if row["gate"] == "permission"]


async def test_the_shop_as_it_comes_has_no_rule_and_asks_the_person():
    assert policy_at(ROOT / "approval.yaml").rules == ()
    till, person = Till(), Person(True)
    async with chat(till, None) as one:
        await one.ask(WANTED, Scripted(ASKS, says("Done.")), person)
    assert len(person.asked) == 1 and till.done == [("4471", 12.5)]


async def test_what_is_denied_is_not_even_tried_and_nobody_is_asked(sqlite_url: str, ruled):
    ruled("rules: [{tool: refund, decision: deny, say: We never refund.}]")
    till, person = Till(), Person()
    async with chat(till, sqlite_url) as one:
        model = Scripted(ASKS, says("We never refund."))
        await one.ask(WANTED, model, person)
    assert (person.asked, till.done) == ([], [])
    assert (model.results()[0]["error"], model.results()[0]["message"]) == (
        "policy_denied",
        "We never refund.",
    )
    assert told(sqlite_url) == [("refused", "policy_denied")]


async def test_what_is_allowed_runs_unasked_under_a_yes_of_its_own_and_the_trail_says_why(
    sqlite_url: str, ruled
):
    ruled("rules: [{tool: refund, when: {amount: {under: 20}}, decision: allow}]")
    till, person = Till(), Person()
    async with chat(till, sqlite_url) as one:
        await one.ask(WANTED, Scripted(ASKS, says("Done.")), person)
    assert (person.asked, till.done) == ([], [("4471", 12.5)])
    (answered,) = [event for event in one.events if isinstance(event, ApprovalAnswered)]
    assert answered.approval is not None and answered.approval.by == BY_POLICY
    assert told(sqlite_url) == [("approved", "by_policy"), ("allowed", "")]


@pytest.mark.parametrize("destructive", [True, None])
async def test_no_rule_spares_the_question_of_what_may_destroy(ruled, destructive: bool | None):
    ruled("rules: [{tool: refund, decision: allow}]")
    till, person = Till(destructive=destructive), Person(False)
    async with chat(till, None) as one:
        await one.ask(WANTED, Scripted(ASKS, says("No.")), person)
    assert len(person.asked) == 1 and till.done == []


async def test_what_only_the_staff_may_agree_to_is_not_asked_of_the_customer(sqlite_url: str, ruled):
    ruled(OVER_TEN)
    till, person = Till(), Person()
    async with chat(till, sqlite_url) as one:
        model = Scripted(ASKS, says("They have been asked."))
        await one.ask(WANTED, model, person)
        assert await one.left() == []
    assert (person.asked, till.done) == ([], [])
    assert model.results()[0]["message"] == "The staff decide that."
    assert one.outcomes() == ["waiting"]
    assert told(sqlite_url) == [("asked", ""), ("waiting", ""), ("refused", "approval_waiting")]


async def test_where_no_question_outlives_the_chat_nothing_waits_and_the_customer_is_told(ruled):
    ruled(OVER_TEN)
    till = Till()
    async with chat(till, None) as one:
        model = Scripted(ASKS, says("No."))
        await one.ask(WANTED, model, yes)
    assert (one.outcomes(), till.done) == (["not_possible"], [])
    assert model.results()[0]["error"] == "approval_not_possible"


async def test_a_chat_of_the_staff_answers_such_a_question_itself(sqlite_url: str, ruled):
    ruled(OVER_TEN)
    till, boss = Till(), Boss()
    async with chat(till, sqlite_url, STAFF) as one:
        await one.ask(WANTED, Scripted(ASKS, says("Done.")), boss)
    assert len(boss.asked) == 1 and till.done == [("4471", 12.5)]


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_the_staff_are_offered_what_waits_and_carry_it_out_on_their_own_line(
    kept_url: str, ruled, mode: str
):
    ruled(OVER_TEN)
    customers, staffs, boss = Till(), Till(), Boss()
    async with chat(customers, kept_url, MIRA, mode=mode) as one:
        await one.ask(WANTED, Scripted(ASKS, says("They have been asked.")), yes)
        waiting = one.shown()[0]
        async with chat(staffs, kept_url, STAFF, mode=mode) as other:
            (left,) = await other.left()
            assert left.request == waiting and left.request.audience == "staff"
            outcome = await other.take_up(left, boss)
            assert await other.left() == []
    assert (boss.asked, other.outcomes()) == ([waiting], ["approved"])
    assert (customers.done, staffs.done) == ([], [("4471", 12.5)])
    assert outcome.reply == "Refunded 12.5 for order 4471."


async def test_a_no_of_the_staff_closes_it(sqlite_url: str, ruled):
    ruled(OVER_TEN)
    till = Till()
    async with chat(till, sqlite_url) as one:
        await one.ask(WANTED, Scripted(ASKS, says("Asked.")))
    async with chat(till, sqlite_url, STAFF) as other:
        await other.take_up((await other.left())[0], Boss(approved=False))
        assert (await other.left(), till.done, other.outcomes()) == ([], [], ["declined"])


async def test_a_message_of_the_staff_closes_nothing_that_waits(sqlite_url: str, ruled):
    ruled(OVER_TEN)
    till = Till()
    async with chat(till, sqlite_url) as one:
        await one.ask(WANTED, Scripted(ASKS, says("Asked.")))
        await one.ask("hello", Scripted(says("Hello.")))
    async with chat(till, sqlite_url, STAFF) as other:
        await other.left()
        await other.ask("hello", Scripted(says("Hello.")))
        assert len(await other.left()) == 1


async def test_a_member_of_the_staff_who_stops_while_asked_leaves_it_waiting(sqlite_url: str):
    till, asked = Till(), anyio.Event()

    class Thinking(Boss):
        async def __call__(self, request: Any) -> Any:
            asked.set()
            await anyio.sleep_forever()

    async with chat(till, sqlite_url) as one:
        await one.leave(audience="staff")
    async with chat(till, sqlite_url, STAFF) as other:
        (left,) = await other.left()
        with anyio.fail_after(30):
            async with anyio.create_task_group() as group:
                group.start_soon(other.take_up, left, Thinking())
                await asked.wait()
                group.cancel_scope.cancel()
        assert len(await other.left()) == 1 and till.done == []


async def test_a_customer_who_holds_the_card_of_the_staff_cannot_answer_it(sqlite_url: str):
    class Claims(Boss):
        """An approver that says that it is the staff's."""

    till = Till()
    async with chat(till, sqlite_url) as one:
        await one.leave(audience="staff")
    async with chat(till, sqlite_url, STAFF) as other:
        (left,) = await other.left()
        async with chat(till, sqlite_url, JONAS) as third:
            await third.take_up(left, yes)
            await third.take_up(left, Claims())
            assert third.outcomes() == ["waiting", "used"]
        assert len(await other.left()) == 1
    assert till.done == []


async def test_a_card_that_expired_before_a_member_of_the_staff_is_told_to_the_customer_too(sqlite_url: str):
    class Sleeps(Boss):
        async def __call__(self, request: Any) -> Any:
            await anyio.sleep_forever()

    till = Till()
    async with chat(till, sqlite_url) as one:
        await one.leave(audience="staff", ttl_s=3.0)
    async with chat(till, sqlite_url, STAFF) as other:
        (left,) = await other.left()
        with anyio.fail_after(30):
            await other.take_up(left, Sleeps())
        assert other.outcomes() == ["expired"]
    async with chat(till, sqlite_url) as again:
        outcome = await again.take_up((await again.left())[0], no)
        assert outcome.reply == phrase("approval_lapsed", "en", title="Refund an order")


async def test_what_the_staff_did_not_answer_in_time_is_told_to_the_customer(sqlite_url: str):
    till = Till()
    async with chat(till, sqlite_url) as one:
        await one.leave(audience="staff", ttl_s=-1)
    async with chat(till, sqlite_url, STAFF) as other:
        assert await other.left() == []
    async with chat(till, sqlite_url) as again:
        outcome = await again.take_up((await again.left())[0], no)
        assert outcome.reply == phrase("approval_lapsed", "en", title="Refund an order")


async def test_a_change_that_only_the_staff_may_agree_to_is_not_taken(ruled):
    ruled(OVER_TEN)

    async def raises_it(request: Any) -> Approval:
        wanted = None if request.notice else {**request.arguments, "amount": 500}
        return Approval(request.digest, False, "test", changed=wanted)

    till = Till()
    async with chat(till, None) as one:
        asks = calls(("refund", {**REFUND, "amount": 5}))
        await one.ask("please refund 5 for order 4471", Scripted(asks, says("No.")), raises_it)
    assert one.shown()[1].notice == "The staff decide that."
    assert till.done == []


async def test_a_customer_leaves_the_staff_no_more_questions_than_may_be_open(
    sqlite_url: str, ruled, monkeypatch: pytest.MonkeyPatch
):
    ruled(OVER_TEN)
    settings = agent_settings().model_copy(update={"open_approvals": 2})
    monkeypatch.setattr("agent.permission.agent_settings", lambda: settings)
    till = Till()
    async with chat(till, sqlite_url) as one:
        for amount in (11, 12, 13):
            model = Scripted(calls(("refund", {**REFUND, "amount": amount})), says("Asked."))
            await one.ask(f"please refund {amount} for order 4471", model)
    assert model.results()[-1]["error"] == "too_many_open"
    assert one.outcomes() == ["waiting", "waiting"] and till.done == []


# ---------------------------------------------------------------- a yes to all


async def _always(request: Any) -> Any:
    return Approval(request.digest, True, "test", always=True)


async def test_a_yes_to_all_is_used_for_the_same_order_and_asked_again_for_another(sqlite_url: str):
    till, person = Till(), Person(False)
    async with chat(till, sqlite_url) as one:
        await one.ask(WANTED, Scripted(ASKS, says("Done.")), _always)
        more = calls(("refund", {**REFUND, "amount": 3}))
        await one.ask("please refund 3 for order 4471 too", Scripted(more, says("Done.")), person)
        assert person.asked == [] and till.done == [("4471", 12.5), ("4471", 3)]
        other = calls(("refund", {"order_id": "4472", "amount": 3}))
        await one.ask("please refund 3 for order 4472", Scripted(other, says("No.")), person)
    assert len(person.asked) == 1 and len(till.done) == 2
    assert ("approved", "by_grant") in told(sqlite_url)


async def test_a_yes_to_all_that_was_taken_back_asks_again():
    till, person = Till(), Person(False)
    async with chat(till, None) as one:
        await one.ask(WANTED, Scripted(ASKS, says("Done.")), _always)
        one.conversation.grants.given.clear()
        await one.ask(WANTED, Scripted(ASKS, says("No.")), person)
    assert len(person.asked) == 1 and len(till.done) == 1


async def test_there_is_no_yes_to_all_of_what_may_destroy():
    till, person = Till(destructive=True), Person(False)
    async with chat(till, None) as one:
        await one.ask(WANTED, Scripted(ASKS, says("Done.")), _always)
        assert one.shown()[0].always == "" and one.conversation.grants.given == []
        await one.ask(WANTED, Scripted(ASKS, says("No.")), person)
    assert len(person.asked) == 1 and len(till.done) == 1


async def test_a_rule_that_names_the_tool_is_stronger_than_a_yes_to_all(ruled):
    till, person = Till(), Person(False)
    async with chat(till, None) as one:
        await one.ask(WANTED, Scripted(ASKS, says("Done.")), _always)
        ruled("rules: [{tool: refund, decision: ask}]")
        await one.ask(WANTED, Scripted(ASKS, says("No.")), person)
    assert len(person.asked) == 1 and person.asked[0].always == "" and len(till.done) == 1


async def test_a_yes_to_all_is_in_no_copy_of_a_conversation_and_no_undo_brings_it_back():
    till = Till()
    async with chat(till, None) as one:
        before = one.conversation.snapshot()
        await one.ask(WANTED, Scripted(ASKS, says("Done.")), _always)
        assert len(one.conversation.grants.given) == 1
        assert one.conversation.snapshot().grants.given == []
        after = one.conversation.snapshot()
        one.conversation.grants.given.clear()
        for copy in (before, after):
            one.conversation.restore(copy)
            assert one.conversation.grants.given == []


async def test_neither_a_yes_to_all_nor_an_open_question_is_in_a_conversation_that_is_saved(sqlite_url: str):
    till = Till()
    async with chat(till, sqlite_url) as one:
        await one.ask(WANTED, Scripted(ASKS, says("Done.")), _always)
        before = saved(one.conversation)
        await one.leave(amount=77)
        await one.left()
        assert saved(one.conversation) == before
        again = loaded(before)
        assert (again.grants.given, again.offered) == ([], [])


async def test_a_yes_to_all_in_a_chat_is_nothing_in_the_next(sqlite_url: str):
    till, person = Till(), Person(False)
    async with chat(till, sqlite_url) as one:
        await one.ask(WANTED, Scripted(ASKS, says("Done.")), _always)
    async with chat(till, sqlite_url) as other:
        await other.ask(WANTED, Scripted(ASKS, says("No.")), person)
    assert len(person.asked) == 1 and len(till.done) == 1


async def test_a_yes_to_all_is_used_once_for_each_call(sqlite_url: str):
    """It is kept and used like any other: what cannot be used does not run."""
    till = Till()
    async with chat(till, sqlite_url) as one:
        await one.ask(WANTED, Scripted(ASKS, says("Done.")), _always)
        assert one.journal is not None

        async def never(digest: str, now: float) -> bool:
            return False

        one.journal.approvals.redeem = never  # type: ignore[method-assign]
        await one.ask(f"{WANTED} again", Scripted(ASKS, says("No.")), yes)
    assert len(till.done) == 1 and one.outcomes()[-1] == "used"


# ---------------------------------------------------------------- the file


def test_the_rules_that_the_page_shows_do_what_it_says():
    page = (ROOT / "docs" / "approvals.md").read_text(encoding="utf-8")
    (shown,) = [fence.text for fence in fences(page) if fence.language == "yaml"]
    rules = policy_of(shown)

    def decided(name: str, *, destructive: bool, **arguments: object) -> str | None:
        hints = ToolAnnotations(read_only_hint=False, destructive_hint=destructive)
        tool = Tool(name=name, input_schema={}, annotations=hints)
        rule = rules.decide(tool, arguments)
        return rule.decision if rule else None

    assert decided("refund_order", destructive=True, amount=50.01) == "staff"
    assert decided("refund_order", destructive=True) == "staff"
    assert decided("refund_order", destructive=True, amount=50) == "deny"
    assert decided("refund_order", destructive=False, amount=50) is None
    assert decided("add_note", destructive=False) == "allow"
    assert decided("add_note", destructive=True) == "deny"


def test_a_file_that_cannot_be_read_or_used_is_named_with_its_place(tmp_path: Path):
    with pytest.raises(BadApprovalFile, match=r"APPROVAL_FILE, .*gone\.yaml: it cannot be read"):
        policy_at(tmp_path / "gone.yaml")
    bad = tmp_path / "bad.yaml"
    bad.write_bytes(b"\xff\xfe")
    with pytest.raises(BadApprovalFile, match="UnicodeDecodeError"):
        policy_at(bad)
    bad.write_text("rules: [{decision: sometimes}]", encoding="utf-8")
    with pytest.raises(BadApprovalFile, match=r"bad\.yaml: .* At rules\.0\.decision: .*sometimes"):
        policy_at(bad)
