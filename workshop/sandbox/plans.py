"""The plan of a run: what the launcher is told.

Knows:    the fields of the plan, the environment of a program, and which paths can be laid in.
Does not: start the launcher.   (launching.py)
"""

import dataclasses
import json
import os
import platform
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from workshop.sandbox.shown import python_of, shown
from workshop.sandbox.terms import Limits

FOLDER = "/project"
"""The working folder, as an isolated run sees it."""
_NAME_BYTES, _PATH_BYTES = 255, 3_000
_OTHER_RUNS = 500


@dataclass(frozen=True, slots=True)
class Job:
    """What Sandbox.run is asked for."""

    files: Mapping[str, str]
    command: Sequence[str]
    limits: Limits
    stdin: bytes = b""
    venv: Path | None = None
    fixed: Mapping[str, str] = field(default_factory=dict[str, str])

    def __post_init__(self) -> None:
        kept = {_top(path) for path in self.fixed}
        for path in [*self.files, *self.fixed]:
            _check(path)
            if path in self.files and _top(path) in kept:
                raise ValueError(
                    f"{path!r} cannot be laid in: {_top(path)!r} is for files that do not change"
                )
        self._check_together()

    def _check_together(self) -> None:
        texts = {**self.files, **self.fixed}
        for path in texts:
            above = next(
                (str(folder) for folder in PurePosixPath(path).parents if str(folder) in texts), None
            )
            if above is not None:
                raise ValueError(
                    f"{path!r} cannot be laid in: {above!r} is a file, and would be a folder too"
                )
        size = sum(len(text.encode("utf-8", "surrogatepass")) for text in texts.values())
        if size > self.limits.disk_mb * 2**20:
            raise ValueError(f"The files have {size} bytes together; a run can hold {self.limits.disk_mb} MB")


def _top(path: str) -> str:
    return path.partition("/")[0]


def _check(path: str) -> None:
    pure = PurePosixPath(path)
    if pure.is_absolute() or ".." in pure.parts or str(pure) != path or path == "." or "\0" in path:
        raise ValueError(f"{path!r} is no path inside the working folder: write it relative, without '..'")
    names = path.encode("utf-8").split(b"/")  # UnicodeEncodeError is a ValueError, and names the character
    if max(map(len, names)) > _NAME_BYTES or sum(map(len, names)) > _PATH_BYTES:
        raise ValueError(f"{path[:80]!r}… cannot be laid in: it is too long for a path")


def plan(job: Job, way: str, folder: str) -> dict[str, Any]:
    """Return the plan of a job. Raises: ValueError for a venv that cannot be shown."""
    seen = shown(job.venv) if way == "namespaces" else None
    python = seen.python if seen else str(python_of(job.venv)) if job.venv else sys.executable
    return {
        "way": way,
        "parent": os.getpid(),
        "shown": seen.folders if seen else (),
        "links": seen.links if seen else (),
        "folder": folder,
        "files": dict(job.files),
        "fixed": dict(job.fixed),
        "stdin": job.stdin.decode("latin-1"),
        "command": [part.replace("{python}", python) for part in job.command],
        "environment": environment(python, folder, "/tmp" if way != "bare" else folder),
        "limits": dataclasses.asdict(job.limits) | {"threads": job.limits.processes + _counted_too(way)},
    }


def as_json(made: Mapping[str, Any]) -> bytes:
    """Return the plan as the launcher reads it."""
    return json.dumps(made).encode("ascii")


def environment(python: str, folder: str, temporary: str) -> dict[str, str]:
    """Return all that a program finds in its environment: nothing of ours."""
    return {
        "PATH": f"{os.path.dirname(python)}:/usr/local/bin:/usr/bin:/bin",
        "HOME": folder,
        "TMPDIR": temporary,
        "LANG": "C.UTF-8",
        "TZ": "UTC",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONHASHSEED": "0",  # a test that passes once passes again
        "PYTHONUTF8": "1",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    }


def _counted_too(way: str) -> int:
    """Return how many threads the kernel counts besides the run's own when it holds it to a number.

    Where it counts all that a user has, the other runs of the moment are among them.
    """
    if way != "bare" and (os.geteuid() == 0 or _release() >= (5, 14)):
        return 0
    return sum(map(_threads, Path("/proc").glob("[0-9]*"))) + _OTHER_RUNS


def _release() -> tuple[int, ...]:
    """Return the kernel's release; from 5.14 it counts processes for each user namespace."""
    return tuple(map(int, re.findall(r"\d+", platform.release())[:2]))


def _threads(process: Path) -> int:
    try:
        if process.stat().st_uid != os.geteuid():
            return 0
        return int((process / "stat").read_bytes().rpartition(b")")[2].split()[17])
    except (OSError, IndexError):
        return 0  # it has ended
