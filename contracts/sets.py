"""A set of tasks, wherever it is: a registry, its index, a folder of tasks, or one task's folder.

Knows:    how these are told apart.
Does not: serve anything.
"""

from collections.abc import Mapping
from pathlib import Path

from contracts.folders import files_of
from contracts.pinning import read_folders
from contracts.pins import INDEX
from contracts.problems import BadContracts
from contracts.reading import read_task
from contracts.registry import Registry
from contracts.task import Task


def tasks_of(path: Path) -> Mapping[str, Task]:
    """Return the tasks by name.  Raises: BadContracts, NoFolder, NoRegistry."""
    if is_pinned(path):
        loaded = Registry(path.parent if path.name == INDEX else path).load()
        if loaded.problems:
            raise BadContracts(loaded.problems)
        return {task.name: task for task in loaded.catalog.tasks}
    if (path / "task.yaml").is_file():
        name = path.resolve().name
        return {name: read_task(name, files_of(path))}
    return read_folders(path)


def tasks_or_pinned(path: Path | None, registry: Path) -> Mapping[str, Task]:
    """Return the tasks of a path; where none is given those of the registry, which then has to be one.

    Raises: BadContracts, NoFolder, NoRegistry.
    """
    return tasks_of(registry / INDEX if path is None else path)


def is_pinned(path: Path) -> bool:
    """Say whether it is a registry, so that what it holds was approved."""
    return path.name == INDEX or (path / INDEX).is_file()
