"""Task folders on disk: the files of each, as bytes, with nothing that leads out of it.

Knows:    the names and sizes that a folder may have.
Does not: read what is in a file.   (reading.py)
"""

import os
from collections.abc import Mapping
from pathlib import Path

from common.text import visible
from contracts.problems import BadContracts, ContractsError, Problem
from contracts.yaml_text import MOST_BYTES

MOST_FILES = 200
MOST_TASK_BYTES = 4_000_000

_IGNORED = frozenset({".DS_Store", "Thumbs.db", "__pycache__"})


class NoFolder(ContractsError):
    """A folder that is not there."""


def task_folders(root: Path) -> list[Path]:
    """Return the task folders below a folder, by name; those that begin with `_` or `.` are no tasks.

    Raises: NoFolder.
    """
    if not root.is_dir():
        raise NoFolder(f"There is no folder {root}. Name one that holds task folders, as tasks/ does.")
    return sorted(each for each in root.iterdir() if each.is_dir() and each.name[0] not in "_.")


def files_of(folder: Path) -> dict[str, bytes]:
    """Return the files of a task folder: path inside it -> bytes.

    Raises: BadContracts for links, special files, and too many or too large ones.
    """
    if folder.is_symlink() or not folder.is_dir():
        raise BadContracts([Problem(folder.name, 0, "", "It is no folder.", "Name a task's own folder.")])
    found: dict[str, bytes] = {}
    problems: list[Problem] = []
    for path in sorted(_walk(folder)):
        inside = path.relative_to(folder).as_posix()
        shown = visible(f"{folder.name}/{inside}")
        if path.is_symlink() or not path.is_file():
            problems.append(
                Problem(shown, 0, "", "It is a link or no plain file.", "Put the file itself there.")
            )
        elif path.stat().st_size > MOST_BYTES:
            problems.append(Problem(shown, 0, "", f"It is larger than {MOST_BYTES} bytes.", "Split it."))
        else:
            found[inside] = path.read_bytes()
        if len(found) > MOST_FILES:
            break  # what is too many is told where they are counted
    problems += too_many(folder.name, found) if not problems else []
    if problems:
        raise BadContracts(problems)
    return found


def too_many(name: str, files: Mapping[str, bytes]) -> list[Problem]:
    """Return what is wrong with the number and the size of a task's files."""
    problems: list[Problem] = []
    if len(files) > MOST_FILES:
        problems.append(Problem(name, 0, "", f"It has more than {MOST_FILES} files.", "Split the task."))
    if (total := sum(map(len, files.values()))) > MOST_TASK_BYTES:
        told = f"Its files have {total} bytes, and {MOST_TASK_BYTES} are allowed."
        problems.append(Problem(name, 0, "", told, "Split the task."))
    return problems


def _walk(folder: Path) -> list[Path]:
    """Return every entry that is no plain folder. A link to a folder is an entry, and is not followed."""
    found: list[Path] = []
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name in _IGNORED:
                continue
            if entry.is_dir(follow_symlinks=False):
                found += _walk(Path(entry.path))
            else:
                found.append(Path(entry.path))
    return found
