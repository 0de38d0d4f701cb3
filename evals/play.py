"""Play the written dialogues on the real agent, each in a fresh shop.

Knows:    how a conversation is started and what the person at the other end answers.
Does not: judge.   (scoring.py)
"""

import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from common.approval import Approval, ApprovalRequest, Approver
from common.events import Event
from common.target import HouseServer
from evals import truth
from evals.messages import Dialogue, Turn
from evals.scoring import Place, Verdict, judge
from evals.tongue import languages
from evals.transcript import Transcript
from llm import ChatFn

if TYPE_CHECKING:
    from mcp_tools import Bridge

MAX_FAILED = 3
"""Turns in a row that may break off before the run stops: after these the model or server is not there."""

Ask = Callable[[str, Approver, Callable[[Event], None]], Awaitable[str]]
Lookup = Callable[[str], Awaitable[dict[str, Any]]]


@dataclass(frozen=True)
class Conversation:
    """One conversation with the agent.

    ask: a turn: message, approver, where events go; gives the reply.
    lookup: an order's true fields, read from the server past the agent; empty when there is no such order.
    """

    ask: Ask
    lookup: Lookup


Opener = Callable[[], AbstractAsyncContextManager[Conversation]]


class Broken(Exception):
    """Several turns in a row broke off, or no server starts, so the figures would not be about the model."""


@asynccontextmanager
async def open_server(target: HouseServer | None = None) -> "AsyncGenerator[Bridge]":
    """Start a server of the shop's and give the connection to it. target: None is its own.

    Raises: Broken when it does not start.
    """
    import mcp_tools

    try:
        async with mcp_tools.connect(target) as bridge:
            yield bridge
    except mcp_tools.ConnectError as error:
        raise Broken(str(error)) from error


@asynccontextmanager
async def fresh_shop(chat: ChatFn, target: HouseServer | None = None) -> AsyncGenerator[Conversation]:
    """Open a conversation with the real agent and a server of its own: what is changed ends with it."""
    import agent_mcp  # here, so that --guards-only and --help do without the SDK

    async with open_server(target) as bridge:
        conversation = agent_mcp.Conversation()

        async def ask(question: str, approver: Approver, see: Callable[[Event], None]) -> str:
            outcome = await agent_mcp.run(
                question, chat, approver, bridge=bridge, conversation=conversation, on_event=see
            )
            return outcome.reply

        async def lookup(order_id: str) -> dict[str, Any]:
            result = await bridge.call("get_order_status", {"order_id": order_id})
            return {} if result.is_error else result.data

        yield Conversation(ask, lookup)


async def play(
    dialogues: Sequence[Dialogue], open_shop: Opener, on_turn: Callable[[Verdict], None]
) -> list[Verdict]:
    """Return the verdict on every turn, telling each as soon as it is there.

    Raises: Broken after MAX_FAILED turns in a row that broke off.
    """
    verdicts: list[Verdict] = []
    for dialogue in dialogues:
        async with open_shop() as conversation:
            seen = truth.at_start()
            for index, (turn, language) in enumerate(
                zip(dialogue.turns, languages(dialogue), strict=True), 1
            ):
                orders = {order: await conversation.lookup(order) for order in turn.facts}
                run = await take(turn, conversation.ask)
                place = Place(dialogue.id, dialogue.group, index, language)
                verdict = judge(place, turn, run, seen, orders)
                seen.add(run)
                verdicts.append(verdict)
                on_turn(verdict)
                _stop_when_broken(verdicts)
    return verdicts


async def take(turn: Turn, ask: Ask) -> Transcript:
    """Return what happened in one turn; an error ends the turn, not the run."""
    run = Transcript(turn.text)
    start = time.perf_counter()
    try:
        run.reply = await ask(turn.text, person(turn.approve), run.see)
    except Exception as error:  # noqa: BLE001 - one turn that breaks off is a figure; play() stops when it goes on
        run.error = f"{type(error).__name__}: {error}"
    run.seconds = time.perf_counter() - start
    return run


def person(approve: bool) -> Approver:
    """Return a person who answers every question alike."""

    async def answer(request: ApprovalRequest) -> Approval:
        return Approval(request.digest, approve, by="evals")

    return answer


def chosen(dialogues: Sequence[Dialogue], containing: str, limit: int | None) -> tuple[Dialogue, ...]:
    """Return the dialogues whose id or group contains the text, at most `limit` of them."""
    found = [one for one in dialogues if containing in one.id or containing in one.group]
    return tuple(found[:limit])


def _stop_when_broken(verdicts: Sequence[Verdict]) -> None:
    last = verdicts[-MAX_FAILED:]
    if len(last) == MAX_FAILED and all(verdict.error for verdict in last):
        raise Broken(
            f"The last {MAX_FAILED} turns broke off, the newest with {last[-1].error}\n"
            "Start `python main.py` with a question to see whether the model answers; then run this again."
        )
