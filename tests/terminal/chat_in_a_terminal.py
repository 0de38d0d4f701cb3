"""The chat with a played agent, for a pseudo-terminal: `python tests/terminal/chat_in_a_terminal.py HISTORY`.

A message is the name of a scene; anything else is repeated. A scene that waits does so until it is stopped.
The clock stands still, but for the scenes that say so: figures and transcripts are the same on every machine.
"""

import sys
import time
from pathlib import Path

import anyio
from rich.console import Console

from common.approval import BY_GRANT, Approval, ApprovalRequest, Approver
from common.events import ApprovalAnswered, ApprovalAsked, ModelStarted, Token, ToolReturned, ToolStarted
from guards.form import form_of
from guards.grants import Grant, Grants
from terminal import Agent, PromptLines, Screen, Session
from terminal.permissions import Permissions
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


GRANTS = Grants()
WORDS = "Open a ticket for order number 4468, whatever the category and summary"
ASKER = "the assistant of this chat, at server.py"


async def adds(message: str, approver: Approver, on_event: OnEvent) -> Outcome:
    """Ask unless there is a yes to all, which may be given here."""
    request = request_for(reversible=True, always=WORDS, asked_by=ASKER)
    if GRANTS.given:
        approval = Approval(request.digest, True, f"{BY_GRANT}: {WORDS}")
    else:
        on_event(ApprovalAsked(request))
        approval = await approver(request)
    on_event(ApprovalAnswered(request, approval, "approved" if approval.approved else "declined"))
    if approval.always:
        GRANTS.give(Grant("server.py", "create_ticket", "", "", WORDS))
    return Outcome("Done." if approval.approved else "Not done.", meta())


async def odd(message: str, approver: Approver, on_event: OnEvent) -> Outcome:
    """Ask about a call that is not what it seems."""
    arguments = {
        "order_id": "С-1001",
        "category": "other",
        "summary": "pay at раypal.com\u202e now, المصباح مكسور 4468",
    }
    warning = "Its name says create, and it says of itself that it only reads."
    request = request_for(
        arguments, effect="Opens a ticket.", asked_by=ASKER, warnings=(warning,), audience="staff"
    )
    return await _asked(request, approver, on_event)


async def form(message: str, approver: Approver, on_event: OnEvent) -> Outcome:
    """Have a server's form filled in."""
    fields = {
        "size": {"type": "string", "title": "Size", "enum": ["s", "m"], "enumNames": ["Small", "Medium"]},
        "count": {"type": "integer", "title": "How many", "minimum": 1, "default": 1},
        "mail": {
            "type": "string",
            "title": "E-mail address",
            "format": "email",
            "description": "where the label is sent",
        },
        "gift": {"type": "boolean", "title": "Wrap it as a gift"},
    }
    wanted = form_of({"type": "object", "properties": fields, "required": ["size", "gift"]})
    request = request_for(
        {}, effect="A few details, please.", form=wanted, asked_by="the server x, during Open a ticket"
    )
    return await _asked(request, approver, on_event)


async def _asked(request: ApprovalRequest, approver: Approver, on_event: OnEvent) -> Outcome:
    on_event(ApprovalAsked(request))
    approval = await approver(request)
    on_event(ApprovalAnswered(request, approval, "approved" if approval.approved else "declined"))
    return Outcome("Done." if approval.approved else "Not done.", meta())


SCENES = {
    "adds": adds,
    "odd": odd,
    "form": form,
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
    agent = Agent(run, TOOLS, Notes(), permissions=Permissions(GRANTS))
    return await Session(agent, SCREEN, LINES).chat()


if __name__ == "__main__":
    SCREEN = Screen(Console(stderr=True), Console(), CLOCK)
    LINES = PromptLines(Path(sys.argv[1]), SCREEN.line)
    sys.exit(anyio.run(main))
