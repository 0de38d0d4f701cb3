"""Pinning: task folders become the registry, whole and all at once.

Knows:    what is written, and in which order, so that a crash between leaves the old registry.
Does not: serve.   (registry.py)
Order:    the new files are written beside the old ones, the index last; what is listed no more is removed
          after that. Two writers take turns by a lock file.
"""

import fcntl
import hashlib
import json
import os
import shutil
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from common.version import VERSION
from contracts.folders import files_of, task_folders
from contracts.problems import BadContracts, ContractsError, Problem
from contracts.reading import read_task
from contracts.registry import FORMAT, INDEX, TASKS, Index, NoRegistry, Pinned, PinnedTask, read_index
from contracts.task import Task


class AlreadyThere(ContractsError):
    """A task of that name is installed."""


class NotThere(ContractsError):
    """No task of that name is installed."""


@dataclass(frozen=True)
class Built:
    """What building did. added, changed, removed, same: names of tasks."""

    tasks: tuple[Task, ...]
    added: tuple[str, ...]
    changed: tuple[str, ...]
    removed: tuple[str, ...]
    same: tuple[str, ...]


def read_folders(root: Path) -> dict[str, Task]:
    """Return every task below a folder.  Raises: BadContracts with the problems of all; NoFolder."""
    tasks: dict[str, Task] = {}
    problems: list[Problem] = []
    for folder in task_folders(root):
        try:
            tasks[folder.name] = read_task(folder.name, files_of(folder))
        except BadContracts as error:
            problems += error.problems
    if problems:
        raise BadContracts(problems)
    return tasks


def build(root: Path, registry: Path) -> Built:
    """Pin every task below a folder; the registry then lists these and no others.

    The same files make the same bytes.  Raises: BadContracts, NoFolder, OSError; nothing is written then.
    """
    tasks = read_folders(root)
    origin = root.name
    with _locked(registry):
        old = _index_or_none(registry)
        pins = {name: _pin(task, "python -m contracts build", origin) for name, task in tasks.items()}
        _write(registry, old, pins, {name: task.files for name, task in tasks.items()})
    before = old.tasks if old else {}
    return Built(
        tuple(tasks.values()),
        added=tuple(name for name in pins if name not in before),
        changed=tuple(name for name in pins if name in before and before[name].files != pins[name].files),
        removed=tuple(name for name in before if name not in pins),
        same=tuple(name for name in pins if name in before and before[name].files == pins[name].files),
    )


def install(registry: Path, name: str, files: Mapping[str, bytes], *, replace: bool, by: str) -> Task:
    """Pin one task more, or in the place of one.  Raises: BadContracts, AlreadyThere, NoRegistry."""
    task = read_task(name, files)
    with _locked(registry):
        old = read_index(registry)
        if name in old.tasks and not replace:
            raise AlreadyThere(f"The task {name} is installed. Say replace, or give it another name.")
        pins = {**old.tasks, name: _pin(task, by, "sent")}
        _write(registry, old, pins, {name: task.files})
    return task


def uninstall(registry: Path, name: str) -> None:
    """Remove one task.  Raises: NotThere, NoRegistry."""
    with _locked(registry):
        old = read_index(registry)
        if name not in old.tasks:
            raise NotThere("No task of that name is installed. List them to see which are.")
        _write(registry, old, {each: pin for each, pin in old.tasks.items() if each != name}, {})


def _pin(task: Task, by: str, origin: str) -> PinnedTask:
    files = {
        path: Pinned(sha256=hashlib.sha256(data).hexdigest(), bytes=len(data))
        for path, data in sorted(task.files.items())
    }
    return PinnedTask(by=f"{by}, ShopKart {VERSION}", origin=origin, files=files)


def _index_or_none(registry: Path) -> Index | None:
    try:
        return read_index(registry)
    except NoRegistry:
        return None


@contextmanager
def _locked(registry: Path) -> Generator[None]:
    registry.mkdir(parents=True, exist_ok=True)
    with (registry / ".lock").open("w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _write(
    registry: Path, old: Index | None, pins: Mapping[str, PinnedTask], new: Mapping[str, Mapping[str, bytes]]
) -> None:
    """Write the files, then the index, then remove what is listed no more."""
    before = old.tasks if old else {}
    for name, files in new.items():
        for path, data in files.items():
            _put(registry / TASKS / name / path, data)
    index = Index(format=FORMAT, tasks=dict(sorted(pins.items())))
    written = json.dumps(index.model_dump(mode="json"), indent=1, sort_keys=True, ensure_ascii=False) + "\n"
    _put(registry / INDEX, written.encode())
    for name in before:
        if name not in pins:
            shutil.rmtree(registry / TASKS / name, ignore_errors=True)
    for name in new:
        _clear(registry / TASKS / name, set(pins[name].files))


def _clear(folder: Path, kept: set[str]) -> None:
    """Remove the files of a task that its index entry does not list, and folders left empty."""
    for path in sorted(folder.rglob("*"), reverse=True):
        if path.is_dir() and not path.is_symlink():
            if not any(path.iterdir()):
                path.rmdir()
        elif path.relative_to(folder).as_posix() not in kept:
            path.unlink()


def _put(path: Path, data: bytes) -> None:
    """Write a file so that a reader sees the old bytes or the new ones, never a part."""
    if path.is_file() and not path.is_symlink() and path.read_bytes() == data:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".{path.name}.new")
    with fresh.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
