"""`make a contract for …`, from the sentence to the account: with the real commands and a scripted model."""

import json
import shutil
from pathlib import Path
from typing import Any

import anyio
import pytest
import yaml

from common.settings import ROOT
from contracts.folders import files_of
from contracts.reading import read_task
from llm import Completion, ModelError, Usage
from tests.workshop.contract_runs import Building, Model, good
from workshop.contract_building import build_contract
from workshop.contract_commands import run_contracts

pytestmark = pytest.mark.anyio


@pytest.fixture
def build(tmp_path: Path) -> Building:
    (tmp_path / "tasks").mkdir()
    return Building(tmp_path / "workshop", tmp_path / "tasks")


def functions_in(folder: Path | None) -> list[dict[str, Any]]:
    assert folder is not None
    return yaml.safe_load((folder / "functions.yaml").read_text(encoding="utf-8"))["functions"]


def worded(**words: Any):
    """Answer every question about a function's words with these."""

    def script(asked: Completion) -> dict[str, Any] | None:
        form = (asked.schema or {})["properties"]
        return {"shows": ["name"], **words} if "when" in form else None

    return script


async def test_a_list_that_is_asked_for_becomes_a_task_that_is_checked_and_called(build: Building):
    account = await build("make a contract for listing the customers")
    assert (account.done, account.problems) == (True, ())
    assert account.folder == build.folder / "projects" / "customers"
    assert account.functions == ("customers_list",)
    assert account.folder is not None
    task = read_task("customers", files_of(account.folder))
    assert [(each.contract.method, each.contract.path) for each in task.functions] == [("GET", "/customers")]
    said = " ".join(account.checks)
    assert "`validate` found nothing wrong" in said
    assert "`check`: 1 of 1 functions can run here" in said
    assert "customers_list was called on the demo shop: Found 5: Noura" in said


async def test_what_is_told_of_the_result_are_the_fields_that_the_model_chose(build: Building):
    def script(asked: Completion) -> dict[str, Any] | None:
        said = {"summary": "List the customers.", "when": "The user asks.", "shows": ["city"]}
        return said if "shows" in (asked.schema or {})["properties"] else None

    account = await build("make a contract for listing the customers", Model(script))
    assert (
        functions_in(account.folder)[0]["response"]["told"]["each"]
        == "{first_name}, city {city}, number {id}"
    )
    assert "Noura, city Riyadh, number 3101" in " ".join(account.checks)


async def test_a_value_that_the_sentence_names_is_always_sent_and_what_comes_back_has_it(build: Building):
    account = await build("make a contract for listing the hidden categories")
    (function,) = functions_in(account.folder)
    assert function["request"]["query"]["status"] == {"value": "hidden"}
    assert "status" not in function["params"]["properties"]
    assert "Found 3:" in " ".join(account.checks)
    assert any("always asks for status hidden" in step for step in account.next_steps)


async def test_one_thing_is_called_with_a_number_that_the_shop_listed(build: Building):
    account = await build("make a contract for showing one order and its history")
    assert (account.done, account.functions) == (True, ("orders_get", "orders_list_histories"))
    called = [json.loads(each[-1]) for each in build.commands.of("call")]
    assert called[0] == {}
    assert called[1] == called[2]
    assert called[1]["order_id"] > 900_000


async def test_a_change_is_previewed_only_and_the_account_says_so(build: Building):
    account = await build("make a contract for creating a category and for deleting a category")
    assert account.done
    said = " ".join(account.checks)
    assert "categories_create was previewed and not made" in said
    assert "categories_delete was previewed and not made" in said
    assert "would send DELETE /admin/v2/categories/1101" in said


async def test_what_the_api_does_not_have_ends_without_a_folder_and_with_what_is_nearest(build: Building):
    model = Model()
    account = await build("make a contract for listing the coupons of a customer", model)
    assert (account.done, account.folder, model.asked) == (False, None, [])
    assert account.problems == ("The API has nothing about 'coupons'.",)
    assert "GET /customers: List customers, page by page" in account.next_steps
    assert not (build.folder / "projects").exists()


async def test_of_two_wishes_the_one_that_cannot_be_had_is_told_and_it_is_not_done(build: Building):
    account = await build("make a contract for listing customers and deleting a customer")
    assert (account.done, account.functions) == (False, ("customers_list",))
    assert account.problems == ("The API has 'customer', and nothing by which it is deleted.",)
    assert account.folder is not None


async def test_a_condition_that_the_api_has_no_word_for_is_told_and_it_is_not_done(build: Building):
    account = await build("make a contract for the products of a supplier")
    assert not account.done
    assert "The API has no word for this of the sentence: supplier." in account.problems


async def test_between_near_operations_the_model_chooses_among_these_alone(build: Building):
    def script(asked: Completion) -> dict[str, Any] | None:
        form = (asked.schema or {})["properties"]
        return {"operation": "GET /categories/search"} if "operation" in form else None

    model = Model(script)
    account = await build("make a contract for browsing the categories", model)
    choices = [(each.schema or {})["properties"].get("operation") for each in model.asked]
    offered = next(each["enum"] for each in choices if each)
    assert "GET /categories/search" in offered
    assert offered[-1] == "none of them"
    assert not [each for each in offered[:-1] if not each.startswith("GET /categories")]
    assert "GET /categories/search" in {
        f"{each['method']} {each['path']}" for each in functions_in(account.folder)
    }


async def test_where_the_model_says_that_none_fits_nothing_is_made(build: Building):
    def script(asked: Completion) -> dict[str, Any] | None:
        return {"operation": "none of them"} if "operation" in (asked.schema or {})["properties"] else None

    account = await build("make a contract for browsing the categories", Model(script))
    assert (account.done, account.folder) == (False, None)
    assert any("none of these" in each for each in account.problems)


async def test_words_that_validate_refuses_go_back_with_the_reason_and_only_those(build: Building):
    answers = iter(["x" * 300, "List the customers."])

    def script(asked: Completion) -> dict[str, Any] | None:
        form = (asked.schema or {})["properties"]
        if "when" not in form:
            return None
        return {"summary": next(answers), "when": "The user asks.", "shows": ["city"]}

    model = Model(script)
    account = await build("make a contract for listing the customers", model)
    assert (account.done, account.problems) == (True, ())
    (again,) = model.prompts("It is refused")
    assert "functions[0].summary" in again
    assert "200" in again
    assert len(model.prompts("title: a heading")) == 1
    assert account.checks[0] == "`validate` found nothing wrong after 1 correction."


@pytest.mark.parametrize(("fixes", "asked"), [(0, 1), (2, 3)])
async def test_words_that_stay_wrong_give_way_to_the_apis_own_and_the_account_says_so(
    build: Building, fixes: int, asked: int
):
    count = iter(range(9))
    model = Model(lambda asked: worded(summary=f"{next(count)}" + "x" * 300, when="The user asks.")(asked))
    account = await build("make a contract for listing the customers", model, max_fixes=fixes)
    assert len(model.prompts("beginning with")) == asked
    assert functions_in(account.folder)[0]["summary"] == "List customers, page by page."
    assert account.next_steps[0].startswith(
        "Some words are the API's own, since the model's were refused: functions[0].summary"
    )


async def test_only_what_is_refused_gives_way_to_the_apis_own_words(build: Building):
    def script(asked: Completion) -> dict[str, Any] | None:
        words = good(asked)
        if "List customers" in str(asked.messages[-1]["content"]):
            words["summary"] = "z" * 300
        else:
            words["when"] = "The user wants to see this one."
        return words if "when" in (asked.schema or {})["properties"] else None

    account = await build("make a contract for listing the customers and for one customer", Model(script))
    assert account.done
    first, second = functions_in(account.folder)
    assert first["summary"] == "List customers, page by page."
    assert second["when"] == "The user wants to see this one."


async def test_an_answer_that_does_not_change_ends_the_corrections(build: Building):
    model = Model(worded(summary="y" * 300, when="The user asks."))
    await build("make a contract for listing the customers", model, max_fixes=5)
    assert len(model.prompts("beginning with")) == 2


async def test_words_about_something_else_are_refused_whatever_their_form(build: Building):
    model = Model(worded(summary="Show the weather of tomorrow.", when="The user asks."))
    account = await build("make a contract for listing the customers", model)
    assert "weather" not in json.dumps(functions_in(account.folder))
    assert any("says nothing of what it is about" in each for each in account.next_steps)


@pytest.mark.parametrize("word", ["API", "contract", "per_page", "GET"])
async def test_words_about_the_technique_go_back_to_the_model(build: Building, word: str):
    model = Model(worded(summary=f"List the customers with the {word}.", when="The user asks."))
    account = await build("make a contract for listing the customers", model)
    assert f"speaks of {word!r}" in account.next_steps[0]
    assert f"speaks of {word!r}" in model.prompts("It is refused")[0]


@pytest.mark.parametrize(
    "text", ["", "no JSON at all", "[1]", '{"summary": 5, "when": null, "shows": "city"}']
)
async def test_a_model_that_cannot_be_held_to_a_form_leaves_a_good_task_and_a_true_account(
    build: Building, text: str
):
    account = await build("make a contract for listing the customers", Model(lambda _: text))
    assert functions_in(account.folder)[0]["summary"] == "List customers, page by page."
    assert "since the model's were refused" in account.next_steps[0]


async def test_a_model_that_is_not_there_is_told_and_the_words_are_the_apis(build: Building):
    account = await build(
        "make a contract for listing the customers", Model(lambda _: ModelError("No model."))
    )
    assert account.usage is None
    assert account.next_steps[0].startswith(
        "Some words are the API's own, since the model's were refused: No mo"
    )
    assert "customers_list was called" in " ".join(account.checks)


async def test_a_scope_that_the_deployment_does_not_allow_is_a_problem_that_no_model_is_asked_about(
    build: Building,
):
    model = Model()
    account = await build("make a contract for the shop's pages", model)
    assert not account.done
    assert "pages_list cannot run here: it asks for pages.read" in account.problems[0]
    assert not build.commands.of("call")
    assert not model.prompts("It is refused")


async def test_the_projects_tasks_and_registry_are_read_and_never_written(build: Building):
    shutil.copytree(ROOT / "tasks" / "categories", build.tasks / "categories")
    before = {path: path.read_bytes() for path in build.tasks.rglob("*") if path.is_file()}
    account = await build("make a contract for listing the categories", Model())
    assert {path: path.read_bytes() for path in build.tasks.rglob("*") if path.is_file()} == before
    assert account.folder is not None
    assert account.folder.name == "shop_categories"
    assert "GET /categories is in use already: see categories_list." in account.next_steps
    registries = {each[each.index("--registry") + 1] for each in build.commands.of("build")}
    assert not any(Path(each).is_relative_to(ROOT) for each in registries)
    assert all(each["CONTRACTS_REGISTRY"] in registries for each in build.commands.settings)


async def test_a_second_contract_of_the_same_thing_leaves_the_first_as_it_is(build: Building):
    first = await build("make a contract for listing the customers")
    assert first.folder is not None
    before = (first.folder / "functions.yaml").read_bytes()
    second = await build("make a contract for showing a customer")
    assert second.done
    assert second.folder not in (None, first.folder)
    assert (first.folder / "functions.yaml").read_bytes() == before


async def test_tasks_that_are_broken_already_are_told_and_nothing_is_called(build: Building):
    (build.tasks / "broken").mkdir()
    (build.tasks / "broken" / "task.yaml").write_text("name: broken\n", encoding="utf-8")
    account = await build("make a contract for listing the customers")
    assert not account.done
    assert "broken/" in account.problems[0]
    assert not build.commands.of("call")


async def test_personal_data_that_comes_back_are_named_for_the_reviewer(build: Building):
    account = await build("make a contract for listing the customers")
    assert any("email, mobile" in step for step in account.next_steps)
    assert any("python -m contracts build" in step for step in account.next_steps)


async def test_the_account_has_the_tokens_of_every_question(build: Building):
    model = Model()
    account = await build("make a contract for listing the customers", model)
    assert account.usage == Usage(100 * len(model.asked), 10 * len(model.asked))


async def test_russian_is_understood_and_an_unknown_thing_in_it_is_told(build: Building):
    account = await build("Сделай контракт для просмотра списка клиентов")
    assert (account.done, account.functions) == (True, ("customers_list",))
    account = await build("Сделай контракт для списка купонов")
    assert account.problems == ("The API has nothing about 'купонов'.",)


async def test_with_processes_of_their_own_the_commands_do_the_same(tmp_path: Path):
    async def unheard(text: str) -> None: ...

    with anyio.fail_after(60):  # seven processes, each of which imports the room of contracts
        account = await build_contract(
            "make a contract for the products that are sold out",
            tmp_path,
            Model(),
            on_progress=unheard,
            run=run_contracts,
        )
    assert (account.done, account.functions) == (True, ("products_list",))
    assert account.lines()[0] == "Done: the contract is written, checked, and tried on the demo shop."
    assert "Gift box" in "\n".join(account.lines())
