"""The lines a person reads, made from plain values.

Knows:    how a call, a cost, an approval and a stopped turn are said in one line or a few.
Does not: print, time or decide anything.   (screen.py, turn.py)
Rule:     text from a model or a server is written with its controls and invisible characters escaped,
          so that no such text can move the cursor, recolour the screen or pass for a line of ours.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, cast

from rich.cells import set_cell_size

from common.approval import Approval
from common.text import visible
from terminal.width import columns_of

_MAX_ARGUMENTS = 60
"""Characters of a call's arguments in its line: with name and outcome they fit 100 columns."""

_MAX_REASON = 200

_LEAST_CALL = 15
"""Columns of a tool's line that a long outcome leaves to the call."""

_TAB = 4

_DOING = {
    "add": "Adding",
    "cancel": "Cancelling",
    "change": "Changing",
    "check": "Checking",
    "create": "Creating",
    "find": "Finding",
    "get": "Getting",
    "list": "Listing",
    "look": "Looking",
    "open": "Opening",
    "read": "Reading",
    "search": "Searching",
    "send": "Sending",
    "update": "Updating",
}
"""First words of tools' titles, as they stand in the waiting line; any other title stays as it is."""


def printable(text: str) -> str:
    """Return a reply as a terminal may have it: line breaks kept, tabs as spaces, the rest visible."""
    return "\n".join(visible(line) for line in text.expandtabs(_TAB).replace("\r\n", "\n").split("\n"))


def shortened(text: str, limit: int) -> str:
    """Return the text on one line, visible, and cut with an ellipsis at limit characters."""
    # Cut first: a hostile call can be a megabyte, and escaping only makes it longer.
    line = visible(text[: limit + 1].replace("\n", " "))
    return line if len(line) <= limit else line[: limit - 1] + "…"


def in_progress(title: str) -> str:
    """Return a tool's title as what is being done: "Look up an order" is "Looking up an order"."""
    first, space, rest = title.partition(" ")
    return f"{_DOING.get(first.lower(), first)}{space}{rest}"


def call_text(tool: str, arguments: Mapping[str, Any] | str) -> str:
    """Return a call in short, as in `get_order_status {"order_id": "4471"}`.

    arguments: what will run, or the raw text that the model wrote.
    """
    raw = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
    return f"{shortened(tool, _MAX_ARGUMENTS)} {shortened(raw, _MAX_ARGUMENTS)}"


def exact_call(tool: str, arguments: Mapping[str, Any]) -> str:
    """Return a call complete, whatever its length: what is approved is what was read."""
    return f"{visible(tool)} {visible(json.dumps(arguments, ensure_ascii=False))}"


def written(value: Any) -> str:
    """Return an argument's value as a person types it: text as it is, all else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def outcome_text(is_error: bool, data: Mapping[str, Any]) -> str:
    """Return what came of an executed call: ok and its size, refused with the server's code, or failed."""
    if not is_error:
        return f"ok · {_size(len(json.dumps(data, ensure_ascii=False).encode('utf-8', 'replace')))}"
    code = data.get("error")
    return f"refused: {shortened(code, _MAX_ARGUMENTS)}" if isinstance(code, str) else "failed"


def tool_line(
    call: str, outcome: str, seconds: float | None = None, width: int | None = None, *, who: str = "tool"
) -> str:
    """Return the one line of a tool call; seconds is None when it did not run.

    width: columns that the line must fit; the call is shortened for it, and only then the outcome's end.
    who: whose line it is.
    """
    took = "" if seconds is None else f" · {seconds:.1f} s"
    end = f" · {outcome}{took}"
    line = f"{who}: {call}"
    if width is not None and columns_of(line) + columns_of(end) > width:
        line = _cut(line, max(width - columns_of(end), min(_LEAST_CALL, width // 2)))
        end = _cut(end, width - columns_of(line))
    return line + end


def _cut(text: str, columns: int) -> str:
    return text if columns_of(text) <= columns else set_cell_size(text, max(columns - 1, 0)).rstrip() + "…"


def refusal_text(gate: str, reason: str) -> str:
    """Return why a call was not run."""
    return f"refused at {gate}: {shortened(reason, _MAX_REASON)}" if reason else f"refused at {gate}"


_OUTCOMES: Mapping[str, str] = {
    "expired": "nobody answered in time",
    "not_possible": "there is nobody here who could",
    "cancelled": "the question was withdrawn before it was answered",
    "superseded": "something else was written first",
    "void": "what would be done is no longer what was shown",
    "used": "this question had been answered before",
    "waiting": "it waits for a member of the staff",
}
_UNKNOWN = "agreed to in an earlier chat, which ended before it was known what came of it"
"""Why a question came to nothing, by what it came to."""


def answered_text(outcome: str, approval: Approval | None, *, is_form: bool = False) -> str:
    """Return who answered an approval, and how. is_form: it was a server's form."""
    if outcome == "unknown":
        return _UNKNOWN
    if outcome in _OUTCOMES:
        return f"not {'answered' if is_form else 'approved'}: {_OUTCOMES[outcome]}"
    by = visible(approval.by) if approval else "nobody"
    if outcome == "approved":
        more = ", and all like it: /permissions lists them" if approval and approval.always else ""
        return f"{'filled in' if is_form else 'approved'} by {by}{more}"
    verb = "changed" if outcome == "changed" else "declined"
    note = approval.note if approval else None
    return f"{verb} by {by}" + (f": {shortened(note, _MAX_REASON)}" if note else "")


def closing_line(meta: Mapping[str, Any], seconds: float) -> str:
    """Return a turn's cost; a figure that nobody reported is left out, not guessed."""
    calls, tools = meta.get("llm_calls"), meta.get("tools_used")
    parts: list[str] = []
    usage = meta.get("usage")
    tokens: Mapping[str, int] = cast(Mapping[str, int], usage) if isinstance(usage, Mapping) else {}
    if calls and any(tokens.values()):
        parts += [
            f"{amount(tokens['prompt_tokens'])} in",
            f"{amount(tokens['completion_tokens'])} out",
        ]
    parts.append(f"{seconds:.1f} s")
    if isinstance(tools, list | tuple):
        parts.append(counted(len(cast(Sequence[str], tools)), "tool"))
    if isinstance(calls, int):
        parts.append(counted(calls, "model call"))
    return " · ".join(parts)


def amount(count: int) -> str:
    """Return a count in three digits or so: 812, 2.1k, 48k, 1.2M."""
    for unit_size, unit in ((1_000_000, "M"), (1_000, "k")):
        scaled = count / unit_size
        if scaled >= 0.9995:  # 999,500 is 1.0M, not 1000k
            return f"{scaled:.1f}{unit}" if scaled < 9.95 else f"{scaled:.0f}{unit}"
    return str(count)


def stopped_line(done: Sequence[str], unknown: Sequence[str]) -> str:
    """Return what a stopped turn left behind: done and unknown are calls that change something."""
    return f"Stopped. {left_behind(done, unknown)}"


def left_behind(done: Sequence[str], unknown: Sequence[str]) -> str:
    """Return what a turn has changed by now, or that it changed nothing."""
    parts: list[str] = []
    if done:
        parts.append(f"Already done: {'; '.join(done)}.")
    if unknown:
        parts.append(f"Not known whether it was carried out: {'; '.join(unknown)}.")
    return " ".join(parts) or "Nothing was changed."


def counted(count: int, noun: str) -> str:
    """Return "1 tool", "2 tools"."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _size(count: int) -> str:
    return f"{amount(count)}B" if count >= 1_000 else f"{count} B"
