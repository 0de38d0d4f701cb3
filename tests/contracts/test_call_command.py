"""`call`, `demo --describe` and `import --only`: what a program needs to make a contract and to try it."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from contracts.__main__ import main
from contracts.demo.described import FILE
from tests.contracts.test_import_odd import described, op


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


def called(*words: str | Path) -> tuple[int, dict[str, Any]]:
    ran = run("call", *words)
    return ran.exit_code, json.loads(ran.stdout)


def test_a_read_is_run_on_the_demo_shop_and_what_came_back_is_printed():
    code, said = called("categories_list", "--arguments", '{"status": "hidden"}')
    assert (code, said["ok"], said["schema"]) == (0, True, "shopkart/contracts-call")
    assert {each["status"] for each in said["data"]} == {"hidden"}
    assert said["count"] == len(said["data"]) == 3
    assert "Wholesale" in said["told"]


def test_a_change_is_previewed_and_not_made_however_often_it_is_called():
    for _ in range(2):
        code, said = called("categories_delete", "--arguments", '{"category_id": 1112}')
        assert (code, said["ok"], said["made"]) == (0, True, False)
        assert said["request"] == "DELETE /admin/v2/categories/1112"
    assert called("categories_get", "--arguments", '{"category_id": 1112}')[1]["data"]["id"] == 1112


@pytest.mark.parametrize(
    ("name", "arguments", "code"),
    [
        ("categories_get", '{"category_id": 7}', "status_404"),
        ("categories_get", "{}", "invalid_arguments"),
        ("categories_gte", "{}", "unknown_function"),
    ],
)
def test_a_call_that_fails_ends_with_1_and_says_why(name: str, arguments: str, code: str):
    ended, said = called(name, "--arguments", arguments)
    assert (ended, said["ok"], said["failure"]["code"]) == (1, False, code)
    assert said["failure"]["next"]


def test_a_misspelled_name_is_answered_with_those_that_are_near():
    assert "categories_get" in called("categories_gte")[1]["failure"]["next"]


@pytest.mark.parametrize("written", ["[]", "{", '"x"'])
def test_arguments_that_are_no_object_are_a_usage_error(written: str):
    ran = run("call", "categories_list", "--arguments", written)
    assert (ran.exit_code, "one JSON object" in ran.stderr) == (2, True)


def test_a_function_of_another_upstream_is_not_called_on_the_demo(tmp_path: Path):
    run("import", "openapi", FILE, "--out", tmp_path, "--upstream", "elsewhere", "--only", "GET /pages")
    code, said = called("pages_list_pages", "--tasks", tmp_path / "pages")
    assert (code, said["failure"]["code"]) == (1, "no_demo")
    assert "elsewhere" in said["failure"]["message"]


def test_a_scope_that_the_deployment_does_not_allow_is_not_asked_for_on_the_demo_either(tmp_path: Path):
    run("import", "openapi", FILE, "--out", tmp_path, "--upstream", "salla", "--only", "GET /pages")
    assert called("pages_list_pages", "--tasks", tmp_path / "pages")[1]["failure"]["code"] == "not_runnable"


def test_a_broken_folder_is_told_with_its_problems(tmp_path: Path):
    (tmp_path / "task.yaml").write_text("name: x\n", encoding="utf-8")
    ran = run("call", "x_list", "--tasks", tmp_path)
    assert (ran.exit_code, ran.stdout, "task.yaml" in ran.stderr) == (1, "", True)


def test_the_demo_describes_itself_in_yaml_and_as_json_and_starts_nothing():
    assert run("demo", "--describe").stdout == FILE.read_text(encoding="utf-8")
    assert json.loads(run("demo", "--describe", "--json").stdout)["info"]["title"] == "Demo shop"


def test_json_of_the_demo_without_describe_is_a_usage_error():
    ran = run("demo", "--json")
    assert (ran.exit_code, "--describe" in ran.stderr) == (2, True)


def test_only_the_operations_that_are_named_are_imported(tmp_path: Path):
    options = ("--only", "GET /orders", "--only", "get  /orders/{order_id}", "--json")
    ran = run("import", "openapi", FILE, "--out", tmp_path, *options)
    assert json.loads(ran.stdout)["functions"] == {
        "GET /orders": "orders_list_orders",
        "GET /orders/{order_id}": "orders_get_order",
    }


def test_an_operation_that_is_not_there_imports_nothing_and_tells_what_is_near(tmp_path: Path):
    ran = run("import", "openapi", FILE, "--out", tmp_path / "out", "--only", "GET /order")
    assert (ran.exit_code, (tmp_path / "out").exists()) == (1, False)
    assert "It has no operation GET /order. Did you mean: GET /orders" in ran.stderr


def test_roles_of_a_token_that_look_like_scopes_become_scopes_and_others_do_not(tmp_path: Path):
    scheme = {"m": {"type": "http", "scheme": "bearer"}}
    paths = {
        "/a": {"get": op(security=[{"m": ["orders.read"]}])},
        "/b": {"get": op(security=[{"m": ["ROLE_ADMIN"]}])},
    }
    (tmp_path / "api.json").write_bytes(described(paths, components={"securitySchemes": scheme}))
    run("import", "openapi", tmp_path / "api.json", "--out", tmp_path)
    assert "- orders.read" in (tmp_path / "a/functions.yaml").read_text(encoding="utf-8")
    assert "- b.read" in (tmp_path / "b/functions.yaml").read_text(encoding="utf-8")
