"""What code knows about the next action: what is left open, and where the model's choice is mended."""

import json

import pytest

from model import deciding
from model.routing import Action
from tests.model.desk import SEARCH, called, known, talk, tool, turn

pytestmark = pytest.mark.anyio

TOLD = json.dumps({"summary": "It came on 3 May."})
SEARCHED = Action("search", {"words": "how long"})


def mended(said: str, action: Action | None, *, missing: bool = True) -> Action | None:
    messages = talk(said, missing=missing)
    offered, words = deciding.choices(messages, [SEARCH])
    return deciding.reconsidered(action, messages, offered, words)


@pytest.mark.parametrize(
    "said",
    ["will it rain in Hamburg tomorrow?", "what is 3/4 plus 5/8", "any idea where to eat well tonight?"],
)
def test_a_search_for_what_is_no_shops_business_becomes_a_reply(said: str):
    assert mended(said, SEARCHED) == deciding.REPLY_ACTION


@pytest.mark.parametrize(
    "said", ["do you ship to Nepal?", "is there gift wrapping?", "what is your return policy"]
)
def test_a_search_for_what_a_shop_has_rules_on_stays(said: str):
    assert (mended(said, SEARCHED) or SEARCHED).name == "search"


@pytest.mark.parametrize("said", ["ho wlong cn i retrun stuf", "Wie lange kann ich etwas zurückgeben?"])
def test_a_search_stays_where_the_models_words_are_a_shops_business(said: str):
    assert (mended(said, Action("search", {"words": "return period"})) or SEARCHED).name == "search"


@pytest.mark.parametrize("word", ["ask", "reply"])
def test_a_question_about_the_rules_is_searched_for_where_the_model_would_not(word: str):
    said = "they don't fit, can I return opened earbuds?"
    assert mended(said, Action(word, {})) == Action("search", {"words": said})


def test_of_a_long_message_the_questions_are_searched_for():
    said = (
        "They are fine, they just do not sit well in my ears, I tried them once. Can I return opened earbuds?"
    )
    assert mended(said, Action("ask", {})) == Action("search", {"words": "Can I return opened earbuds"})


@pytest.mark.parametrize("action", [SEARCHED, Action("reply", {})])
def test_what_is_asked_for_and_lacks_only_a_detail_is_asked_back_for(action: Action):
    messages = talk("can you open a ticket? my parcel is stuck", missing=True)
    messages[0]["content"] += " The customer asks for report."
    offered, words = deciding.choices(messages, [SEARCH])
    assert deciding.reconsidered(action, messages, offered, words) == Action("ask", {})


@pytest.mark.parametrize(
    "said", ["do you refund broken lamps?", "if something breaks after a year, is that my problem?"]
)
def test_a_question_in_general_is_searched_for_though_its_words_could_ask_for_a_change(said: str):
    messages = talk(said, missing=True)
    messages[0]["content"] += " The customer asks for report."
    offered, words = deciding.choices(messages, [SEARCH])
    mended = deciding.reconsidered(Action("ask", {}), messages, offered, words)
    assert mended == Action("search", {"words": said})


@pytest.mark.parametrize(
    "said",
    [
        "Say something I bought just dies after a year, is that still covered?",
        "if I am not at home, what does the courier do then?",
        "а если меня не будет дома, что тогда с посылкой?",
    ],
)
def test_a_general_question_is_searched_for_where_the_model_would_ask_back(said: str):
    assert (mended(said, Action("ask", {})) or SEARCHED).name == "search"


@pytest.mark.parametrize(
    "said",
    [
        "How do I reverse a list in Python?",
        "where is it?",
        "any news on the parcel?",
        "can you tell me where mine is?",
    ],
)
def test_a_question_about_where_an_order_is_gets_the_question_back(said: str):
    assert mended(said, Action("ask", {})) == Action("ask", {})


@pytest.mark.parametrize("said", ["when does my order come?", "متى يوصل طلبي؟"])
def test_a_search_for_where_an_order_is_becomes_the_question_back(said: str):
    assert mended(said, SEARCHED) == Action("ask", {})


@pytest.mark.parametrize("said", ["how long until I get my money back?", "how do I delete my data"])
def test_ones_own_money_and_data_are_a_matter_of_rules(said: str):
    assert mended(said, Action("ask", {})) == Action("search", {"words": said})


@pytest.mark.parametrize("said", ["when does my refund come?", "I want a refund", "is it there?"])
def test_a_question_about_something_of_ones_own_is_not(said: str):
    assert mended(said, Action("ask", {})) == Action("ask", {})


@pytest.mark.parametrize(
    ("said", "written", "searched"),
    [
        ("what does express cost?", "how long does this take", "what does express cost?"),
        ("what does express cost?", "express costs", "what does express cost?"),
        ("what does express cost?", "shipping fee", "shipping fee: what does express cost?"),
        ("¿cuánto cuesta el envío?", "shipping cost", "¿cuánto cuesta el envío?"),
    ],
)
def test_a_search_is_for_the_customers_words_after_those_that_the_model_adds(
    said: str, written: str, searched: str
):
    assert mended(said, Action("search", {"words": written})) == Action("search", {"words": searched})


def test_a_follow_up_that_names_nothing_takes_what_it_is_about_from_the_model():
    history = [*talk("how are refunds paid?"), *called("search", TOLD, words="refunds")]
    history += [{"role": "assistant", "content": "Like this."}, {"role": "user", "content": "and how long?"}]
    written = Action("search", {"words": "how long do refunds take"})
    searched = deciding.reconsidered(written, history, [SEARCH], ("reply",))
    assert searched == Action("search", {"words": "how long do refunds take: and how long?"})


@pytest.mark.parametrize("said", ["and who brought it?", "¿y quién lo trajo?", "when exactly?"])
def test_a_follow_up_that_such_a_result_answers_is_looked_up_again(said: str):
    history = [*talk("where is 4471?"), *called("look_up", TOLD, id="4471"), *talk(said)[1:]]
    offered, words = deciding.choices(history, known("4468", "4471"))
    mended = deciding.reconsidered(deciding.REPLY_ACTION, history, offered, words)
    assert mended == Action("look_up", {"id": "4471"})


@pytest.mark.parametrize("said", ["what is the capital of France?", "I see", "hm"])
def test_what_such_a_result_does_not_answer_is_not(said: str):
    history = [*talk("where is 4471?"), *called("look_up", TOLD, id="4471"), *talk(said)[1:]]
    offered, words = deciding.choices(history, known("4471"))
    assert deciding.reconsidered(deciding.REPLY_ACTION, history, offered, words) == deciding.REPLY_ACTION


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("Where is 4471, and how many days do I have to return it?", "how many days do I have to return it"),
        ("when did 4471 come and how long is your guarantee", "how long is your guarantee"),
        ("when did 4471 come? am i allowed to send it back opened", "am i allowed to send it back opened"),
        ("¿dónde está el 4471 y puedo pagar a plazos?", "puedo pagar a plazos"),
    ],
)
def test_a_part_about_rules_that_the_result_does_not_hold_is_due(said: str, left: str):
    history = [*talk(said), *called("look_up", TOLD, id="4471")]
    assert deciding.due(history)[-1] == {"role": "user", "content": left}


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("what does express shipping cost?", "search"),
        ("¿cuánto cuesta el envío exprés?", "search"),
        ("when will it be delivered?", "look_up"),
        ("until when can I return it?", "look_up"),
    ],
)
def test_after_an_order_a_question_about_rules_that_it_does_not_hold_is_searched_for(said: str, name: str):
    found = json.dumps({"summary": "It can be returned until 3 May."})
    history = [*talk("where is 4471?"), *called("look_up", found, id="4471"), *talk(said)[1:]]
    offered, words = deciding.choices(history, known("4471"))
    mended = deciding.reconsidered(Action("look_up", {"id": "4471"}), history, offered, words)
    assert mended is not None and mended.name == name


def test_a_question_about_rules_beside_two_orders_is_due():
    history = [*talk("where are 4471 and 4468, and how long does a refund take?")]
    history += [*called("look_up", TOLD, id="4471"), *called("look_up", TOLD, id="4468")]
    assert deciding.due(history)[-1]["content"] == "how long does a refund take"


async def test_a_question_about_the_rules_beside_an_order_is_still_due():
    history = [
        *talk("when did 4471 come, and can I return it unpacked?"),
        *called("look_up", TOLD, id="4471"),
    ]
    items, stand_in = await turn(history, known("4471"), '{"action": "search", "words": "1"}')
    assert items[0].tool_calls[0].name == "search"
    assert stand_in.asked[0]["messages"][-1]["content"] == "can I return it unpacked"


@pytest.mark.parametrize(
    "said",
    [
        "when did 4471 come and is it all there?",
        "where is 4471? i have a return flight",
        "where is 4471 and what does the gift note say?",
        "where is 4471 and when will it be delivered?",
        "what did I pay for 4471 and until when can I return it?",
    ],
)
async def test_without_such_a_question_the_answer_is_due(said: str):
    found = json.dumps({"summary": "It can be returned until 3 May.", "data": {"gift_note": "Have fun."}})
    history = [*talk(said), *called("look_up", found, id="4471")]
    assert deciding.due(history) is history


async def test_a_message_that_is_only_the_detail_asked_for_belongs_to_the_wish_before_it():
    history = [*talk("it arrived in pieces"), {"role": "assistant", "content": "Please tell me the number."}]
    history.append({"role": "user", "content": "it is 4471, thanks"})
    _, stand_in = await turn(history, known("4471"), '{"action": "look_up", "id": "4471"}')
    assert stand_in.asked[0]["messages"][1:] == [
        {"role": "user", "content": "it arrived in pieces\nit is 4471, thanks"}
    ]


@pytest.mark.parametrize("said", ["the lamp is 4471", "yes please"])
async def test_a_message_with_a_wish_of_its_own_or_without_a_detail_stands_alone(said: str):
    history = [*talk("it arrived in pieces"), {"role": "assistant", "content": "Please tell me the number."}]
    history.append({"role": "user", "content": said})
    assert deciding.due(history) is history


async def test_what_was_not_asked_for_is_not_offered():
    tools = known("4471")
    tools[2]["function"]["x-asked-for"] = False
    offered, _ = deciding.choices(talk("where is 4471?"), tools)
    assert [one["function"]["name"] for one in offered] == ["look_up"]


async def test_after_a_call_that_was_not_asked_for_the_others_are_left():
    refused = json.dumps({"error": "not_asked_for", "message": "Not asked for.", "next": "Answer."})
    history = [*talk("where is 4471?"), *called("report", refused, id="4471", words="x")]
    offered, words = deciding.choices(history, known("4471"))
    assert [one["function"]["name"] for one in offered] == ["look_up", "search"] and words == ("reply",)


def test_a_number_that_counts_names_nothing():
    offered, words = deciding.choices(talk("what is 17 times 23?"), [*known("17", "23"), tool("other")])
    assert [one["function"]["name"] for one in offered] == ["search", "other"] and words == ("reply",)


def test_beside_a_number_that_counts_the_others_can_still_be_looked_up():
    offered, _ = deciding.choices(talk("I paid 50 euros for it"), known("4471", "50"))
    assert [one["function"]["name"] for one in offered] == ["look_up", "search", "report"]
    assert offered[0]["function"]["parameters"]["properties"]["id"]["enum"] == ["4471"]
