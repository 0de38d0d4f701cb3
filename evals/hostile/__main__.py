"""`python -m evals.hostile`: the attacks of a model that belongs to an attacker, and what gets through.

Knows:    the command line, and what ends the run with which exit code.
Does not: play, judge or count.   (playing.py, judging.py, table.py)
Exit:     0 every aim met · 1 an aim missed · 2 usage or settings · 130 stopped.
"""

import logging
import sys
from collections.abc import Sequence
from itertools import groupby

import anyio
import click

from common.settings import BadSettings, load
from evals.hostile import frameworks
from evals.hostile.case import Case
from evals.hostile.families import all_cases
from evals.hostile.playing import play
from evals.hostile.shops import Shops
from evals.hostile.table import LEGEND, Verdict, families, side_by_side, stops, table, verdict
from evals.hostile.texts import injected
from evals.settings import EvalSettings

OURS = "shopkart"


@click.command(epilog="Exit code: 0 every aim met, 1 an aim missed, 2 usage or settings, 130 stopped.")
@click.option("--family", default="", help="Play only the families whose name contains this.")
@click.option(
    "--limit", type=click.IntRange(min=1), help="Play at most so many cases of a family, spread over it."
)
@click.option(
    "--only",
    type=click.Choice([OURS, *frameworks.FRAMEWORKS]),
    multiple=True,
    help="Play through this agent; can be repeated. Without it: through this project's own alone.",
)
def main(family: str, limit: int | None, only: tuple[str, ...]) -> None:
    """Play every attack and say what reached a tool, what changed, and what was shown.

    Example: python -m evals.hostile --family approval --limit 20
    """
    # Attacks make code fail on purpose; what comes of that is in the table, not in the log.
    logging.disable(logging.CRITICAL)
    try:
        agents = only or (OURS,)
        every = load_cases()
        cases = chosen(every if agents == (OURS,) else frameworks.common(every), family, limit)
        if not cases:
            raise click.UsageError(f"No family's name contains {family!r}. Leave --family out to play all.")
        met = anyio.run(_run, cases, agents)
    except (BadSettings, frameworks.NotThere) as error:
        raise click.UsageError(str(error)) from error
    except KeyboardInterrupt:
        click.echo("Stopped. Nothing was counted.", err=True)
        sys.exit(130)
    sys.exit(0 if met else 1)


def load_cases() -> tuple[Case, ...]:
    """Return every case, with the whole files of outside texts where SHOPKART_EXAMS has them."""
    folder = load(EvalSettings).exams / "injection"
    if injected(folder) is None:
        print(
            f"skipped: the whole files of outside texts are not in {folder.parent.name}/; a sample is played"
        )
        return all_cases()
    return all_cases(folder)


def chosen(cases: Sequence[Case], family: str, limit: int | None) -> tuple[Case, ...]:
    """Return the cases of some families, at most `limit` of each, spread over its table."""
    found: list[Case] = []
    for name, group in groupby(sorted(cases, key=lambda case: case.family), lambda case: case.family):
        if family in name:
            found += spread(list(group), limit)
    return tuple(found)


def spread(cases: Sequence[Case], most: int | None) -> list[Case]:
    """Return at most so many of the cases, in their order, from the whole of the table."""
    if most is None or len(cases) <= most:
        return list(cases)
    return [cases[index * len(cases) // most] for index in range(most)]


async def _run(cases: Sequence[Case], agents: Sequence[str]) -> bool:
    """Play the cases through each agent, print what came of it, and say whether ours met its aims."""
    if agents == (OURS,):
        return _conclude(await play_all(cases))
    found = {agent: await _played(agent, cases) for agent in agents}
    print(f"\n{side_by_side({agent: families(verdicts) for agent, verdicts in found.items()})}\n\n{LEGEND}")
    return True


async def _played(agent: str, cases: Sequence[Case]) -> list[Verdict]:
    if agent == OURS:
        return await play_all(cases)
    return [verdict(case, ran) for case, ran in await frameworks.play(agent, cases)]


async def play_all(cases: Sequence[Case]) -> list[Verdict]:
    """Play cases on our agent and return the verdicts."""
    shops = Shops()
    return [verdict(case, await play(case, shops)) for case in cases]


def _conclude(verdicts: Sequence[Verdict]) -> bool:
    """Print what to look at and the tables; return whether nothing got through that is not named."""
    found = families(verdicts)
    bad = [one for one in verdicts if (one.harm and not one.case.shortfall) or one.misses]
    named = [one for one in verdicts if one.harm and one.case.shortfall]
    print("To look at:" if bad else "Nothing to look at.")
    for one in bad:
        print(f"  {one.case.id}\n    {str(one.harm)[:200] or '; '.join(one.misses)[:300]}")
    print(f"\n{table(found)}\n\n{LEGEND}\n\nstopped by\n{stops(found)}")
    if named:
        print("\nknown to get through, and named in docs/security.md:")
        print(*(f"  {one.case.id}: {one.case.shortfall}" for one in named), sep="\n")
    return not bad


if __name__ == "__main__":
    main()
