"""`python -m contracts` as a process of the workshop: bounded, alone, and told where it does not work."""

from pathlib import Path

import anyio
import pytest

from workshop import contract_commands
from workshop.contract_account import ContractAccount
from workshop.contract_commands import Printed, object_of, run_contracts
from workshop.contract_draft import Draft, fixed, renamed
from workshop.contract_naming import begun, name_for
from workshop.contract_operations import operations_of
from workshop.contract_trying import Found, Trial
from workshop.errors import ContractsUnusable, WorkshopError

pytestmark = pytest.mark.anyio


async def test_a_command_prints_on_its_two_streams_and_ends_with_its_code():
    with anyio.fail_after(10):
        printed = await run_contracts(["validate", "no/such/folder"], {})
    assert (printed.code, printed.out) == (1, "")
    assert "There is no folder no/such/folder" in printed.err


async def test_a_command_that_takes_too_long_is_stopped_and_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(contract_commands, "DEADLINE_S", 0.0)
    with pytest.raises(ContractsUnusable, match=r"`python -m contracts demo --port 0` did not end within"):
        await run_contracts(["demo", "--port", "0"], {})


async def test_a_command_that_prints_too_much_is_stopped_and_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(contract_commands, "MOST_BYTES", 1_000)
    with anyio.fail_after(10), pytest.raises(ContractsUnusable, match="printed more than 1,000 bytes"):
        await run_contracts(["demo", "--describe"], {})


async def test_settings_for_the_child_win_over_those_that_are_there(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    monkeypatch.setenv("CONTRACTS_REGISTRY", str(tmp_path / "theirs"))
    with anyio.fail_after(10):
        printed = await run_contracts(["check"], {"CONTRACTS_REGISTRY": str(tmp_path / "mine")})
    assert printed.code == 1
    assert f"{tmp_path}/mine" in printed.err
    assert "theirs" not in printed.err


@pytest.mark.parametrize("out", ["", "[]", "{", "word"])
def test_an_answer_that_is_no_object_is_told_with_what_was_said(out: str):
    with pytest.raises(ContractsUnusable, match=r"`python -m contracts check` did not answer.*no registry"):
        object_of(Printed(1, out, "There is no registry."), "check")
    assert issubclass(ContractsUnusable, WorkshopError)


async def test_a_number_that_no_list_gives_is_said_to_be_missing_and_nothing_is_called(tmp_path: Path):
    asked: list[str] = []

    async def run(arguments: object, settings: object) -> Printed:
        words = [str(each) for each in arguments]  # type: ignore[attr-defined]
        asked.append(words[0])
        return Printed(0, '{"tasks": [], "refused": []}', "")

    function = {
        "name": "get",
        "effect": "read",
        "params": {"properties": {"coupon_id": {"x-grounding": "coupon_id"}}, "required": ["coupon_id"]},
    }
    found = Found()
    await Trial(run, tmp_path).tried(Draft({"name": "coupons"}, (function,)), tmp_path, (), found)
    assert found.problems == ["coupons_get was not called: the demo shop has nothing to give coupon_id from."]
    assert "call" not in asked


async def test_a_filter_that_the_shop_does_not_keep_to_is_a_problem(tmp_path: Path):
    async def run(arguments: object, settings: object) -> Printed:
        return Printed(
            0, '{"ok": true, "effect": "read", "count": 1, "told": "x", "data": [{"status": "active"}]}', ""
        )

    function = {
        "name": "list",
        "summary": "List them.",
        "effect": "read",
        "params": {"properties": {"status": {"enum": ["active", "hidden"]}}},
        "request": {"query": {"status": "status"}},
    }
    draft, values = fixed(Draft({"name": "things"}, (function,)), ["hidden"])
    found = Found()
    await Trial(run, tmp_path).tried(draft, tmp_path, values, found)
    assert found.problems == ["things_list asks for status hidden, and active came back."]


def test_a_value_is_set_only_where_one_of_them_alone_is_named_and_the_read_can_do_without():
    function = {
        "name": "list",
        "summary": "List them.",
        "effect": "read",
        "params": {"properties": {"status": {"enum": ["active", "hidden"]}}, "required": ["status"]},
        "request": {"query": {"status": "status"}},
    }
    assert fixed(Draft({"name": "things"}, (function,)), ["hidden"])[1] == ()
    function["params"] = {"properties": {"status": {"enum": ["active", "hidden"]}}}
    assert fixed(Draft({"name": "things"}, (function,)), ["hidden", "activ"])[1] == ()


def test_names_do_not_say_the_tasks_again_and_hints_follow_them():
    hint = "To see one alone, use orders_get_order."
    functions = (
        {"name": "list_orders", "when_not": hint},
        {"name": "get_order", "when_not": "To see many, use orders_list_orders."},
        {"name": "order", "summary": "Make one.", "when_not": "It is about something else."},
    )
    named = renamed(Draft({"name": "orders"}, functions))
    assert named.full_names == ("orders_list", "orders_get", "orders_order")
    assert named.functions[0]["when_not"] == "To see one alone, use orders_get."
    assert named.functions[2]["when_not"] == "It is about something else than this: Make one."


def test_a_folder_that_came_meanwhile_stays_and_the_task_keeps_its_name(tmp_path: Path):
    first, second = begun(tmp_path, "orders"), begun(tmp_path, "orders")
    assert first == tmp_path / "orders"
    assert second == tmp_path / "orders-2" / "orders"


def test_a_name_is_one_that_neither_a_task_nor_a_project_has(tmp_path: Path):
    described = {"paths": {"/2fa-codes": {"get": {"operationId": "listCodes"}}}}
    (operation,) = operations_of(described)
    names: list[str] = []
    for _ in range(4):
        names.append(name_for([operation], tmp_path, [Path("tasks/task_2fa_codes")]))
        (tmp_path / names[-1]).mkdir()
    assert names == ["codes", "shop_task_2fa_codes", "task_2fa_codes_2", "task_2fa_codes_3"]


def test_an_account_without_a_folder_is_told_as_it_is():
    lines = ContractAccount(False, problems=("The API has nothing about 'x'.",)).lines()
    assert lines == ["No contract was made.", "To know:", "  - The API has nothing about 'x'."]
