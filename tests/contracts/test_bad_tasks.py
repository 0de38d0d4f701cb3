"""Known-bad tasks stay rejected, and each problem says where it is and what to do."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from contracts.problems import BadContracts, Problem
from contracts.reading import read_task
from tests.contracts.task_files import GOOD, with_change

BAD: list[dict[str, Any]] = yaml.safe_load((Path(__file__).parent / "bad_tasks.yaml").read_text("utf-8"))


def problems_of(files: dict[str, bytes]) -> tuple[Problem, ...]:
    with pytest.raises(BadContracts) as refused:
        read_task("brands", files)
    return refused.value.problems


def line_of(text: str, bad: dict[str, Any]) -> int:
    """Return the line that must be named, 0 for the whole file."""
    if not bad["at"]:
        return 0
    lines = text.split("\n")
    begin = next(index for index, line in enumerate(lines) if bad.get("after", "") in line)
    return next(number for number, line in enumerate(lines[begin:], begin + 1) if bad["at"] in line)


def test_the_task_that_the_bad_ones_are_made_of_is_good():
    task = read_task("brands", GOOD)
    assert [each.name for each in task.functions] == [
        "brands_list",
        "brands_get",
        "brands_update",
        "brands_delete",
    ]
    assert (len(task.views), len(task.prompts), len(task.skills)) == (1, 1, 1)


@pytest.mark.parametrize("bad", BAD, ids=lambda bad: bad["name"])
def test_a_bad_task_is_rejected_at_its_line_and_field_with_a_remedy(bad: dict[str, Any]):
    path = bad.get("path", "functions.yaml")
    files = with_change(path, bad["old"], bad["new"] * bad.get("repeated", 1))
    line = line_of(files[path].decode(), bad)
    told = problems_of(files)
    assert any(
        (problem.file, problem.line, problem.field) == (f"brands/{path}", line, bad["field"])
        and bad["said"] in f"{problem.rule} {problem.remedy}"
        for problem in told
    ), "\n".join(map(str, told))
    assert all(problem.rule and problem.remedy for problem in told)


def test_every_problem_of_every_file_is_told_at_once():
    files = {
        **GOOD,
        "task.yaml": GOOD["task.yaml"].replace(b"title: Brands", b"titel: Brands"),
        "functions.yaml": GOOD["functions.yaml"]
        .replace(b"effect: read\n", b"effect: reads\n", 1)
        .replace(b"path: /brands/{brand_id}\n", b"path: //evil.example\n", 1)
        .replace(b"effect: destructive", b"effect: write"),
        "views.yaml": GOOD["views.yaml"].replace(b"label: Open it", b"label: no"),
        "prompts/tidy.md": b"no head",
        "notes.txt": b"",
    }
    told = [(problem.file, problem.field) for problem in problems_of(files)]
    assert told == [
        ("brands/functions.yaml", "functions[0].effect"),
        ("brands/functions.yaml", "functions[1].path"),
        ("brands/functions.yaml", "functions[1].params.properties.brand_id"),
        ("brands/functions.yaml", "functions[3].effect"),
        ("brands/notes.txt", ""),
        ("brands/prompts/tidy.md", ""),
        ("brands/task.yaml", "title"),
        ("brands/task.yaml", "titel"),
        ("brands/views.yaml", ""),
    ]


def test_a_problem_repeats_no_value_that_was_written():
    files = with_change("functions.yaml", "effect: read", "effect: sk_live_hunter2hunter2")
    assert "hunter2" not in "".join(map(str, problems_of(files)))


@pytest.mark.parametrize(
    "path",
    [
        "../x.md",
        "prompts/../task.yaml",
        "/etc/passwd",
        "prompts/A.md",
        "skills/x.md",
        "a\\b",
        "task.yml",
        "x.py",
    ],
)
def test_a_file_that_a_task_may_not_have_is_named(path: str):
    assert [problem.file for problem in problems_of({**GOOD, path: b""})] == [f"brands/{path}"]


@pytest.mark.parametrize("path", ["task.yaml", "functions.yaml"])
def test_a_file_that_a_task_must_have_is_missed(path: str):
    files = {name: data for name, data in GOOD.items() if name != path}
    assert any(each.file == f"brands/{path}" and "no such file" in each.rule for each in problems_of(files))
