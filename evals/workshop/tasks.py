"""The tasks: a sentence with one example in it, and asserts of which only that example is shown.

Knows:    MBPP's form, and what a person would type.
Does not: run anything.
Source:   Austin et al. 2021, the sanitized part of MBPP; SOURCE.md beside the file has the licence.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import cast

FILE = "code-tasks/mbpp_prompts_tests.jsonl"


@dataclass(frozen=True)
class Task:
    """One task. sentence: what every way is given. asserts: what judges; the first is in the sentence."""

    id: str
    sentence: str
    asserts: tuple[str, ...]
    imports: tuple[str, ...]


def load(exams: Path) -> list[Task]:
    """Return the tasks in the order of the file; none where it is not there."""
    path = exams / FILE
    if not path.is_file():
        return []
    return [_task(json.loads(line)) for line in path.read_text("utf-8").splitlines() if line.strip()]


def _task(row: dict[str, object]) -> Task:
    asserts = tuple(str(each).strip() for each in _listed(row["test_list"]))
    example = asserts[0].removeprefix("assert").strip()
    imports = tuple(str(each) for each in _listed(row["test_imports"]))
    return Task(str(row["task_id"]), f"{row['prompt']} For example: {example}", asserts, imports)


def _listed(value: object) -> list[object]:
    return cast("list[object]", value) if isinstance(value, list) else []
