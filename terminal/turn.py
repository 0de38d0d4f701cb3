"""One turn as a person sees it: the events of `run`, said in order.

Knows:    events, and which of a server's tools only read.
Does not: read input, start or stop the turn.   (session.py)
"""

import json
from collections.abc import Mapping
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
from common.text import visible
from terminal.json_form import turn_object
from terminal.ledger import TurnRecord
from terminal.manner import Manner
from terminal.screen import Screen
from terminal.toolbox import ToolBox
from terminal.words import (
    answered_text,
    call_text,
    closing_line,
    left_behind,
    outcome_text,
    printable,
    refusal_text,
    shortened,
    stopped_line,
    tool_line,
)

_UNSURE = frozenset({"unknown_outcome", "tool_error", None})
"""Codes of a failed call that may have changed something all the same; None: the server gave no code."""

_NOT_REFUSED = frozenset({"approved", "changed", "superseded", "unknown"})
"""What a question may come to without a refusal; another message in its place is the person's own choice."""

_MAX_NAME = 40

_UNVERIFIED = "The text above could not be verified and is withdrawn."
_NOT_YET = "The text above was said before looking it up and is withdrawn."
_THINKING = "Thinking"


class TurnView:
    """Shows one turn and remembers what it changed."""

    def __init__(self, screen: Screen, tools: ToolBox, record: TurnRecord, manner: Manner) -> None:
        self.refused = False
        self.kept: list[str] = []
        self._screen = screen
        self._tools = tools
        self._record = record
        self._manner = manner
        self._began = screen.clock()
        self._asked_at = self._began
        self._waited_s = 0.0
        self._asking = False
        self._requested: dict[str, str] = {}
        self._under_way: dict[str, str] = {}
        self._returned_calls: list[ToolReturned] = []
        self._shown = ""

    @property
    def seconds(self) -> float:
        """The time of the turn so far, without the time in which a person was asked."""
        return self._screen.clock() - self._began - self._waited_s

    def begin(self) -> None:
        """Say that the turn has begun, before anything is waited for."""
        self._screen.wait_for(_THINKING)

    def handle(self, event: Event) -> None:
        """Show one event."""
        self._trace(event)
        match event:
            case ModelStarted():
                self._screen.wait_for(_THINKING)
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
                self._asked_at = self._screen.clock()
                self._asking = True
            case ApprovalAnswered():
                self._answered(event)
            case _:
                pass

    def finish(self, reply: str, meta: Mapping[str, Any]) -> None:
        """Show what of the reply is not on the screen yet, then the turn's cost."""
        if self._manner.as_json:
            self._write(reply=reply, meta=meta)
        else:
            self._show_rest(printable(reply).strip())
        self._screen.line(closing_line(meta, self.seconds), "dim")

    def stop(self) -> None:
        """Say that the turn was stopped, and truly what it has changed; what was said of the answer stays."""
        if self._shown:
            self._screen.answer(" (stopped)")
            self._screen.end_answer()
        told = stopped_line(self._record.done, self._unsure_now())
        self._screen.line(told, "yellow")
        self._write(stopped=told)

    def fail(self, problem: str, advice: str) -> None:
        """Say why the turn could not be finished, what it had changed by then, and what to do."""
        self._screen.line(f"error: {printable(problem)}", "red")
        unsure = self._unsure_now()
        if self._record.done or unsure:
            self._screen.line(left_behind(self._record.done, unsure), "yellow")
        if advice:
            self._screen.line(advice, "dim")
        self._write(error=problem)

    def _write(self, **outcome: Any) -> None:
        if self._manner.as_json:
            self._screen.record(turn_object(self._record.message, self._returned_calls, **outcome))

    def _trace(self, event: Event) -> None:
        data = {"at_s": round(self._screen.clock() - self._began, 3), **event.as_dict()}
        self._record.events.append(data)
        if self._manner.trace:
            self._screen.line(visible(json.dumps(data, ensure_ascii=False)), "dim")

    def _unsure_now(self) -> list[str]:
        self._record.unsure += self._under_way.values()
        self._under_way.clear()
        return self._record.unsure

    def _show_rest(self, said: str) -> None:
        shown = printable(self._shown).strip()
        if said.startswith(shown):
            self._screen.answer(said[len(shown) :] if shown else said)
        else:
            self._withdraw(_UNVERIFIED)
            self._screen.answer(said)
        self._screen.end_answer()

    def _token(self, text: str) -> None:
        if self._manner.as_json or not self._screen.streams_answers:
            return
        # White space at the end waits for the next piece: the reply as told is trimmed.
        before = printable(self._shown).rstrip()
        self._shown = (self._shown + text).lstrip()
        self._screen.answer(printable(self._shown).rstrip()[len(before) :])

    def _withdraw(self, why: str) -> None:
        if self._shown:
            self._screen.line(why, "dim")
        self._shown = ""

    def _tool_line(self, call: str, outcome: str, seconds: float | None = None, who: str = "tool") -> None:
        self._screen.line(tool_line(call, outcome, seconds, self._screen.width, who=who), "dim")

    def _gate(self, event: GateDecision) -> None:
        if event.allowed:
            if self._manner.verbose:
                self._screen.line(f"  {event.gate}: passed", "dim")
            return
        # Of a call the customer reads what came of it; a message that is not answered is refused.
        self.refused = self.refused or event.gate == "input" or (event.gate == "limit" and event.tool is None)
        call = self._requested.pop(event.call_id or "", None) or shortened(event.tool or "message", _MAX_NAME)
        self._tool_line(
            call, refusal_text(event.gate, event.reason), who="gate" if event.tool is None else "tool"
        )

    def _answered(self, event: ApprovalAnswered) -> None:
        asked, self._asking = self._asking, False
        if asked:
            self._waited_s += self._screen.clock() - self._asked_at
        told = answered_text(event.outcome, event.approval, is_form=bool(event.request.form))
        # What nobody was asked about here, a card that says what it is about does not stand above.
        about = "" if asked or event.outcome == "approved" else f"{visible(event.request.title)}: "
        self._screen.line(f"{about}{told}", "bold")
        self.refused = self.refused or event.outcome not in _NOT_REFUSED

    def _started(self, event: ToolStarted) -> None:
        self._requested.pop(event.call_id, None)
        if self._tools.changes(event.tool):
            self._under_way[event.call_id] = call_text(event.tool, event.arguments)
        self._screen.wait_for(self._tools.doing(event.tool))

    def _returned(self, event: ToolReturned) -> None:
        call = call_text(event.tool, event.arguments)
        self._returned_calls.append(event)
        self._under_way.pop(event.call_id, None)
        if self._tools.changes(event.tool):
            if not event.is_error:
                self._record.done.append(call)
                self.kept.append(self._tools.kept(event.tool))
            elif event.data.get("error") in _UNSURE:
                self._record.unsure.append(call)
        self._tool_line(call, outcome_text(event.is_error, event.data), event.seconds)
        self._screen.wait_for(_THINKING)
