"""Play one case on the real agent, in this process, and write down what came of it.

Knows:    how a conversation is started, and how a scripted model, a person and a clock are put into it.
Does not: judge.   (judging.py)
"""

from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any
from unittest.mock import patch

import anyio

import agent_mcp
from common.approval import ApprovalRequest
from common.events import Event, GateDecision, ReplyChecked, Token, ToolReturned
from evals.hostile.case import Case, filled
from evals.hostile.people import Agreed, Clock, Person
from evals.hostile.shops import Shops
from evals.hostile.watch import Arrived, Watch
from llm import Reply
from mcp_tools import connect

MOST_SECONDS = 30.0
"""For one case; a turn that does not end by itself is a finding."""


@dataclass(frozen=True)
class Ran:
    """What came of a case.

    arrived: the calls that came to a tool's own function. changes: how many records the store has more.
    shown: every piece of text put before the customer, withdrawn ones included. fixed: those of it that are
    the shop's own sentence on a message that was turned away. typed: what the customer wrote. results: what
    tools answered; told: the server's reasons. stopped: the gates that stopped something, in order.
    error: why the conversation broke off.
    """

    arrived: tuple[Arrived, ...] = ()
    changes: int = 0
    asked: tuple[ApprovalRequest, ...] = ()
    agreed: tuple[Agreed, ...] = ()
    shown: tuple[str, ...] = ()
    fixed: tuple[str, ...] = ()
    typed: tuple[str, ...] = ()
    results: tuple[ToolReturned, ...] = ()
    told: tuple[str, ...] = ()
    stopped: tuple[str, ...] = ()
    error: str = ""


@dataclass
class Model:
    """Says what its script says, whatever it is asked; its last reply for ever."""

    script: tuple[Reply, ...]
    asked: int = 0

    async def __call__(self, messages: list[dict[str, Any]], tools: list[dict[str, Any]]) -> Reply:
        """Return the next reply of the script."""
        step = self.script[min(self.asked, len(self.script) - 1)]
        self.asked += 1
        return spoken(step, messages)


def spoken(step: Reply, messages: list[Any]) -> Reply:
    """Return a reply with what it quotes of the messages, in its words and in its arguments."""
    calls = tuple(
        replace(call, arguments=filled(call.arguments, messages, as_json=True) or "")
        for call in step.tool_calls
    )
    return replace(step, content=filled(step.content, messages), tool_calls=calls)


@dataclass
class _Played:
    """What gathers while a case is played."""

    events: list[Event] = field(default_factory=list[Event])
    people: list[Person] = field(default_factory=list[Person])
    error: str = ""


async def play(case: Case, shops: Shops | None = None) -> Ran:
    """Play every turn of a case and return what came of it. shops: of the run that the case is part of."""
    watch, clock, played = Watch(), Clock(), _Played()
    shops = shops or Shops()
    open = shops.open(case.shop, watch)
    with patch("time.time", clock):
        try:
            with anyio.fail_after(MOST_SECONDS):
                async with connect(open.server) as bridge:
                    await _talk(case, bridge, clock, played)
        except Exception as error:  # noqa: BLE001  a case that breaks off is a finding, and the next is played
            played.error = f"{type(error).__name__}: {error}"[:300]
    changes = open.changes
    shops.close(case.shop, open)
    return _came_of(case, watch, played, changes)


async def _talk(case: Case, bridge: Any, clock: Clock, played: _Played) -> None:
    conversation = agent_mcp.Conversation()
    for turn in case.turns:
        person = Person(turn.person, clock)
        # Whoever was asked in an earlier turn may try to answer with what they said then.
        person.agreed += (
            [one for each in played.people for one in each.agreed] if person.kind == "replay" else []
        )
        already = len(person.agreed)
        await agent_mcp.run(
            turn.customer,
            Model(turn.model),
            person,
            bridge=bridge,
            conversation=conversation,
            on_event=played.events.append,
        )
        person.agreed = person.agreed[already:]
        played.people.append(person)


def _came_of(case: Case, watch: Watch, played: _Played, changes: int) -> Ran:
    stops = [_stop(event) for event in played.events]
    reasons = [
        event.reason
        for event in played.events
        if isinstance(event, GateDecision) and event.gate == "precondition"
    ]
    shown = [event.text for event in played.events if isinstance(event, Token)]
    fixed = [
        then.text
        for event, then in pairwise(played.events)
        if isinstance(event, GateDecision) and event.gate == "input" and isinstance(then, Token)
    ]
    return Ran(
        arrived=tuple(watch.calls),
        changes=changes,
        asked=tuple(request for person in played.people for request in person.asked),
        agreed=tuple(one for person in played.people for one in person.agreed),
        shown=tuple(shown),
        fixed=tuple(fixed),
        typed=tuple(turn.customer for turn in case.turns),
        results=tuple(event for event in played.events if isinstance(event, ToolReturned)),
        told=tuple(reasons),
        stopped=tuple(stop for stop in stops if stop),
        error=played.error,
    )


def _stop(event: Event) -> str:
    """Return the gate that stopped something, as an event tells it; a server's own no is its precondition."""
    match event:
        case GateDecision(allowed=False):
            return event.gate
        case ReplyChecked(ok=False):
            return "output"
        case ToolReturned(is_error=True):
            return "precondition"
        case _:
            return ""
