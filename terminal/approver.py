"""Ask the person at this end about one exact call.

Knows:    how the question is laid out, and that anything but a clear yes is no.
Does not: decide which calls are asked about.   (guards/approval.py)
"""

from collections.abc import Callable

import anyio.lowlevel

from common.approval import Approval, ApprovalRequest
from terminal.lines import Answer, Interrupted, Lines
from terminal.screen import Screen
from terminal.words import approval_lines

_QUESTION = "Do it? [y/N] "


class TerminalApprover:
    """An approver that shows the call and reads y or n; Ctrl-C stops the turn.

    stop: what stops the turn.
    """

    def __init__(self, screen: Screen, lines: Lines, stop: Callable[[], None]) -> None:
        self._screen = screen
        self._lines = lines
        self._stop = stop

    async def __call__(self, request: ApprovalRequest) -> Approval:
        """Return the person's answer, bound to the request."""
        heading, *rest = approval_lines(request)
        self._screen.line(heading, "bold")
        self._screen.line("\n".join(rest))
        try:
            answer = await self._ask()
        except Interrupted:
            self._stop()
            await anyio.lowlevel.checkpoint()  # the stop is delivered here
            return Approval(request.digest, approved=False, by="interrupt")
        return Approval(request.digest, answer.approved, answer.by)

    async def _ask(self) -> Answer:
        if self._lines.interactive:
            return await self._lines.answer(_QUESTION)
        self._screen.ask(_QUESTION)
        answer = await self._lines.answer(_QUESTION)
        self._screen.answered(answer.said)
        return answer
