"""The open questions of a chat with the agent.

Knows:    where they are kept, and who sits here.
Does not: show one (left.py), or decide about one.   (agent/resuming.py)
"""

import time
from collections.abc import Callable
from dataclasses import dataclass

from agent_mcp import Conversation, Outcome, resume, unanswered
from common.approval import Approver
from common.events import Event
from common.pending import Pending
from journal.turns import TurnJournal
from mcp_tools import Bridge


@dataclass(frozen=True)
class OpenQuestions:
    """Those of one chat; `terminal.left.Questions`."""

    bridge: Bridge
    conversation: Conversation
    journal: TurnJournal | None
    staff: bool

    @property
    def durable(self) -> bool:
        """Say whether an open question outlives the chat."""
        return self.journal is not None and self.journal.approvals.durable

    async def count(self) -> int:
        """Return how many wait, and leave them as they are.

        Raises: JournalFailed, as the others here.
        """
        if self.journal is None:
            return 0
        return len(await self.journal.approvals.open(time.time()))

    async def offered(self) -> list[Pending]:
        """Return those that this chat asks or tells."""
        return await unanswered(self.conversation, journal=self.journal)

    async def take_up(
        self, pending: Pending, approver: Approver, on_event: Callable[[Event], None]
    ) -> Outcome:
        """Ask one once more, and return what came of it."""
        return await resume(
            pending,
            approver,
            bridge=self.bridge,
            conversation=self.conversation,
            on_event=on_event,
            journal=self.journal,
        )
