"""`python -m contracts validate [FOLDERS]`: every problem of task folders at once."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from contracts.commands.output import as_json, fail, plain_problems, print_json, print_problems
from contracts.folders import NoFolder, files_of, task_folders
from contracts.names import taken_twice
from contracts.problems import BadContracts, Problem
from contracts.reading import read_task
from contracts.task import Task


@click.command("validate")
@click.argument("folders", nargs=-1, type=click.Path(path_type=Path))
@as_json
def command(folders: tuple[Path, ...], as_json: bool) -> None:
    """Check task FOLDERS, or every task below them, and list all that is wrong.

    Example: python -m contracts validate tasks/categories

    Without FOLDERS it checks every task of tasks/.
    """
    tasks: list[Task] = []
    problems: list[Problem] = []
    for folder in _each(folders or (Path("tasks"),)):
        try:
            tasks.append(read_task(folder.name, files_of(folder)))
        except BadContracts as error:
            problems += error.problems
    problems += taken_twice(tasks)
    if as_json:
        print_json(
            "shopkart/contracts-validate",
            {"tasks": [_counts(task) for task in tasks], "problems": plain_problems(problems)},
        )
    else:
        for task in tasks:
            click.echo(f"OK {task.name}: {_counted(task)}")
        print_problems(problems)
    if problems:
        fail()


def _each(folders: tuple[Path, ...]) -> Iterator[Path]:
    """Yield the task folders that are meant: each itself, or those below it.  Raises: NoFolder."""
    for folder in folders:
        if not folder.is_dir():
            raise NoFolder(f"There is no folder {folder}. Name a task's folder, as tasks/categories.")
        whole = folder.resolve()
        if any((whole / name).exists() for name in ("task.yaml", "functions.yaml")):
            yield whole
            continue
        below = task_folders(whole)
        if not below:
            raise NoFolder(f"The folder {folder} holds no task. A task is a folder with a task.yaml in it.")
        yield from below


def _counts(task: Task) -> dict[str, Any]:
    return {
        "name": task.name,
        "functions": len(task.functions),
        "prompts": len(task.prompts),
        "skills": len(task.skills),
        "views": len(task.views),
    }


def _counted(task: Task) -> str:
    return ", ".join(f"{number} {kind}" for kind, number in _counts(task).items() if kind != "name")
