"""The registry: what was approved, as an index with a sha256 of every file, and the files beside it.

Knows:    the layout, and how a file is told from the one that was approved.
Does not: judge a contract: build() refuses what reading.py refuses.   (pinning.py writes)
Layout:   registry/registry.json and registry/tasks/TASK/…, copies of the files.
Rule:     approved means listed in the index and equal to it, byte by byte. A task with one file that is not
          is refused whole and by name; the other tasks are served.
"""

import hashlib
import json
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from contracts.catalog import Catalog
from contracts.contract import Name
from contracts.folders import files_of, task_folders
from contracts.problems import BadContracts, ContractsError, Problem
from contracts.reading import may_stand, read_task
from contracts.task import Task, digest_of
from contracts.yaml_text import MOST_BYTES

INDEX = "registry.json"
TASKS = "tasks"
FORMAT = 1
_MOST_INDEX_BYTES = 32_000_000


class NoRegistry(ContractsError):
    """There is no registry, or its index cannot be read: nothing was approved."""


class Pinned(BaseModel):
    """One file of the index."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    bytes: Annotated[int, Field(ge=0, le=MOST_BYTES)]


class PinnedTask(BaseModel):
    """One task of the index. by: what it was pinned with; origin: from where."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    by: Annotated[str, Field(max_length=200)]
    origin: Annotated[str, Field(max_length=200)]
    files: dict[str, Pinned]


class Index(BaseModel):
    """registry.json."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    format: Annotated[int, Field(ge=FORMAT, le=FORMAT)]
    tasks: dict[Name, PinnedTask]


@dataclass(frozen=True)
class Loaded:
    """What may be served, and why the rest may not."""

    catalog: Catalog
    problems: tuple[Problem, ...] = ()


def read_index(registry: Path) -> Index:
    """Return the index.  Raises: NoRegistry."""
    path = registry / INDEX
    make = "Pin the tasks with `python -m contracts build`."
    try:
        data = _plain_bytes(path, _MOST_INDEX_BYTES)
    except (OSError, _NotPlain) as error:
        raise NoRegistry(f"There is no registry at {registry} ({_why(error)}). {make}") from None
    try:
        return Index.model_validate(json.loads(data, object_pairs_hook=_once))
    except (ValueError, RecursionError) as error:
        why = (
            f"{len(error.errors())} of its fields are wrong"
            if isinstance(error, ValidationError)
            else str(error)[:120]
        )
        raise NoRegistry(f"{path} cannot be used: {why}. {make}") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        raise ValueError("a name stands in it twice")
    return made


class _NotPlain(Exception):
    """A file that is a link, no file, or too large."""


def _plain_bytes(path: Path, most: int) -> bytes:
    """Return a plain file's bytes; a link is not followed.  Raises: OSError, _NotPlain."""
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    with os.fdopen(handle, "rb") as file:
        facts = os.fstat(file.fileno())
        if not stat.S_ISREG(facts.st_mode):
            raise _NotPlain("it is no plain file")
        if facts.st_size > most:
            raise _NotPlain(f"it is larger than {most} bytes")
        return file.read(most + 1)


def _why(error: Exception) -> str:
    return (error.strerror or "it cannot be read") if isinstance(error, OSError) else str(error)


@dataclass
class Registry:
    """A registry on disk. Loading again reads only the tasks whose index entries or files have changed."""

    path: Path
    _stamp: tuple[int, ...] = ()
    _tasks: dict[str, tuple[PinnedTask, Task]] = field(default_factory=dict[str, tuple[PinnedTask, Task]])

    def changed(self) -> bool:
        """Say whether the index is another than the one that was loaded last; one look at its facts."""
        return _stamp_of(self.path / INDEX) != self._stamp

    def load(self) -> Loaded:
        """Return what may be served.  Raises: NoRegistry."""
        stamp = _stamp_of(self.path / INDEX)
        index = read_index(self.path)
        problems: list[Problem] = [*self._strangers(index)]
        tasks: dict[str, tuple[PinnedTask, Task]] = {}
        for name, pinned in sorted(index.tasks.items()):
            known = self._tasks.get(name)
            if known and known[0] == pinned:
                tasks[name] = known
                continue
            try:
                tasks[name] = (pinned, read_task(name, self._verified(name, pinned)))
            except BadContracts as error:
                problems += error.problems
        self._stamp, self._tasks = stamp, tasks
        catalog = Catalog(tuple(task for _, task in tasks.values()), True, f"the registry {self.path.name}")
        return Loaded(catalog, tuple(problems))

    def _verified(self, name: str, pinned: PinnedTask) -> Mapping[str, bytes]:
        """Return a task's files where each is the one that was approved.  Raises: BadContracts."""
        folder = self.path / TASKS / name
        problems: list[Problem] = []
        found: dict[str, bytes] = {}
        if (folder.parent).is_symlink() or folder.is_symlink():
            problems.append(_refused(name, "", "the folder is a link"))
        for path, expected in sorted(pinned.files.items()):
            if problem := self._file(name, path, expected, found):
                problems.append(problem)
        strangers = sorted(_present(folder) - set(pinned.files))
        problems += [_refused(name, path, "it is not listed in the index") for path in strangers]
        if problems:
            raise BadContracts(problems)
        return found

    def _file(self, name: str, path: str, expected: Pinned, found: dict[str, bytes]) -> Problem | None:
        if not may_stand(path) or ".." in PurePosixPath(path).parts:
            return _refused(name, path, "a task has no such file")
        place = self.path / TASKS / name / path
        if any(each.is_symlink() for each in (place.parent, place.parent.parent)):
            return _refused(name, path, "its folder is a link")
        try:
            data = _plain_bytes(place, MOST_BYTES)
        except FileNotFoundError:
            return _refused(name, path, "it is missing")
        except (OSError, _NotPlain) as error:
            return _refused(name, path, _why(error).lower())
        if len(data) != expected.bytes or hashlib.sha256(data).hexdigest() != expected.sha256:
            return _refused(name, path, "it is not the file that was approved")
        found[path] = data
        return None

    def _strangers(self, index: Index) -> list[Problem]:
        """Return the task folders that the index does not list: they were never approved."""
        root = self.path / TASKS
        names = {each.name for each in root.iterdir()} if root.is_dir() else set[str]()
        return [
            _refused(name, "", "it is not listed in the index") for name in sorted(names - set(index.tasks))
        ]


def _present(folder: Path) -> set[str]:
    found: set[str] = set()
    for root, folders, files in os.walk(folder):
        here = Path(root).relative_to(folder)
        links = [name for name in folders if (Path(root) / name).is_symlink()]
        found |= {(here / name).as_posix() for name in (*files, *links)}
    return found


def _refused(name: str, path: str, why: str) -> Problem:
    shown = f"{TASKS}/{name}/{path}".rstrip("/")
    return Problem(
        shown,
        0,
        "",
        f"Refused: {why}.",
        "Put back what was approved, or approve anew with `python -m contracts build`.",
    )


def _stamp_of(path: Path) -> tuple[int, ...]:
    try:
        facts = path.lstat()
    except OSError:
        return (0,)
    return (facts.st_mtime_ns, facts.st_size, facts.st_ino)


@dataclass
class Folder:
    """A bare folder of tasks that nobody approved. All that is served from it says so."""

    path: Path
    _stamp: tuple[Any, ...] = ()
    _tasks: dict[str, Task] = field(default_factory=dict[str, Task])

    def changed(self) -> bool:
        """Say whether any file is another than when it was loaded."""
        return self._look() != self._stamp

    def load(self) -> Loaded:
        """Return what can be served.  Raises: NoFolder."""
        stamp = self._look()
        problems: list[Problem] = []
        tasks: dict[str, Task] = {}
        for folder in task_folders(self.path):
            try:
                files = files_of(folder)
                known = self._tasks.get(folder.name)
                same = known is not None and known.digest == digest_of(files)
                tasks[folder.name] = known if known and same else read_task(folder.name, files)
            except BadContracts as error:
                problems += error.problems
        self._stamp, self._tasks = stamp, tasks
        catalog = Catalog(tuple(tasks.values()), False, f"the folder {self.path.name}, which nobody approved")
        return Loaded(catalog, tuple(problems))

    def _look(self) -> tuple[Any, ...]:
        found: list[Any] = []
        for root, _, files in os.walk(self.path):
            found += [(root, name, *_stamp_of(Path(root) / name)) for name in sorted(files)]
        return tuple(sorted(found))


Source = Registry | Folder
