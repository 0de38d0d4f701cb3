"""What code calls in the small model's place: a list where nothing was named, the staff where asked for."""

from typing import Any

import pytest

from common.shop import Shop, load_shop
from model import standing
from model.replies import Message, Reply
from tests.model.desk import SEARCH, actions, called, known, talk, tool, turn

pytestmark = pytest.mark.anyio


def marked(schema: dict[str, Any], **marks: Any) -> dict[str, Any]:
    own = {f"x-{name.replace('_', '-')}": value for name, value in marks.items()}
    return {**schema, "function": {**schema["function"], **own}}


LISTS = marked(tool("list_things"), gives=["thing number"])
CONTACT = marked(tool("contact", words={"type": "string", "maxLength": 300}), asked_for=True)


def listed(*ids: str) -> list[Message]:
    told = f'{{"things": [{", ".join(ids)}], "summary": "Your things: {", ".join(ids)}."}}'
    function = {"name": "list_things", "arguments": "{}"}
    call = {"id": "c", "type": "function", "function": function}
    return [
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c", "name": "list_things", "content": told},
    ]


def unreachable() -> Shop:
    return load_shop().model_copy(update={"hand_off": None})


ASKED: Message = {"role": "assistant", "content": "Your things: 4471, 4472. Please tell me the thing number."}


def only(items: list[Any]) -> Reply:
    (reply,) = items
    assert isinstance(reply, Reply)
    return reply


async def test_where_nothing_was_named_the_list_is_called_instead_of_asking_for_a_number():
    items, _ = await turn(talk("where is my parcel?", missing=True), [LISTS, SEARCH], '{"action": "ask"}')
    (call,) = only(items).tool_calls
    assert (call.name, call.arguments) == ("list_things", "{}")


async def test_what_was_listed_is_told_and_the_customer_is_asked_which_one_they_mean():
    messages = [*talk("where is my parcel?"), *listed("4471", "4472")]
    items, stand_in = await turn(messages, [LISTS, *known("4471", "4472")])
    assert only(items).content == "Your things: 4471, 4472. Please tell me the thing number."
    assert not stand_in.asked


async def test_a_single_thing_in_the_list_is_looked_up_without_asking():
    messages = [*talk("where is my parcel?"), *listed("4471")]
    items, stand_in = await turn(messages, [LISTS, *known("4471")])
    (call,) = only(items).tool_calls
    assert (call.name, call.arguments) == ("look_up", '{"id": "4471"}')
    assert not stand_in.asked


async def test_of_a_single_thing_its_own_sentence_is_told_and_not_the_lists():
    looked_up = called("look_up", '{"summary": "Thing 4471 is here."}', id="4471")
    messages = [*talk("where is my parcel?"), *listed("4471"), *looked_up]
    items, _ = await turn(messages, [LISTS, *known("4471")])
    assert only(items).content == "Thing 4471 is here."


async def test_an_empty_list_is_told_as_it_is():
    items, _ = await turn([*talk("where is my parcel?"), *listed()], [LISTS, SEARCH])
    assert only(items).content == "Your things: ."


async def test_a_list_is_made_once_in_a_conversation():
    messages = [*talk("where is it?"), *listed("4471", "4472"), *talk("so where is it?")[1:]]
    items, stand_in = await turn(messages, [LISTS, *known("4471", "4472")], '{"action": "ask"}')
    assert only(items).content == "Please tell me the thing number."
    assert actions(stand_in) == ["search", "reply", "ask"]


async def test_of_a_list_the_model_is_offered_what_the_customer_named():
    messages = [*talk("where is it?"), *listed("4471", "4472"), *talk("it is 4472")[1:]]
    _, stand_in = await turn(messages, [LISTS, *known("4471", "4472")], '{"action": "look_up", "id": "4472"}')
    (form, *_) = stand_in.asked[0]["response_format"]["json_schema"]["schema"]["anyOf"]
    assert form["properties"]["id"]["enum"] == ["4472"]


async def test_the_number_that_follows_a_list_belongs_to_the_wish_before_it():
    said = ["mine is broken, please report it", "4472"]
    report = marked(known("4471", "4472")[2], asked_for=True)
    offered = [LISTS, known("4471", "4472")[0], SEARCH, report]
    messages = [*talk(said[0]), *listed("4471", "4472"), ASKED, *talk(said[1])[1:]]
    chosen = '{"action": "report", "id": "4472", "kind": "broken", "words": "It is broken."}'
    items, stand_in = await turn(messages, offered, chosen, '{"kind": "broken"}')
    (call,) = only(items).tool_calls
    assert call.name == "report"
    assert stand_in.asked[0]["messages"][-1]["content"] == "mine is broken, please report it\n4472"
    assert "list_things" not in str(stand_in.asked[0]["messages"])


async def test_of_what_was_told_with_a_list_the_model_sees_the_question_alone():
    messages = [
        *talk("mine is broken"),
        *listed("4471", "4472"),
        ASKED,
        *talk("4472, I dislike its colour")[1:],
    ]
    offered = [LISTS, known("4471", "4472")[0], SEARCH]
    _, stand_in = await turn(messages, offered, '{"action": "look_up", "id": "4472"}')
    shown = [message["content"] for message in stand_in.asked[0]["messages"]]
    assert '{"action": "reply", "text": "Please tell me the thing number."}' in shown
    assert "Your things" not in str(shown)


async def test_a_wish_stays_open_after_a_list_and_is_not_searched_for():
    report = marked(known("4471", "4472")[2], asked_for=True)
    messages = [*talk("mine is broken, please report it"), *listed("4471", "4472"), ASKED]
    items, _ = await turn(
        [*messages, *talk("the big one")[1:]],
        [LISTS, known("4471", "4472")[0], SEARCH, report],
        '{"action": "search", "words": "1 big one"}',
    )
    assert only(items).content == "Please tell me the thing number."


async def test_after_a_look_up_nobody_is_asked_which_one_was_meant():
    looked_up = called("look_up", '{"summary": "Thing 4471 is here."}', id="4471")
    messages = [*talk("where is it?"), *listed("4471", "4472"), ASKED, *talk("4471")[1:], *looked_up]
    items, _ = await turn(messages, [LISTS, *known("4471", "4472")])
    assert only(items).content == "Thing 4471 is here."


async def test_the_routing_prompt_leaves_out_what_code_calls():
    messages = talk("and now")
    messages[0]["content"] += "\n- list_things(): List them.\n- contact(words): Ask the staff."
    _, stand_in = await turn(messages, [LISTS, CONTACT, *known("4471")], '{"action": "reply"}', "Hello.")
    prompt = stand_in.asked[0]["messages"][0]["content"]
    assert "look_up(id)" in prompt
    assert "list_things" not in prompt
    assert "contact(" not in prompt
    assert actions(stand_in) == ["look_up", "search", "report", "reply"]


async def test_a_tool_out_of_reach_is_left_out_until_it_is_offered_or_only_lacks_a_detail():
    line, waits = "\n- open_up(key): Open it.", "\n\nNot yet known: key. Without it open_up cannot be used."
    offered = tool("open_up", key={"type": "string", "enum": ["K-1"]})
    for paragraph, tools, told in (
        ("", known("4471"), False),
        (waits, known("4471"), True),
        ("", [offered, SEARCH], True),
    ):
        messages = talk("and now")
        messages[0]["content"] += line + paragraph
        _, stand_in = await turn(messages, tools, '{"action": "reply"}', "Hello.")
        assert ("open_up" in stand_in.asked[0]["messages"][0]["content"]) is told


async def test_a_question_about_a_ticket_without_a_number_is_answered_with_a_question():
    messages = talk("how is my ticket?")
    messages[0]["content"] += "\n\nNot yet known: ticket number. Without it get_ticket cannot be used."
    items, stand_in = await turn(messages, known("4471"))
    assert only(items).content == "Please tell me the ticket number."
    assert not stand_in.asked


@pytest.mark.parametrize(
    "said",
    [
        "can I talk to a human please",
        "quiero hablar con una persona",
        "позовите оператора",
        "أريد التحدث مع موظف",
    ],
)
async def test_a_wish_for_a_person_goes_to_the_staff_in_the_customers_words(
    said: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(standing, "load_shop", unreachable)
    items, stand_in = await turn(talk(said), [CONTACT, SEARCH])
    (call,) = only(items).tool_calls
    assert call.name == "contact"
    assert said in call.arguments
    assert not stand_in.asked


async def test_a_shop_that_says_where_its_staff_are_reached_is_asked_for_no_ticket():
    assert load_shop().hand_off
    items, _ = await turn(talk("can I talk to a human please"), [CONTACT, SEARCH])
    assert not only(items).tool_calls


async def test_a_wish_that_the_agent_did_not_hear_is_answered_in_words(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(standing, "load_shop", unreachable)
    items, _ = await turn(talk("can I talk to a human please"), [marked(CONTACT, asked_for=False), SEARCH])
    assert not only(items).tool_calls
    assert "staff" in (only(items).content or "")


async def test_a_question_for_a_phone_number_opens_nothing(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(standing, "load_shop", unreachable)
    items, _ = await turn(talk("what is your phone number"), [CONTACT, SEARCH])
    assert not only(items).tool_calls
    assert "staff" in (only(items).content or "")


def test_a_tool_that_searches_is_not_called_by_code():
    assert not standing.by_code(SEARCH)
    assert standing.by_code(LISTS)
    assert standing.by_code(CONTACT)


@pytest.mark.parametrize("said", ["which orders do I have?", "list all my orders", "and what did I order?"])
async def test_a_list_that_is_asked_for_is_made_however_often_and_nothing_is_asked_back(said: str):
    told = '{"summary": "Thing 4471 is here."}'
    listing = marked(tool("list_things"), gives=["order number"])
    messages = [
        *talk("4471?"),
        *called("look_up", told, id="4471"),
        {"role": "assistant", "content": "Here."},
    ]
    offered = [listing, *known("4471", "4472")]
    items, stand_in = await turn([*messages, *talk(said)[1:]], offered)
    (call,) = only(items).tool_calls
    assert call.name == "list_things"
    items, _ = await turn([*messages, *talk(said)[1:], *listed("4471", "4472")], offered)
    assert only(items).content == "Your things: 4471, 4472."
    assert not stand_in.asked


async def test_a_question_about_a_ticket_lists_the_tickets_where_that_can_be_done():
    messages = talk("how is my ticket?")
    messages[0]["content"] += "\n\nNot yet known: ticket number. Without it get_ticket cannot be used."
    listing = marked(tool("list_tickets"), gives=["ticket number"])
    items, _ = await turn(messages, [listing, *known("4471")])
    (call,) = only(items).tool_calls
    assert call.name == "list_tickets"
