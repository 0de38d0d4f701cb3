"""`check`, `show`, `eject` and `import`, as a person types them."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from common.settings import ROOT
from contracts.__main__ import COMMANDS, main
from contracts.pinning import build

PETSTORE = ROOT / "tests/data/openapi/petstore.yaml"


def run(*words: str) -> Result:
    return CliRunner().invoke(main, list(words))


def test_every_command_of_the_list_has_help_that_begins_with_what_it_does():
    for name in COMMANDS:
        shown = run(name, "--help")
        assert shown.exit_code == 0, name
        assert shown.output.startswith("Usage: "), name


def test_check_says_of_each_function_whether_it_can_run_here():
    shown = run("check", str(ROOT / "tasks"))
    assert shown.exit_code == 0
    assert "OK categories_list: GET https://api.salla.dev/admin/v2/categories" in shown.output


def test_check_refuses_an_upstream_and_scopes_that_the_table_has_not(tmp_path: Path):
    run("import", "openapi", str(PETSTORE), "--out", str(tmp_path), "--upstream", "salla")
    shown = run("check", str(tmp_path / "pet"))
    assert shown.exit_code == 1
    refused = r"NO pet_add_pet: it asks for pets?\.read_write, which the table does not allow at salla"
    assert re.search(refused, shown.output)
    run("import", "openapi", str(PETSTORE), "--out", str(tmp_path), "--upstream", "nobody", "--force")
    assert (
        "the upstream nobody is not in the table (it has: salla" in run("check", str(tmp_path / "pet")).output
    )


def test_show_tells_the_request_and_the_name_of_the_secret_alone(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SALLA_ACCESS_TOKEN", "s3cret-value")
    shown = run(
        "show", "categories_list", "--tasks", str(ROOT / "tasks"), "--arguments", '{"status": "hidden"}'
    )
    assert shown.exit_code == 0
    assert "GET https://api.salla.dev/admin/v2/categories?status=hidden" in shown.output
    assert "Authorization: Bearer ***  (from SALLA_ACCESS_TOKEN)" in shown.output
    assert "s3cret" not in shown.output
    assert "async def categories_list(" in shown.output


def test_show_says_whether_what_it_shows_was_approved(tmp_path: Path):
    build(ROOT / "tasks", tmp_path)
    for place, approved in ((tmp_path, True), (tmp_path / "registry.json", True), (ROOT / "tasks", False)):
        shown = run("show", "categories_list", "--tasks", str(place))
        assert ("Unapproved" not in shown.output) is approved
        said = run("show", "categories_list", "--tasks", str(place), "--json")
        assert json.loads(said.stdout)["approved"] is approved


def test_show_names_what_is_near_where_there_is_no_such_function():
    shown = run("show", "categorie_list", "--tasks", str(ROOT / "tasks"))
    assert shown.exit_code == 1
    assert "Did you mean: categories_list" in shown.output


@pytest.mark.parametrize(
    ("written", "told"), [("[]", "one JSON object"), ('{"status": "x"}', "must be one of active, hidden")]
)
def test_show_refuses_arguments_that_do_not_fit(written: str, told: str):
    shown = run("show", "categories_list", "--tasks", str(ROOT / "tasks"), "--arguments", written)
    assert shown.exit_code == 1
    assert told in shown.output


def test_eject_writes_a_module(tmp_path: Path):
    out = tmp_path / "module.py"
    assert run("eject", "categories_list", "--tasks", str(ROOT / "tasks"), "--out", str(out)).exit_code == 0
    assert "SALLA_ACCESS_TOKEN" in out.read_text(encoding="utf-8")


def test_import_reports_each_operation_and_writes_over_nothing(tmp_path: Path):
    first = run("import", "openapi", str(PETSTORE), "--out", str(tmp_path))
    assert first.exit_code == 0
    assert re.match(r"Imported \d+ of 19 operations into 3 tasks.", first.output)
    assert (
        "refused: POST /pet/{petId}/uploadImage: it needs a body of application/octet-stream" in first.output
    )
    assert (tmp_path / "IMPORT.md").read_text(encoding="utf-8").count("- `") > 10
    assert run("validate", str(tmp_path)).exit_code == 0
    again = run("import", "openapi", str(PETSTORE), "--out", str(tmp_path))
    assert again.exit_code == 1
    assert "add --force" in again.output


def test_import_says_what_a_file_is_that_is_no_description(tmp_path: Path):
    other = tmp_path / "old.yaml"
    other.write_text("swagger: '2.0'\n", encoding="utf-8")
    shown = run("import", "openapi", str(other), "--out", str(tmp_path / "out"))
    assert shown.exit_code == 1
    assert "This is Swagger 2.0." in shown.output


def test_what_commands_print_for_programs_is_one_json_object(tmp_path: Path):
    for words in (
        ("check", str(ROOT / "tasks"), "--json"),
        ("show", "categories_list", "--tasks", str(ROOT / "tasks"), "--json"),
        ("import", "openapi", str(PETSTORE), "--out", str(tmp_path), "--json"),
    ):
        assert json.loads(run(*words).stdout)["schema"].startswith("shopkart/")
