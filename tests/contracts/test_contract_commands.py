"""validate, build and schema, as a partner runs them; and the template that a partner begins with."""

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from jsonschema import Draft202012Validator

from contracts.__main__ import main
from contracts.contract import Function
from contracts.folders import files_of
from contracts.pinning import install
from contracts.schemas import schema_files
from contracts.wording import FORMS
from contracts.yaml_text import read_yaml
from tests.contracts.task_files import GOOD, write_task
from tests.house.tree import ROOT

TEMPLATE, SCHEMAS = ROOT / "tasks" / "_template", ROOT / "tasks" / "_schemas"


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


def test_validate_counts_what_a_good_task_has(tmp_path: Path):
    ran = run("validate", write_task(tmp_path, "brands"))
    assert (ran.exit_code, ran.output) == (0, "OK brands: 4 functions, 1 prompts, 1 skills, 1 views\n")


def test_validate_reads_every_task_of_a_folder_and_ends_with_1_where_one_is_bad(tmp_path: Path):
    write_task(tmp_path, "brands")
    write_task(tmp_path, "colours", {"prompts/tidy.md": b"no head"})
    ran = run("validate", tmp_path)
    assert ran.exit_code == 1
    assert ran.stdout == "OK brands: 4 functions, 1 prompts, 1 skills, 1 views\n"
    assert ran.stderr.startswith("colours/prompts/tidy.md:1: It does not begin with a head")


def test_validate_as_json_holds_the_same(tmp_path: Path):
    ran = run("validate", "--json", write_task(tmp_path, "brands", {"functions.yaml": b"functions: 1\n"}))
    assert ran.exit_code == 1
    assert json.loads(ran.stdout) == {
        "schema": "shopkart/contracts-validate",
        "tasks": [],
        "problems": [
            {
                "file": "brands/functions.yaml",
                "line": 1,
                "field": "functions",
                "rule": "It must be a list.",
                "remedy": "Write a list.",
            }
        ],
    }


def test_validate_tells_of_two_tasks_with_one_full_name(tmp_path: Path):
    write_task(tmp_path, "brands_list")
    functions = GOOD["functions.yaml"].replace(b"name: delete", b"name: list_get")
    write_task(tmp_path, "brands", {"functions.yaml": functions})
    ran = run("validate", tmp_path)
    assert (ran.exit_code, "brands_list_get has the same full name" in ran.stderr) == (1, True)


@pytest.mark.parametrize("command", [["validate"], ["build", "--tasks"]])
def test_a_folder_that_is_not_there_ends_with_1_and_its_name(command: list[str], tmp_path: Path):
    ran = run(*command, tmp_path / "none")
    assert (ran.exit_code, ran.stdout) == (1, "")
    assert "There is no folder" in ran.stderr


def test_a_text_from_a_file_cannot_move_the_cursor(tmp_path: Path):
    bad = GOOD["task.yaml"].replace(b"name: brands", b'name: "\\e[2Jx"')
    ran = run("validate", write_task(tmp_path, "brands", {"task.yaml": bad, "a\x1b.md": b""}))
    assert ran.exit_code == 1
    assert "\x1b" not in ran.output


def test_build_says_what_is_approved_and_cannot_run_here(tmp_path: Path):
    write_task(tmp_path / "tasks", "brands")
    ran = run("build", "--tasks", tmp_path / "tasks", "--registry", tmp_path / "registry")
    assert ran.exit_code == 0
    assert "functions cannot run here. brands_list: it asks for brands.read" in ran.stderr


def test_build_keeps_what_the_admin_api_installed_until_it_is_told_to_remove_it(tmp_path: Path):
    tasks, registry = tmp_path / "tasks", tmp_path / "registry"
    write_task(tasks, "brands")
    run("build", "--tasks", tasks, "--registry", registry)
    write_task(tmp_path / "sent", "dyes")
    install(registry, "dyes", files_of(tmp_path / "sent" / "dyes"), replace=False, by="the admin API")
    ran = run("build", "--tasks", tasks, "--registry", registry)
    assert ran.exit_code == 1
    assert "dyes was installed while a server ran" in ran.output
    assert (registry / "tasks" / "dyes").is_dir()
    ran = run("build", "--tasks", tasks, "--registry", registry, "--remove")
    assert "removed dyes" in ran.stdout


def test_build_pins_and_says_what_changed(tmp_path: Path):
    registry = tmp_path / "registry"
    write_task(tmp_path / "tasks", "brands")
    write_task(tmp_path / "tasks", "colours")
    ran = run("build", "--tasks", tmp_path / "tasks", "--registry", registry)
    assert (
        ran.stdout == "pinned brands: 6 files (added)\npinned colours: 6 files (added)\nregistry: 2 tasks\n"
    )
    write_task(tmp_path / "tasks", "brands", {"README.md": b"# New\n"})
    shutil.rmtree(tmp_path / "tasks" / "colours")
    write_task(tmp_path / "tasks", "dyes")
    ran = run("build", "--tasks", tmp_path / "tasks", "--registry", registry)
    assert ran.stdout == (
        "pinned brands: 6 files (changed)\npinned dyes: 6 files (added)\nremoved colours\nregistry: 2 tasks\n"
    )
    ran = run("build", "--tasks", tmp_path / "tasks", "--registry", registry, "--json")
    assert json.loads(ran.stdout) == {
        "schema": "shopkart/contracts-build",
        "added": [],
        "changed": [],
        "removed": [],
        "same": ["brands", "dyes"],
        "problems": [],
    }


def test_build_writes_nothing_where_a_task_is_bad(tmp_path: Path):
    write_task(tmp_path / "tasks", "brands", {"task.yaml": b"name: brands\n"})
    ran = run("build", "--tasks", tmp_path / "tasks", "--registry", tmp_path / "registry")
    assert ran.exit_code == 1
    assert ran.stderr.endswith("Nothing was pinned.\n")
    assert not (tmp_path / "registry").exists()


def test_a_copy_of_the_template_under_its_name_is_a_good_task(tmp_path: Path):
    shutil.copytree(TEMPLATE, tmp_path / "brands")
    ran = run("validate", tmp_path / "brands")
    assert (ran.exit_code, ran.output) == (0, "OK brands: 4 functions, 1 prompts, 1 skills, 1 views\n")


def test_the_template_shows_every_field_of_a_function():
    text = (TEMPLATE / "functions.yaml").read_text("utf-8")
    functions = read_yaml(text.encode()).value["functions"]
    shown = {name for function in functions for name in function}
    declared = {each.alias or name for name, each in Function.model_fields.items()}
    assert declared - shown == {"upstream"}  # the task's, unless one function goes elsewhere


def test_the_schemas_for_editors_are_those_of_the_models(tmp_path: Path):
    assert run("schema", "--out", tmp_path).exit_code == 0
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == schema_files()
    assert {path.name: path.read_bytes() for path in SCHEMAS.iterdir()} == schema_files(), (
        "Write them anew: python -m contracts schema"
    )


@pytest.mark.parametrize("name", ["task", "functions", "views"])
@pytest.mark.parametrize("folder", ["_template", "categories", "orders"])
def test_a_shipped_task_is_valid_by_the_schema_that_an_editor_uses(folder: str, name: str):
    path = ROOT / "tasks" / folder / f"{name}.yaml"
    if not path.exists():
        assert name == "views"
        return
    schema = json.loads(schema_files()[f"{name}.schema.json"])
    Draft202012Validator.check_schema(schema)
    Draft202012Validator(schema).validate(read_yaml(path.read_bytes()).value)


def test_an_editor_marks_a_typo():
    schema = json.loads(schema_files()["task.schema.json"])
    errors = list(Draft202012Validator(schema).iter_errors({"name": "a", "titel": "A"}))
    assert {error.validator for error in errors} == {"required", "additionalProperties"}


def test_every_form_that_is_told_in_words_is_a_pattern_of_the_contract():
    texts = "".join((ROOT / "contracts" / name).read_text("utf-8") for name in ("contract.py", "shapes.py"))
    assert [pattern for pattern in FORMS if f'"{pattern}"' not in texts] == []
