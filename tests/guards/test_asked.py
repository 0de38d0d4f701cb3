"""A change needs a request for it in the customer's words."""

import json
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guards.asked import ASKED_FOR, SHOWN_BY, asked_for, shown, unsettled

WORDS = {"en": ["ticket", "broken", "money back"], "ar": ["تذكر", "مكسور"], "hi": ["टिकट"], "ru": ["сломан"]}


def tool(words: Any = WORDS) -> Any:
    return SimpleNamespace(name="file", meta={ASKED_FOR: words})


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def result(name: str, **fields: Any) -> dict[str, Any]:
    return {"role": "tool", "name": name, "content": json.dumps(fields)}


@pytest.mark.parametrize(
    "said",
    [
        "please open a TICKET",
        "two tickets!",
        "it came broken",
        "I want my money back",
        "ticketing?",
        "افتح لي التذكرة",
        "وصل مَكْسُور",
        "टिकट खोल दो",
        "всё сломано",
    ],
)
def test_a_word_of_the_list_at_the_beginning_of_a_word_asks(said: str):
    assert asked_for(tool(), [said])


@pytest.mark.parametrize(
    "said", ["where is 4471?", "", "unbroken seal", "my money came back", "когда придёт?"]
)
def test_without_a_word_of_the_list_nothing_was_asked_for(said: str):
    assert not asked_for(tool(), [said])


@pytest.mark.parametrize(
    "said",
    [
        "do not open a ticket, just tell me what a ticket is",
        "what would happen if I opened a ticket for 4468?",
        "I might open a ticket later",
        "no abras ningún ticket",
        "что будет, если она сломана?",
        "لا تفتح تذكرة",
    ],
)
def test_what_is_not_wished_or_only_wondered_about_is_not_asked_for(said: str):
    assert not asked_for(tool(), [said])


def test_a_wish_beside_what_is_not_wanted_is_one():
    assert asked_for(tool(), ["I don't want it any more, it is broken, please open a ticket"])


def test_a_message_about_something_else_ends_an_open_wish():
    talk = [user("it came broken"), user("I am very angry about this")]
    assert not asked_for(tool(), *unsettled(talk, "file"))


def test_a_tool_without_a_list_has_no_such_rule():
    assert asked_for(SimpleNamespace(name="x", meta=None), ["hello"])
    assert asked_for(SimpleNamespace(name="x"), ["hello"])


@pytest.mark.parametrize("words", [[], "ticket", {}, {"en": "ticket"}, {"en": [1, None, ""]}, 7])
def test_a_list_that_cannot_be_read_is_never_asked_for(words: Any):
    assert not asked_for(tool(words), ["a ticket please"])


def test_a_wish_may_be_spread_over_three_messages_and_no_more():
    talk = [user("it came broken"), user("yes"), user("4471")]
    assert asked_for(tool(), *unsettled(talk, "file"))
    assert not asked_for(tool(), *unsettled([*talk, user("where is 4468?")], "file"))


@pytest.mark.parametrize("outcome", [{"summary": "done"}, {"error": "approval_declined"}])
def test_what_was_done_or_declined_is_asked_for_no_more(outcome: dict[str, Any]):
    talk = [user("a ticket for 4471"), result("file", **outcome), user("and where is 4468?")]
    assert not asked_for(tool(), *unsettled(talk, "file"))


def test_a_call_that_failed_leaves_the_wish_open():
    talk = [user("a ticket for 4471"), result("file", error="not_grounded"), user("4472 I mean")]
    assert asked_for(tool(), *unsettled(talk, "file"))


def test_another_tools_result_settles_nothing():
    talk = [user("it came broken, 4471"), result("look_up", summary="It came."), user("please do it")]
    assert asked_for(tool(), *unsettled(talk, "file"))


def test_one_message_may_ask_twice():
    talk = [user("tickets for 4471 and 4468"), result("file", summary="done")]
    assert asked_for(tool(), *unsettled(talk, "file"))


@pytest.mark.parametrize(
    "said", ["and one for 4468 too", "the same for 4468", "y otra para 4468", "4468 тоже"]
)
def test_once_more_is_asked_for_in_few_words(said: str):
    talk = [user("a ticket for 4471"), result("file", summary="done"), user(said)]
    assert asked_for(tool(), *unsettled(talk, "file"))


@given(
    st.lists(st.dictionaries(st.sampled_from(["role", "content", "name"]), st.text(max_size=8) | st.none()))
)
def test_no_history_breaks_it(talk: list[dict[str, Any]]):
    wish, before = unsettled(talk, "file")
    assert asked_for(tool(), wish, before) in (True, False)


KINDS = {"kind": {"broken": {"en": ["broke"]}, "back": {"en": ["return"]}}}


@pytest.mark.parametrize(
    ("wish", "values"),
    [
        (["it arrived broken"], {"kind": ["broken"]}),
        (["how long can I return it?", "4468 arrived broken"], {"kind": ["broken"]}),
        (["it arrived broken", "4468"], {"kind": ["broken"]}),
        (["it broke, I return it"], {"kind": ["broken", "back"]}),
        (["hello"], {}),
    ],
)
def test_the_newest_words_show_the_value(wish: list[str], values: dict[str, list[str]]):
    assert shown(SimpleNamespace(meta={SHOWN_BY: KINDS}), wish) == values


@pytest.mark.parametrize("listed", [None, [], {"kind": 7}, {"kind": {"broken": "broke"}}])
def test_a_list_of_values_that_cannot_be_read_shows_nothing(listed: Any):
    assert shown(SimpleNamespace(meta={SHOWN_BY: listed}), ["it broke"]) == {}
