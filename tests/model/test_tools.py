"""A server without rules to search, as one of contracts: how its tools are chosen among and filled in."""

from typing import Any

import pytest

from model import routing, shown
from model.routing import Action
from tests.model.desk import SEARCH, actions, called, talk, turn

pytestmark = pytest.mark.anyio

SYSTEM = """Be kind.

Tools:
- things_list(status, page): List the things, all or those that are hidden or active.
- things_search(keyword): Find things by a word of their name.
- things_get(thing_id): Show one thing.
- things_update(thing_id, status, name): Hide, show or rename a thing.
- orders_list(status, customer_id): List orders.
- orders_get(order_number): Show one order."""
LACKS = (
    "\n\nNot yet known: thing number. Without it things_get, things_update cannot be used. "
    "When the request needs it, ask the customer for it. The customer asks for things_update."
)


def function(
    name: str, properties: dict[str, Any], *required: str, said: str = "", **marks: Any
) -> dict[str, Any]:
    parameters = {"type": "object", "properties": properties, "required": list(required)}
    held = {"name": name, "description": said, "parameters": parameters, **marks}
    return {"type": "function", "function": held}


STATUS = {"type": "string", "enum": ["active", "hidden"], "description": "Only of this status"}
LIST = function(
    "things_list",
    {"status": STATUS, "page": {"type": "integer"}},
    said="List the things, all or those that are hidden or active. Use this when they are asked for.",
)
FIND = function("things_search", {"keyword": {"type": "string"}}, "keyword", said="Find things by a word.")
ORDERS = function("orders_list", {"status": {"type": "string"}, "from_date": {"type": "string"}})


def known(*ids: int) -> list[dict[str, Any]]:
    one = {"type": "integer", "enum": list(ids)}
    update = function(
        "things_update",
        {"thing_id": one, "status": STATUS, "name": {"type": "string"}},
        "thing_id",
        **{"x-asked-for": True, "x-shown": {}},
    )
    return [LIST, FIND, function("things_get", {"thing_id": one}, "thing_id"), update]


def said(*texts: str, lacks: bool = False) -> list[dict[str, Any]]:
    messages = talk(*texts)
    return [{**messages[0], "content": SYSTEM + (LACKS if lacks else "")}, *messages[1:]]


def calls_of(items: list[Any]) -> list[tuple[str, str]]:
    return [(call.name, call.arguments) for call in items[-1].tool_calls]


async def test_its_prompt_speaks_of_no_rules_and_shows_its_lists_in_their_own_words():
    _, stand_in = await turn(said("which things are hidden?"), [LIST, FIND], '{"action": "things_list"}')
    prompt = stand_in.asked[0]["messages"][0]["content"]
    assert "support desk" not in prompt and "general question about rules" not in prompt
    assert '"list the things" -> {"action": "things_list"}' in prompt
    assert '"list the things: hidden" -> {"action": "things_list", "status": "hidden"}' in prompt


async def test_the_prompt_of_a_desk_is_not_touched():
    _, stand_in = await turn(talk("and now"), [SEARCH], '{"action": "reply"}', "Hello.")
    assert stand_in.asked[0]["messages"][0]["content"].startswith("You route the messages of customers")


async def test_a_word_search_is_no_search_of_rules():
    assert routing.searches([FIND]) == [] and routing.word_searches([FIND, LIST]) == [FIND]
    items, _ = await turn(
        said("is there a thing called Alpha?"),
        [LIST, FIND],
        '{"action": "things_search", "keyword": "Alpha"}',
    )
    assert calls_of(items) == [("things_search", '{"keyword": "Alpha"}')]


async def test_what_nobody_asked_for_is_left_out_of_a_call_where_it_may_be():
    wanted = '{"action": "orders_list", "status": "shipped", "from_date": "2023-04-01"}'
    items, _ = await turn(said("which orders are shipped?"), [LIST, ORDERS], wanted)
    assert calls_of(items) == [("orders_list", '{"status": "shipped"}')]


@pytest.mark.parametrize(
    ("value", "text", "language", "expected"),
    [
        ("under_review", "those under review", "en", True),
        ("hidden", "hide it", "en", True),
        ("active", "hide it", "en", False),
        ("2026-11-02", "since 2 November", "en", True),
        ("2023-04-01", "orders 218394", "en", False),
        (1, "the first page", "en", False),
        (2, "page 2", "en", True),
        (True, "anything", "en", True),
        ("hidden", "¿qué está oculto?", "es", True),
        ("٢", "الصفحة 2", "ar", True),
        (["a"], "anything", "en", True),
    ],
)
def test_a_value_is_shown_by_the_words_or_figures_of_a_message(
    value: Any, text: str, language: str, expected: bool
):
    assert shown.is_shown(value, text, language) is expected


def test_what_a_call_needs_stays_and_so_does_what_leaves_it_none_that_fits():
    tool = function("f", {"a": {"type": "string"}, "b": {"type": "string"}}, "a")
    assert shown.as_said(Action("f", {"a": "x", "b": "x"}), [tool], "hm", "en").arguments == {"a": "x"}
    tool["function"]["parameters"]["minProperties"] = 2
    both = {"a": "x", "b": "y"}
    assert shown.as_said(Action("f", both), [tool], "hm", "en").arguments == both
    assert shown.as_said(Action("g", both), [tool], "hm", "en").arguments == both


ONE = {"type": "integer", "enum": [218394, 5]}
BY_ORDER = function("orders_get", {"order_number": ONE}, "order_number")
BY_CUSTOMER = function("orders_of", {"customer_id": ONE}, "customer_id")
BY_EITHER = function("orders_list", {"customer_id": ONE, "status": {"type": "string"}})


@pytest.mark.parametrize(
    ("text", "language"), [("orders 218394 and 5", "en"), ("الطلب 218394", "ar"), ("el pedido 218394", "es")]
)
def test_an_orders_number_is_no_customers(text: str, language: str):
    held = shown.by_name([BY_ORDER, BY_CUSTOMER, BY_EITHER], {"218394", "5"}, text, language)
    assert [routing.name_of(tool) for tool in held] == ["orders_get", "orders_list"]
    assert list(routing.parameters_of(held[1])["properties"]) == ["status"]


@pytest.mark.parametrize("text", ["218394?", "order 218394 of customer 5"])
def test_where_the_words_name_no_kind_or_two_each_tool_stays(text: str):
    tools = [BY_ORDER, BY_CUSTOMER, BY_EITHER]
    assert shown.by_name(tools, {"218394"}, text, "en") == tools


async def test_a_short_number_behind_the_word_of_its_thing_names_one():
    _, stand_in = await turn(said("show thing 12"), known(12), '{"action": "things_get", "thing_id": 12}')
    assert "things_list" not in actions(stand_in)


async def test_a_thing_to_be_changed_is_looked_for_by_its_name():
    items, stand_in = await turn(
        said("hide the thing Alpha", lacks=True),
        [LIST, FIND],
        '{"action": "things_search", "keyword": "Alpha"}',
    )
    assert actions(stand_in) == ["things_search", "ask"]
    assert calls_of(items) == [("things_search", '{"keyword": "Alpha"}')]


async def test_the_one_that_was_found_is_changed_and_the_change_is_held_to_it():
    found = '{"summary": "Things: Alpha (number 7).", "data": {"data": [{"id": 7, "parent_id": 3}]}}'
    history = [*said("hide the thing Alpha"), *called("things_search", found, keyword="Alpha")]
    wanted = '{"action": "things_update", "thing_id": 7, "status": "hidden"}'
    items, stand_in = await turn(history, known(3, 7), wanted)
    assert actions(stand_in) == ["things_update"]
    assert stand_in.asked[0]["response_format"]["json_schema"]["schema"]["anyOf"][0]["properties"][
        "thing_id"
    ]["enum"] == [7]
    assert calls_of(items) == [("things_update", '{"thing_id": 7, "status": "hidden"}')]


async def test_of_several_that_were_found_none_is_changed():
    found = '{"summary": "Things: Alpha (number 7); Alphabet (number 8)."}'
    history = [*said("hide the thing Alpha"), *called("things_search", found, keyword="Alpha")]
    items, stand_in = await turn(history, known(7, 8))
    assert stand_in.asked == [] and items[-1].content == "Things: Alpha (number 7); Alphabet (number 8)."


@pytest.mark.parametrize(
    "text", ["which things are hidden?", "is there a thing called Alpha?", "hide a thing"]
)
async def test_a_question_and_a_wish_without_a_name_are_no_hunt(text: str):
    _, stand_in = await turn(said(text, lacks=True), [LIST, FIND], '{"action": "ask"}')
    assert actions(stand_in) == ["things_list", "things_search", "reply", "ask"]


async def test_a_search_for_the_word_of_the_tools_themselves_becomes_a_question_back():
    wanted = '{"action": "things_search", "keyword": "thing name"}'
    items, _ = await turn(said("rename a thing", lacks=True), [LIST, FIND], wanted)
    assert items[-1].content == "Please tell me the thing number."


async def test_a_word_that_the_server_does_not_know_is_left_out_and_both_answers_are_told():
    refused = '{"error": "word_not_known", "message": "The word is none of them.", "next": "x"}'
    history = [*said("show the newest orders"), *called("orders_list", refused, status="newest")]
    items, stand_in = await turn(history, [ORDERS])
    assert calls_of(items) == [("orders_list", "{}")] and stand_in.asked == []
    history += called("orders_list", '{"summary": "Orders: 1."}')
    items, _ = await turn(history, [ORDERS])
    assert items[-1].content == "The word is none of them. Orders: 1."


@pytest.mark.parametrize("text", ["hello", "what can you do?"])
async def test_a_courtesy_promises_no_support_desk(text: str):
    items, _ = await turn(said(text), [LIST, FIND])
    assert items[-1].content and "support tickets" not in items[-1].content
    assert "with your order" not in items[-1].content


async def test_what_is_beside_its_tools_is_answered_by_what_it_can_do():
    items, _ = await turn(said("what is the capital of France?"), [LIST, FIND], '{"action": "reply"}')
    assert items[-1].content.startswith("I cannot help with that. I can look things up in the shop's system")


LISTED = (
    '{"summary": "Things: Alpha (number 7); Beta (number 8).", '
    '"data": {"data": [{"id": 7, "name": "Alpha"}, {"id": 8, "name": "Beta"}]}}'
)


def listed(text: str) -> list[dict[str, Any]]:
    history = [*said("which things are there?"), *called("things_list", LISTED)]
    return [*history, {"role": "assistant", "content": "Two."}, {"role": "user", "content": text}]


async def test_of_what_was_listed_only_the_one_that_is_named_can_be_changed():
    _, stand_in = await turn(listed("hide the thing Beta"), known(7, 8), '{"action": "reply"}', "Hm.")
    forms = stand_in.asked[0]["response_format"]["json_schema"]["schema"]["anyOf"]
    held = [
        f["properties"]["thing_id"]["enum"]
        for f in forms
        if f["properties"]["action"]["const"] == "things_update"
    ]
    assert held == [[8]]


async def test_what_was_listed_under_other_names_is_looked_for_and_not_changed():
    found = '{"action": "things_search", "keyword": "Gamma"}'
    items, stand_in = await turn(listed("hide the thing Gamma"), known(7, 8), found)
    assert actions(stand_in) == ["things_search", "ask"]
    assert calls_of(items) == [("things_search", '{"keyword": "Gamma"}')]


@pytest.mark.parametrize(("text", "kept"), [("make one below it", True), ("make a thing called Pets", False)])
def test_an_id_that_may_be_left_out_stays_only_where_the_message_points_back(text: str, kept: bool):
    tool = function("f", {"name": {"type": "string"}, "parent_id": {"type": "integer", "enum": [7]}}, "name")
    action = shown.as_said(Action("f", {"name": "Pets", "parent_id": 7}), [tool], text, "en")
    assert ("parent_id" in action.arguments) is kept
