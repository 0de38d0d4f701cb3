"""The player: who answers, what is kept between turns, and when a run stops."""

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

import pytest

from common.approval import ApprovalRequest, Approver
from common.events import Event, ToolRequested, ToolReturned
from evals import messages, play
from evals.messages import Dialogue
from evals.play import Broken, Conversation, Opener

pytestmark = pytest.mark.anyio

SHIPPED = {"order_id": "4471", "status": "shipped"}


def dialogue(name: str, *turns: dict[str, Any]) -> Dialogue:
    return Dialogue.model_validate({"id": name, "group": "g", "turns": list(turns)})


ASK = {
    "text": "where is 4471?",
    "calls": [{"tool": "get_order_status", "order_id": "4471"}],
    "facts": {"4471": ["status"]},
}
THANKS = {"text": "thanks, and order 4471 is which?", "calls": []}


class Shop:
    """Scripted conversations: each reply with its events; counts how often it was opened."""

    def __init__(self, *replies: tuple[str, Sequence[Event]] | Exception) -> None:
        self.replies = list(replies)
        self.opened = 0

    @asynccontextmanager
    async def open(self) -> AsyncGenerator[Conversation]:
        self.opened += 1
        yield Conversation(self.ask, self.lookup)

    async def ask(self, question: str, approver: Approver, see: Callable[[Event], None]) -> str:
        reply = self.replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        for event in reply[1]:
            see(event)
        return reply[0]

    async def lookup(self, order_id: str) -> dict[str, Any]:
        return SHIPPED if order_id == "4471" else {}


CALLED = (
    ToolRequested("c1", "get_order_status", '{"order_id": "4471"}'),
    ToolReturned(
        "c1",
        "get_order_status",
        {"order_id": "4471"},
        False,
        {**SHIPPED, "tracking_number": "JD0146"},
        "",
        0.1,
    ),
)


async def test_evidence_is_kept_within_a_dialogue_and_not_between_two() -> None:
    shop = Shop(("It is shipped.", CALLED), ("JD0146", ()), ("JD0146", ()))
    verdicts = await play.play(
        [dialogue("one", ASK, THANKS), dialogue("two", THANKS)], shop.open, lambda _: None
    )
    assert [verdict.unverified for verdict in verdicts] == [(), (), ("jd0146",)]
    assert [verdict.missing for verdict in verdicts] == [(), (), ()]
    assert shop.opened == 2


async def test_each_verdict_is_told_as_soon_as_it_is_there() -> None:
    told: list[str] = []
    shop = Shop(("It is shipped.", CALLED), ("Bye.", ()))
    await play.play(
        [dialogue("one", ASK, THANKS)],
        shop.open,
        lambda verdict: told.append(f"{verdict.dialogue}/{verdict.turn}"),
    )
    assert told == ["one/1", "one/2"]


async def test_a_turn_that_breaks_off_is_a_wrong_turn_and_the_run_goes_on() -> None:
    shop = Shop(OSError("the model is gone"), ("Bye.", ()))
    first, second = await play.play([dialogue("one", THANKS, THANKS)], shop.open, lambda _: None)
    assert (first.error, first.right_call) == ("OSError: the model is gone", False)
    assert second.right_call


async def test_a_run_stops_when_turn_after_turn_breaks_off() -> None:
    shop = Shop(*[OSError("the model is gone")] * 9)
    with pytest.raises(Broken, match=r"The last 3 turns broke off.*the model is gone"):
        await play.play([dialogue("one", *[THANKS] * 9)], shop.open, lambda _: None)
    assert len(shop.replies) == 6


@pytest.mark.parametrize("approve", [True, False])
async def test_the_person_answers_as_written_and_to_the_very_request(approve: bool) -> None:
    request = ApprovalRequest("r1", "create_ticket", "", {}, "", True, "digest", 0.0)
    approval = await play.person(approve)(request)
    assert (approval.digest, approval.approved) == ("digest", approve)


def test_dialogues_are_chosen_by_id_or_group_and_number() -> None:
    written = messages.load()
    assert {one.group for one in play.chosen(written, "two ids", None)} == {"two ids"}
    assert [one.id for one in play.chosen(written, "status-plain", None)] == ["status-plain"]
    assert len(play.chosen(written, "", 3)) == 3
    assert play.chosen(written, "nothing of that name", None) == ()


def test_a_shop_is_what_the_player_opens() -> None:
    opener: Opener = Shop().open
    assert callable(opener)
