"""Signatures: exact, short, valid Python, whatever a contract says."""

import ast
import inspect
import typing
from typing import Any

from hypothesis import HealthCheck, given, settings

from contracts.reading import read_task
from contracts.signatures import signature, view_schema
from contracts.task import Offered
from tests.contracts.generated import functions, task_of
from tests.contracts.task_files import GOOD

_TYPING = {name: getattr(typing, name) for name in ("Any", "Literal", "TypedDict", "NotRequired")}


BRANDS = read_task("brands", GOOD)


def function(name: str) -> Offered:
    return next(each for each in BRANDS.functions if each.contract.name == name)


def made(offered: Offered) -> Any:
    """Return the function that the text is, as Python makes it."""
    names: dict[str, Any] = dict(_TYPING)
    exec(compile(signature(offered), "signature", "exec"), names)
    return names[offered.name]


def test_a_function_is_told_as_python():
    assert (
        signature(function("list"))
        == '''\
class BrandsListResultItem(TypedDict):
    id: int
    name: str

async def brands_list(*, word: str | None = None, tags: list[str] | None = None, page: int | None = None) -> \
list[BrandsListResultItem]:
    """List the shop's brands.

    Use it when: The user asks which brands there are.
    Not for: For one brand use brands_get.
    Effect: read; scopes: brands.read.
    Returns one page; page says which.

    word: at least 1 and at most 60 characters; matches ^[a-z]+$.
    page: at least 1 and at most 100; left out, it is 1.
    """
    ...'''
    )


def test_a_write_says_what_the_person_is_asked():
    text = signature(function("update"))
    assert "Effect: write; scopes: brands.read_write." in text
    assert "Asks the person first: Change brand {brand_id} to {name}." in text


def test_a_closed_set_is_a_literal_of_its_values():
    assert 'shop: Literal["a", "b"] | None = None' in signature(function("update"))


def test_arguments_that_are_needed_come_first_and_have_no_default():
    parameters = inspect.signature(made(function("update"))).parameters
    assert list(parameters)[:2] == ["brand_id", "name"]
    assert parameters["name"].default is inspect.Parameter.empty
    assert all(each.kind is inspect.Parameter.KEYWORD_ONLY for each in parameters.values())


def test_a_name_that_python_keeps_for_itself_is_told_with_the_name_that_is_sent():
    text = signature(_with({"from": {"type": "string"}, "from_": {"type": "string"}}))
    assert "from__: str | None = None" in text
    assert "from__: sent as 'from'." in text


def test_objects_in_arguments_say_which_fields_are_needed():
    item = {
        "type": "object",
        "properties": {"sku": {"type": "string"}, "note": {"type": "string"}},
        "required": ["sku"],
    }
    text = signature(_with({"lines": {"type": "array", "items": item}}))
    assert "    sku: str\n    note: NotRequired[str]" in text
    assert "lines: list[ThingsDoItLinesItem] | None = None" in text


def test_two_objects_of_one_name_are_two_types():
    inner = {"type": "object", "properties": {"x": {"type": "integer"}}}
    text = signature(_with({"a": {"type": "object", "properties": {"b": inner}}, "b": inner}))
    assert "class ThingsDoItB(TypedDict)" in text
    assert "class ThingsDoItB2(TypedDict)" in text


def _with(properties: dict[str, Any]) -> Offered:
    said = {
        "name": "do_it",
        "summary": "Do it.",
        "when": "It is wanted.",
        "when_not": "It is not wanted.",
        "effect": "write",
        "method": "POST",
        "path": "/things",
        "params": {"type": "object", "properties": properties},
        "request": {"body": "passthrough"},
        "approval": "Do it",
    }
    return task_of([said]).functions[0]


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(functions())
def test_any_contract_gives_valid_python_that_takes_its_arguments(one: tuple[Offered, dict[str, Any]]):
    offered, _ = one
    parameters = inspect.signature(made(offered)).parameters
    assert len(parameters) == len(offered.contract.arguments)
    needed = {each for each in parameters.values() if each.default is inspect.Parameter.empty}
    assert len(needed) == len(offered.contract.required)
    assert signature(offered) == signature(read_again(offered))
    assert offered.contract.summary in (ast.get_docstring(ast.parse(signature(offered)).body[-1]) or "")  # type: ignore[arg-type]


def read_again(offered: Offered) -> Offered:
    return task_of([offered.contract.model_dump(mode="json", by_alias=True, exclude_unset=True)]).functions[0]


def test_a_view_gives_the_schema_of_its_data():
    schema = view_schema(BRANDS.views[0])
    assert schema["type"] == "object"
    assert schema["properties"]["brands"]["items"]["properties"] == {"name": {"type": "string"}}
