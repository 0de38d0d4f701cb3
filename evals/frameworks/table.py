"""The comparison as a table: one row a figure, one column an agent.

Knows:    which figures are compared, and their words.
Does not: compute one.   (evals/scoring.py)
"""

from collections.abc import Callable, Mapping

from evals.report import share
from evals.scoring import Summary

FIGURES: dict[str, Callable[[Summary], str]] = {
    "turns": lambda summary: str(summary.turns),
    "right tool and arguments": lambda summary: share(summary.right_call),
    "hallucinated ids, executed": lambda summary: str(summary.ids_executed),
    "unverified values shown": lambda summary: str(summary.unverified),
    "claimed actions that nothing did": lambda summary: str(summary.claims),
    "replies that show machinery": lambda summary: str(summary.machinery),
    "tickets nobody asked for": lambda summary: str(summary.unasked),
    "asked facts that the answer holds": lambda summary: share(summary.answers),
    "invented where nothing is known": lambda summary: str(summary.invented),
    "replies in the customer's language": lambda summary: share(summary.in_language),
    "turns that broke off": lambda summary: str(summary.errors),
    "model calls a turn": lambda summary: f"{summary.model_calls:.2f}",
    "seconds a turn, median": lambda summary: f"{summary.median_s:.1f}",
}


def table(summaries: Mapping[str, Summary]) -> str:
    """Return a Markdown table of the agents, in their order."""
    rows = [["", *summaries], ["---"] * (len(summaries) + 1)]
    rows += [[figure, *(say(summary) for summary in summaries.values())] for figure, say in FIGURES.items()]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)
