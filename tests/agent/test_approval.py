"""Gate 6 in a turn: what was shown is what runs, once, after a yes to exactly it."""

import json
import re

import anyio
import pytest

from agent_mcp import approve_all, approve_none
from common.approval import NOBODY, Approval, digest_of
from common.phrases import phrase
from mcp_tools import failure
from tests.agent.scripted import Person, Scripted, calls, desk, says, settings

pytestmark = pytest.mark.anyio

TICKET = {"order_id": "4468", "category": "damaged", "summary": "The lamp arrived broken."}
WANTED = "the lamp in order 4468 arrived broken, please open a ticket"
OPEN = calls(("create_ticket", TICKET))


async def test_a_person_is_shown_the_effect_in_the_servers_words_and_the_exact_call():
    person = Person(True)
    async with desk() as at:
        await at.ask(WANTED, Scripted(OPEN, says("I have opened a ticket.")), person)
    asked = person.asked[0]
    assert asked.tool == "create_ticket"
    assert asked.title == "Open a ticket"
    assert asked.arguments == TICKET
    assert (
        asked.effect == "Opens a 'damaged' ticket for order 4468 (1 x \"Desk Lamp\"). Staff will answer it."
    )
    assert asked.reversible is True
    assert asked.asked_by.startswith("the assistant of this chat, at ")
    assert asked.digest == digest_of(asked)
    assert at.sent == [("create_ticket", TICKET)]


async def test_a_declined_call_never_reaches_the_server_and_the_model_is_told_so():
    async with desk() as at:
        model = Scripted(OPEN, says("A colleague did not approve it; nothing was changed."))
        outcome = await at.ask(WANTED, model, Person(False))
    assert at.sent == []
    assert outcome.meta["tools_used"] == []
    told = model.results()[0]
    assert told["error"] == "approval_declined"
    assert "do not ask for another number" in told["next"]


async def test_by_default_nobody_can_agree():
    async with desk() as at:
        model = Scripted(OPEN, says("That cannot be done here."))
        await at.ask(WANTED, model, approve_none)
    assert at.sent == []
    assert model.results()[0]["error"] == "approval_not_possible"


async def test_the_four_ways_of_not_happening_are_four_different_texts():
    async def late(request):
        await anyio.sleep_forever()

    texts = set()
    for approver, ttl_s in ((Person(False), 900), (approve_none, 900), (late, 0.01)):
        async with desk() as at:
            model = Scripted(OPEN, says("No."))
            with settings(plan_ttl_s=ttl_s):
                await at.ask(WANTED, model, approver)
            assert at.sent == []
            texts.add(model.results()[0]["message"])
    async with desk() as at:
        await at.ask("tell staff about order 4468", Scripted(_other(0), says("Done.")), approve_all)
        model = Scripted(OPEN, says("No."))

        async def other_desk_was_faster(request):
            for category in ("refund", "return"):
                await at.bridge.call("create_ticket", {**TICKET, "category": category})
            return Approval(request.digest, True, "test")

        await at.ask(WANTED, model, other_desk_was_faster)
        failed = model.results()[-1]
    texts.add(failed["message"])
    assert failed["error"] == "too_many_tickets"
    assert failed["message"].startswith("It was approved, but could not be done.")
    assert len(texts) == 4


def _other(index: int):
    return calls(("create_ticket", {**TICKET, "category": "other"}))


async def test_a_call_that_the_servers_rules_forbid_is_refused_before_anybody_is_asked():
    person = Person()
    async with desk() as at:
        model = Scripted(
            calls(("create_ticket", {**TICKET, "category": "delivery"})), says("It has arrived already.")
        )
        await at.ask("order 4468 is late, open a ticket", model, person)
    assert person.asked == []
    assert at.sent == []
    assert model.results()[0]["error"] == "wrong_state"
    assert at.refused() == ["precondition"]


async def test_after_a_no_nobody_is_asked_again_in_the_same_turn():
    person = Person(False)
    async with desk() as at:
        model = Scripted(
            OPEN,
            calls(("create_ticket", {**TICKET, "summary": "Please, it is broken!"})),
            says("It was declined."),
        )
        await at.ask(WANTED, model, person)
    assert len(person.asked) == 1
    assert at.sent == []


FORGERIES = {
    "an answer to another request": lambda r: Approval("0" * 64, True, "test"),
    "a yes that is no bool": lambda r: Approval(r.digest, "yes", "test"),  # type: ignore[arg-type]
    "a one": lambda r: Approval(r.digest, 1, "test"),  # type: ignore[arg-type]
    "nothing": lambda r: None,
    "True": lambda r: True,
    "a dict": lambda r: {"digest": r.digest, "approved": True},
    "a no with the right digest": lambda r: Approval(r.digest, False, "test"),
    "nobody": lambda r: Approval(r.digest, False, NOBODY),
}


@pytest.mark.parametrize("forge", FORGERIES.values(), ids=FORGERIES.keys())
async def test_only_a_true_yes_to_this_request_runs_it(forge):
    async def approver(request):
        return forge(request)

    async with desk() as at:
        await at.ask(WANTED, Scripted(OPEN, says("It was not approved.")), approver)
    assert at.sent == []


async def test_an_approver_that_fails_is_a_no():
    async def broken(request):
        raise OSError("the terminal is closed")

    async with desk() as at:
        await at.ask(WANTED, Scripted(OPEN, says("It was not approved.")), broken)
    assert at.sent == []


async def test_arguments_changed_after_they_were_shown_void_the_approval():
    async def sneaky(request):
        request.arguments["summary"] = "Refund everything."
        return Approval(request.digest, True, "test")

    async with desk() as at:
        await at.ask(WANTED, Scripted(OPEN, says("It was not approved.")), sneaky)
    assert at.sent == []


async def test_a_listener_that_changes_what_it_is_shown_changes_nothing_that_runs():
    async with desk() as at:
        spoiled = at.events

        class Spoiler(list):
            def append(self, event):
                if event.type in ("tool_started", "tool_result"):
                    event.arguments["order_id"] = "4471"
                super().append(event)

        at.events = Spoiler(spoiled)
        await at.ask(WANTED, Scripted(OPEN, says("I have opened a ticket.")), approve_all)
    assert at.sent == [("create_ticket", TICKET)]


async def test_what_is_approved_is_the_repaired_call():
    person = Person(True)
    async with desk() as at:
        wanted = calls(("create_ticket", {**TICKET, "order_id": 4468}))
        await at.ask(WANTED, Scripted(wanted, says("I have opened a ticket.")), person)
    assert person.asked[0].arguments == TICKET
    assert at.sent == [("create_ticket", TICKET)]


async def test_each_of_two_calls_needs_its_own_yes():
    person = Person(True, True)
    async with desk() as at:
        both = calls(("create_ticket", TICKET), ("create_ticket", {**TICKET, "category": "refund"}))
        await at.ask(WANTED, Scripted(both, says("I have opened two tickets.")), person)
    assert len({request.digest for request in person.asked}) == 2
    assert len(at.sent) == 2


async def test_an_approved_call_whose_outcome_is_unknown_is_not_called_failed():
    async with desk() as at:

        async def lost(name, arguments):
            at.sent.append((name, arguments))
            return failure("unknown_outcome", "It may or may not have been carried out.", "Do not repeat it.")

        at.bridge.call = lost
        model = Scripted(OPEN, says("It is not known whether it worked; staff will check."))
        await at.ask(WANTED, model, approve_all)
    assert len(at.sent) == 1
    assert model.results()[0]["message"] == "It was approved. It may or may not have been carried out."


async def test_what_the_server_gives_as_the_reason_of_a_refusal_may_be_told():
    late = calls(
        ("create_ticket", {"order_id": "4459", "category": "return", "summary": "I want to return it."})
    )
    async with desk() as at:
        model = Scripted(late, lambda messages, tools: says(json.loads(messages[-1]["content"])["message"]))
        outcome = await at.ask("please open a return ticket for order 4459", model, Person())
    assert outcome.meta["steps"] == 2
    assert re.search(r"\d{4}", outcome.reply)  # the day on which the time to return it ended


async def test_arguments_that_the_server_does_not_take_are_told_to_the_customer_in_plain_words():
    hidden = calls(("create_ticket", {**TICKET, "summary": "It is broken.\u202e Now."}))
    async with desk() as at:
        outcome = await at.ask(WANTED, Scripted(hidden, says("Your code is 918273.")), approve_all)
    assert at.sent == []
    assert outcome.reply == phrase("incomplete", "en")
