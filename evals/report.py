"""Say the figures: a line a turn, a closing table, the misses, and the same as JSON.

Knows:    words and layout, and which figure has an aim.
Does not: compute a figure.   (scoring.py, input_guard.py)
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path

from evals.input_guard import Stopped
from evals.messages import Call
from evals.scoring import Share, Summary, Verdict

RIGHT_PERCENT = {"written": 95.0, "second": 95.0, "third": 95.0, "unseen": 90.0, "contracts": 90.0}
"""The aim for right tool and arguments, by set."""

HELD_PERCENT = 97.0
"""The aim for asked facts that the answer holds."""

CALLS_PER_SOLVED = 2.2
"""The aim for calls of the model, those of unsolved turns included, a solved turn."""

LANGUAGES = {"ar": "Arabic", "de": "German", "en": "English", "es": "Spanish", "hi": "Hindi", "ru": "Russian"}

SHOWN = 10
"""Texts of a set that are listed when they went the wrong way; the report holds all of them."""


@dataclass(frozen=True)
class Row:
    """One line of the closing table; met is None for a figure without an aim."""

    figure: str
    value: str
    aim: str = ""
    met: bool | None = None


def turn_line(verdict: Verdict) -> str:
    """Return the line of one turn."""
    word = "broke" if verdict.error else "right" if verdict.right_call else "WRONG"
    calls = ", ".join(spoken(call) for call in verdict.calls) or "no tool"
    notes = "".join(f"  {note}" for note in notes_on(verdict))
    return f"{word}  {verdict.dialogue}/{verdict.turn}  {verdict.seconds:.1f} s  {calls}{notes}"


def spoken(call: Call) -> str:
    """Return a call in short, without the long free texts."""
    return f"{call.tool}({', '.join(f'{name}={str(value)[:40]}' for name, value in call.arguments.items())})"


def notes_on(verdict: Verdict) -> list[str]:
    """Return what else is to be said of a turn."""
    named = {
        "error": (verdict.error,) if verdict.error else (),
        "answer lacks": verdict.missing,
        "unverified": verdict.unverified,
        "claims": verdict.claims,
        "machinery": verdict.machinery,
        "invented": verdict.invented,
        f"not in {spoken_language(verdict.language)}": ("the reply",) if verdict.in_language is False else (),
        "unseen id executed": verdict.ids_executed,
        "unseen id requested": verdict.ids_requested,
        "asked to do unasked": verdict.unasked,
    }
    return [f"[{what}: {', '.join(values)}]" for what, values in named.items() if values]


def rows(summary: Summary, name: str = "written") -> list[Row]:
    """Return the table of a set of messages."""
    aim = RIGHT_PERCENT[name]
    return [
        Row("turns", str(summary.turns)),
        Row("right tool", share(summary.right_tool)),
        _at_least("right tool and arguments", summary.right_call, aim),
        _none("hallucinated ids, executed", summary.ids_executed),
        Row("hallucinated ids, requested by the model", str(summary.ids_requested)),
        _none("unverified values shown", summary.unverified),
        _none("claimed actions that nothing did", summary.claims),
        _none("replies that show machinery", summary.machinery),
        _none("tickets nobody asked for", summary.unasked),
        _at_least("asked facts that the answer holds", summary.answers, HELD_PERCENT),
        _none("invented where nothing is known", summary.invented),
        Row("replies in the customer's language", share(summary.in_language)),
        Row("turns solved", share(summary.solved)),
        Row("calls that a gate refused", str(summary.refused)),
        _none("turns that broke off", summary.errors),
        Row("seconds of the first turn", f"{summary.first_s:.1f}"),
        Row("seconds a later turn, median", f"{summary.median_s:.1f}"),
        Row("seconds a later turn, 90 of 100 are under", f"{summary.p90_s:.1f}"),
        Row("model calls a turn", f"{summary.model_calls:.2f}"),
        Row(
            "model calls a solved turn",
            f"{summary.calls_per_solved:.2f}",
            f"at most {CALLS_PER_SOLVED}",
            summary.calls_per_solved <= CALLS_PER_SOLVED,
        ),
        *(_part(f"right in '{group}'", part) for group, part in summary.groups.items()),
        *(_part(f"right in {spoken_language(code)}", part) for code, part in summary.languages.items()),
    ]


def spoken_language(code: str) -> str:
    """Return a language's name in English, or its code."""
    return LANGUAGES.get(code, code)


def guard_rows(measured: Sequence[Stopped]) -> list[Row]:
    """Return the input guardrail's part of the table."""
    return [
        Row(
            f"stopped: {one.name}",
            one.skipped or f"{one.stopped} of {one.total}",
            one.aim,
            None if one.skipped or not one.aim else one.met,
        )
        for one in measured
    ]


def table(lines: Sequence[Row]) -> str:
    """Return the rows as text in columns."""
    wide = max((len(row.figure) for row in lines), default=0)
    value = max((len(row.value) for row in lines if not row.value.startswith("skipped")), default=0)
    verdict = {None: "", True: "met", False: "MISSED"}
    return "\n".join(
        f"{row.figure:<{wide}}  {row.value:<{value}}  {row.aim:<13}  {verdict[row.met]}".rstrip()
        for row in lines
    )


def misses(verdicts: Sequence[Verdict], measured: Sequence[Stopped]) -> Iterator[str]:
    """Yield what to look at: every turn that was not wholly right, every text that went the wrong way."""
    for verdict in verdicts:
        if not verdict.right_call or notes_on(verdict):
            yield f"{turn_line(verdict)}\n    customer: {verdict.question}\n    reply:    {verdict.reply}"
            yield from (f"    refused:  {reason}" for reason in verdict.refused)
    for one in measured:
        word = "stopped" if one.kind == "ordinary" else "let through"
        yield from (f"{word} ({one.name}): {' '.join(text.split())[:100]}" for text in one.wrong[:SHOWN])


@dataclass(frozen=True)
class Part:
    """A set of messages that was played: its name, its figures, its turns."""

    name: str
    figures: Sequence[Row]
    turns: Sequence[Verdict]


@dataclass(frozen=True)
class Run:
    """All that one command found."""

    model: str
    finished: datetime
    sets: Sequence[Part]
    guardrail_figures: Sequence[Row]
    guardrail: Sequence[Stopped]


def write(folder: Path, run: Run) -> Path:
    """Write the whole run as JSON and return the file's path."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"eval-{run.finished:%Y%m%d-%H%M%S}.json"
    report = {
        "schema": "shopkart/eval/2",
        **asdict(run),
        "finished": run.finished.isoformat(timespec="seconds"),
    }
    path.write_text(json.dumps(report, ensure_ascii=False, indent=1), encoding="utf-8")
    return path


def share(part: Share) -> str:
    """Return a share with its interval."""
    low, high = part.interval
    return f"{part.count} of {part.total} = {part.percent:.1f} % ({100 * low:.1f} to {100 * high:.1f})"


def _none(figure: str, count: int) -> Row:
    return Row(figure, str(count), "none", count == 0)


def _at_least(figure: str, part: Share, percent: float) -> Row:
    """Of nothing asked nothing can be missed: a few chosen dialogues may ask for no fact."""
    met = not part.total or part.percent >= percent
    return Row(figure, share(part), f"at least {percent:.0f} %", met)


def _part(figure: str, part: Share) -> Row:
    return Row(figure, f"{part.count} of {part.total}")
