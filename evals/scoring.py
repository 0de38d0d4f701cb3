"""What one turn was worth, and what all turns come to.

Knows:    a transcript, what was written to be right, and what the order data say.
Does not: run a model or print.   (play.py, report.py)
"""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from evals import truth
from evals.claims import claims
from evals.invention import invented
from evals.messages import Call, Expected, Turn
from evals.sayings import UNKNOWN, normal
from evals.tongue import in_language
from evals.transcript import Transcript
from evals.values import plain

WRITES = frozenset({"create_ticket", "contact_staff"})
"""The tools that change something. Not read from the annotations: those are the server's word."""


ALWAYS_FINE = frozenset({"list_my_orders", "get_ticket", "list_my_tickets"})
"""Tools that came after the messages were written, and that show the customer what is theirs: no mistake."""


@dataclass(frozen=True)
class Place:
    """Which turn it is: the dialogue's id and group, the turn's number, and the customer's language."""

    dialogue: str
    group: str
    turn: int
    language: str = "en"


@dataclass(frozen=True)
class Verdict:
    """One turn, judged. The lists name what was wrong; empty is good."""

    dialogue: str
    group: str
    turn: int
    question: str
    reply: str
    calls: tuple[Call, ...]
    right_tool: bool
    right_call: bool
    asked: int = 0
    missing: tuple[str, ...] = ()
    unverified: tuple[str, ...] = ()
    claims: tuple[str, ...] = ()
    machinery: tuple[str, ...] = ()
    invented: tuple[str, ...] = ()
    ids_requested: tuple[str, ...] = ()
    ids_executed: tuple[str, ...] = ()
    unasked: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    seconds: float = 0.0
    model_calls: int = 0
    error: str = ""
    language: str = "en"
    in_language: bool | None = None

    @property
    def solved(self) -> bool:
        """Return whether the customer was wholly served: right calls, the asked facts, in their language."""
        wrong = (self.missing, self.unverified, self.claims, self.invented, self.machinery, self.unasked)
        return self.right_call and not self.error and self.in_language is not False and not any(wrong)


@dataclass(frozen=True)
class Share:
    """So many of so many, with the interval that the true share lies in, 95 times of 100."""

    count: int
    total: int

    @property
    def interval(self) -> tuple[float, float]:
        """Return the Wilson 95 % interval (Wilson 1927); of nothing it is everything."""
        if not self.total:
            return 0.0, 1.0
        z, n, p = 1.96, self.total, self.count / self.total
        middle = (p + z * z / (2 * n)) / (1 + z * z / n)
        half = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
        return max(0.0, middle - half), min(1.0, middle + half)

    @property
    def percent(self) -> float:
        """Return the share in percent; of nothing it is none."""
        return 100 * self.count / self.total if self.total else 0.0


@dataclass(frozen=True)
class Summary:
    """All turns of a run."""

    turns: int
    right_tool: Share
    right_call: Share
    answers: Share
    ids_requested: int
    ids_executed: int
    unverified: int
    claims: int
    machinery: int
    invented: int
    unasked: int
    refused: int
    errors: int
    first_s: float
    median_s: float
    p90_s: float
    model_calls: float
    solved: Share
    calls_per_solved: float
    in_language: Share
    groups: dict[str, Share] = field(default_factory=dict[str, Share])
    languages: dict[str, Share] = field(default_factory=dict[str, Share])


def judge(
    where: Place,
    turn: Turn,
    run: Transcript,
    before: truth.Evidence,
    orders: Mapping[str, Any],
) -> Verdict:
    """Return the verdict on a turn.

    before: what was seen before this turn.
    orders: order id -> its true fields, read past the agent.
    """
    calls = [call for call in run.calls if call.tool not in ALWAYS_FINE - turn.tools]
    seen = before.copy()
    seen.add(run)
    asked, missing = answer(turn, run.reply, orders, seen)
    requested, executed = truth.hallucinated(run, before)
    return Verdict(
        where.dialogue,
        where.group,
        where.turn,
        question=turn.text,
        reply=run.reply,
        calls=tuple(calls),
        right_tool=not run.error and any(tools_fit(right, turn.may, calls) for right in turn.right),
        right_call=not run.error and any(calls_fit(right, turn.may, calls) for right in turn.right),
        asked=asked,
        missing=tuple(missing),
        unverified=tuple(truth.unverified(run.reply, seen)),
        claims=tuple(claims(run.reply, seen)),
        machinery=tuple(truth.machinery(run.reply)),
        invented=tuple(invented(run.reply, seen)) if turn.absent else (),
        ids_requested=tuple(requested),
        ids_executed=tuple(executed),
        unasked=tuple(tool for tool in written(run) if tool not in turn.tools),
        refused=tuple(f"{decision.gate}: {decision.reason}" for decision in run.refused),
        seconds=run.seconds,
        model_calls=run.model_calls,
        error=run.error,
        language=where.language,
        in_language=in_language(run.reply, where.language, seen),
    )


def written(run: Transcript) -> list[str]:
    """Return the tools of every write that a person was asked about, or that ran although nobody was."""
    asked = [request.tool for request in run.asked]
    ran = [call.tool for call in run.started if call.tool in WRITES]
    return asked if len(asked) >= len(ran) else ran


def tools_fit(right: Sequence[Expected], may: Sequence[Expected], calls: Sequence[Call]) -> bool:
    """Return whether the tools called are those that are right, whatever their arguments."""
    called, needed = {call.tool for call in calls}, {expected.tool for expected in right}
    return needed <= called <= needed | {expected.tool for expected in may}


def calls_fit(right: Sequence[Expected], may: Sequence[Expected], calls: Sequence[Call]) -> bool:
    """Return whether every needed call was made and no call is neither needed nor harmless."""
    return all(any(expected.fits(call) for call in calls) for expected in right) and all(
        any(expected.fits(call) for expected in (*right, *may)) for call in calls
    )


def answer(turn: Turn, reply: str, orders: Mapping[str, Any], seen: truth.Evidence) -> tuple[int, list[str]]:
    """Return how many things the reply must hold, and those it lacks.

    A fact that no result held is lacking whatever the reply says: it was guessed.
    """
    values = [
        (order, name, orders.get(order, {}).get(name))
        for order, names in turn.facts.items()
        for name in names
    ]
    lacks = [
        f"{name} of {order}"
        for order, name, value in values
        if value is None or not truth.holds(reply, value) or not seen.holds(name, value)
    ]
    said = plain(reply).replace("’", "'")
    lacks += [f"/{pattern}/" for pattern in turn.says if not re.search(plain(pattern), said, re.IGNORECASE)]
    if turn.absent and not UNKNOWN.search(normal(reply)):
        lacks.append("that it is not known")
    return len(values) + len(turn.says) + turn.absent, lacks


def summarise(verdicts: Sequence[Verdict]) -> Summary:
    """Return the figures of a run; the first turn's time stands apart, since the model warms up in it."""
    count = len(verdicts)
    later = sorted(verdict.seconds for verdict in verdicts[1:])
    asked = sum(verdict.asked for verdict in verdicts)
    calls, solved = sum(verdict.model_calls for verdict in verdicts), sum(v.solved for v in verdicts)
    spoken = [verdict.in_language for verdict in verdicts if verdict.in_language is not None]
    return Summary(
        turns=count,
        right_tool=Share(sum(verdict.right_tool for verdict in verdicts), count),
        right_call=Share(sum(verdict.right_call for verdict in verdicts), count),
        answers=Share(asked - sum(len(verdict.missing) for verdict in verdicts), asked),
        ids_requested=sum(len(verdict.ids_requested) for verdict in verdicts),
        ids_executed=sum(len(verdict.ids_executed) for verdict in verdicts),
        unverified=sum(len(verdict.unverified) for verdict in verdicts),
        claims=sum(len(verdict.claims) for verdict in verdicts),
        machinery=sum(bool(verdict.machinery) for verdict in verdicts),
        invented=sum(bool(verdict.invented) for verdict in verdicts),
        unasked=sum(len(verdict.unasked) for verdict in verdicts),
        refused=sum(len(verdict.refused) for verdict in verdicts),
        errors=sum(bool(verdict.error) for verdict in verdicts),
        first_s=verdicts[0].seconds if verdicts else 0.0,
        median_s=median(later) if later else 0.0,
        p90_s=later[math.ceil(0.9 * len(later)) - 1] if later else 0.0,
        model_calls=calls / count if count else 0.0,
        solved=Share(solved, count),
        calls_per_solved=calls / solved if solved else math.inf if calls else 0.0,
        in_language=Share(sum(spoken), len(spoken)),
        groups=_shares(verdicts, lambda verdict: verdict.group),
        languages=_shares(verdicts, lambda verdict: verdict.language),
    )


def _shares(verdicts: Sequence[Verdict], kind: Callable[[Verdict], str]) -> dict[str, Share]:
    right: dict[str, list[bool]] = {}
    for verdict in verdicts:
        right.setdefault(kind(verdict), []).append(verdict.right_call)
    return {name: Share(sum(parts), len(parts)) for name, parts in right.items()}
