"""The registry: what was approved, as an index with a sha256 of every file, and the files beside it.

Knows:    the layout, and how a file is told from the one that was approved.
Does not: judge a contract: build() refuses what reading.py refuses. (pinning.py writes; pins.py: the index)
Layout:   registry/registry.json and registry/tasks/TASK/…, copies of the files.
Rule:     approved means listed in the index and equal to it, byte by byte. A task with one file that is not
          is refused whole and by name; the other tasks are served.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from common.text import visible
from contracts.catalog import Catalog
from contracts.folders import files_of, task_folders
from contracts.names import taken_twice
from contracts.pins import (
    INDEX,
    STAGED,
    TASKS,
    Index,
    NoRegistry,
    NotPlain,
    Pinned,
    PinnedTask,
    plain_bytes,
    read_index,
    why,
)
from contracts.problems import BadContracts, Problem
from contracts.reading import may_stand, read_task, reading_many
from contracts.task import Task, digest_of
from contracts.yaml_text import MOST_BYTES

__all__ = ["Folder", "Loaded", "NoRegistry", "Registry", "Source", "pinned_task", "read_index"]

_TRIES = 3
"""A registry that is written while it is read is read again, so often."""

Stamp = tuple[Any, ...]


@dataclass(frozen=True)
class Loaded:
    """What may be served, and why the rest may not."""

    catalog: Catalog
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True)
class _Known:
    """A task as it was read. stamp: the facts of its folder then; task: None where it was refused."""

    pinned: PinnedTask
    stamp: Stamp
    task: Task | None
    problems: tuple[Problem, ...] = ()


@dataclass
class Registry:
    """A registry on disk. Loading again reads only the tasks whose index entries or files have changed."""

    path: Path
    _stamp: Stamp = ()
    _known: dict[str, _Known] = field(default_factory=dict[str, _Known])

    def changed(self) -> bool:
        """Say whether the index, or a file that was refused, is another than when it was loaded."""
        return _facts(self.path / INDEX) != self._stamp or any(
            each.task is None and _tree(self.path / TASKS / name) != each.stamp
            for name, each in self._known.items()
        )

    def load(self) -> Loaded:
        """Return what may be served.  Raises: NoRegistry."""
        loaded = self._load()
        for _ in range(_TRIES):
            if not self.changed():
                break
            loaded = self._load()
        return loaded

    def _load(self) -> Loaded:
        stamp = _facts(self.path / INDEX)
        index = read_index(self.path)
        with reading_many():
            self._known = {name: self._read(name, pinned) for name, pinned in index.tasks.items()}
        self._stamp = stamp
        return self._loaded(index)

    def _read(self, name: str, pinned: PinnedTask) -> _Known:
        known, stamp = self._known.get(name), _tree(self.path / TASKS / name)
        if known and (known.pinned, known.stamp) == (pinned, stamp):
            return known
        try:
            return _Known(pinned, stamp, pinned_task(self.path, name, pinned))
        except BadContracts as error:
            return _Known(pinned, stamp, None, error.problems)

    def _loaded(self, index: Index) -> Loaded:
        problems = [*_strangers(self.path, index)]
        for each in self._known.values():
            problems += each.problems
        tasks = [each.task for each in self._known.values() if each.task]
        return _served(tasks, problems, approved=True, source=f"the registry {self.path.name}")


def _served(tasks: list[Task], problems: list[Problem], *, approved: bool, source: str) -> Loaded:
    """Return the catalog of the tasks; of two with a full name in common the later one is refused."""
    taken = taken_twice(tasks)
    refused = {problem.file.partition("/")[0] for problem in taken}
    kept = sorted((task for task in tasks if task.name not in refused), key=lambda task: task.name)
    return Loaded(Catalog(tuple(kept), approved, source), (*problems, *taken))


def pinned_task(registry: Path, name: str, pinned: PinnedTask) -> Task:
    """Return a task of which each file is the one that was approved.  Raises: BadContracts."""
    folder = registry / TASKS / name
    problems: list[Problem] = []
    found: dict[str, bytes] = {}
    if folder.parent.is_symlink() or folder.is_symlink():
        problems.append(_refused(name, "", "the folder is a link"))
    settled = not (registry / STAGED).exists()
    for path, expected in sorted(pinned.files.items()):
        told = _approved(registry, name, path, expected, found)
        if told:
            problems.append(_refused(name, path, told))
    if settled:  # while a writer moves files, what is listed no more may still be there; it is not read
        strangers = sorted(_present(folder) - set(pinned.files))
        problems += [_refused(name, path, "it is not listed in the index") for path in strangers]
    if problems:
        raise BadContracts(problems)
    return read_task(name, found)


def _approved(registry: Path, name: str, path: str, expected: Pinned, found: dict[str, bytes]) -> str:
    """Put an approved file's bytes into `found`, from its place or the stage; return why not, or nothing."""
    if not may_stand(path):
        return "a task has no such file"
    told = ""
    for folder in (TASKS, STAGED, TASKS):  # again at its place: it may have been moved there meanwhile
        place = registry / folder / name / path
        refused = _not_approved(place, expected, path, found)
        if not refused:
            return ""
        told = told or refused
    return told


def _not_approved(place: Path, expected: Pinned, path: str, found: dict[str, bytes]) -> str:
    if any(each.is_symlink() for each in (place.parent, place.parent.parent)):
        return "its folder is a link"
    try:
        data = plain_bytes(place, MOST_BYTES)
    except FileNotFoundError:
        return "it is missing"
    except (OSError, NotPlain) as error:
        return why(error).lower()
    if not expected.is_of(data):
        return "it is not the file that was approved"
    found[path] = data
    return ""


def _strangers(registry: Path, index: Index) -> list[Problem]:
    """Return the task folders that the index does not list: they were never approved."""
    root = registry / TASKS
    if (registry / STAGED).exists() or not root.is_dir():
        return []
    names = {each.name for each in root.iterdir()}
    return [_refused(name, "", "it is not listed in the index") for name in sorted(names - set(index.tasks))]


def _present(folder: Path) -> set[str]:
    found: set[str] = set()
    for root, folders, files in os.walk(folder):
        here = Path(root).relative_to(folder)
        links = [name for name in folders if (Path(root) / name).is_symlink()]
        found |= {(here / name).as_posix() for name in (*files, *links)}
    return found


def _refused(name: str, path: str, why: str) -> Problem:
    shown = visible(f"{TASKS}/{name}/{path}".rstrip("/"))  # whoever put a file there chose its name
    return Problem(
        shown,
        0,
        "",
        f"Refused: {why}.",
        "Put back what was approved, or approve anew with `python -m contracts build`.",
    )


def _facts(path: Path | os.DirEntry[str]) -> Stamp:
    """Return what shows that a file is another; ctime too, because a writer can set the other times."""
    try:
        facts = path.lstat() if isinstance(path, Path) else path.stat(follow_symlinks=False)
    except OSError:
        return (0,)
    return (facts.st_mtime_ns, facts.st_ctime_ns, facts.st_size, facts.st_ino)


def _tree(folder: Path | str) -> Stamp:
    """Return the facts of everything in a folder; links are not followed."""
    found: list[Stamp] = []
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                found.append((entry.name, *_facts(entry)))
                if entry.is_dir(follow_symlinks=False):
                    found.append(_tree(entry.path))
    except OSError:
        return (0,)
    return tuple(sorted(found, key=repr))


@dataclass
class Folder:
    """A bare folder of tasks that nobody approved. All that is served from it says so."""

    path: Path
    _stamp: Stamp = ()
    _tasks: dict[str, Task] = field(default_factory=dict[str, Task])

    def changed(self) -> bool:
        """Say whether any file is another than when it was loaded."""
        return _tree(self.path) != self._stamp

    def load(self) -> Loaded:
        """Return what can be served.  Raises: NoFolder."""
        stamp = _tree(self.path)
        problems: list[Problem] = []
        tasks: dict[str, Task] = {}
        with reading_many():
            for folder in task_folders(self.path):
                try:
                    tasks[folder.name] = self._read(folder.name, files_of(folder))
                except BadContracts as error:
                    problems += error.problems
        self._stamp, self._tasks = stamp, tasks
        source = f"the folder {self.path.name}, which nobody approved"
        return _served(list(tasks.values()), problems, approved=False, source=source)

    def _read(self, name: str, files: Mapping[str, bytes]) -> Task:
        known = self._tasks.get(name)
        return known if known and known.digest == digest_of(files) else read_task(name, files)


Source = Registry | Folder
