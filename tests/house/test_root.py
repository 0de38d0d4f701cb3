"""The root: the files that everyone looks for, the tools' settings, and the lock."""

import os
import re
import tomllib
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.house.tree import ROOT, python_files, read, shown

ROOT_FILES = [
    "main.py", "server.py", "agent_mcp.py", "mcp_tools.py", "llm.py", "client_test.py", "test_bridge.py",
    "requirements.txt", "requirements-embedded.txt", ".env", "pyproject.toml", "Makefile", ".ci/run",
    "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "NOTICE", "docs/architecture.md",
]  # fmt: skip


def project() -> dict[str, Any]:
    return tomllib.loads(read(ROOT / "pyproject.toml"))


def test_the_root_holds_every_file_that_people_look_for():
    assert [name for name in ROOT_FILES if not (ROOT / name).is_file()] == []


def test_the_decisions_are_written_down():
    assert list((ROOT / "docs" / "decisions").glob("[0-9][0-9][0-9]-*.md"))


def test_the_licence_is_mit_and_names_its_holders():
    text = read(ROOT / "LICENSE")
    assert text.startswith("MIT License\n") and "ShopKart contributors" in text


def test_the_build_machine_can_execute_its_script():
    assert os.access(ROOT / ".ci" / "run", os.X_OK)


def ranges() -> list[Requirement]:
    groups = [project()["project"]["dependencies"], *project()["dependency-groups"].values()]
    return [Requirement(text) for group in groups for text in group]


def lock() -> dict[str, str]:
    lines = [
        line for line in read(ROOT / "requirements.txt").splitlines() if line and not line.startswith("#")
    ]
    odd = [line for line in lines if not re.fullmatch(r"[A-Za-z0-9._-]+==[0-9][A-Za-z0-9.+!]*", line)]
    assert odd == [], "requirements.txt pins with == and holds nothing else; make it with `make lock`"
    return {canonicalize_name(name): version for name, version in (line.split("==") for line in lines)}


def test_every_range_is_pinned_to_a_version_inside_it():
    """Otherwise: run `make lock`."""
    pinned = {str(wanted): (wanted, lock().get(canonicalize_name(wanted.name))) for wanted in ranges()}
    wrong = {text: version for text, (wanted, version) in pinned.items() if not _fits(wanted, version)}
    assert wrong == {}


def _fits(wanted: Requirement, version: str | None) -> bool:
    return version is not None and wanted.specifier.contains(version)


def test_the_embedded_engine_is_pinned_by_hash_to_a_version_inside_its_range():
    wanted = Requirement(project()["project"]["optional-dependencies"]["embedded"][0])
    text = read(ROOT / "requirements-embedded.txt")
    pinned = re.search(rf"^{wanted.name}==(\S+)", text, re.M)
    assert pinned and wanted.specifier.contains(pinned[1]) and "--hash=sha256:" in text


def test_pyright_is_strict_in_every_room():
    strict = set(project()["tool"]["pyright"]["strict"])
    rooms = {shown(path).split("/")[0] for path in python_files() if "/" in shown(path)} - {"tests"}
    assert rooms <= strict and "*.py" in strict
