"""Somebody who may write into the registry's folder, and not into its index: nothing outside it is touched,
nothing that was not approved is served, and the names he chose are told as names."""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from pydantic import SecretStr
from starlette.applications import Starlette
from starlette.testclient import TestClient

from contracts.admin import admin_routes
from contracts.folders import files_of
from contracts.live import Live
from contracts.pinning import build, install, uninstall
from contracts.problems import BadContracts, Problem
from contracts.registry import Registry
from tests.contracts.task_files import GOOD, write_task

TOKEN = "a-token-of-the-admin-api-of-tests"


def colours() -> dict[str, bytes]:
    return {
        path: data.replace(b"brands_", b"colours_").replace(b"name: brands", b"name: colours")
        for path, data in GOOD.items()
    }


@pytest.fixture
def registry(tmp_path: Path) -> Path:
    write_task(tmp_path / "tasks", "brands")
    write_task(tmp_path / "tasks", "colours", colours())
    build(tmp_path / "tasks", tmp_path / "registry")
    return tmp_path / "registry"


def add_shades(registry: Path) -> None:
    files = {
        path: data.replace(b"brands_", b"shades_").replace(b"name: brands", b"name: shades")
        for path, data in GOOD.items()
    }
    install(registry, "shades", files, replace=False, by="a test")


def names(registry: Path) -> list[str]:
    return [task.name for task in Registry(registry).load().catalog.tasks]


WRITERS: dict[str, Callable[[Path], object]] = {
    "build": lambda registry: build(registry.parent / "tasks", registry),
    "install": add_shades,
    "replace": lambda registry: install(registry, "colours", colours(), replace=True, by="a test"),
    "uninstall": lambda registry: uninstall(registry, "colours"),
}
writers = pytest.mark.parametrize("write", WRITERS.values(), ids=WRITERS)


@writers
def test_a_link_in_the_place_of_the_next_index_is_not_written_through(
    registry: Path, write: Callable[[Path], object]
):
    victim = registry.parent / "victim"
    victim.write_text("precious")
    (registry / ".registry.json.new").symlink_to(victim)
    write(registry)
    assert victim.read_text() == "precious"
    assert Registry(registry).load().problems == ()


@writers
def test_a_link_in_the_place_of_the_tasks_has_nothing_behind_it_changed(
    registry: Path, write: Callable[[Path], object]
):
    elsewhere = registry.parent / "elsewhere"
    shutil.move(registry / "tasks", elsewhere)
    (elsewhere / "diary").mkdir()
    (elsewhere / "diary" / "today.txt").write_text("precious")
    before = {path: path.read_bytes() for path in elsewhere.rglob("*") if path.is_file()}
    (registry / "tasks").symlink_to(elsewhere)
    write(registry)
    assert {path: path.read_bytes() for path in elsewhere.rglob("*") if path.is_file()} == before


@writers
def test_a_link_in_the_place_of_one_task_has_nothing_behind_it_changed(
    registry: Path, write: Callable[[Path], object]
):
    elsewhere = registry.parent / "elsewhere"
    shutil.move(registry / "tasks" / "colours", elsewhere)
    before = {path: path.read_bytes() for path in elsewhere.rglob("*") if path.is_file()}
    (registry / "tasks" / "colours").symlink_to(elsewhere)
    write(registry)
    assert {path: path.read_bytes() for path in elsewhere.rglob("*") if path.is_file()} == before


@writers
def test_a_link_in_the_place_of_the_stage_has_nothing_behind_it_changed(
    registry: Path, write: Callable[[Path], object]
):
    elsewhere = registry.parent / "elsewhere"
    elsewhere.mkdir()
    (registry / ".staged").symlink_to(elsewhere)
    write(registry)
    assert list(elsewhere.iterdir()) == []
    assert Registry(registry).load().problems == ()


def test_a_build_puts_back_whole_tasks_behind_a_link(registry: Path):
    shutil.move(registry / "tasks", registry.parent / "elsewhere")
    (registry / "tasks").symlink_to(registry.parent / "elsewhere")
    assert names(registry) == []
    build(registry.parent / "tasks", registry)
    assert names(registry) == ["brands", "colours"]
    assert Registry(registry).load().problems == ()


# ---------------------------------------------------------------- names that somebody chose

ODD = (b"x\nERROR all is well.yaml", b"\xff\xfe", b"\x1b[2J", "\u202etxt.exe".encode())


@pytest.mark.parametrize("name", ODD)
def test_the_name_of_a_file_that_nobody_approved_is_told_in_one_plain_line(registry: Path, name: bytes):
    (Path(os.fsdecode(os.path.join(os.fsencode(registry / "tasks" / "brands"), name)))).touch()
    Path(os.fsdecode(os.path.join(os.fsencode(registry / "tasks"), name))).mkdir()
    loaded = Registry(registry).load()
    assert [task.name for task in loaded.catalog.tasks] == ["colours"]
    assert len(loaded.problems) == 2
    for problem in loaded.problems:
        assert str(problem).encode().decode().isprintable()  # half a character has no bytes
        json.dumps(problem.file, ensure_ascii=False).encode()


@pytest.mark.parametrize("name", ODD)
def test_the_admin_api_lists_what_is_wrong_whatever_it_is_called(registry: Path, name: bytes):
    Path(os.fsdecode(os.path.join(os.fsencode(registry / "tasks"), name))).mkdir()
    routes = admin_routes(Live(Registry(registry)), registry, SecretStr(TOKEN))
    client = TestClient(Starlette(routes=routes), headers={"Authorization": f"Bearer {TOKEN}"})
    answer = client.get("/admin/tasks")
    assert answer.status_code == 200
    assert len(answer.json()["problems"]) == 1


@pytest.mark.parametrize("name", ODD)
def test_the_name_of_a_link_in_a_task_folder_is_told_in_one_plain_line(registry: Path, name: bytes):
    folder = registry.parent / "tasks" / "brands"
    os.symlink(b"/etc/passwd", os.path.join(os.fsencode(folder), name))
    with pytest.raises(BadContracts) as refused:
        files_of(folder)
    assert str(refused.value).isprintable()


def test_a_problem_with_a_field_of_two_lines_is_told_in_one():
    assert str(Problem("a.yaml", 1, "query.a\nb", "Wrong.", "Correct it.")).isprintable()


# ---------------------------------------------------------------- a writer that is killed

_WRITER = """
import sys
from pathlib import Path
from contracts import pinning

real, at = pinning._put, int(sys.argv[3])

def put(path, data):
    global at
    at -= 1
    if at < 0:
        print("here", flush=True)
        sys.stdin.read()
    real(path, data)

pinning._put = put
pinning.build(Path(sys.argv[1]), Path(sys.argv[2]))
"""


@pytest.mark.parametrize("at", [0, 3])
def test_a_writer_that_is_killed_frees_the_registry_and_leaves_the_old_one_whole(registry: Path, at: int):
    before = {task.name: task.digest for task in Registry(registry).load().catalog.tasks}
    tasks = registry.parent / "tasks"
    for path in tasks.rglob("*.yaml"):
        path.write_bytes(path.read_bytes() + b"\n# another\n")
    command = [sys.executable, "-c", _WRITER, str(tasks), str(registry), str(at)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as writer:
        assert writer.stdout and writer.stdout.readline() == b"here\n"
        writer.send_signal(signal.SIGKILL)
    loaded = Registry(registry).load()
    assert {task.name: task.digest for task in loaded.catalog.tasks} == before
    build(tasks, registry)
    loaded = Registry(registry).load()
    assert loaded.problems == ()
    assert {task.name: task.digest for task in loaded.catalog.tasks} != before
    assert sorted(each.name for each in registry.iterdir()) == ["registry.json", "tasks"]
