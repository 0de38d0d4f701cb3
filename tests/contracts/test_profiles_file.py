"""profiles.yaml is read strictly, and everything that is wrong with it is told at once."""

from pathlib import Path

import pytest

from common.settings import ROOT
from contracts.problems import BadContracts
from contracts.profiles import DEFAULT, load_profiles


def written(folder: Path, text: str) -> Path:
    path = folder / "profiles.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_file_that_is_shipped_has_a_default_that_shows_everything_as_tools():
    profiles = load_profiles(ROOT / "profiles.yaml")
    assert (profiles[DEFAULT].exposure, profiles[DEFAULT].tasks) == ("tools", "all")
    assert profiles["catalog"].exposure == "catalog"


def test_without_a_file_there_is_the_default_profile_alone(tmp_path: Path):
    assert list(load_profiles(tmp_path / "profiles.yaml")) == [DEFAULT]


def test_a_profile_names_its_tasks_and_for_whom_it_is(tmp_path: Path):
    text = "night: {exposure: catalog, tasks: [orders], principals: [alice]}\n"
    night = load_profiles(written(tmp_path, text))["night"]
    assert night.tasks == ("orders",)
    assert (night.admits("alice"), night.admits("bob"), night.admits("")) == (True, False, False)


def test_a_profile_without_principals_admits_everybody(tmp_path: Path):
    assert load_profiles(written(tmp_path, "a: {exposure: tools, tasks: all}\n"))["a"].admits("anybody")


def test_every_problem_is_told_with_its_line_and_what_to_write(tmp_path: Path):
    text = (
        "a: {exposure: screens, tasks: all}\n"
        "b: {exposure: tools, tasks: all, colour: red}\n"
        "Big Name: {exposure: tools, tasks: all}\n"
        "d: {exposure: tools}\n"
    )
    with pytest.raises(BadContracts) as failed:
        load_profiles(written(tmp_path, text))
    assert [(each.line, each.field) for each in failed.value.problems] == [
        (1, "a.exposure"),
        (2, "b.colour"),
        (3, "Big Name"),
        (4, "d.tasks"),
    ]
    assert all(each.remedy for each in failed.value.problems)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "just text",
        "a:\n",
        "a: &one {exposure: tools, tasks: all}\nb: *one\n",
        "a: {exposure: tools, tasks: all}\na: {exposure: catalog, tasks: all}\n",
        "a: {exposure: tools, tasks: none}\n",
        "a: {exposure: tools, tasks: all, principals: []}\n",
        "a: {exposure: tools, tasks: ['../secrets']}\n",
        "a: {exposure: tools",
    ],
)
def test_what_is_no_set_of_profiles_is_refused(tmp_path: Path, text: str):
    with pytest.raises(BadContracts) as failed:
        load_profiles(written(tmp_path, text))
    assert failed.value.problems


def test_a_file_that_cannot_be_read_is_refused_by_name(tmp_path: Path):
    with pytest.raises(BadContracts, match="CONTRACTS_PROFILES"):
        load_profiles(tmp_path)
