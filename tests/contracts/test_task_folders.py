"""A task's folder is read as plain files that stay inside it; anything else is named."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from contracts.folders import MOST_FILES, NoFolder, files_of, task_folders
from contracts.problems import BadContracts
from contracts.yaml_text import MOST_BYTES
from tests.contracts.task_files import GOOD, write_task


@pytest.fixture
def brands(tmp_path: Path) -> Path:
    return write_task(tmp_path / "tasks", "brands")


def told(folder: Path) -> list[str]:
    with pytest.raises(BadContracts) as refused:
        files_of(folder)
    return [problem.file for problem in refused.value.problems]


def test_the_files_are_read_as_they_are(brands: Path):
    assert files_of(brands) == dict(GOOD)


def test_what_an_operating_system_leaves_behind_is_passed_over(brands: Path):
    (brands / ".DS_Store").write_bytes(b"x")
    assert files_of(brands) == dict(GOOD)


def link_out(folder: Path) -> str:
    (folder / "prompts" / "more.md").symlink_to("/etc/hostname")
    return "brands/prompts/more.md"


def link_to_a_folder(folder: Path) -> str:
    (folder / "skills" / "more").symlink_to(folder.parent, target_is_directory=True)
    return "brands/skills/more"


def link_to_nothing(folder: Path) -> str:
    (folder / "views.yaml").unlink()
    (folder / "views.yaml").symlink_to("nothing")
    return "brands/views.yaml"


def pipe(folder: Path) -> str:
    os.mkfifo(folder / "prompts" / "pipe.md")
    return "brands/prompts/pipe.md"


def huge(folder: Path) -> str:
    with (folder / "README.md").open("wb") as file:
        file.truncate(MOST_BYTES + 1)
    return "brands/README.md"


def many(folder: Path) -> str:
    for number in range(MOST_FILES):
        (folder / "prompts" / f"p{number}.md").touch()
    return "brands"


@pytest.mark.parametrize("harm", [link_out, link_to_a_folder, link_to_nothing, pipe, huge, many])
def test_what_is_no_plain_file_of_the_task_is_named(brands: Path, harm: Callable[[Path], str]):
    name = harm(brands)
    assert told(brands) == [name]


def test_a_link_to_a_task_is_no_task(brands: Path):
    (brands.parent / "shades").symlink_to(brands, target_is_directory=True)
    assert told(brands.parent / "shades") == ["shades"]


def test_tasks_are_listed_by_name_without_hidden_folders_templates_and_files(brands: Path):
    for name in ("_template", ".git", "apples"):
        (brands.parent / name).mkdir()
    (brands.parent / "README.md").touch()
    assert [folder.name for folder in task_folders(brands.parent)] == ["apples", "brands"]
    with pytest.raises(NoFolder, match="none"):
        task_folders(brands.parent / "none")
