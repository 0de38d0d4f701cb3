"""Paths that generated files may have, and writing them inside the project's folder."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workshop import paths
from workshop.errors import PathRefused
from workshop.paths import checked, checked_together, inside, steers_tests, write_inside


@pytest.mark.parametrize(
    ("path", "normal"),
    [
        ("main.py", "main.py"),
        ("./main.py", "main.py"),
        ("shop/cart.py", "shop/cart.py"),
        ("data/a b.csv", "data/a b.csv"),
        ("README.md", "README.md"),
        ("Makefile", "Makefile"),
        ("контроль.py", "контроль.py"),
        ("testing.py", "testing.py"),
        ("console.py", "console.py"),
        ("shop/random.py", "shop/random.py"),
    ],
)
def test_a_plain_relative_path_is_taken(path: str, normal: str):
    assert checked(path) == normal


_REFUSED = """
    /etc/passwd|//host/share|C:/a.py|c:a.py|..|../a.py|a/../b.py|a/..|.|a//b.py|a/|a/./b.py|~/a.py|~root/a.py|a/~b
    a\\b.py|..\\a.py|\\\\host\\share|a\0.py|a\n.py|a\x7f.py|a\u202e.py|a\u200b.py|\ufeffa.py|a.py |a.py.| a.py
    a /b.py|aux.py|AUX|con|CON.txt|lib/nul.py|com1.py|lpt9.tar.gz|COM¹.py|ｃｏｎ.py|conin$
    a.py:x|a:b|a?.py|a*.py|a<b.py
    .git/config|.gitignore|.venv/x.py|.env|a/.hidden|-rf.py|conftest.py|a/conftest.py|CONFTEST.py|pytest.ini|tox.ini
    setup.cfg|pyproject.toml|sitecustomize.py|usercustomize.py|x.pth|a/b.PTH|pytest.py|_pytest/a.py
    pytest/__init__.py|test.py|a_test.py|random.py|Subprocess.py|json/__init__.py
    tests/test_a.py|Tests/a.py|test/a.py|test_main.py|a/test_b.py|m.pyc|m.so|m.pyd|x.egg-link|a/b/c/d/e/f/g.py
"""


@pytest.mark.parametrize(
    "path", [path for line in _REFUSED.strip().split("\n    ") for path in line.split("|")]
)
def test_a_path_that_leads_elsewhere_or_steers_the_tests_is_refused(path: str):
    with pytest.raises(PathRefused, match=r"may not be written: .*\. Use a name"):
        checked(path)
    with pytest.raises(PathRefused):
        inside(Path("/project"), path)


@pytest.mark.parametrize(
    "path", ["", "   ", "\n", "a|b.py", "a" * 81 + ".py", "a/" * 60 + "b.py", "\ud800.py"]
)
def test_a_path_that_is_empty_or_too_long_or_no_text_is_refused(path: str):
    with pytest.raises(PathRefused):
        checked(path)


@given(st.text(max_size=130) | st.from_regex(r"[a-zA-Z0-9_./\\: ~-]{1,40}", fullmatch=True))
def test_what_is_taken_is_taken_again_unchanged_and_stays_inside(path: str):
    try:
        normal = checked(path)
    except PathRefused:
        return
    assert checked(normal) == normal
    folder = Path("/project")
    assert Path(os.path.normpath(folder / normal)).is_relative_to(folder)


@pytest.mark.parametrize(
    "pair",
    [
        ("a.py", "A.py"),
        ("a", "a/b.py"),
        ("a/b.py", "a"),
        ("Lib/x.py", "lib/x.py"),
        ("straße.py", "STRASSE.py"),
    ],
)
def test_two_paths_that_some_system_takes_for_one_are_refused(pair: tuple[str, str]):
    with pytest.raises(PathRefused, match="cannot stand beside"):
        checked_together(pair)


def test_paths_that_stand_beside_each_other_are_returned_in_order():
    assert checked_together(["b.py", "./a.py", "lib/a.py"]) == ("b.py", "a.py", "lib/a.py")


@pytest.mark.parametrize(
    ("path", "steers"),
    [("tests/test_a.py", True), ("conftest.py", True), ("../conftest.py", False), ("main.py", False)],
)
def test_a_file_of_the_tests_is_told_from_one_that_leads_outside(path: str, steers: bool):
    assert steers_tests(path) is steers


@pytest.fixture(params=["by_folder", "by_path"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "by_path":
        monkeypatch.setattr(paths, "_BY_FOLDER", False)
    return request.param


def test_a_file_is_written_with_its_folders_and_written_over_whole(tmp_path: Path, way: str):
    write_inside(tmp_path, "shop/cart.py", "old = 1\n")
    place = write_inside(tmp_path, "shop/cart.py", "new = 'ж'\r\n")
    assert place == tmp_path / "shop/cart.py"
    assert place.read_bytes() == "new = 'ж'\r\n".encode()
    assert [each.name for each in place.parent.iterdir()] == ["cart.py"]


def test_a_link_is_never_followed_or_replaced(tmp_path: Path, way: str):
    outside, project = tmp_path / "outside", tmp_path / "project"
    outside.mkdir()
    project.mkdir()
    (outside / "secret.py").write_text("kept", "utf-8")
    (project / "lib").symlink_to(outside, target_is_directory=True)
    (project / "main.py").symlink_to(outside / "secret.py")
    for path in ("lib/secret.py", "lib/new.py", "main.py"):
        with pytest.raises(PathRefused, match="is a link"):
            write_inside(project, path, "changed")
        with pytest.raises(PathRefused, match="is a link"):
            inside(project, path)
    assert [each.read_text("utf-8") for each in outside.iterdir()] == ["kept"]


def test_a_folder_where_a_file_is_and_a_file_where_a_folder_is_are_refused(tmp_path: Path, way: str):
    write_inside(tmp_path, "a", "x")
    write_inside(tmp_path, "b/c.py", "x")
    for path in ("a/b.py", "b"):
        with pytest.raises(PathRefused, match="is there already"):
            write_inside(tmp_path, path, "y")


@pytest.mark.skipif(not paths._BY_FOLDER, reason="this system cannot open a file from an open folder")  # pyright: ignore[reportPrivateUsage]
def test_a_folder_swapped_for_a_link_after_the_check_is_not_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    outside, project = tmp_path / "outside", tmp_path / "project"
    outside.mkdir()
    (project / "lib").mkdir(parents=True)

    def checked_then_swapped(folder: Path, path: str, *, tests: bool = False) -> Path:
        place = inside(folder, path, tests=tests)
        (project / "lib").rmdir()
        (project / "lib").symlink_to(outside, target_is_directory=True)
        return place

    monkeypatch.setattr(paths, "inside", checked_then_swapped)
    with pytest.raises(PathRefused, match="no plain folder"):
        write_inside(project, "lib/a.py", "x")
    assert list(outside.iterdir()) == []


def test_the_workshops_own_tests_are_written_under_tests_and_nowhere_else(tmp_path: Path):
    assert write_inside(tmp_path, "tests/test_main.py", "x", tests=True).is_file()
    for path in ("main.py", "tests", "tests/../main.py", "conftest.py"):
        with pytest.raises(PathRefused):
            write_inside(tmp_path, path, "x", tests=True)


def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, way: str, monkeypatch: pytest.MonkeyPatch
):
    write_inside(tmp_path, "a.py", "old")

    def full(*args: object, **kwargs: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "rename", full)
    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="No space"):
        write_inside(tmp_path, "a.py", "new")
    assert [(each.name, each.read_text("utf-8")) for each in tmp_path.iterdir()] == [("a.py", "old")]
