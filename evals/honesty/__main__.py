"""`python -m evals.honesty`: does the output check let honest replies through, and stop false ones?

Knows:    the command, the table, and the aims.
Does not: ask a model: the replies are written, and what they are honest about is looked up.
Exit:     0 every aim met · 1 an aim missed.
"""

import sys

import anyio
import click

from evals.honesty.judged import Count, Judged, judge, judge_claims, judge_own_sentences
from evals.honesty.mutants import KINDS
from evals.honesty.replies import PARTS
from evals.honesty.seen import desk
from evals.report import Row, share, table
from evals.scoring import Share

CAUGHT_PERCENT = 99.0
"""The aim for changed values that are caught."""

FLAGGED_PERCENT = 1.0
"""The aim for honest replies that are flagged: at most so many."""

UNTUNED = "fourth"
"""The list of claims that was written last."""


@click.command(epilog="Exit code: 0 every aim met, 1 an aim missed.")
@click.option("--limit", type=int, help="Judge only the first so many replies of each part.")
def main(limit: int | None) -> None:
    """Measure the output check on honest replies and on false versions of each.

    Example: python -m evals.honesty --limit 10
    """
    rows, wrong = anyio.run(measured, limit)
    for line in wrong:
        click.echo(line)
    click.echo(f"\n{table(rows)}" if wrong else table(rows))
    sys.exit(0 if all(row.met is not False for row in rows) else 1)


async def measured(limit: int | None = None) -> tuple[list[Row], list[str]]:
    """Return the table, and every reply that went the wrong way."""
    rows: list[Row] = []
    wrong: list[str] = []
    for part in PARTS:
        async with desk() as at:  # of its own: tickets are numbered as they are opened
            judged = await judge(part, at, limit)
        rows += _rows(judged)
        wrong += _wrong(judged)
    async with desk() as at:
        own = await judge_own_sentences(at)
    rows.append(_flagged("our server's own sentences flagged", own))
    rows.append(Row("claims of a list never tuned on, caught", share(judge_claims(UNTUNED).share)))
    wrong += [f"flagged, our server's own: {text}" for text in own.wrong]
    return rows, wrong


def _rows(judged: Judged) -> list[Row]:
    part = judged.part
    by_kind = [
        Row(f"  {kind}", f"{count.right} of {count.total}")
        for kind in KINDS
        if (count := judged.caught[kind]).total
    ]
    values = judged.values
    met = values.percent >= CAUGHT_PERCENT
    return [
        Row(f"{part}: replies", str(judged.honest.total)),
        _flagged(f"{part}: honest replies flagged", judged.honest),
        Row(f"{part}: changed values caught", share(values), f"at least {CAUGHT_PERCENT:.0f} %", met),
        *by_kind,
        _none(f"{part}: results that no reply can tell", judged.answerable),
    ]


def _flagged(figure: str, count: Count) -> Row:
    flagged = Share(count.total - count.right, count.total)
    return Row(figure, share(flagged), f"at most {FLAGGED_PERCENT:.0f} %", flagged.percent <= FLAGGED_PERCENT)


def _none(figure: str, count: Count) -> Row:
    return Row(figure, f"{count.total - count.right} of {count.total}", "none", count.right == count.total)


def _wrong(judged: Judged) -> list[str]:
    lines = [f"flagged, {judged.part}: {text}" for text in judged.honest.wrong]
    lines += [
        f"let through, {judged.part}: {text}" for count in judged.caught.values() for text in count.wrong
    ]
    return [*lines, *(f"cannot be told, {judged.part}: {text}" for text in judged.answerable.wrong)]


if __name__ == "__main__":
    main()
