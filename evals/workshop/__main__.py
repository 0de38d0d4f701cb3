"""`python -m evals.workshop`: what the workshop's loop brings over one answer of the same model.

Knows:    the command line, and that what was played is not played again.
Does not: judge or count.   (judge.py, table.py)
Exit:     0 the aims are met · 1 one is missed, or there are no tasks · 4 no model · 130 stopped.
"""

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

import anyio
import click

from common.settings import BadSettings, load
from evals.settings import REPORTS, EvalSettings
from evals.workshop import table
from evals.workshop.playing import played, player
from evals.workshop.replies import Kept
from evals.workshop.results import Result, Results
from evals.workshop.tasks import FILE, Task
from evals.workshop.tasks import load as load_tasks
from evals.workshop.ways import BEST, SINGLE, WAYS
from llm import ModelError
from workshop.errors import WorkshopError
from workshop.sandbox import Sandbox, find

FOLDER = REPORTS / "eval-workshop"


@click.command(epilog="Exit code: 0 the aims are met, 1 one is missed, 4 no model, 130 stopped.")
@click.option(
    "--way", "ways", multiple=True, type=click.Choice(list(WAYS)), help="Play this way only; may be repeated."
)
@click.option("--limit", type=click.IntRange(min=1), help="Play at most so many tasks.")
@click.option(
    "--jobs", type=click.IntRange(1, 8), default=2, show_default=True, help="So many tasks at once."
)
@click.option("--again", is_flag=True, help="Forget what was played and judged; replies stay kept.")
@click.option("--show", is_flag=True, help="Show the table of what was played; play nothing.")
def main(ways: Sequence[str], limit: int | None, jobs: int, again: bool, show: bool) -> None:
    """Play the tasks in each way on the configured model; hidden asserts judge.

    Example: python -m evals.workshop --way "single shot" --limit 20
    """
    exams = load(EvalSettings).exams
    tasks = load_tasks(exams)[:limit]
    if not tasks:
        click.echo(f"Skipped: there is no {FILE} in {exams}. SHOPKART_EXAMS names the folder.", err=True)
        sys.exit(1)
    try:
        anyio.run(_play, tasks, tuple(ways) or tuple(WAYS), jobs, again, show)
    except (ModelError, BadSettings) as error:
        click.echo(str(error), err=True)
        sys.exit(4)
    except KeyboardInterrupt:
        click.echo("Stopped. What was played is kept; the same command goes on.", err=True)
        sys.exit(130)


async def _play(tasks: Sequence[Task], ways: Sequence[str], jobs: int, again: bool, show: bool) -> None:
    from llm import open_model

    async with open_model() as chat:
        path = FOLDER / f"{chat.model}.jsonl"
        if again:
            path.unlink(missing_ok=True)
        results = Results(path)
        if not show:
            kept = Kept(chat.complete, chat.model, FOLDER / "replies.db")
            for way in ways:
                await _way(
                    way, [each for each in tasks if results.known(way, each.id) is None], jobs, kept, results
                )
            kept.close()
        click.echo(f"\n{chat.name}, {len(tasks)} tasks\n")
    named = {each.id for each in tasks}
    found = {way: {k: v for k, v in results.of(way).items() if k in named} for way in WAYS}
    made = table.lines(found, SINGLE)
    click.echo(table.table(made))
    sys.exit(0 if _aims_met(made) else 1)


def _aims_met(made: Sequence[table.Line]) -> bool:
    best = next((each for each in made if each.way == BEST), None)
    if best is None or best.gain is None:
        return False
    return best.gain[0] >= table.GAIN_AIM and best.done.percent >= 100 * table.DONE_AIM


async def _way(way: str, tasks: Sequence[Task], jobs: int, kept: Kept, results: Results) -> None:
    """Play the tasks that are left of a way, some at once.

    Raises: ModelError when the model fails; what was played stays.
    """
    sandbox = find()
    left = list(reversed(tasks))
    failed: list[ModelError] = []

    async def work(folder: Path) -> None:
        try:
            await _worker(way, left, kept, sandbox, folder, results)
        except ModelError as error:
            failed.append(error)
            left.clear()

    async with anyio.create_task_group() as group:
        for number in range(min(jobs, len(left))):
            folder = FOLDER / "projects" / str(number)
            shutil.rmtree(folder, ignore_errors=True)
            group.start_soon(work, folder)
    if failed:
        raise failed[0]


async def _worker(
    way: str, left: list[Task], kept: Kept, sandbox: Sandbox, folder: Path, results: Results
) -> None:
    async with player(kept, sandbox, folder) as at:
        while left:
            task = left.pop()
            try:
                result = await played(task, way, at, WAYS[way])
            except WorkshopError as error:  # not counted either way; the same command plays it again
                click.echo(f"{way} · {task.id}: not played: {error}", err=True)
                continue
            results.add(result)
            click.echo(_told(result))


def _told(result: Result) -> str:
    verdict = "right" if result.right else "wrong"
    claim = f", says {result.claim}" if result.claim else ""
    return f"{result.way} · {result.task}: {verdict}{claim} ({result.requests} requests)"


if __name__ == "__main__":
    main()
