"""The chat with a played agent, for a pseudo-terminal: `python tests/terminal/chat_in_a_terminal.py HISTORY`.

A message is the name of a scene; anything else is repeated. A scene that waits does so until it is stopped.
The clock stands still, but for the scenes that say so: figures and transcripts are the same on every machine.
"""

import sys
import time
from pathlib import Path

import anyio
from rich.console import Console

from common.approval import Approver
from common.events import ModelStarted, Token, ToolReturned, ToolStarted
from terminal import Agent, PromptLines, Screen, Session
from tests.terminal.desk import (
    TICKET,
    TOOLS,
    Notes,
    OnEvent,
    Outcome,
    meta,
    request_for,
    small_talk,
    status,
    ticket,
)

ORDER = {"order_id": "4471"}

LONG = (
    "Order **4471** was sent with DHL on `2026-11-27` and is expected on 2 December.\n"
    "\n"
    "## What is in it\n"
    "- one Desk Lamp, for which a price of 49.99 EUR was paid\n"
    "- two Bulbs\n"
    "4471. is a number and not the start of a list"
)


class Clock:
    """Runs only while it is let run."""

    def __init__(self) -> None:
        self.runs = False
        self._stood_at = time.monotonic()

    def __call__(self) -> float:
        if self.runs:
            self._stood_at = time.monotonic()
        return self._stood_at


CLOCK = Clock()


async def reads(message: str, approver: Approver, on_event: OnEvent) -> Outcome:
    CLOCK.runs = True
    on_event(ModelStarted(1))
    on_event(ToolStarted("c1", "get_order_status", ORDER))
    await anyio.sleep_forever()
    return Outcome("never", meta())


async def silent(message: str, approver: Approver, on_event: OnEvent) -> Outcome:
    CLOCK.runs = True
    await anyio.sleep_forever()
    return Outcome("never", meta())


async def writes(message: str, approver: Approver, on_event: OnEvent) -> Outcome:
    on_event(ToolStarted("c1", "create_ticket", TICKET))
    on_event(Token("Half an answer."))
    await anyio.sleep_forever()
    return Outcome("never", meta())


async def half(message: str, approver: Approver, on_event: OnEvent) -> Outcome:
    on_event(ModelStarted(1))
    on_event(Token("Half an answer."))
    await anyio.sleep_forever()
    return Outcome("never", meta())


async def wrote(message: str, approver: Approver, on_event: OnEvent) -> Outcome:
    on_event(ToolStarted("c1", "create_ticket", TICKET))
    on_event(ToolReturned("c1", "create_ticket", TICKET, False, {"ticket": "T-1"}, "", 0.04))
    return await reads(message, approver, on_event)


async def asks_then_reads(message: str, approver: Approver, on_event: OnEvent) -> Outcome:
    await ticket(message, approver, on_event)
    return await reads(message, approver, on_event)


async def expires(message: str, approver: Approver, on_event: OnEvent) -> Outcome:
    with anyio.move_on_after(0.2):
        await approver(request_for())
    return Outcome("The question expired.", meta())


async def asks_when_keys_were_pressed(message: str, approver: Approver, on_event: OnEvent) -> Outcome:
    on_event(ModelStarted(1))
    on_event(Token("Press."))
    while LINES.typed < 2:
        await anyio.lowlevel.checkpoint()
    return await ticket(message, approver, on_event)


async def long(message: str, approver: Approver, on_event: OnEvent) -> Outcome:
    await status(message, approver, lambda event: None if isinstance(event, Token) else on_event(event))
    for piece in LONG.replace(". ", ". |").split("|"):
        on_event(Token(piece))
    return Outcome(LONG, meta(tokens=(2_130, 340), tools_used=("get_order_status",)))


SCENES = {
    "asks when keys were pressed": asks_when_keys_were_pressed,
    "expires": expires,
    "reads": reads,
    "silent": silent,
    "writes": writes,
    "wrote": wrote,
    "half": half,
    "long": long,
    "asks": ticket,
    "asks then reads": asks_then_reads,
}


async def run(message: str, approver: Approver, on_event: OnEvent) -> Outcome:
    return await SCENES.get(message, small_talk)(message, approver, on_event)


async def main() -> int:
    return await Session(Agent(run, TOOLS, Notes()), SCREEN, LINES).chat()


if __name__ == "__main__":
    SCREEN = Screen(Console(stderr=True), Console(), CLOCK)
    LINES = PromptLines(Path(sys.argv[1]), SCREEN.line)
    sys.exit(anyio.run(main))
