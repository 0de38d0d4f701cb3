"""Pinning: task folders become the registry, whole and all at once.

Knows:    what is written, and in which order, so that a crash between leaves the old registry.
Does not: serve.   (registry.py)
Order:    new bytes are staged, then the index is replaced, then they are moved to their places and what is
          listed no more is removed. A crash before the index leaves the old registry, one after it the new:
          the reader takes a file that is not in its place from the stage. Writers take turns by a lock.
"""

import fcntl
import os
import shutil
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from common.version import VERSION
from contracts.folders import NoFolder, files_of, task_folders
from contracts.names import taken_twice
from contracts.pins import (
    INDEX,
    STAGED,
    TASKS,
    Index,
    NoRegistry,
    PinnedTask,
    index_bytes,
    pin_of,
    read_index,
)
from contracts.problems import BadContracts, ContractsError, Problem
from contracts.reading import read_task, reading_many
from contracts.registry import pinned_task
from contracts.task import Task


class AlreadyThere(ContractsError):
    """A task of that name is installed."""


class WouldRemove(ContractsError):
    """A build that would remove a task which was installed in another way."""


_BUILD = "python -m contracts build"


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
    with reading_many():
        for folder in task_folders(root):
            try:
                tasks[folder.name] = read_task(folder.name, files_of(folder))
            except BadContracts as error:
                problems += error.problems
    if problems := [*problems, *taken_twice(tasks.values())]:
        raise BadContracts(problems)
    return tasks


def build(root: Path, registry: Path, *, remove: bool = False) -> Built:
    """Pin every task below a folder; the registry then lists these and no others.

    The same files make the same bytes, and what is pinned already keeps its provenance. remove: whether
    tasks go that were not pinned by a build, and so may stand nowhere else.
    Raises: BadContracts, NoFolder, WouldRemove, OSError; nothing is written then.
    """
    tasks = read_folders(root)
    if not tasks:
        raise NoFolder(
            f"The folder {root} holds no task, so that nothing would be served. Name another folder."
        )
    with _locked(registry):
        old = _index_or_none(registry)
        before = old.tasks if old else {}
        sent = [name for name, pin in before.items() if name not in tasks and not pin.by.startswith(_BUILD)]
        if sent and not remove:
            raise WouldRemove(
                f"{', '.join(sent)} was installed while a server ran, and {root} does not hold it. "
                f"Save its files there ({registry / TASKS} has them), or add --remove."
            )
        pins = {
            name: _pinned_anew(task, _BUILD, root.resolve().name, before.get(name))
            for name, task in tasks.items()
        }
        _write(registry, old, pins, {name: task.files for name, task in tasks.items()})
        _remove_strangers(registry, pins)
    return Built(
        tuple(tasks.values()),
        added=tuple(name for name in pins if name not in before),
        changed=tuple(name for name in pins if name in before and before[name].files != pins[name].files),
        removed=tuple(name for name in before if name not in pins),
        same=tuple(name for name in pins if name in before and before[name].files == pins[name].files),
    )


def install(registry: Path, name: str, files: Mapping[str, bytes], *, replace: bool, by: str) -> Task:
    """Pin one task more, or in the place of one.

    Raises: BadContracts, also where a full name is taken by another task; AlreadyThere, NoRegistry.
    """
    task = read_task(name, files)
    with _locked(registry):
        old = read_index(registry)
        if name in old.tasks and not replace:
            raise AlreadyThere(f"The task {name} is installed. Say replace, or give it another name.")
        if taken := taken_twice([*_near(registry, old, name), task]):
            raise BadContracts(taken)
        pins = {**old.tasks, name: pin_of(task.files, _by(by), "sent")}
        _write(registry, old, pins, {name: task.files})
    return task


def _near(registry: Path, index: Index, name: str) -> list[Task]:
    """Return the tasks that could have a full name in common with one: those whose name goes on from it."""
    near = [each for each in index.tasks if f"{each}_".startswith(f"{name}_") or name.startswith(f"{each}_")]
    return [pinned_task(registry, each, index.tasks[each]) for each in near if each != name]


def uninstall(registry: Path, name: str) -> None:
    """Remove one task.  Raises: NotThere, NoRegistry."""
    with _locked(registry):
        old = read_index(registry)
        if name not in old.tasks:
            raise NotThere("No task of that name is installed. List them to see which are.")
        _write(registry, old, {each: pin for each, pin in old.tasks.items() if each != name}, {})


def _by(who: str) -> str:
    return f"{who[:100]}, ShopKart {VERSION}"


def _pinned_anew(task: Task, who: str, origin: str, before: PinnedTask | None) -> PinnedTask:
    pin = pin_of(task.files, _by(who), origin[:100])
    same = before is not None and (before.files, before.origin) == (pin.files, pin.origin)
    return before if before and same else pin


def _index_or_none(registry: Path) -> Index | None:
    try:
        return read_index(registry)
    except NoRegistry:
        return None


@contextmanager
def _locked(registry: Path) -> Generator[None]:
    """Hold the registry's folder against other writers."""
    registry.mkdir(parents=True, exist_ok=True)
    handle = os.open(registry, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _write(
    registry: Path, old: Index | None, pins: Mapping[str, PinnedTask], new: Mapping[str, Mapping[str, bytes]]
) -> None:
    """Make the registry list these pins. new: the files of the tasks that are not all in their places."""
    for each in (TASKS, STAGED):
        if (registry / each).is_symlink():  # what it leads to is not ours to write or to remove
            (registry / each).unlink()
    _settle(registry, old.tasks if old else {}, ())
    for name, files in new.items():
        for path, data in files.items():
            if not _holds(registry / TASKS / name / path, data):
                _put(registry / STAGED / name / path, data)
    _put(registry / INDEX, index_bytes(pins))
    removed = [name for name in (old.tasks if old else {}) if name not in pins]
    _settle(registry, pins, removed, set(new))


def _remove_strangers(registry: Path, pins: Mapping[str, PinnedTask]) -> None:
    """Remove what stands among the tasks and is not listed: a build leaves what it pinned, and no more."""
    root = registry / TASKS
    for path in root.iterdir() if root.is_dir() else ():
        if path.name not in pins:
            _remove(path)


def _settle(
    registry: Path, pins: Mapping[str, PinnedTask], removed: Iterable[str], changed: Iterable[str] = ()
) -> None:
    """Move what was staged to its place, and remove what is listed no more."""
    staged = registry / STAGED
    for name, pin in pins.items():
        for path, pinned in pin.files.items():
            waiting, place = staged / name / path, registry / TASKS / name / path
            if waiting.is_file() and pinned.is_of(waiting.read_bytes()):
                _folder(place.parent, below=registry)
                if place.is_dir() and not place.is_symlink():
                    _remove(place)
                waiting.replace(place)
    for name in removed:
        _remove(registry / TASKS / name)
    for name in changed:
        _clear(registry / TASKS / name, set(pins[name].files))
    _remove(staged)


def _folder(folder: Path, below: Path) -> None:
    """Make a folder, each step a plain one: a link or a file in its way is removed, never followed."""
    step = below
    for part in folder.relative_to(below).parts:
        step = step / part
        if step.is_symlink() or not step.is_dir():
            _remove(step)
            step.mkdir()


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    elif path.is_symlink() or path.exists():
        path.unlink()


def _clear(folder: Path, kept: set[str]) -> None:
    """Remove the files of a task that its index entry does not list, and folders left empty."""
    for root, folders, files in os.walk(folder, topdown=False):
        here = Path(root)
        for name in (*files, *(each for each in folders if (here / each).is_symlink())):
            if (here / name).relative_to(folder).as_posix() not in kept:
                (here / name).unlink()
        if not any(here.iterdir()):
            here.rmdir()


def _holds(path: Path, data: bytes) -> bool:
    plain = path.is_file() and not any(each.is_symlink() for each in (path, *list(path.parents)[:3]))
    return plain and path.read_bytes() == data


def _put(path: Path, data: bytes) -> None:
    """Write a file so that a reader sees the old bytes or the new ones, never a part."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".{path.name}.new")
    _remove(fresh)
    with fresh.open("xb") as file:  # anew: a link left in its place is not written through
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
