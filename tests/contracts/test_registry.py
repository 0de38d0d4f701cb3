"""The registry serves what was approved, byte by byte, and names what was not."""

import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts.pinning import build
from contracts.pins import index_bytes, pin_of, read_index
from contracts.registry import Folder, Loaded, NoRegistry, Registry
from tests.contracts.task_files import GOOD, write_task

FILES = sorted(GOOD)


@pytest.fixture
def registry(tmp_path: Path) -> Path:
    """A registry of two tasks: brands and colours."""
    write_task(tmp_path / "tasks", "brands")
    write_task(tmp_path / "tasks", "colours")
    build(tmp_path / "tasks", tmp_path / "registry")
    return tmp_path / "registry"


def served(registry: Path) -> list[str]:
    return [task.name for task in Registry(registry).load().catalog.tasks]


def refused(registry: Path) -> list[str]:
    return [f"{each.file}: {each.rule}" for each in Registry(registry).load().problems]


def test_what_was_built_is_served_and_approved(registry: Path):
    loaded = Registry(registry).load()
    assert loaded.problems == ()
    assert [task.name for task in loaded.catalog.tasks] == ["brands", "colours"]
    assert loaded.catalog.approved
    assert dict(loaded.catalog.tasks[0].files) == dict(GOOD)


@pytest.mark.parametrize("path", FILES)
def test_an_edited_file_is_refused_by_name_and_the_other_task_is_served(registry: Path, path: str):
    place = registry / "tasks" / "brands" / path
    place.write_bytes(place.read_bytes() + b" ")
    assert served(registry) == ["colours"]
    assert refused(registry) == [f"tasks/brands/{path}: Refused: it is not the file that was approved."]


@pytest.mark.parametrize("path", FILES)
def test_a_missing_file_is_refused_by_name(registry: Path, path: str):
    (registry / "tasks" / "brands" / path).unlink()
    assert served(registry) == ["colours"]
    assert f"tasks/brands/{path}: Refused: it is missing." in refused(registry)


def test_a_file_that_is_not_listed_is_refused_by_name(registry: Path):
    (registry / "tasks" / "brands" / "prompts" / "more.md").write_text("x", encoding="utf-8")
    assert served(registry) == ["colours"]
    assert refused(registry) == ["tasks/brands/prompts/more.md: Refused: it is not listed in the index."]


def test_a_task_that_is_not_listed_is_refused_by_name(registry: Path):
    shutil.copytree(registry / "tasks" / "brands", registry / "tasks" / "shades")
    assert served(registry) == ["brands", "colours"]
    assert refused(registry) == ["tasks/shades: Refused: it is not listed in the index."]


def file_becomes_a_link(task: Path) -> None:
    shutil.copy(task / "task.yaml", task.parent.parent / "same")
    (task / "task.yaml").unlink()
    (task / "task.yaml").symlink_to(task.parent.parent / "same")


def folder_becomes_a_link(task: Path) -> None:
    (task / "prompts").rename(task.parent.parent / "prompts")
    (task / "prompts").symlink_to(task.parent.parent / "prompts")


def task_becomes_a_link(task: Path) -> None:
    task.rename(task.parent.parent / "brands")
    task.symlink_to(task.parent.parent / "brands")


def file_becomes_a_pipe(task: Path) -> None:
    (task / "task.yaml").unlink()
    os.mkfifo(task / "task.yaml")


def file_becomes_a_folder(task: Path) -> None:
    (task / "task.yaml").unlink()
    (task / "task.yaml").mkdir()


@pytest.mark.parametrize(
    "harm",
    [
        file_becomes_a_link,
        folder_becomes_a_link,
        task_becomes_a_link,
        file_becomes_a_pipe,
        file_becomes_a_folder,
    ],
)
def test_what_is_no_plain_file_is_refused_though_its_bytes_are_the_same(
    registry: Path, harm: Callable[[Path], None]
):
    harm(registry / "tasks" / "brands")
    assert served(registry) == ["colours"]
    assert all(each.startswith("tasks/brands") for each in refused(registry))


@pytest.mark.parametrize(
    "path", ["../colours/task.yaml", "/etc/hostname", "prompts/../task.yaml", "x.py", ""]
)
def test_an_index_that_lists_what_no_task_has_is_refused_by_name(registry: Path, path: str):
    tasks = read_index(registry).tasks
    files = {**GOOD, path: (registry / "tasks" / "colours" / "task.yaml").read_bytes()}
    (registry / "registry.json").write_bytes(index_bytes({**tasks, "brands": pin_of(files, "me", "here")}))
    assert served(registry) == ["colours"]
    assert any("a task has no such file" in each for each in refused(registry))


def sealed(rest: str) -> bytes:
    """Return an index that goes on with any text, with the digest that belongs to it."""
    digest = hashlib.sha256(rest.encode()).hexdigest()
    return f'{{\n "digest": "{digest}",\n{rest}'.encode()


@pytest.mark.parametrize(
    "text",
    [
        ' "format": 1, "tasks": {}, "tasks": {}}',
        ' "format": 2, "tasks": {}}',
        ' "format": 1, "tasks": {"../x": {"by": "", "origin": "", "files": {}}}}',
        ' "format": 1, "tasks": {"a": {"by": "", "origin": "", "files": {"task.yaml": {"sha256": "0"}}}}}',
        ' "format": 1, "tasks": {}, "more": 1}',
        ' "format": 1, "tasks": ' + "[" * 100_000,
        "no json",
        "",
    ],
    ids=["twice", "format", "name", "sha", "field", "deep", "json", "empty"],
)
def test_an_index_that_says_something_else_is_refused_whole(registry: Path, text: str):
    (registry / "registry.json").write_bytes(sealed(text))
    with pytest.raises(NoRegistry, match=r"registry\.json cannot be used.*python -m contracts build"):
        Registry(registry).load()


def test_an_index_with_an_empty_entry_serves_the_other_tasks(registry: Path):
    tasks = read_index(registry).tasks
    (registry / "registry.json").write_bytes(index_bytes({**tasks, "brands": pin_of({}, "me", "here")}))
    assert served(registry) == ["colours"]


@pytest.mark.parametrize("harm", ["none", "link", "folder", "empty", "huge"])
def test_without_an_index_nothing_is_served_and_the_command_that_makes_one_is_named(
    registry: Path, harm: str
):
    index = registry / "registry.json"
    data = index.read_bytes()
    index.unlink()
    if harm == "link":
        (registry / "other.json").write_bytes(data)
        index.symlink_to(registry / "other.json")
    elif harm == "folder":
        index.mkdir()
    elif harm == "empty":
        index.write_bytes(b"")
    elif harm == "huge":
        with index.open("wb") as file:
            file.truncate(40_000_000)
    with pytest.raises(NoRegistry, match="python -m contracts build"):
        Registry(registry).load()


@pytest.fixture(scope="module")
def pinned() -> Iterator[Path]:
    with TemporaryDirectory() as folder:
        write_task(Path(folder) / "tasks", "brands")
        write_task(Path(folder) / "tasks", "colours")
        build(Path(folder) / "tasks", Path(folder) / "registry")
        yield Path(folder) / "registry"


@given(st.data())
def test_any_byte_of_any_file_flipped_is_refused_and_named(pinned: Path, data: st.DataObject):
    files = sorted(path for path in pinned.rglob("*") if path.is_file())
    place = data.draw(st.sampled_from(files))
    before = place.read_bytes()
    at = data.draw(st.integers(0, len(before) - 1))
    flipped = before[at] ^ data.draw(st.integers(1, 255))
    place.write_bytes(before[:at] + bytes([flipped]) + before[at + 1 :])
    try:
        if place.name == "registry.json":
            with pytest.raises(NoRegistry, match=r"registry\.json"):
                Registry(pinned).load()
        else:
            loaded = Registry(pinned).load()
            task = place.relative_to(pinned).parts[1]
            assert [each.name for each in loaded.catalog.tasks] == sorted({"brands", "colours"} - {task})
            assert [each.file for each in loaded.problems] == [place.relative_to(pinned).as_posix()]
    finally:
        place.write_bytes(before)


# ---------------------------------------------------------------- loading again


def tasks_of(loaded: Loaded) -> dict[str, int]:
    return {task.name: id(task) for task in loaded.catalog.tasks}


def test_loading_again_reads_only_the_task_that_was_built_anew(registry: Path):
    source = Registry(registry)
    before = source.load()
    assert not source.changed()
    write_task(registry.parent / "tasks", "brands", {"README.md": b"# Other\n"})
    build(registry.parent / "tasks", registry)
    assert source.changed()
    after = source.load()
    assert not source.changed()
    assert after.catalog.tasks[1] is before.catalog.tasks[1]
    assert after.catalog.tasks[0].digest != before.catalog.tasks[0].digest


def test_a_file_that_is_edited_under_a_server_is_refused_at_the_next_load(registry: Path):
    source = Registry(registry)
    source.load()
    (registry / "tasks" / "brands" / "README.md").write_bytes(b"# Brends and more\n")
    assert list(tasks_of(source.load())) == ["colours"]


def test_a_file_that_is_put_back_is_noticed_and_served(registry: Path):
    place = registry / "tasks" / "brands" / "README.md"
    data = place.read_bytes()
    place.write_bytes(b"# Other\n")
    source = Registry(registry)
    assert list(tasks_of(source.load())) == ["colours"]
    assert not source.changed()
    place.write_bytes(data)
    assert source.changed()
    assert list(tasks_of(source.load())) == ["brands", "colours"]


def test_a_task_that_was_taken_out_is_served_no_more(registry: Path):
    source = Registry(registry)
    source.load()
    shutil.rmtree(registry.parent / "tasks" / "colours")
    built = build(registry.parent / "tasks", registry)
    assert built.removed == ("colours",)
    assert list(tasks_of(source.load())) == ["brands"]
    assert not (registry / "tasks" / "colours").exists()


def test_a_bare_folder_is_served_as_approved_by_nobody(registry: Path):
    source = Folder(registry.parent / "tasks")
    loaded = source.load()
    assert not loaded.catalog.approved
    assert "nobody approved" in loaded.catalog.source
    assert not source.changed()
    write_task(registry.parent / "tasks", "brands", {"README.md": b"# Other\n"})
    (registry.parent / "tasks" / "colours" / "task.yaml").write_text("name: x", encoding="utf-8")
    assert source.changed()
    again = source.load()
    assert [task.name for task in again.catalog.tasks] == ["brands"]
    assert again.problems[0].file == "colours/task.yaml"


def test_the_index_says_from_where_and_by_what_a_task_was_pinned(registry: Path):
    said = json.loads((registry / "registry.json").read_bytes())["tasks"]["brands"]
    assert said["origin"] == "tasks"
    assert said["by"].startswith("python -m contracts build, ShopKart ")
    assert set(said["files"]) == set(GOOD)
