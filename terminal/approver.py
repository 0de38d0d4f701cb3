"""Ask the person at this end about one exact call.

Knows:    how the question is laid out, and which answer leads where.
Does not: decide which calls are asked about (guards/approval.py), what a line means (answers.py), or what
          stands on the card (card.py).
Rule:     only a line that is exactly y approves, or a where the question offers it. Piped, the next line
          answers: anything but y is no, and is kept as the next message unless it is blank.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import anyio.lowlevel

from common.approval import NOBODY, Approval, ApprovalRequest
from common.text import visible
from terminal.answers import is_yes, meaning
from terminal.card import Row, card_rows, reads_from_the_right, row, worded
from terminal.editing import edited
from terminal.forms import Paper, filled_in
from terminal.lines import Interrupted, Lines
from terminal.odd import oddities
from terminal.screen import Screen
from terminal.why import Talked, why_rows
from terminal.words import shortened, written

BY = "a person at the terminal"
BY_PIPE = "a line of the piped input"

_PIPED_QUESTION = "Do it? [y/N] "
_HOW = "That is no yes. Type y alone for yes; n, or Enter alone, is no; w says why; e changes an argument."
_HOW_LEFT = "That is no yes. Type y alone for yes; n, or Enter alone, is no; w says why."
_REASON = "Why not? Enter alone gives no reason: "
_NO_CHANGE = "A question that was left open is answered as it stands: y or n. Ask anew to have it otherwise."

_LABEL = 9
_MAX_VALUE = 60


@dataclass(frozen=True)
class Occasion:
    """When and of whom it is asked.

    staff: the person is a member of the staff. left: an earlier chat left the question: it is answered as it
    stands. remarks: what is said below the next card, once.
    """

    staff: bool = False
    left: bool = False
    remarks: list[str] = field(default_factory=list[str])


class TerminalApprover:
    """An approver that shows the call and reads the answer; Ctrl-C stops the turn.

    stop: what stops the turn. staff: as agent/permission.py asks for it.
    """

    def __init__(
        self,
        screen: Screen,
        lines: Lines,
        stop: Callable[[], None],
        talked: Talked | None = None,
        occasion: Occasion | None = None,
    ) -> None:
        self._screen = screen
        self._lines = lines
        self._stop = stop
        self._talked = talked or Talked()
        self._occasion = occasion or Occasion()
        self._edited: tuple[str, Mapping[str, Any]] | None = None

    @property
    def staff(self) -> bool:
        """Say whether a member of the staff sits here."""
        return self._occasion.staff

    async def __call__(self, request: ApprovalRequest) -> Approval:
        """Return the person's answer, bound to the request."""
        self.show(request)
        try:
            if request.form:
                return await self._filled(request)
            return await (self._asked(request) if self._lines.interactive else self._piped(request))
        except EOFError:
            if self._lines.interactive:
                return Approval(request.digest, False, BY)
            self._screen.answered("no (end of input)")
            return Approval(request.digest, False, NOBODY)
        except Interrupted:
            self._stop()
            await anyio.lowlevel.checkpoint()  # the stop is delivered here
            return Approval(request.digest, approved=False, by="interrupt")

    def show(self, request: ApprovalRequest) -> None:
        """Draw the card."""
        if request.notice:
            what = "What was filled in" if request.form else "The change"
            self._screen.line(f"{what} was not taken: {worded(request.notice)}", "yellow", hang=4)
        self._headed("A server asks" if request.form else "Approval needed", request.title or request.tool)
        self._rows(card_rows(request))
        if self._edited and self._edited[0] == request.tool:
            self._rows(_differences(self._edited[1], request.arguments))
        self._edited = None
        while self._occasion.remarks:
            self._screen.line(f"  {self._occasion.remarks.pop(0)}", "dim", hang=2)

    async def yes_in_the_pipe(self) -> bool:
        """Read the line that answers in a pipe; one that is no yes is the next message.

        Raises: EOFError.
        """
        self._screen.ask(_PIPED_QUESTION)
        line = await self._lines.ask(_PIPED_QUESTION)
        if is_yes(line):
            self._screen.answered("y")
            return True
        self._screen.answered(self._kept(line, "is not y"))
        return False

    def _headed(self, what: str, title: str) -> None:
        if reads_from_the_right(title):
            self._screen.line(f"{what}:", "bold")
            self._screen.line(f"    {worded(title)}", "bold", hang=4)
        else:
            self._screen.line(f"{what}: {worded(title)}", "bold", hang=4)

    def _rows(self, rows: Sequence[Row]) -> None:
        width = max([_LABEL, *(len(each.label) + 1 for each in rows if not each.apart and not each.style)])
        hang = min(width + 2, 16)
        for each in rows:
            if each.apart:
                self._screen.line(f"  {each.label}", each.style)
                for line in each.lines:
                    self._screen.line(f"    {line}", each.style, hang=6)
            else:
                label = f"{each.label} " if each.style else f"{each.label:<{width}}"
                self._screen.line(f"  {label}{each.lines[0]}", each.style, hang=4 if each.style else hang)

    async def _piped(self, request: ApprovalRequest) -> Approval:
        return Approval(request.digest, await self.yes_in_the_pipe(), BY_PIPE)

    def _kept(self, line: str, why: str) -> str:
        """Put a line that was no yes back, unless it is blank, and return what is said of it."""
        if not line.strip():
            return "no"
        self._lines.keep(line)
        return f"no (the next line {why}; it is kept as the next message)"

    async def _asked(self, request: ApprovalRequest) -> Approval:
        always = "" if self._no_always(request) else request.always
        if always:
            self._screen.line(f"  a always: {worded(always)}, in this chat", hang=4)
        while True:
            meant = meaning(await self._lines.ask(self._question(always)))
            if meant.kind == "yes":
                return Approval(request.digest, True, BY)
            if meant.kind == "always" and always:
                return Approval(request.digest, True, BY, always=True)
            if meant.kind == "no":
                reason = await self._reason() if meant.asks_reason else meant.reason
                return Approval(request.digest, False, BY, reason or None)
            if meant.kind == "edit" and not self._occasion.left:
                if (changed := await self._changed(request)) is not None:
                    return Approval(request.digest, False, BY, changed=changed)
            else:
                self._explain(request, meant.kind)

    def _question(self, always: str) -> str:
        a, e = " · a always" if always else "", "" if self._occasion.left else " · e edit"
        return f"Do it? [y/N{a} · w why{e}] "

    def _explain(self, request: ApprovalRequest, kind: str) -> None:
        """Say what a line that is neither yes nor no asks for."""
        if kind == "why":
            self._rows(why_rows(request, self._talked))
        elif kind == "always":
            self._screen.line(f"There is no yes to all for this call: {self._no_always(request)}", "yellow")
        elif kind == "edit":
            self._screen.line(_NO_CHANGE, "yellow")
        else:
            self._screen.line(_HOW_LEFT if self._occasion.left else _HOW, "yellow")

    def _no_always(self, request: ApprovalRequest) -> str:
        """Return why there is no yes to all calls of the kind; empty where there is one."""
        if not request.reversible:
            return "it may alter or delete something. y is for this one alone."
        if request.warnings or oddities(request):
            return "something about it is odd, as the card says. y is for this one alone."
        if self._occasion.left or not request.always:
            return "it is asked about each time. y is for this one alone."
        return ""

    async def _changed(self, request: ApprovalRequest) -> dict[str, Any] | None:
        changed = await edited(request, self._lines.ask, lambda text: self._screen.line(text, hang=5))
        if changed is not None:
            self._edited = (request.tool, request.arguments)
            self._talked.remember(request, changed)
        return changed

    async def _reason(self) -> str:
        try:
            return (await self._lines.ask(_REASON)).strip()
        except EOFError:
            return ""

    async def _filled(self, request: ApprovalRequest) -> Approval:
        """Have the form filled in; in a pipe by the next lines, of which one that does not fit is no."""
        by_hand = self._lines.interactive
        paper = Paper(
            self._lines.ask if by_hand else self._next_line,
            lambda text: self._screen.line(text, hang=6),
            self._rows,
            again=by_hand,
        )
        content, line = await filled_in(request, paper)
        if content is not None:
            return Approval(request.digest, True, BY if by_hand else BY_PIPE, content=content)
        if not by_hand:
            self._screen.line(self._kept(line, "does not fit"))
        return Approval(request.digest, False, BY if by_hand else BY_PIPE)

    async def _next_line(self, question: str) -> str:
        self._screen.ask(question)
        line = await self._lines.ask(question)
        self._screen.answered(visible(line))
        return line


def _differences(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[Row]:
    """Return, argument by argument, what a person's edit has changed."""
    names = [name for name in {**before, **now} if before.get(name) != now.get(name)]
    return [_difference(name, before.get(name), now.get(name)) for name in names]


def _difference(name: str, before: Any, now: Any) -> Row:
    both = (_short(before), _short(now))
    if any(map(reads_from_the_right, both)):
        return Row("Edited:", [f"{visible(name)}, before:", both[0], f"{visible(name)}, now:", both[1]])
    return row("Edited:", f"{name}: {both[0]} → {both[1]}")


def _short(value: Any) -> str:
    return "(left out)" if value is None else shortened(written(value), _MAX_VALUE)
