"""What one turn was worth, and what all turns come to.

Knows:    a transcript, what was written to be right, and what the order data say.
Does not: run a model or print.   (play.py, report.py)
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from evals import truth
from evals.messages import Call, Expected, Turn
from evals.transcript import Transcript

# What a reply says that does not have the answer, in the languages of messages.yaml.
UNKNOWN = re.compile(
    r"\b(?:no|not|none|cannot|unable|unfortunately|unknown|without|nothing|neither)\b|n[’']t\b", re.IGNORECASE
)

WRITES = frozenset({"create_ticket"})
"""The tools that change something. Not read from the annotations: those are the server's word."""


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
    ids_requested: tuple[str, ...] = ()
    ids_executed: tuple[str, ...] = ()
    unasked: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    seconds: float = 0.0
    model_calls: int = 0
    error: str = ""


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
    unasked: int
    refused: int
    errors: int
    first_s: float
    median_s: float
    p90_s: float
    model_calls: float
    groups: dict[str, Share] = field(default_factory=dict[str, Share])


def judge(
    where: tuple[str, str, int],
    turn: Turn,
    run: Transcript,
    before: truth.Evidence,
    orders: Mapping[str, Any],
) -> Verdict:
    """Return the verdict on a turn.

    where: dialogue, group, number of the turn. before: what was seen before this turn.
    orders: order id -> its true fields, read past the agent.
    """
    calls = run.calls
    asked, missing = answer(turn, run.reply, orders)
    seen = before.copy()
    seen.add(run)
    requested, executed = truth.hallucinated(run, before)
    return Verdict(
        *where,
        question=turn.text,
        reply=run.reply,
        calls=tuple(calls),
        right_tool=not run.error and any(tools_fit(right, turn.may, calls) for right in turn.right),
        right_call=not run.error and any(calls_fit(right, turn.may, calls) for right in turn.right),
        asked=asked,
        missing=tuple(missing),
        unverified=tuple(truth.unverified(run.reply, seen)),
        claims=tuple(truth.claims(run.reply, seen)),
        machinery=tuple(truth.machinery(run.reply)),
        ids_requested=tuple(requested),
        ids_executed=tuple(executed),
        unasked=tuple(tool for tool in written(run) if tool not in turn.tools),
        refused=tuple(f"{decision.gate}: {decision.reason}" for decision in run.refused),
        seconds=run.seconds,
        model_calls=run.model_calls,
        error=run.error,
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


def answer(turn: Turn, reply: str, orders: Mapping[str, Any]) -> tuple[int, list[str]]:
    """Return how many things the reply must hold, and those it lacks."""
    values = [
        (f"{name} of {order}", orders.get(order, {}).get(name))
        for order, names in turn.facts.items()
        for name in names
    ]
    lacks = [what for what, value in values if value is None or not truth.holds(reply, value)]
    lacks += [f"/{pattern}/" for pattern in turn.says if not re.search(pattern, reply, re.IGNORECASE)]
    if turn.absent and not UNKNOWN.search(reply):
        lacks.append("that it is not known")
    return len(values) + len(turn.says) + turn.absent, lacks


def summarise(verdicts: Sequence[Verdict]) -> Summary:
    """Return the figures of a run; the first turn's time stands apart, since the model warms up in it."""
    count = len(verdicts)
    later = sorted(verdict.seconds for verdict in verdicts[1:])
    asked = sum(verdict.asked for verdict in verdicts)
    groups: dict[str, list[bool]] = {}
    for verdict in verdicts:
        groups.setdefault(verdict.group, []).append(verdict.right_call)
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
        unasked=sum(len(verdict.unasked) for verdict in verdicts),
        refused=sum(len(verdict.refused) for verdict in verdicts),
        errors=sum(bool(verdict.error) for verdict in verdicts),
        first_s=verdicts[0].seconds if verdicts else 0.0,
        median_s=median(later) if later else 0.0,
        p90_s=later[math.ceil(0.9 * len(later)) - 1] if later else 0.0,
        model_calls=sum(verdict.model_calls for verdict in verdicts) / count if count else 0.0,
        groups={name: Share(sum(right), len(right)) for name, right in groups.items()},
    )
