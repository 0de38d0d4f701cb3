"""A tool that calls functions by name: the gates see the function behind it."""

import json
from typing import Any

import pytest
from mcp_types import ToolAnnotations

from tests.agent.catalog import CALLS, DELETE, GET, Catalog, asked, by_name, call
from tests.agent.scripted import Person, Scripted, calls, desk, says

pytestmark = pytest.mark.anyio


async def test_an_id_that_the_customer_named_reaches_the_function():
    shop = Catalog()
    await asked(shop, "what about order 1001?", call("orders_get", order=1001))
    assert shop.ran == [("orders_get", {"order": 1001})]
    assert shop.described == [["orders_get"]]


async def test_an_id_that_nobody_named_does_not_reach_the_function_and_is_refused_in_the_same_words():
    shop = Catalog()
    _, model, refused = await asked(shop, "what about order 1001?", call("orders_get", order=9009))
    assert (shop.ran, refused) == ([], ["grounding"])
    assert model.results(1)[0]["message"].startswith("No order number '9009' was given in this conversation")


async def test_a_number_written_as_text_is_repaired_by_the_functions_own_schema():
    shop = Catalog()
    await asked(shop, "what about order 1001?", call("orders_get", order="1001"))
    assert shop.ran == [("orders_get", {"order": 1001})]


async def test_an_argument_that_the_function_does_not_allow_is_refused_before_the_server_hears_of_it():
    shop = Catalog()
    _, model, refused = await asked(shop, "order 1001", call("orders_get", order=True))
    assert (shop.ran, refused) == ([], ["grounding"])
    shop = Catalog()
    _, model, refused = await asked(shop, "order 1001", ("call", {"function": "orders_get"}))
    assert (shop.ran, refused) == ([], ["validation"])
    assert "Missing: order." in str(model.results(1))


async def test_what_the_function_returned_under_its_mark_may_be_used_and_what_its_text_says_may_not():
    shop = Catalog()
    steps = call("orders_get", order=1001), call("orders_get", order=2002), call("orders_get", order=9009)
    _, _, refused = await asked(shop, "order 1001", *steps)
    assert [arguments["order"] for _, arguments in shop.ran] == [1001, 2002]
    assert refused == ["grounding"]


async def test_a_field_that_the_function_does_not_declare_names_nothing_whatever_it_is_called():
    bare = {**GET, "output_schema": {"type": "object", "properties": {"status": {"type": "string"}}}}
    lax = {**GET, "name": "other", "input_schema": {"type": "object", "properties": {"order_id": {}}}}
    shop = Catalog(bare, lax, data={"order": 1001, "order_id": 9009, "status": "shipped"})
    steps = call("orders_get", order=1001), call("other", order_id=9009)
    _, _, refused = await asked(shop, "order 1001", *steps)
    assert (len(shop.ran), refused) == (1, ["grounding"])


async def test_a_description_names_no_id():
    marked: dict[str, Any] = {
        "type": "object",
        "properties": {"order": GET["input_schema"]["properties"]["order"] | {"examples": [9009]}},
    }
    listed = {**GET, "input_schema": marked, "order_number": 9009, "order": 9009, "id": 9009}
    shop = Catalog(listed)
    steps = (
        ("describe", {"names": ["orders_get"]}),
        call("orders_get", order=9009),
        call("orders_get", id=9009),
    )
    _, _, refused = await asked(shop, "which orders are there?", *steps)
    assert (shop.ran, refused) == ([], ["grounding", "grounding"])


async def test_arguments_as_json_text_are_not_read_and_reach_nothing():
    shop = Catalog()
    wanted = ("call", {"function": "orders_get", "arguments": json.dumps({"order": 9009})})
    _, _, refused = await asked(shop, "order 1001", wanted)
    assert (shop.ran, refused) == ([], ["validation"])


async def test_an_id_hidden_under_a_name_that_the_function_does_not_take_is_refused():
    for hidden in (
        {"also": {"order_id": 9009}},
        {"order_ids": [9009]},
        {"deep": [{"x": [{"orderId": 9009}]}]},
    ):
        shop = Catalog()
        await asked(shop, "order 1001", call("orders_get", order=1001, **hidden))
        assert shop.ran == [], hidden


@pytest.mark.parametrize(
    "name", ["orders_get ", " orders_get", "Orders_Get", "orders-get", "call", "describe", "x" * 300, ""]
)
async def test_a_name_that_is_not_exactly_a_functions_calls_nothing(name: str):
    shop = Catalog()
    _, _, refused = await asked(shop, "order 1001", call(name, order=1001))
    assert (shop.ran, refused) == ([], ["validation"])


@pytest.mark.parametrize("name", [None, 7, ["orders_get"], {"name": "orders_get"}, True])
async def test_a_name_that_is_no_text_calls_nothing(name: Any):
    shop = Catalog()
    _, _, refused = await asked(shop, "order 1001", call(name, order=1001))
    assert (shop.ran, shop.described, refused) == ([], [], ["validation"])


async def test_what_the_server_says_of_an_unknown_function_is_passed_on():
    gone = {
        "error": "unknown_function",
        "message": "There is no function of that name.",
        "next": "Use search.",
    }
    shop = Catalog(describe=lambda _: gone)
    _, model, refused = await asked(shop, "order 1001", call("orders_get", order=1001))
    assert (shop.ran, refused) == ([], ["whitelist"])
    assert model.results(1)[0] == gone


ODD: dict[str, Any] = {
    "nothing": {},
    "no list": {"functions": "orders_get"},
    "another": {"functions": [{**GET, "name": "orders_list"}]},
    "two of one name": {"functions": [GET, {**GET, "input_schema": {}}]},
    "no schema": {"functions": [{**GET, "input_schema": None}]},
    "a list as schema": {"functions": [{**GET, "input_schema": []}]},
    "a text as result schema": {"functions": [{**GET, "output_schema": "any"}]},
    "an oversized schema": {
        "functions": [{**GET, "input_schema": {"type": "object", "title": "x" * 70_000}}]
    },
}


@pytest.mark.parametrize("case", list(ODD))
async def test_a_description_that_cannot_be_read_lets_nothing_through(case: str):
    shop = Catalog(describe=lambda _: ODD[case])
    _, model, refused = await asked(shop, "order 1001", call("orders_get", order=1001))
    assert (shop.ran, refused) == ([], ["validation"])
    assert model.results(1)[0]["error"] == "not_described"


async def test_a_schema_that_no_library_can_read_lets_nothing_through():
    odd = {**GET, "input_schema": {"type": "object", "properties": {"order": {"type": "no such type"}}}}
    shop = Catalog(odd)
    _, _, refused = await asked(shop, "order 1001", call("orders_get", order=1001))
    assert (shop.ran, refused) == ([], ["validation"])


@pytest.mark.parametrize(
    "input_schema", [{}, {"type": "string"}, {"not": {}}, {"type": ["object", "string"]}]
)
async def test_a_description_that_allows_anything_still_lets_no_named_id_through(input_schema: Any):
    shop = Catalog({**GET, "input_schema": input_schema})
    await asked(shop, "order 1001", call("orders_get", order_id=9009))
    assert shop.ran == []
    shop = Catalog({**GET, "input_schema": input_schema})
    await asked(shop, "order 1001", ("call", {"function": "orders_get", "arguments": "order 9009"}))
    assert shop.ran == []


async def test_one_description_counts_for_the_whole_turn_and_the_next_turn_asks_anew():
    described = [GET, {**GET, "input_schema": {"type": "object"}}]
    shop = Catalog(describe=lambda _: {"functions": [described[min(len(shop.described), 2) - 1]]})
    unnamed = calls(call("orders_get", order=9009))
    async with desk(shop) as at:
        first = Scripted(calls(call("orders_get", order=1001)), unnamed, says("That is all."))
        await at.ask("order 1001", first)
        assert (at.refused(), len(shop.described)) == (["grounding"], 1)
        await at.ask("and now?", Scripted(calls(call("orders_get", order=2002)), says("That is all.")))
    assert len(shop.described) == 2


META: dict[str, Any] = {
    "true": True,
    "a tool that is not there": {**CALLS["shopkart/calls"], "describe": "explain"},
    "itself": {**CALLS["shopkart/calls"], "describe": "call"},
    "no argument for the name": {"arguments": "arguments", "describe": "describe"},
    "a number": {"function": 1, "arguments": 2, "describe": 3},
}


@pytest.mark.parametrize("case", list(META))
async def test_a_mark_that_cannot_be_followed_lets_nothing_through(case: str):
    shop = Catalog(meta={"shopkart/calls": META[case]})
    _, _, refused = await asked(shop, "order 1001", call("orders_get", order=1001))
    assert (shop.ran, refused) == ([], ["validation"])


@pytest.mark.parametrize("hints", [None, ToolAnnotations(read_only_hint=True, destructive_hint=True)])
async def test_a_description_that_would_itself_need_a_yes_is_not_asked_for(hints: ToolAnnotations | None):
    shop = Catalog(describing=hints)
    _, _, refused = await asked(shop, "order 1001", call("orders_get", order=1001))
    assert (shop.ran, shop.described, refused) == ([], [], ["validation"])


@pytest.mark.parametrize("effect", ["destructive", "write", "Read", "", None, ["read"]])
async def test_a_function_that_is_not_said_only_to_read_runs_after_a_yes_alone(effect: Any):
    for answer in (True, False):
        person, shop = Person(answer), Catalog({**DELETE, "effect": effect})
        await asked(shop, "order 1001", call("orders_delete", order=1001), approver=person)
        assert len(person.asked) == 1
        assert shop.ran == ([("orders_delete", {"order": 1001})] if answer else [])
        assert person.asked[0].arguments["function"] == "orders_delete"
        assert "calls a function that is not said only to read" in person.asked[0].warnings[0]
        assert not person.asked[0].always


async def test_a_function_whose_name_denies_that_it_reads_runs_after_a_yes_alone():
    person, shop = Person(False), Catalog({**DELETE, "effect": "read"})
    await asked(shop, "order 1001", call("orders_delete", order=1001), approver=person)
    assert (len(person.asked), shop.ran) == (1, [])
    assert "its name says 'delete'" in person.asked[0].warnings[0]


async def test_a_function_that_reads_is_asked_about_nobody():
    person, shop = Person(), Catalog()
    await asked(shop, "order 1001", call("orders_get", order=1001), approver=person)
    assert (len(person.asked), len(shop.ran)) == (0, 1)


async def test_a_call_that_was_refused_is_not_made_again_in_the_turn():
    shop = Catalog()
    _, _, refused = await asked(shop, "hello", *[call("orders_get", order="9009")] * 2)
    assert (shop.ran, refused) == ([], ["grounding", "limit"])


async def test_the_description_is_no_call_of_the_models():
    outcome, _, _ = await asked(Catalog(), "order 1001", call("orders_get", order=1001))
    assert outcome.meta["tools_used"] == ["call"]


async def test_two_functions_of_one_turn_are_each_held_to_their_own_schema():
    other = {**GET, "name": "tickets_get", "input_schema": {"type": "object", "required": ["ticket_id"]}}
    shop = Catalog(describe=by_name(GET, other))
    steps = call("orders_get", order=1001), call("tickets_get", order=1001)
    _, _, refused = await asked(shop, "order 1001", *steps)
    assert (len(shop.ran), refused) == (1, ["validation"])
