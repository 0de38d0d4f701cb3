"""The table: how many tasks each way gets right, how true its "done" is, what it costs.

Knows:    the figures, their intervals, and how two ways are compared on the same tasks.
Does not: play a task.
Source:   Wilson 1927 for one share; Newcombe 1998, method 10, for the difference of two paired ones.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evals.scoring import Share
from evals.workshop.results import Result

DONE_AIM = 0.95
GAIN_AIM = 0.03


@dataclass(frozen=True)
class Line:
    """The figures of one way. gain: percentage points over the single shot on the same tasks."""

    way: str
    right: Share
    done: Share
    gain: tuple[float, float, float] | None
    tokens: float
    requests: float
    seconds: float


def lines(results: Mapping[str, Mapping[str, Result]], single: str) -> list[Line]:
    """Return a line a way; only tasks that both have are compared with the single shot."""
    base = results.get(single, {})
    return [_line(way, found, base if way != single else {}) for way, found in results.items() if found]


def _line(way: str, found: Mapping[str, Result], base: Mapping[str, Result]) -> Line:
    each = list(found.values())
    claimed = [result for result in each if result.claim == "done"]
    pairs = [(found[task].right, base[task].right) for task in found if task in base]
    return Line(
        way,
        Share(sum(result.right for result in each), len(each)),
        Share(sum(result.right for result in claimed), len(claimed)),
        gain_of(pairs) if pairs else None,
        sum(result.prompt_tokens + result.answer_tokens for result in each) / len(each),
        sum(result.requests for result in each) / len(each),
        sum(result.seconds for result in each) / len(each),
    )


def gain_of(pairs: Sequence[tuple[bool, bool]]) -> tuple[float, float, float]:
    """Return the difference of two paired shares and its 95 % interval, all as parts of one."""
    n = len(pairs)
    both, first, second = (
        sum(pair == kind for pair in pairs) for kind in ((True, True), (True, False), (False, True))
    )
    neither = n - both - first - second
    one, other = Share(both + first, n), Share(both + second, n)
    p, q = one.count / n, other.count / n
    (low_p, high_p), (low_q, high_q) = one.interval, other.interval
    phi = _phi(both, first, second, neither)
    under = (p - low_p) ** 2 - 2 * phi * (p - low_p) * (high_q - q) + (high_q - q) ** 2
    over = (q - low_q) ** 2 - 2 * phi * (q - low_q) * (high_p - p) + (high_p - p) ** 2
    return p - q, p - q - math.sqrt(max(0.0, under)), p - q + math.sqrt(max(0.0, over))


def _phi(both: int, first: int, second: int, neither: int) -> float:
    """Return the correlation of the two, corrected for continuity where it is positive."""
    n = both + first + second + neither
    product = (both + first) * (second + neither) * (both + second) * (first + neither)
    if product == 0:
        return 0.0
    over = both * neither - first * second
    if over > 0:
        over = max(over - n / 2, 0)
    return over / math.sqrt(product)


def table(found: Sequence[Line]) -> str:
    """Return the lines as a Markdown table."""
    rows = [
        "| way | right | 95 % | over single | 95 % | says done | of these right | tokens | requests | s |",
        "|---|--:|---|--:|---|--:|--:|--:|--:|--:|",
    ]
    for each in found:
        low, high = each.right.interval
        gain = (
            ("–", "–")
            if each.gain is None
            else (f"{100 * each.gain[0]:+.1f}", _span(each.gain[1], each.gain[2]))
        )
        done = f"{each.done.percent:.1f} %" if each.done.total else "–"
        rows.append(
            f"| {each.way} | {each.right.count} of {each.right.total} ({each.right.percent:.1f} %) "
            f"| {_span(low, high)} | {gain[0]} | {gain[1]} | {each.done.total or '–'} | {done} "
            f"| {each.tokens:,.0f} | {each.requests:.1f} | {each.seconds:.0f} |"
        )
    return "\n".join(rows)


def _span(low: float, high: float) -> str:
    return f"{100 * low:.1f} to {100 * high:.1f}"
