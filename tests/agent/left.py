"""A server with one tool that changes something, and chats with it that end while a question is open.

Knows:    how a question comes to be left as a killed chat leaves it, and how the next chat takes it up.
Does not: assert anything.   (test_resume.py, test_resume_staff.py, test_resume_killed.py)
"""

import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp_types import ToolAnnotations

from agent.permission import hash_of
from agent_mcp import Conversation, Outcome, approve_none, resume, run, unanswered
from common.approval import Approval, ApprovalRequest, Approver, Audience, Verdict
from common.database import open_engine
from common.events import ApprovalAnswered, ApprovalAsked, Event
from common.pending import Pending
from guards.approval import Question, request_for
from journal import Trail, TurnJournal
from journal.served import Served
from mcp_tools import PREVIEW, Bridge, connect
from serving import is_dry_run
from tests.journal.writers import KEY

REFUND = {"order_id": "4471", "amount": 12.5}
WANTED = "please refund 12.50 for order 4471"
TTL_S = 900.0

MIRA = Served("s-mira", "customer", "C-1", server="till")
JONAS = Served("s-jonas", "customer", "C-2", server="till")
STAFF = Served("s-staff", "staff", server="till")


@dataclass
class Till:
    """What the server is like, and every call that it carried out."""

    done: list[tuple[str, float]] = field(default_factory=list[tuple[str, float]])
    title: str = "Refund an order"
    effect: str = "Refunds {amount} for order {order_id}."
    most: float | None = None
    destructive: bool | None = False

    def server(self) -> MCPServer:
        mcp = MCPServer("till", version="1")
        hints = ToolAnnotations(read_only_hint=False, destructive_hint=self.destructive)

        def refund(order_id: str, amount: float, ctx: Context[Any, Any]) -> str:
            """Give money back."""
            if self.most is not None and amount > self.most:
                raise ValueError("too much")
            if is_dry_run(ctx):
                return self.effect.format(order_id=order_id, amount=amount)
            self.done.append((order_id, amount))
            return f"Refunded {amount} for order {order_id}."

        mcp.tool(title=self.title, annotations=hints, meta={PREVIEW: True})(refund)
        return mcp


@dataclass
class Chat:
    """One chat with the till."""

    bridge: Bridge
    journal: TurnJournal | None
    conversation: Conversation = field(default_factory=Conversation)
    events: list[Event] = field(default_factory=list[Event])

    async def ask(self, question: str, model: Any, approver: Approver = approve_none) -> Outcome:
        return await run(
            question,
            model,
            approver,
            bridge=self.bridge,
            conversation=self.conversation,
            on_event=self.events.append,
            journal=self.journal,
        )

    async def left(self) -> list[Pending]:
        return await unanswered(self.conversation, journal=self.journal)

    async def take_up(self, pending: Pending, approver: Approver) -> Outcome:
        return await resume(
            pending,
            approver,
            bridge=self.bridge,
            conversation=self.conversation,
            on_event=self.events.append,
            journal=self.journal,
        )

    async def leave(
        self, *, audience: Audience = "person", ttl_s: float = TTL_S, **differs: Any
    ) -> ApprovalRequest:
        """Leave a question as a chat leaves it that is killed while it asks."""
        tool = self.bridge.tools[0]
        arguments = REFUND | differs
        preview = await self.bridge.preview(tool.name, arguments)
        assert preview and not preview.is_error
        asked = Question(preview.text, "the assistant of this chat, at till", audience)
        request = request_for(tool, arguments, asked, time.time(), ttl_s)
        approvals = self.journal.approvals if self.journal else self.conversation.approvals
        await approvals.ask(Pending(request, hash_of(tool), "en", asked_at=time.time()))
        return request

    def outcomes(self) -> list[Verdict]:
        return [event.outcome for event in self.events if isinstance(event, ApprovalAnswered)]

    def shown(self) -> list[ApprovalRequest]:
        return [event.request for event in self.events if isinstance(event, ApprovalAsked)]


@asynccontextmanager
async def chat(
    till: Till, url: str | None, served: Served = MIRA, *, mode: str = "auto"
) -> AsyncGenerator[Chat]:
    """Hold a chat. url: where its journal is; None is in memory."""
    engine = open_engine(url) if url else None
    try:
        async with connect(till.server(), mode=mode) as bridge:
            yield Chat(bridge, TurnJournal(Trail(engine, KEY), served) if engine else None)
    finally:
        if engine:
            engine.dispose()


async def yes(request: ApprovalRequest) -> Approval:
    return Approval(request.digest, True, "test")


async def no(request: ApprovalRequest) -> Approval:
    return Approval(request.digest, False, "test", "not now")


class Boss:
    """A member of the staff, who answers as told."""

    staff = True

    def __init__(self, *, approved: bool = True) -> None:
        self.approved = approved
        self.asked: list[ApprovalRequest] = []

    async def __call__(self, request: ApprovalRequest) -> Approval:
        self.asked.append(request)
        return Approval(request.digest, self.approved, "the boss")
