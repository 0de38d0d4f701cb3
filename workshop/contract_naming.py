"""A task's name and folder: free among the tasks that there are and among the projects.

Knows:    the words of operations, and the folders on disk.
Does not: write a file, or read a task further than which requests it makes.
"""

import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

import yaml as _untyped

from workshop.contract_operations import Operation

_yaml = cast(Any, _untyped)
_MOST = 24
"""Characters of a task's name, as the importer has it: room is left for the functions' names."""


def existing_tasks(folder: Path) -> list[Path]:
    """Return the task folders that there are, by name."""
    found = (each for each in folder.glob("*") if (each / "task.yaml").is_file())
    return sorted(each for each in found if not each.name.startswith("_"))


def name_for(chosen: Sequence[Operation], projects: Path, existing: Sequence[Path]) -> str:
    """Return a name for a task of these operations that neither a task nor a project has."""
    taken = {each.name for each in existing}
    taken |= {each.name for each in projects.glob("*")}
    things = list(dict.fromkeys(_thing_of(each.path) for each in chosen))
    wanted = "_and_".join(things[:2])[:_MOST].strip("_")
    candidates = [wanted]
    if len(chosen) == 1:
        candidates.append("_".join(_words(chosen[0].name)[1:])[:_MOST].strip("_"))
    candidates.append(f"shop_{wanted}"[:_MOST].strip("_"))
    free = next((each for each in candidates if each and each not in taken), "")
    number = 2
    while not free or free in taken:
        free, number = f"{wanted[: _MOST - 4].rstrip('_')}_{number}", number + 1
    return free


def begun(projects: Path, name: str) -> Path:
    """Make the folder of a project, and return it; one that came meanwhile stays as it is.

    A task's folder bears the task's name, so a number stands in a folder around it.
    """
    projects.mkdir(parents=True, exist_ok=True)
    place, number = projects / name, 2
    while True:
        try:
            place.mkdir(parents=True)
        except FileExistsError:
            place, number = projects / f"{name}-{number}" / name, number + 1
        else:
            return place


def who_has(operation: Operation, existing: Sequence[Path]) -> list[str]:
    """Return the functions of the tasks that there are which make the same request."""
    found: list[str] = []
    for folder in existing:
        with suppress(OSError, ValueError, KeyError, TypeError, _yaml.YAMLError):
            said = _yaml.safe_load((folder / "functions.yaml").read_text(encoding="utf-8"))
            same = (
                each
                for each in said["functions"]
                if (each["method"], _bare(each["path"])) == (operation.method, _bare(operation.path))
            )
            found += [f"{folder.name}_{each['name']}" for each in same]
    return found


def _bare(path: str) -> str:
    return re.sub(r"\{[^{}]*\}", "{}", path)


def _thing_of(path: str) -> str:
    parts = [part for part in path.strip("/").split("/") if part and "{" not in part]
    words = _words(parts[0]) if parts else []
    return "_".join(words) or "task"


def _words(name: str) -> list[str]:
    plain = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
    words = re.findall(r"[a-z0-9]+", plain)
    return words if words and words[0][0].isalpha() else ["task", *words]
