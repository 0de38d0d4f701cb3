"""The chat with a played agent, for a pseudo-terminal: `python tests/terminal/chat_in_a_terminal.py HISTORY`.

A message is the name of a scene; anything else is repeated. A scene that waits does so until it is stopped.
"""

import asyncio
import signal
import sys
from pathlib import Path

import anyio
from rich.console import Console

from common.approval import Approver
from common.events import ModelStarted, Token, ToolReturned, ToolStarted
from terminal import Agent, PromptLines, Screen, Session
from tests.terminal.desk import TICKET, TOOLS, OnEvent, Outcome, meta, request_for, small_talk, ticket

ORDER = {"order_id": "4471"}


async def reads(message: str, approver: Approver, on_event: OnEvent) -> Outcome:
    on_event(ModelStarted(1))
    on_event(ToolStarted("c1", "get_order_status", ORDER))
    await anyio.sleep_forever()
    return Outcome("never", meta())


async def writes(message: str, approver: Approver, on_event: OnEvent) -> Outcome:
    on_event(ToolStarted("c1", "create_ticket", TICKET))
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


async def asks_when_told(message: str, approver: Approver, on_event: OnEvent) -> Outcome:
    told = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, told.set)
    on_event(ModelStarted(1))
    await told.wait()
    return await ticket(message, approver, on_event)


SCENES = {
    "asks when told": asks_when_told,
    "expires": expires,
    "reads": reads,
    "writes": writes,
    "wrote": wrote,
    "asks": ticket,
    "asks then reads": asks_then_reads,
}


async def run(message: str, approver: Approver, on_event: OnEvent) -> Outcome:
    return await SCENES.get(message, small_talk)(message, approver, on_event)


async def main() -> int:
    screen = Screen(Console(stderr=True), sys.stdout)
    lines = PromptLines(Path(sys.argv[1]), screen.line)
    return await Session(Agent(run, TOOLS), screen, lines).chat()


if __name__ == "__main__":
    sys.exit(anyio.run(main))
