"""Pinning is whole: the registry is the old one or the new one, whenever it stops; nothing bad gets in."""

import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from contracts.folders import NoFolder
from contracts.pinning import AlreadyThere, NotThere, build, install, uninstall
from contracts.pins import STAGED, NoRegistry
from contracts.problems import BadContracts
from contracts.registry import Folder, Registry
from tests.contracts.task_files import GOOD, write_task


@pytest.fixture
def tasks(tmp_path: Path) -> Path:
    write_task(tmp_path / "tasks", "brands")
    return tmp_path / "tasks"


@pytest.fixture
def registry(tasks: Path) -> Path:
    build(tasks, tasks.parent / "registry")
    return tasks.parent / "registry"


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def digests(registry: Path) -> dict[str, str]:
    loaded = Registry(registry).load()
    assert loaded.problems == ()
    return {task.name: task.digest for task in loaded.catalog.tasks}


def colours() -> dict[str, bytes]:
    return {
        path: data.replace(b"brands_", b"colours_").replace(b"name: brands", b"name: colours")
        for path, data in GOOD.items()
    }


def test_the_same_files_make_the_same_registry_byte_by_byte(tasks: Path, registry: Path):
    before = bytes_of(registry)
    again = build(tasks, registry)
    assert (again.added, again.changed, again.same) == ((), (), ("brands",))
    assert bytes_of(registry) == before
    build(tasks, tasks.parent / "other")
    assert bytes_of(tasks.parent / "other") == before


def test_nothing_is_written_while_anything_is_wrong(tasks: Path, registry: Path):
    before = bytes_of(registry)
    write_task(tasks, "colours", {"functions.yaml": b"functions: []\n", "task.yaml": b"name: x\n"})
    with pytest.raises(BadContracts) as refused:
        build(tasks, registry)
    assert {problem.file for problem in refused.value.problems} == {
        "colours/functions.yaml",
        "colours/task.yaml",
    }
    assert bytes_of(registry) == before


def test_a_folder_that_is_not_there_is_named(tasks: Path):
    with pytest.raises(NoFolder, match="nothing-here"):
        build(tasks.parent / "nothing-here", tasks.parent / "registry")
    assert not (tasks.parent / "registry").exists()


def test_a_folder_without_a_task_does_not_empty_the_registry(tasks: Path, registry: Path):
    (tasks.parent / "empty").mkdir()
    with pytest.raises(NoFolder, match="holds no task"):
        build(tasks.parent / "empty", registry)
    assert list(digests(registry)) == ["brands"]


def test_folders_that_begin_with_an_underscore_are_no_tasks(tasks: Path):
    write_task(tasks, "_template")
    assert [task.name for task in build(tasks, tasks.parent / "registry").tasks] == ["brands"]


def test_two_tasks_with_one_full_name_are_refused_wherever_they_come_together(tasks: Path, registry: Path):
    write_task(tasks, "brands_list")
    shorter = tasks / "brands" / "functions.yaml"
    shorter.write_bytes(shorter.read_bytes().replace(b"name: delete", b"name: list_get"))
    said = "function brands_list_get has the same full name as one of the task brands"
    with pytest.raises(BadContracts, match="list"):
        build(tasks, registry)
    loaded = Folder(tasks).load()
    assert any(said in problem.rule for problem in loaded.problems)
    assert [task.name for task in loaded.catalog.tasks] == ["brands"]


def test_a_task_is_installed_replaced_and_removed(registry: Path):
    install(registry, "colours", colours(), replace=False, by="admin")
    assert list(digests(registry)) == ["brands", "colours"]
    with pytest.raises(AlreadyThere, match="colours"):
        install(registry, "colours", colours(), replace=False, by="admin")
    before = digests(registry)["colours"]
    install(registry, "colours", {**colours(), "README.md": b"# New\n"}, replace=True, by="admin")
    assert digests(registry)["colours"] != before
    uninstall(registry, "colours")
    assert list(digests(registry)) == ["brands"]
    assert not (registry / "tasks" / "colours").exists()
    with pytest.raises(NotThere):
        uninstall(registry, "colours")


def test_a_file_that_is_left_out_of_a_replacement_is_gone(registry: Path):
    install(
        registry, "brands", {k: v for k, v in GOOD.items() if "prompts" not in k}, replace=True, by="admin"
    )
    assert digests(registry)
    assert not (registry / "tasks" / "brands" / "prompts").exists()


def test_installing_needs_a_registry(tmp_path: Path):
    with pytest.raises(NoRegistry, match="python -m contracts build"):
        install(tmp_path / "none", "brands", GOOD, replace=False, by="admin")


@pytest.mark.parametrize(
    ("name", "files"),
    [
        ("../brands", GOOD),
        ("brands", {**GOOD, "../../evil.md": b""}),
        ("brands", {**GOOD, "/tmp/evil.md": b""}),
        ("brands", {"task.yaml": b""}),
        ("other", GOOD),
    ],
    ids=["name", "upwards", "absolute", "empty", "another"],
)
def test_what_is_no_task_is_not_installed(registry: Path, name: str, files: dict[str, bytes]):
    before = bytes_of(registry.parent)
    with pytest.raises(BadContracts):
        install(registry, name, files, replace=True, by="admin")
    assert bytes_of(registry.parent) == before


def test_who_installed_is_kept_in_bounds(registry: Path):
    install(registry, "colours", colours(), replace=False, by="x" * 10_000)
    assert digests(registry)


# ---------------------------------------------------------------- a stop at any moment


class Stopped(BaseException):
    """The process ends here."""


def stop_at(monkeypatch: pytest.MonkeyPatch, nth: int) -> Callable[[], int]:
    """Let the nth change of a file or folder be the last; return how many there were."""
    count = 0

    def counted(real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **named: Any) -> Any:
            nonlocal count
            count += 1
            if count >= nth:
                raise Stopped
            return real(*args, **named)

        return call

    for name in ("replace", "unlink", "mkdir", "rmdir"):
        monkeypatch.setattr(Path, name, counted(getattr(Path, name)))
    monkeypatch.setattr(os, "fsync", counted(os.fsync))
    return lambda: count


def test_a_stop_at_any_moment_leaves_the_old_registry_or_the_new_one(
    tasks: Path, registry: Path, monkeypatch: pytest.MonkeyPatch
):
    old = digests(registry)
    changed = {k: v for k, v in GOOD.items() if "skills" not in k} | {"README.md": b"# New\n"}
    new = {"brands": Folder(tasks).load().catalog.tasks[0].digest}
    seen: list[str] = []
    for nth in range(1, 40):
        install(registry, "brands", GOOD, replace=True, by="admin")
        with monkeypatch.context() as patched:
            stop_at(patched, nth)
            try:
                install(registry, "brands", changed, replace=True, by="admin")
                break
            except Stopped:
                pass
        found = digests(registry)
        seen.append("old" if found == old else "new")
        new = found if found != old else new
    assert digests(registry)["brands"] != old["brands"]
    assert digests(registry) == new
    assert seen == sorted(seen, reverse=True)
    assert set(seen) == {"old", "new"}
    assert not (registry / STAGED).exists()


def test_a_reader_beside_a_writer_always_sees_whole_tasks(registry: Path):
    other = {k: v for k, v in GOOD.items() if "prompts" not in k} | {"README.md": b"# New\n"}
    done = threading.Event()

    def write() -> None:
        try:
            for turn in range(12):
                install(registry, "brands", other if turn % 2 else GOOD, replace=True, by="admin")
        finally:
            done.set()

    writer = threading.Thread(target=write)
    writer.start()
    source, problems = Registry(registry), []
    while not done.is_set():
        problems += source.load().problems
    writer.join()
    assert problems == []


def test_two_writers_lose_nothing_of_each_other(registry: Path):
    def add(name: str) -> None:
        files = {
            path: data.replace(b"brands_", name.encode() + b"_").replace(
                b"name: brands", b"name: " + name.encode()
            )
            for path, data in GOOD.items()
        }
        install(registry, name, files, replace=False, by="admin")

    writers = [threading.Thread(target=add, args=(f"t{number}",)) for number in range(6)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert list(digests(registry)) == ["brands", "t0", "t1", "t2", "t3", "t4", "t5"]
