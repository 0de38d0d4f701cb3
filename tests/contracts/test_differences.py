"""A reviewer is told what gives more than before, first and in words."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings

from common.settings import ROOT
from contracts.commands.diff import command
from contracts.contract import TaskFile
from contracts.differences import Weight, differences
from contracts.pinning import build
from contracts.task import Offered, Task
from tests.contracts.generated import functions
from tests.contracts.shop_stub import WRITE, task

READ: dict[str, Any] = {
    "params": {
        "type": "object",
        "properties": {"q": {"type": "string", "maxLength": 5, "description": "What"}},
        "required": ["q"],
    },
    "request": {"query": {"q": "q"}},
    "scopes": ["a.read"],
    "cache": {"ttl_s": 5},
    "failures": {404: {"say": "None."}},
}


def told(old: Task, new: Task) -> list[str]:
    return [str(each) for each in differences({"things": old}, {"things": new})]


def changed(change: Callable[[dict[str, Any]], None], start: dict[str, Any] = READ) -> dict[str, Any]:
    import copy

    made = copy.deepcopy(start)
    change(made)
    return made


FIELDS = {
    "type": "object",
    "properties": {"id": {"type": "integer"}, "name": {"type": "string"}, "email": {"type": "string"}},
}


def voiced(voice: str) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {"id": {"type": "integer"}, "name": {"type": "string", "x-voice": voice}},
    }


def described(text: str) -> dict[str, Any]:
    inner = {"id": {"type": "integer", "description": text}, "name": {"type": "string"}}
    return {"type": "object", "properties": inner}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda f: f.update(scopes=["a.read", "b.read"]), "! things_look: it asks for the new scopes b.read"),
        (
            lambda f: f.update(upstream="other"),
            "! things_look: the upstream is other, and was shop: another host",
        ),
        (lambda f: f.update(path="/users"), "! things_look: it sends GET /users, and sent GET /things"),
        (lambda f: f.update(response={"fields": FIELDS}), "! things_look: models see the new fields email"),
        (lambda f: f.update(cache={"ttl_s": 50}), "! things_look: results are kept for 50 s"),
        (lambda f: f["params"].pop("required"), "! things_look: q may be left out now"),
        (
            lambda f: f["params"]["properties"]["q"].update(maxLength=9),
            "! things_look: the argument q takes other values (maxLength)",
        ),
        (
            lambda f: f["params"]["properties"]["q"].update({"x-grounding": "thing_id"}),
            "! things_look: the argument q must be grounded as thing_id, and was as None",
        ),
        (
            lambda f: f.update(response={"fields": voiced("shop")}),
            "! things_look: the field name is declared as string (words of: shop), and was as string",
        ),
        (
            lambda f: f.update(response={"fields": described("The number")}),
            "  things_look: response.fields is described anew",
        ),
        (lambda f: f.update(summary="Look it up now."), "  things_look: summary is written anew"),
        (lambda f: f.update(failures={404: {"say": "Nothing."}}), "  things_look: failures is written anew"),
        (
            lambda f: f["params"]["properties"]["q"].update(description="Which"),
            "  things_look: the argument q is described anew",
        ),
    ],
)
def test_one_change_is_told_in_one_line(change: Any, said: str):
    assert told(task(READ), task(changed(change))) == [said]


def test_a_read_that_becomes_a_change_and_back_is_told():
    lines = told(task({}), task(WRITE))
    assert "! things_look: the effect is write, and was read" in lines
    assert '! things_look: people are asked "Do it", and were asked nothing' in lines
    back = told(task(WRITE), task({}))
    assert "! things_look: the effect is read, and was write, so that people are asked less" in back


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        (
            {"en": ["do"]},
            {"en": ["do", "make"]},
            ["! things_look: it counts as asked for by the new words make (en)"],
        ),
        ({"en": ["do"]}, {}, ["! things_look: it need not be asked for in words any more"]),
        ({}, {"en": ["do"]}, ["~ things_look: it counts as asked for by the new words do (en)"]),
        (
            {"en": ["do"], "ar": ["\u0627\u0641\u0639\u0644"]},
            {"en": ["do"]},
            ["~ things_look: it counts no more as asked for by \u0627\u0641\u0639\u0644 (ar)"],
        ),
    ],
)
def test_words_that_open_a_change_are_no_mere_text(before: Any, after: Any, said: list[str]):
    assert told(task(WRITE | {"asked_for": before}), task(WRITE | {"asked_for": after})) == said


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(functions(), functions())
def test_two_functions_that_differ_are_never_told_as_the_same(one: Any, other: Any):
    (old, _), (new, _) = one, other
    found = differences({"things": alone(old)}, {"things": alone(new)})
    assert bool(found) == (old.generation != new.generation)


def alone(offered: Offered) -> Task:
    file = TaskFile(name="things", title="Things", summary="All of the things.", upstream="shop")
    return Task(file, (offered,), digest=offered.generation)


def test_what_gives_more_stands_before_the_rest():
    new = changed(lambda f: f.update(summary="Look it up now.", scopes=["b.read"]))
    found = differences({"things": task(READ)}, {"things": task(new)})
    assert [each.weight for each in found] == [Weight.GRANTS, Weight.CHANGES, Weight.TEXT]


def test_new_and_gone_functions_and_tasks_are_told():
    one, two = task({}), task({}, {"name": "more"})
    assert told(one, two) == ["! things_more: a new function: read, GET /things at shop, with no scope"]
    assert told(two, one) == ["~ things_more: the function is gone"]
    assert str(next(iter(differences({}, {"things": one})))) == "! things: a new task"
    assert [str(each) for each in differences({"things": one}, {})] == ["~ things: the task is gone"]


def test_the_command_ends_with_0_where_nothing_is_different_and_1_where_something_is(tmp_path: Path):
    build(ROOT / "tasks", tmp_path / "registry")
    same = CliRunner().invoke(command, [str(tmp_path / "registry"), str(ROOT / "tasks")])
    assert (same.exit_code, same.output) == (0, "Nothing is different.\n")
    (tmp_path / "few").mkdir()
    other = CliRunner().invoke(command, [str(tmp_path / "few"), str(ROOT / "tasks")])
    assert other.exit_code == 1
    assert "! categories: a new task" in other.output
