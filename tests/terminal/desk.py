"""A session on paper: piped lines in, a played agent, both streams on one page in the order they came."""

import os
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from io import StringIO
from typing import Any

import anyio
from rich.console import Console

from common.approval import ApprovalRequest, Approver
from common.events import (
    ApprovalAnswered,
    ApprovalAsked,
    Event,
    GateDecision,
    ModelStarted,
    Token,
    ToolRequested,
    ToolReturned,
    ToolStarted,
)
from guards.approval import sealed
from terminal import Agent, Exit, Manner, PipedLines, Screen, Session, ToolBox, ToolCard

TOOLS = ToolBox.of(
    ToolCard("get_order_status", "Look up an order", "Say where an order is.", asks=False),
    ToolCard("create_ticket", "Open a ticket", "Open a ticket about one order.", checked=True),
)

TICKET = {"order_id": "4468", "category": "damaged", "summary": "The lamp is broken."}

SCHEMA = {
    "type": "object",
    "properties": {
        "order_id": {"type": "string", "x-grounding": "order_id"},
        "category": {"type": "string", "enum": ["delivery", "return", "refund", "damaged", "other"]},
        "summary": {"type": "string"},
        "copies": {"type": "integer"},
    },
    "required": ["order_id", "category", "summary"],
}


@dataclass(frozen=True)
class Outcome:
    """As agent_mcp's, which takes a second to import: too long for every chat in a pseudo-terminal."""

    reply: str
    meta: dict[str, Any] = field(default_factory=dict[str, Any])


def meta(
    llm_calls: int = 2, tokens: tuple[int, int] = (812, 54), tools_used: tuple[str, ...] = ()
) -> dict[str, Any]:
    usage = {"prompt_tokens": tokens[0], "completion_tokens": tokens[1]}
    told = {"llm_calls": llm_calls, "steps": llm_calls, "tools_used": list(tools_used)}
    return {**told, "blocked": False, "usage": usage}


OnEvent = Callable[[Event], None]
Played = Callable[[str, Approver, OnEvent], Awaitable[Outcome]]


def request_for(arguments: dict[str, Any] = TICKET, **changes: Any) -> ApprovalRequest:
    effect = f"Opens a ticket for order {arguments.get('order_id')}."
    known = {
        "id": "c1",
        "tool": "create_ticket",
        "title": "Open a ticket",
        "arguments": arguments,
        "effect": effect,
        "reversible": False,
        "digest": "",
        "expires_at": 1e12,
        "description": "Open a ticket about one order.\n\nStaff will answer it.",
        "schema": SCHEMA,
    }
    return sealed(ApprovalRequest(**{**known, **changes}))


async def status(message: str, approver: Approver, on_event: OnEvent) -> Outcome:
    """Look an order up and tell."""
    on_event(ModelStarted(1))
    on_event(ToolRequested("c1", "get_order_status", '{"order_id": "4471"}'))
    on_event(GateDecision("grounding", True, call_id="c1", tool="get_order_status"))
    on_event(ToolStarted("c1", "get_order_status", {"order_id": "4471"}))
    on_event(
        ToolReturned("c1", "get_order_status", {"order_id": "4471"}, False, {"status": "shipped"}, "", 0.21)
    )
    on_event(ModelStarted(2))
    on_event(Token("Order 4471 is on its way."))
    return Outcome("Order 4471 is on its way.", meta(tools_used=("get_order_status",)))


async def ticket(message: str, approver: Approver, on_event: OnEvent) -> Outcome:
    """Ask, again with what the person has changed, and open a ticket on a yes."""
    arguments = TICKET
    on_event(ModelStarted(1))
    on_event(ToolRequested("c1", "create_ticket", "{}"))
    while True:
        request = request_for(arguments)
        on_event(ApprovalAsked(request))
        approval = await approver(request)
        assert approval.digest == request.digest
        if approval.approved or approval.changed is None:
            break
        on_event(ApprovalAnswered(request, approval, "changed"))
        arguments = approval.changed
    if not approval.approved:
        on_event(ApprovalAnswered(request, approval, "declined"))
        on_event(GateDecision("permission", False, "the person said no", "c1", "create_ticket"))
        return Outcome("No ticket was opened.", meta())
    on_event(ApprovalAnswered(request, approval, "approved"))
    on_event(ToolStarted("c1", "create_ticket", arguments))
    on_event(ToolReturned("c1", "create_ticket", arguments, False, {"ticket": "T-1"}, "", 0.04))
    return Outcome("Ticket T-1 is open.", meta(tools_used=("create_ticket",)))


async def small_talk(message: str, approver: Approver, on_event: OnEvent) -> Outcome:
    """Answer without a tool."""
    on_event(ModelStarted(1))
    return Outcome(f"You said: {message}", meta(1, (90, 7)))


@dataclass
class Page:
    """What was written, and how the session ended."""

    text: str
    answers: str
    exit: Exit


class _Answers(StringIO):
    """Stdout: written to the page too."""

    def __init__(self, page: StringIO, tty: bool) -> None:
        super().__init__()
        self._page = page
        self._tty = tty

    def write(self, text: str) -> int:
        self._page.write(text)
        return super().write(text)

    def isatty(self) -> bool:
        return self._tty


@dataclass
class Notes:
    """A conversation that holds the messages and nothing else."""

    messages: list[str] = field(default_factory=list[str])

    def snapshot(self) -> list[str]:
        return list(self.messages)

    def restore(self, earlier: list[str]) -> None:
        self.messages = list(earlier)

    def clear(self) -> None:
        self.messages.clear()

    def heard(self) -> list[str]:
        return list(self.messages)

    def origin(self, kind: str, value: Any, schema: dict[str, Any]) -> str:
        return ""

    def text(self, suffix: str) -> str | None:
        return "\n".join(self.messages) if suffix in (".md", ".json") else None


async def play(
    piped: str | bytes,
    *turns: Played,
    question: str | None = None,
    tty_answers: bool = False,
    manner: Manner | None = None,
    **agent: Any,
) -> Page:
    """Hold a whole session; the nth message that reaches the agent is played by the nth of `turns`."""
    left = list(turns)
    notes = Notes()

    async def run(message: str, approver: Approver, on_event: OnEvent) -> Outcome:
        notes.messages.append(message)
        return await left.pop(0)(message, approver, on_event)

    page = StringIO()
    answers = _Answers(page, tty_answers)
    screen = Screen(
        Console(file=page, force_terminal=False),
        Console(file=answers, color_system=None, width=80),
        clock=lambda: 0.0,
    )
    read, write = os.pipe()
    os.write(write, piped.encode() if isinstance(piped, str) else piped)
    os.close(write)
    session = Session(
        Agent(run, **{"tools": TOOLS, "memory": notes, **agent}), screen, PipedLines(read), manner
    )
    try:
        with anyio.fail_after(5):
            ended = await (session.once(question) if question else session.chat())
    finally:
        os.close(read)
    assert not left, "not every turn was played"
    return Page(page.getvalue(), answers.getvalue(), ended)
