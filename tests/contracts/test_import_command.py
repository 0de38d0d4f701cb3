"""The command that imports: what it writes, what it prints, and what it does not write over."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from contracts.__main__ import main
from tests.contracts.test_import_odd import described, op, param

PATHS = {
    "/orders": {"get": op(), "trace": op()},
    "/orders/{id}": {"get": op(parameters=[param("id", "path")])},
}


@pytest.fixture
def source(tmp_path: Path) -> Path:
    file = tmp_path / "api.json"
    file.write_bytes(described(PATHS, servers=[{"url": "https://evil.example"}]))
    return file


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(main, ["import", "openapi", *map(str, words)])


def test_it_writes_tasks_that_validate_and_a_report_beside_them(source: Path, tmp_path: Path):
    out = tmp_path / "drafts"
    ran = run(source, "--out", out)
    assert ran.exit_code == 0
    assert ran.output.startswith(
        "Imported 2 of 3 operations into 1 tasks.\nrefused: TRACE /orders: TRACE does"
    )
    assert sorted(path.name for path in out.iterdir()) == ["IMPORT.md", "orders"]
    report = (out / "IMPORT.md").read_text(encoding="utf-8")
    assert "- `GET /orders` is `orders_list`" in report
    assert "evil.example" in report
    checked = CliRunner().invoke(main, ["validate", str(out / "orders")])
    assert checked.output == "OK orders: 2 functions, 0 prompts, 0 skills, 0 views\n"


def test_as_json_it_prints_one_object_with_all_of_the_report(source: Path, tmp_path: Path):
    said = json.loads(run(source, "--out", tmp_path / "drafts", "--json").output)
    assert said["schema"] == "shopkart/import"
    assert said["operations"] == len(said["functions"]) + len(said["refused"]) == 3
    assert said["refused"][0]["operation"] == "TRACE /orders"


def test_it_writes_over_nothing_unless_it_is_told_to(source: Path, tmp_path: Path):
    out = tmp_path / "drafts"
    run(source, "--out", out)
    (out / "orders/functions.yaml").write_text("mine", encoding="utf-8")
    ran = run(source, "--out", out)
    assert ran.exit_code == 1
    assert "orders" in ran.output
    assert "--force" in ran.output
    assert (out / "orders/functions.yaml").read_text(encoding="utf-8") == "mine"
    assert run(source, "--out", out, "--force").exit_code == 0
    assert (out / "orders/functions.yaml").read_text(encoding="utf-8") != "mine"


@pytest.mark.parametrize("name", ["../../up", "/up", "Orders", "a__b", "x" * 40, ""])
@pytest.mark.parametrize("option", ["--name", "--upstream"])
def test_a_name_that_is_none_writes_nothing(source: Path, tmp_path: Path, option: str, name: str):
    name = name * 2 if option == "--upstream" else name  # an upstream's name may have 60 characters
    ran = run(source, "--out", tmp_path / "drafts", option, name)
    assert ran.exit_code == 1
    assert "is no name of" in ran.output
    assert not (tmp_path / "drafts").exists()


def test_a_name_makes_one_task_of_everything(source: Path, tmp_path: Path):
    run(source, "--out", tmp_path / "drafts", "--name", "shop")
    assert [path.parent.name for path in (tmp_path / "drafts").glob("*/task.yaml")] == ["shop"]


def test_what_is_no_description_is_said_without_a_trace(tmp_path: Path):
    (tmp_path / "a.yaml").write_text("swagger: '2.0'", encoding="utf-8")
    ran = run(tmp_path / "a.yaml", "--out", tmp_path / "drafts")
    assert ran.exit_code == 1
    assert re.fullmatch(r"Error: This is Swagger 2\.0\. Convert it to OpenAPI 3 .*\n", ran.output)
