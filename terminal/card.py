"""The card of a question: everything a person must know before saying yes, and safe to read.

Knows:    the rows of a request, and which of them stand on lines of their own.
Does not: print, ask, or decide what is odd.   (approver.py, odd.py)
Rule:     nothing is cut. Whatever came from a model or a server has its controls and unseen characters
          escaped; a text that is read from the right stands on lines of its own, where it can reorder
          nothing but itself. Our labels stand in the third column, and nothing else of a card does.
"""

import json
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from common.approval import ApprovalRequest
from common.text import visible
from terminal.odd import oddities
from terminal.words import exact_call

_LONG = 2_000
"""Characters of a call that no longer stand on one screen of 24 lines: their number is told below them."""

_FROM_THE_RIGHT = frozenset({"R", "AL", "AN"})
"""Arabic digits are among them: what stands between two of their numbers is drawn from the right."""

_ADDS = "It adds something new; nothing that is there is altered or deleted."
_STAYS = "Nothing is lost by it. What it adds stays: this chat cannot take it back, staff can."
_ALTERS = "It may alter or delete what is there."
_FOR_GOOD = "Nothing known can undo it."
_SENDS = "What you fill in goes to that server, and not to the model. It is a yes to nothing else."
_STAFF = "Only a member of the staff may agree to this."


@dataclass(frozen=True)
class Row:
    """One row. lines: more than one, or one that is read from the right, stand below the label."""

    label: str
    lines: Sequence[str]
    style: str = ""

    @property
    def apart(self) -> bool:
        """Say whether the lines stand below the label."""
        return len(self.lines) > 1 or any(map(reads_from_the_right, self.lines))


def row(label: str, text: str, style: str = "") -> Row:
    """Return a row of one text, whatever is in it."""
    return Row(label, [visible(text)], style)


def worded(text: str) -> str:
    """Return what a server says, visible, with no run of blanks that would lay it out as rows of ours."""
    return re.sub(r"\s{2,}", " ", visible(text))


def card_rows(request: ApprovalRequest) -> list[Row]:
    """Return the rows of a question, below its title."""
    rows = [row("From:", worded(request.asked_by))] if request.asked_by else []
    rows += _of_form(request) if request.form else _of_call(request)
    if request.audience == "staff":
        rows.append(Row("Staff:", [_STAFF], "yellow"))
    return [*rows, *warning_rows(request)]


def warning_rows(request: ApprovalRequest) -> list[Row]:
    """Return what is odd about the tool, and about what is shown of the call."""
    odd = [each.partition(": ") for each in oddities(request)]
    return [
        *(row("Warning:", worded(warning), "yellow") for warning in request.warnings),
        *(Row(f"{label}:", [text], "yellow") for label, _, text in odd),
    ]


def _of_call(request: ApprovalRequest) -> list[Row]:
    return [
        row("Effect:", worded(request.effect)),
        *call_rows(request.tool, request.arguments),
        Row("Changes:", [_ADDS if request.reversible else _ALTERS]),
        Row("Undo:", [_STAYS if request.reversible else _FOR_GOOD]),
    ]


def _of_form(request: ApprovalRequest) -> list[Row]:
    rows = [row("Asks:", worded(request.effect))]
    if request.arguments:
        rows += call_rows(request.tool, request.arguments)
    return [*rows, Row("Sends:", [_SENDS])]


def call_rows(tool: str, arguments: Mapping[str, Any]) -> list[Row]:
    """Return the exact call, whole, whatever its length; an argument read from the right on its own line."""
    call = exact_call(tool, arguments)
    lines = [call]
    if reads_from_the_right(call):
        written = json.dumps(arguments, ensure_ascii=False, indent=2)
        lines = [visible(tool), *(visible(line) for line in written.split("\n"))]
    told = f"The call has {len(call):,} characters; all of them stand above."
    return [Row("Call:", lines), *([Row("Length:", [told])] if len(call) > _LONG else [])]


def reads_from_the_right(text: str) -> bool:
    """Say whether some of the text is written in a script that runs from the right."""
    return not text.isascii() and any(unicodedata.bidirectional(char) in _FROM_THE_RIGHT for char in text)
