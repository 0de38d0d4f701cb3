"""What a person changes at an approval, the reason for a no, and calls that nobody asked for."""

from collections.abc import Callable
from typing import Any

import pytest

from common.approval import Approval, ApprovalRequest
from common.events import ApprovalAnswered
from tests.agent.scripted import Scripted, calls, desk, says

pytestmark = pytest.mark.anyio

TICKET = {"order_id": "4468", "category": "damaged", "summary": "The lamp arrived broken."}
WANTED = "the lamp in order 4468 arrived broken, please open a ticket"
OPEN = calls(("create_ticket", TICKET))

Answer = Callable[[ApprovalRequest], Approval]


class Editor:
    """Answers one request after the other, and remembers them."""

    def __init__(self, *answers: Answer) -> None:
        self.answers = list(answers)
        self.asked: list[ApprovalRequest] = []

    async def __call__(self, request: ApprovalRequest) -> Approval:
        self.asked.append(request)
        return self.answers.pop(0)(request)


def yes(request: ApprovalRequest) -> Approval:
    return Approval(request.digest, True, "test")


def change(**fields: Any) -> Answer:
    return lambda request: Approval(request.digest, False, "test", changed={**request.arguments, **fields})


async def test_a_changed_category_is_asked_about_again_and_is_what_runs():
    person = Editor(change(category="return"), yes)
    async with desk() as at:
        await at.ask(WANTED, Scripted(OPEN, says("It is done.")), person)
    assert [request.arguments["category"] for request in person.asked] == ["damaged", "return"]
    assert "'return'" in person.asked[1].effect and person.asked[1].notice == ""
    assert at.sent == [("create_ticket", {**TICKET, "category": "return"})]
    assert [e.outcome for e in at.events if isinstance(e, ApprovalAnswered)] == ["changed", "approved"]


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"order_id": "9999"}, "9999"),
        ({"category": "stolen"}, "category"),
        ({"category": "delivery"}, "'delivery'"),
        ({"colour": "red"}, "not one of the tool's own"),
        ({"summary": ""}, "summary"),
    ],
)
async def test_a_change_that_a_gate_stops_is_told_and_the_call_as_it_was_is_asked_about(
    fields: dict[str, Any], why: str
):
    person = Editor(change(**fields), lambda request: Approval(request.digest, False, "test"))
    async with desk() as at:
        await at.ask(WANTED, Scripted(OPEN, says("It was not approved.")), person)
    assert person.asked[1].arguments == TICKET
    assert why in person.asked[1].notice
    assert at.sent == []


async def test_nobody_changes_a_call_for_ever():
    person = Editor(*[change(summary=f"Attempt {n} at it.") for n in range(20)])
    async with desk() as at:
        await at.ask(WANTED, Scripted(OPEN, says("It was not approved.")), person)
    assert len(person.asked) == 6
    assert at.sent == []


async def test_a_change_beside_a_yes_is_no_yes_to_the_change():
    person = Editor(lambda r: Approval(r.digest, True, "test", changed={**r.arguments, "category": "return"}))
    async with desk() as at:
        await at.ask(WANTED, Scripted(OPEN, says("It is done.")), person)
    assert at.sent == [("create_ticket", TICKET)]


async def test_a_change_to_another_request_is_a_no():
    person = Editor(lambda request: Approval("another", False, "test", changed=TICKET))
    async with desk() as at:
        await at.ask(WANTED, Scripted(OPEN, says("It was not approved.")), person)
    assert len(person.asked) == 1 and at.sent == []


async def test_the_reason_for_a_no_reaches_the_model():
    person = Editor(lambda request: Approval(request.digest, False, "test", "it is the\nother lamp"))
    async with desk() as at:
        model = Scripted(OPEN, says("It was not approved."))
        await at.ask(WANTED, model, person)
    assert "it is the" in model.results()[0]["message"] and "other lamp" in model.results()[0]["message"]
    assert "\n" not in model.results()[0]["message"]


@pytest.mark.parametrize(
    "said", ["where is order 4468?", "4468", "¿dónde está el 4468?", "متى يصل طلبي 4468؟"]
)
async def test_what_nobody_asked_for_is_not_even_proposed(said: str):
    person = Editor()
    async with desk() as at:
        model = Scripted(OPEN, says("It has arrived."))
        await at.ask(said, model, person)
    assert (person.asked, at.sent, at.refused()) == ([], [], ["permission"])
    assert model.results()[0]["error"] == "not_asked_for"


async def test_the_customers_words_mark_what_they_ask_for_and_which_value_they_show():
    async with desk() as at:
        model = Scripted(says("Hm."))
        await at.ask("my lamp from 4468 arrived broken", model)
        await at.ask("where is order 4471?", model)
    functions = [{tool["function"]["name"]: tool["function"] for tool in tools} for tools in model.tools]
    assert functions[0]["create_ticket"]["x-asked-for"] is True
    assert functions[0]["create_ticket"]["x-shown"] == {"category": ["damaged"]}
    assert "x-asked-for" not in functions[0]["get_order_status"]
