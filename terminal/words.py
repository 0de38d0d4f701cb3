"""The lines a person reads, made from plain values.

Knows:    how a call, a cost, an approval and a stopped turn are said in one line or a few.
Does not: print, time or decide anything.   (screen.py, turn.py)
Rule:     text from a model or a server is written with its controls and invisible characters escaped,
          so that no such text can move the cursor, recolour the screen or pass for a line of ours.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, cast

from common.approval import ApprovalRequest
from common.text import visible

_MAX_ARGUMENTS = 60
"""Characters of a call's arguments in its line: with name and outcome they fit 100 columns."""

_MAX_REASON = 200

_TAB = 4


def printable(text: str) -> str:
    """Return a reply as a terminal may have it: line breaks kept, tabs as spaces, the rest visible."""
    return "\n".join(visible(line) for line in text.expandtabs(_TAB).replace("\r\n", "\n").split("\n"))


def shortened(text: str, limit: int) -> str:
    """Return the text on one line, visible, and cut with an ellipsis at limit characters."""
    # Cut first: a hostile call can be a megabyte, and escaping only makes it longer.
    line = visible(text[: limit + 1].replace("\n", " "))
    return line if len(line) <= limit else line[: limit - 1] + "…"


def call_text(tool: str, arguments: Mapping[str, Any] | str) -> str:
    """Return a call in short, as in `get_order_status {"order_id": "4471"}`.

    arguments: what will run, or the raw text that the model wrote.
    """
    raw = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
    return f"{shortened(tool, _MAX_ARGUMENTS)} {shortened(raw, _MAX_ARGUMENTS)}"


def exact_call(tool: str, arguments: Mapping[str, Any]) -> str:
    """Return a call complete, whatever its length: what is approved is what was read."""
    return f"{visible(tool)} {visible(json.dumps(arguments, ensure_ascii=False))}"


def outcome_text(is_error: bool, data: Mapping[str, Any]) -> str:
    """Return what came of an executed call: ok, refused with the server's code, or failed."""
    if not is_error:
        return "ok"
    code = data.get("error")
    return f"refused: {shortened(code, _MAX_ARGUMENTS)}" if isinstance(code, str) else "failed"


def tool_line(call: str, outcome: str, seconds: float | None = None) -> str:
    """Return the one line of a tool call; seconds is None when it did not run."""
    took = "" if seconds is None else f" · {seconds:.1f} s"
    return f"  {call} · {outcome}{took}"


def refusal_text(gate: str, reason: str) -> str:
    """Return why a call was not run."""
    return f"refused at {gate}: {shortened(reason, _MAX_REASON)}" if reason else f"refused at {gate}"


def approval_lines(request: ApprovalRequest) -> list[str]:
    """Return the question of an approval: effect, the exact call, and whether it can be undone."""
    undo = (
        "It only adds something; nothing is deleted." if request.reversible else "Nothing known can undo it."
    )
    return [
        f"Approval needed: {visible(request.title or request.tool)}",
        f"  Effect: {visible(request.effect)}",
        f"  Call:   {exact_call(request.tool, request.arguments)}",
        f"  Undo:   {undo}",
    ]


def closing_line(meta: Mapping[str, Any], seconds: float) -> str:
    """Return a turn's cost; a figure that nobody reported is left out, not guessed."""
    parts = [_counted(meta.get("llm_calls"), "model call"), _counted(meta.get("steps"), "step")]
    usage = meta.get("usage")
    if isinstance(usage, Mapping) and meta.get("llm_calls"):
        tokens = cast(Mapping[str, Any], usage)
        parts += [f"{tokens['prompt_tokens']} tokens in", f"{tokens['completion_tokens']} out"]
    return " · ".join([part for part in parts if part] + [f"{seconds:.1f} s"])


def stopped_line(done: Sequence[str], unknown: Sequence[str]) -> str:
    """Return what a stopped turn left behind: done and unknown are calls that change something."""
    if not done and not unknown:
        return "Stopped. Nothing was changed."
    parts = ["Stopped."]
    if done:
        parts.append(f"Already done: {'; '.join(done)}.")
    if unknown:
        parts.append(f"Not known whether it was carried out: {'; '.join(unknown)}.")
    return " ".join(parts)


def _counted(count: object, noun: str) -> str:
    if not isinstance(count, int):
        return ""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
