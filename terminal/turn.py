"""One turn as a person sees it: the events of `run`, said in order.

Knows:    events, and which of a server's tools only read.
Does not: read input, start or stop the turn.   (session.py)
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from common.events import (
    ApprovalAnswered,
    ApprovalAsked,
    Event,
    GateDecision,
    ModelStarted,
    ReplyChecked,
    Token,
    ToolRequested,
    ToolReturned,
    ToolStarted,
)
from terminal.screen import Screen
from terminal.words import (
    call_text,
    closing_line,
    outcome_text,
    printable,
    refusal_text,
    shortened,
    stopped_line,
    tool_line,
)

_UNSURE = frozenset({"unknown_outcome", "tool_error", None})
"""Codes of a failed call that may have changed something all the same; None: the server gave no code."""

_MAX_TITLE = 40

_UNVERIFIED = "The text above could not be verified and is withdrawn."
_NOT_YET = "The text above was said before looking it up and is withdrawn."


@dataclass(frozen=True)
class ToolBox:
    """What the screen must know of a server's tools: their titles, and which of them only read.

    A tool that is not named here counts as one that changes something.
    """

    titles: Mapping[str, str] = field(default_factory=dict[str, str])
    reading: frozenset[str] = frozenset()


class TurnView:
    """Shows one turn and remembers what it changed."""

    def __init__(self, screen: Screen, tools: ToolBox, *, verbose: bool = False) -> None:
        self._screen = screen
        self._tools = tools
        self._verbose = verbose
        self._began = screen.clock()
        self._requested: dict[str, str] = {}
        self._under_way: dict[str, str] = {}
        self._done: list[str] = []
        self._unsure: list[str] = []
        self._shown = ""
        self.refused = False

    def handle(self, event: Event) -> None:
        """Show one event."""
        match event:
            case ModelStarted():
                self._screen.wait_for("Thinking")
            case Token(text=text):
                self._token(text)
            case ToolRequested(call_id=call_id, tool=tool, arguments=arguments):
                self._requested[call_id] = call_text(tool, arguments)
            case GateDecision():
                self._gate(event)
            case ToolStarted():
                self._started(event)
            case ToolReturned():
                self._returned(event)
            case ReplyChecked(ok=False, unverified=unverified):
                self._withdraw(_UNVERIFIED if unverified else _NOT_YET)
            case ApprovalAsked():
                self._screen.stop_waiting()
            case ApprovalAnswered(outcome=outcome):
                self.refused = self.refused or outcome != "approved"
            case _:
                pass

    def finish(self, reply: str, meta: Mapping[str, Any]) -> None:
        """Show what of the reply is not on the screen yet, then the turn's cost."""
        said = printable(reply).strip()
        shown = printable(self._shown).strip()
        if said.startswith(shown):
            self._screen.answer(said[len(shown) :] if shown else said)
        else:
            self._withdraw(_UNVERIFIED)
            self._screen.answer(said)
        self._screen.end_answer()
        self._screen.line(closing_line(meta, self._screen.clock() - self._began), "dim")

    def stop(self) -> None:
        """Say that the turn was stopped, and truly what it has changed."""
        self._screen.line(stopped_line(self._done, [*self._unsure, *self._under_way.values()]), "yellow")

    def fail(self, problem: str) -> None:
        """Say why the turn could not be finished, and what it had changed by then, if anything."""
        self._screen.line(printable(problem), "red")
        unsure = [*self._unsure, *self._under_way.values()]
        if self._done or unsure:
            self._screen.line(stopped_line(self._done, unsure), "yellow")

    def _token(self, text: str) -> None:
        if not self._screen.streams_answers:
            return
        # White space at the end waits for the next piece: the reply as told is trimmed.
        before = printable(self._shown).rstrip()
        self._shown = (self._shown + text).lstrip()
        self._screen.answer(printable(self._shown).rstrip()[len(before) :])

    def _withdraw(self, why: str) -> None:
        if self._shown:
            self._screen.line(why, "dim")
        self._shown = ""

    def _gate(self, event: GateDecision) -> None:
        if event.allowed:
            if self._verbose:
                self._screen.line(f"  {event.gate}: passed", "dim")
            return
        self.refused = self.refused or event.gate == "input"
        call = self._requested.pop(event.call_id or "", None) or shortened(
            event.tool or "message", _MAX_TITLE
        )
        self._screen.tool_line(tool_line(call, refusal_text(event.gate, event.reason)))

    def _started(self, event: ToolStarted) -> None:
        self._requested.pop(event.call_id, None)
        if event.tool not in self._tools.reading:
            self._under_way[event.call_id] = call_text(event.tool, event.arguments)
        self._screen.wait_for(shortened(self._tools.titles.get(event.tool) or event.tool, _MAX_TITLE))

    def _returned(self, event: ToolReturned) -> None:
        call = call_text(event.tool, event.arguments)
        self._under_way.pop(event.call_id, None)
        if event.tool not in self._tools.reading:
            if not event.is_error:
                self._done.append(call)
            elif event.data.get("error") in _UNSURE:
                self._unsure.append(call)
        self._screen.tool_line(tool_line(call, outcome_text(event.is_error, event.data), event.seconds))
        self._screen.wait_for("Thinking")
