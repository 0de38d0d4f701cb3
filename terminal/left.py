"""The questions that an earlier chat left open, and those that wait for the staff: shown again, and answered.

Knows:    which of them are asked here, which are told, and when each was asked.
Does not: keep one, or decide whether it is still true.   (agent/resuming.py)
Rule:     the same card, the same keys, answered as it stands. In a pipe the first line that is no y is the
          first message, and what is still open then is superseded by it.
"""

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from common.approval import Approval, ApprovalRequest, Approver
from common.events import Event
from common.pending import Pending
from common.text import visible
from terminal.approver import BY_PIPE, TerminalApprover
from terminal.lines import Lines
from terminal.screen import Screen
from terminal.words import counted

NOTHING = "No question waits to be answered here."
NOT_DURABLE = "If this chat ends before you answer, the question is gone with it: nothing is kept here."
STAYS = "(end of input: the question stays open)"

Take = Callable[[Approver, Callable[[Event], None]], Awaitable[Any]]
"""Takes up one question: what asks, and what sees the events."""


class Questions(Protocol):
    """The open questions, as a chat handles them.

    staff: whoever sits here is a member of the staff. durable: an open question outlives the chat.
    """

    @property
    def staff(self) -> bool:
        """Say whether whoever sits here is a member of the staff."""
        ...

    @property
    def durable(self) -> bool:
        """Say whether an open question outlives the chat."""
        ...

    async def count(self) -> int:
        """Return how many wait, and leave them as they are."""
        ...

    async def offered(self) -> list[Pending]:
        """Return those that this chat asks or tells; what is not taken up ends with the next message."""
        ...

    async def take_up(self, pending: Pending, approver: Approver, on_event: Callable[[Event], None]) -> Any:
        """Ask one once more, and return what came of it."""
        ...


@dataclass(frozen=True)
class NoQuestions:
    """A chat in which none is ever left."""

    staff: bool = False
    durable: bool = True

    async def count(self) -> int:
        """Return none."""
        return 0

    async def offered(self) -> list[Pending]:
        """Return none."""
        return []

    async def take_up(self, pending: Pending, approver: Approver, on_event: Callable[[Event], None]) -> Any:
        """Raise LookupError: none was offered."""
        raise LookupError("No question was offered here, so none can be taken up. Ask for those that are.")


@dataclass(frozen=True)
class Left:
    """Goes through them. play: shows one being taken up, and says whether to go on."""

    questions: Questions
    screen: Screen
    lines: Lines
    play: Callable[[Pending, Take], Awaitable[bool]]
    clock: Callable[[], float] = time.time

    async def go_through(self) -> bool:
        """Take up all that are offered, until one is not answered; say whether there was one."""
        offered = await self.questions.offered()
        for pending in offered:
            if not await self._one(pending):
                break
        return bool(offered)

    async def _one(self, pending: Pending) -> bool:
        """Take up one; return whether to go on with the next."""
        request = pending.request
        if not pending.started and self.clock() < request.expires_at:
            if request.audience == "staff" and not self.questions.staff:
                told = f"Waits for a member of the staff{self._since(pending)}: {visible(request.title)}"
                self.screen.line(told, "dim")
                return True
            self.screen.line(f"Left open by an earlier chat{self._since(pending)}:", "dim")
            if not self.lines.interactive:
                return await self._in_the_pipe(pending)
        else:
            self.screen.line(f"Asked by an earlier chat{self._since(pending)}:", "dim")
        return await self.play(pending, self._taking(pending))

    async def _in_the_pipe(self, pending: Pending) -> bool:
        shown = TerminalApprover(self.screen, self.lines, lambda: None)
        shown.show(pending.request)
        try:
            is_yes = await shown.yes_in_the_pipe()
        except EOFError:
            self.screen.answered(STAYS)
            return False
        return is_yes and await self.play(pending, self._taking(pending, is_given=True))

    def _taking(self, pending: Pending, *, is_given: bool = False) -> Take:
        """Return what takes it up. is_given: the yes to it was read before."""

        async def take(approver: Approver, see: Callable[[Event], None]) -> Any:
            mine = _Given(pending.request.digest, approver, self.questions.staff) if is_given else approver
            return await self.questions.take_up(pending, mine, see)

        return take

    def _since(self, pending: Pending) -> str:
        if not pending.asked_at:
            return ""
        asked, now = datetime.fromtimestamp(pending.asked_at), datetime.fromtimestamp(self.clock())
        return f", {asked:%H:%M}" if asked.date() == now.date() else f", {asked:%Y-%m-%d %H:%M}"


@dataclass(frozen=True)
class _Given:
    """A yes that was read before, to one card; whatever else comes up is asked of whoever sits here."""

    digest: str
    others: Approver
    staff: bool

    async def __call__(self, request: ApprovalRequest) -> Approval:
        if request.digest != self.digest:
            return await self.others(request)
        return Approval(request.digest, True, BY_PIPE)


def still_open(count: int) -> str:
    """Return what is said of them where they are not asked."""
    verb = "is" if count == 1 else "are"
    return (
        f"{counted(count, 'question')} of an earlier chat {verb} still open. "
        "Start a chat without a question to answer."
    )
