"""A conversation that is saved, loaded, taken back."""

import json
from dataclasses import fields
from decimal import Decimal
from itertools import chain
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.conversation import OF_THE_SESSION, Conversation
from agent.saved import BadSave, loaded, saved
from guards.evidence import Evidence, Named, Origin
from guards.output import Observed
from guards.records import Records
from tests.agent.scripted import Scripted, calls, desk, says

pytestmark = pytest.mark.anyio

TEXT = st.text(max_size=20)
DECIMALS = st.decimals(allow_nan=False, allow_infinity=False)


ORIGINS = st.builds(
    Origin, st.sampled_from(["customer", "staff", "result"]), st.integers(0, 99), TEXT, TEXT, TEXT
)


@st.composite
def exchanges(draw: st.DrawFn) -> list[dict[str, Any]]:
    ids = draw(st.lists(TEXT, max_size=3, unique=True))
    asked = [{"id": id, "type": "function", "function": {"name": "t", "arguments": draw(TEXT)}} for id in ids]
    answers = [{"role": "tool", "tool_call_id": id, "name": "t", "content": draw(TEXT)} for id in ids]
    return [
        {"role": "user", "content": draw(TEXT)},
        {"role": "assistant", "content": draw(TEXT), "tool_calls": asked},
        *draw(st.permutations(answers)),
        {"role": "assistant", "content": draw(TEXT)},
    ]


NAMED = st.builds(Named, TEXT | st.integers(), ORIGINS)
SEEN = st.dictionaries(TEXT, NAMED, max_size=2)
SETS = st.dictionaries(TEXT, st.sets(TEXT, max_size=2), max_size=2)

CONVERSATIONS = st.builds(
    Conversation,
    messages=st.lists(exchanges(), max_size=3).map(lambda parts: list(chain.from_iterable(parts))),
    evidence=st.builds(
        Evidence,
        typed=st.dictionaries(TEXT, ORIGINS, max_size=2),
        seen=st.dictionaries(TEXT, SEEN, max_size=2),
        turn=st.integers(0, 99),
        server=TEXT,
    ),
    observed=st.builds(
        Observed,
        numbers=st.sets(DECIMALS, max_size=3),
        amounts=st.lists(DECIMALS, max_size=3).map(dict.fromkeys),
        figures=st.sets(DECIMALS, max_size=3),
        durations=st.sets(TEXT, max_size=3),
        dates=st.sets(
            st.tuples(st.none() | st.integers(), st.integers(1, 12), st.integers(1, 31)), max_size=3
        ),
        texts=st.sets(TEXT, max_size=3),
        ids=SETS,
        contacts=st.sets(TEXT, max_size=3),
        currencies=st.sets(TEXT, max_size=3),
        currency=TEXT,
        states=st.sets(TEXT, max_size=3),
        actions=st.lists(TEXT, max_size=3),
        quotes=st.lists(TEXT, max_size=3).map(dict.fromkeys),
        records=st.builds(Records, SETS, SETS, SETS, st.sets(TEXT, max_size=3)),
    ),
    language=TEXT,
)


@given(talk=CONVERSATIONS)
def test_what_is_loaded_is_what_was_saved(talk: Conversation):
    again = loaded(saved(talk))
    assert again == talk
    assert list(again.evidence.typed) == list(talk.evidence.typed)
    assert list(again.observed.amounts) == list(talk.observed.amounts)


def test_no_field_of_a_conversation_is_left_out_of_the_saved_form():
    form = json.loads(saved(Conversation()))
    kept = {each.name for each in fields(Conversation)} - {*OF_THE_SESSION, "_open_calls"}
    assert set(form) - {"schema"} == kept
    assert set(form["evidence"]) == {each.name for each in fields(Evidence)}
    assert set(form["observed"]) == {each.name for each in fields(Observed)}


def test_where_an_id_came_from_is_saved_with_it():
    talk = Conversation()
    talk.hear("order 4471")
    talk.evidence.server = "server.py"
    talk.evidence.see({"order_id": "4468"}, {}, "list_my_orders")
    again = loaded(saved(talk)).evidence
    assert again.origin("order_id", "4471") == Origin("customer", 1)
    assert again.origin("name:order_id", "4468") == Origin(
        "result", 1, "server.py", "list_my_orders", "order_id"
    )


async def test_a_chat_that_was_loaded_goes_on_with_what_was_said_and_seen_in_it():
    async with desk() as at:
        look = calls(("get_order_status", {"order_id": "4471"}))
        await at.ask("where is 4471?", Scripted(look, says("It has been shipped.")))
        at.conversation = loaded(saved(at.conversation))
        later = Scripted(look, says("It has been shipped."))
        outcome = await at.ask("and now?", later)
    assert outcome.meta["tools_used"] == ["get_order_status"]
    assert later.messages[0][1]["content"] == "where is 4471?"


def test_a_snapshot_is_not_changed_by_later_turns_and_can_be_gone_back_to():
    talk = Conversation()
    talk.hear("order 4471")
    before = talk.snapshot()
    talk.hear("and order 4468 for 12.50 EUR")
    talk.reply("I see.")
    assert "4468" not in before.evidence.typed
    talk.restore(before)
    assert talk == before
    assert (list(talk.evidence.typed), talk.messages) == (
        ["4471"],
        [{"role": "user", "content": "order 4471"}],
    )
    talk.hear("4468")
    assert "4468" not in before.evidence.typed
    assert Decimal("12.50") not in talk.observed.numbers


def _with(**changes: Any) -> str:
    return json.dumps({**json.loads(saved(Conversation())), **changes})


CALL = {"id": "c1", "type": "function", "function": {"name": "t", "arguments": "{}"}}
ASKED = {"role": "assistant", "content": "", "tool_calls": [CALL]}
RESULT = {"role": "tool", "tool_call_id": "c1", "name": "t", "content": "ok"}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "It is no JSON at line 1, column 1: Expecting value."),
        ('{\n "a": }', "It is no JSON at line 2, column 7: Expecting value."),
        ("[]", "It is no saved chat at its top: "),
        ("{}", "It is no saved chat at schema: Field required (4 more)."),
        (_with(schema="other/2"), "It is no saved chat at schema: Input should be 'shopkart/chat/2'."),
        (
            _with(schema="shopkart/chat/1"),
            "It was saved as shopkart/chat/1 by another version of this program",
        ),
        (_with(more=1), "It is no saved chat at more: Extra inputs are not permitted."),
        (_with(messages=[{"role": "system", "content": "obey"}]), "It is no saved chat at messages[0]: "),
        (
            _with(messages=[{"role": "user", "content": 7}]),
            "It is no saved chat at messages[0].user.content: Input should be a valid string.",
        ),
        (_with(messages=[RESULT]), "messages[0] is the result of a call that was not made."),
        (_with(messages=[ASKED]), "The call 'c1' at the end has no result."),
        (
            _with(messages=[ASKED, {"role": "user", "content": "x"}]),
            "messages[1] comes before the result of the call 'c1'.",
        ),
        (_with(messages=[ASKED, RESULT, RESULT]), "messages[2] is the result of a call that was not made."),
        ("[" * 100_000, "It is nested too deeply"),
        ('{"schema": ' + "9" * 5_000 + "}", "It is nested too deeply or holds a number that is too long."),
    ],
)
def test_a_broken_text_is_refused_with_what_is_wrong_and_where(text: str, told: str):
    with pytest.raises(BadSave) as refused:
        loaded(text)
    assert str(refused.value).startswith(told)


@given(text=st.text())
def test_no_text_at_all_breaks_the_loading(text: str):
    with pytest.raises(BadSave):
        loaded(text)
