"""Ask the person at this end about one exact call.

Knows:    how the question is laid out, and which answer leads where.
Does not: decide which calls are asked about (guards/approval.py), or what a line means (answers.py).
Rule:     only a line that is exactly y approves. Piped, the next line answers: anything but y is no, and is
          kept as the next message unless it is blank.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import anyio.lowlevel

from common.approval import NOBODY, Approval, ApprovalRequest
from common.text import visible
from terminal.answers import is_yes, meaning
from terminal.editing import edited
from terminal.lines import Interrupted, Lines
from terminal.screen import Screen
from terminal.why import Talked, why_rows
from terminal.words import approval_rows, shortened, written

BY = "a person at the terminal"
BY_PIPE = "a line of the piped input"

_PIPED_QUESTION = "Do it? [y/N] "
_QUESTION = "Do it? [y/N · w why · e edit] "
_HOW = "That is no yes. Type y alone for yes; n, or Enter alone, is no; w says why; e changes an argument."
_REASON = "Why not? Enter alone gives no reason: "

_LABEL = 9
_MAX_VALUE = 60


class TerminalApprover:
    """An approver that shows the call and reads the answer; Ctrl-C stops the turn.

    stop: what stops the turn.
    """

    def __init__(
        self, screen: Screen, lines: Lines, stop: Callable[[], None], talked: Talked | None = None
    ) -> None:
        self._screen = screen
        self._lines = lines
        self._stop = stop
        self._talked = talked or Talked()
        self._edited: tuple[str, Mapping[str, Any]] | None = None

    async def __call__(self, request: ApprovalRequest) -> Approval:
        """Return the person's answer, bound to the request."""
        self._show(request)
        if not self._lines.interactive:
            return await self._piped(request)
        try:
            return await self._asked(request)
        except EOFError:
            return Approval(request.digest, False, BY)
        except Interrupted:
            self._stop()
            await anyio.lowlevel.checkpoint()  # the stop is delivered here
            return Approval(request.digest, approved=False, by="interrupt")

    def _show(self, request: ApprovalRequest) -> None:
        if request.notice:
            self._screen.line(f"The change was not taken: {visible(request.notice)}", "yellow")
        self._screen.line(f"Approval needed: {visible(request.title or request.tool)}", "bold")
        self._rows(approval_rows(request))
        if self._edited and self._edited[0] == request.tool:
            self._rows([("Edited:", text) for text in _differences(self._edited[1], request.arguments)])
        self._edited = None

    def _rows(self, rows: Sequence[tuple[str, str]]) -> None:
        width = max([_LABEL, *(len(label) + 1 for label, _ in rows)])
        hang = min(width + 2, 16)
        for label, text in rows:
            self._screen.line(f"  {label:<{width}}{text}", hang=hang)

    async def _piped(self, request: ApprovalRequest) -> Approval:
        self._screen.ask(_PIPED_QUESTION)
        try:
            line = await self._lines.ask(_PIPED_QUESTION)
        except EOFError:
            self._screen.answered("no (end of input)")
            return Approval(request.digest, False, NOBODY)
        if is_yes(line):
            self._screen.answered("y")
            return Approval(request.digest, True, BY_PIPE)
        kept = bool(line.strip())
        if kept:
            self._lines.keep(line)
        self._screen.answered("no (the next line is not y; it is kept as the next message)" if kept else "no")
        return Approval(request.digest, False, BY_PIPE)

    async def _asked(self, request: ApprovalRequest) -> Approval:
        while True:
            meant = meaning(await self._lines.ask(_QUESTION))
            if meant.kind == "yes":
                return Approval(request.digest, True, BY)
            if meant.kind == "no":
                reason = await self._reason() if meant.asks_reason else meant.reason
                return Approval(request.digest, False, BY, reason or None)
            if meant.kind == "why":
                self._rows(why_rows(request, self._talked))
            elif meant.kind == "edit":
                changed = await edited(request, self._lines.ask, lambda text: self._screen.line(text, hang=5))
                if changed is not None:
                    self._edited = (request.tool, request.arguments)
                    self._talked.remember(request, changed)
                    return Approval(request.digest, False, BY, changed=changed)
            else:
                self._screen.line(_HOW, "yellow")

    async def _reason(self) -> str:
        try:
            return (await self._lines.ask(_REASON)).strip()
        except EOFError:
            return ""


def _differences(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """Return, argument by argument, what a person's edit has changed."""
    names = [name for name in {**before, **now} if before.get(name) != now.get(name)]
    return [f"{visible(name)}: {_short(before.get(name))} → {_short(now.get(name))}" for name in names]


def _short(value: Any) -> str:
    return "(left out)" if value is None else shortened(written(value), _MAX_VALUE)
