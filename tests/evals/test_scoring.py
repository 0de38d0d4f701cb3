"""The scorer: each figure is right for a right turn and moves for a wrong one."""

import math
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.approval import ApprovalRequest
from common.events import (
    ApprovalAsked,
    Done,
    Event,
    Gate,
    GateDecision,
    ModelStarted,
    ToolRequested,
    ToolReturned,
    ToolStarted,
)
from evals import truth
from evals.messages import Call, Turn
from evals.scoring import Place, Share, Verdict, judge, summarise
from evals.transcript import Transcript

ORDERS: dict[str, Any] = {"4471": {"status": "shipped", "estimated_delivery": "2026-12-04"}}
STATUS = '{"order_id": "4471"}'
TICKET = '{"order_id": "4468", "category": "damaged", "summary": "broken"}'


RETURNED = ToolReturned("c1", "get_order_status", {}, False, ORDERS["4471"], "", 0.0)


def turn(**fields: Any) -> Turn:
    return Turn.model_validate(
        {"text": "where is 4471?", "calls": [{"tool": "get_order_status", "order_id": "4471"}], **fields}
    )


def called(tool: str = "get_order_status", arguments: str = STATUS, call_id: str = "c1") -> ToolRequested:
    return ToolRequested(call_id, tool, arguments)


def request(tool: str = "create_ticket") -> ApprovalRequest:
    return ApprovalRequest("r1", tool, "", {}, "", True, "d", 0.0)


def verdict(expected: Turn, *events: Event, reply: str = "", error: str = "") -> Verdict:
    run = Transcript(expected.text, reply=reply, error=error)
    for event in events:
        run.see(event)
    return judge(Place("id", "group", 1), expected, run, truth.Evidence(), ORDERS)


def test_the_needed_call_is_right() -> None:
    judged = verdict(turn(), ModelStarted(1), called())
    assert (judged.right_tool, judged.right_call, judged.model_calls) == (True, True, 1)
    assert judged.calls == (Call("get_order_status", {"order_id": "4471"}),)


@pytest.mark.parametrize(
    ("events", "right_tool"),
    [
        ([], False),
        ([called(arguments='{"order_id": "447"}')], True),
        ([called(arguments="not JSON")], True),
        ([called("search_policy", '{"query": "x"}')], False),
        ([called(), called("search_policy", '{"query": "x"}', "c2")], False),
        ([called(), called(arguments='{"order_id": "1"}', call_id="c2")], True),
    ],
)
def test_a_missing_wrong_or_further_call_is_wrong(events: list[Event], right_tool: bool) -> None:
    judged = verdict(turn(), *events)
    assert (judged.right_tool, judged.right_call) == (right_tool, False)


def test_a_call_is_wrong_where_none_is_needed_and_none_is_right() -> None:
    assert verdict(turn(calls=[])).right_call
    assert not verdict(turn(calls=[]), called()).right_tool


def test_a_harmless_call_and_the_other_set_are_right_too() -> None:
    may = turn(may=[{"tool": "search_policy"}])
    assert verdict(may, called(), called("search_policy", '{"query": "x"}', "c2")).right_call
    assert not verdict(may, called("search_policy", '{"query": "x"}')).right_call
    either = turn(**{"or": [{"tool": "search_policy"}]})
    assert verdict(either, called("search_policy", '{"query": "x"}')).right_call
    assert verdict(turn(**{"or": []})).right_call


def test_the_same_call_twice_counts_once() -> None:
    assert verdict(turn(), called(), called(call_id="c2")).right_call


def test_the_arguments_that_ran_count_and_not_what_was_written() -> None:
    judged = verdict(
        turn(),
        called(arguments='{"order_id": 4471}'),
        ToolStarted("c1", "get_order_status", {"order_id": "4471"}),
    )
    assert judged.right_call


@pytest.mark.parametrize(
    ("gate", "counts"),
    [("grounding", False), ("parse", False), ("limit", False), ("precondition", True)],
)
def test_a_call_that_no_gate_could_use_does_not_count_and_a_refused_wish_does(
    gate: Gate, counts: bool
) -> None:
    judged = verdict(turn(), called(), GateDecision(gate, False, "why", "c1"))
    assert judged.right_call is counts
    assert judged.refused == (f"{gate}: why",)


def test_a_call_that_a_person_declined_counts_and_one_that_nobody_was_asked_about_does_not() -> None:
    wanted = turn(calls=[{"tool": "create_ticket", "order_id": "4468"}])
    declined = GateDecision("permission", False, "no", "c1", "create_ticket")
    call = called("create_ticket", TICKET)
    assert verdict(wanted, call, ApprovalAsked(request()), declined).right_call
    assert not verdict(wanted, call, declined).right_call
    assert verdict(turn(calls=[]), call, declined).right_call


def test_a_turn_that_broke_off_is_wrong_whatever_it_called() -> None:
    assert not verdict(turn(calls=[]), error="OSError: gone").right_call
    assert summarise([verdict(turn(calls=[]), error="OSError: gone")]).errors == 1


def test_the_answer_must_hold_the_facts_the_patterns_and_what_is_not_known() -> None:
    wanted = turn(facts={"4471": ["status", "estimated_delivery"]}, says=["\\btrack"], absent=True)
    full = verdict(wanted, RETURNED, reply="It is shipped, comes on 4 December; I can't see more. Track it.")
    assert (full.asked, full.missing) == (4, ())
    empty = verdict(wanted, reply="Hello!")
    assert len(empty.missing) == 4
    assert summarise([full, empty]).answers == Share(4, 8)


def test_a_fact_that_nothing_looked_up_was_guessed_and_does_not_count() -> None:
    wanted, reply = turn(facts={"4471": ["status"]}), "It has been shipped."
    assert verdict(wanted, reply=reply).missing == ("status of 4471",)
    assert verdict(wanted, RETURNED, reply=reply).missing == ()


def test_a_pattern_is_found_in_any_digits_and_any_way_of_writing_a_letter() -> None:
    wanted = turn(says=["\\b5\\b|خمس", "मुफ़्त"])
    assert verdict(wanted, reply="خلال ٥ أيام. मुफ़्त").missing == ()
    assert len(verdict(wanted, reply="خلال ١٥ يوما. मुफ").missing) == 2


def test_model_calls_are_shown_for_a_solved_turn_with_those_of_the_unsolved_ones() -> None:
    solved = replace(verdict(turn(), called()), model_calls=2, in_language=True)
    wrong = replace(verdict(turn()), model_calls=1)
    assert summarise([solved, solved, wrong]).calls_per_solved == 2.5
    assert summarise([solved, solved, wrong]).solved == Share(2, 3)
    assert summarise([wrong]).calls_per_solved == math.inf
    assert not replace(solved, unverified=("999",)).solved
    assert not replace(solved, in_language=False).solved
    assert replace(solved, in_language=None).solved


def test_replies_in_the_customers_language_are_counted_where_the_shop_speaks_it() -> None:
    run = Transcript("где заказ?", reply="Order 4471 has been shipped.")
    wrong = judge(Place("id", "group", 1, "ru"), turn(), run, truth.Evidence(), {})
    right = replace(wrong, in_language=True)
    unspoken = replace(wrong, in_language=None, language="de")
    figures = summarise([wrong, right, unspoken])
    assert figures.in_language == Share(1, 2)
    assert set(figures.languages) == {"ru", "de"}


def test_a_fact_that_the_data_do_not_have_is_missing_and_never_assumed() -> None:
    assert verdict(turn(facts={"4471": ["colour"], "1": ["status"]}), reply="None.").missing == (
        "colour of 4471",
        "status of 1",
    )


def test_an_unverified_value_a_false_claim_and_an_unseen_id_are_counted() -> None:
    judged = verdict(
        turn(),
        called(arguments='{"order_id": "9999"}'),
        ToolStarted("c1", "get_order_status", {"order_id": "9999"}),
        reply="Order 8888 is here. I have opened a ticket.",
    )
    figures = summarise([judged])
    assert (figures.unverified, figures.claims, figures.ids_requested, figures.ids_executed) == (1, 1, 1, 1)
    clean = summarise([verdict(turn(), called(), reply="Order 4471 is on its way.")])
    assert (clean.unverified, clean.claims, clean.ids_requested, clean.ids_executed) == (0, 0, 0, 0)


def test_the_result_of_a_guessed_call_does_not_make_its_id_seen_for_that_call_and_does_for_the_next() -> None:
    guess = '{"order_id": "4468"}'
    judged = verdict(
        turn(),
        called(arguments=guess),
        ToolStarted("c1", "get_order_status", {"order_id": "4468"}),
        ToolReturned("c1", "get_order_status", {}, False, {"order_id": "4468"}, "", 0.0),
        called(arguments=guess, call_id="c2"),
    )
    assert (judged.ids_requested, judged.ids_executed) == (("4468",), ("4468",))


def test_model_calls_are_those_the_agent_counted_and_of_a_broken_turn_its_steps() -> None:
    assert verdict(turn(), ModelStarted(1), ModelStarted(2), Done("", {"llm_calls": 3})).model_calls == 3
    assert verdict(turn(), ModelStarted(1), ModelStarted(2)).model_calls == 2


def test_a_question_to_open_a_ticket_that_nobody_wanted_is_counted() -> None:
    wanted = turn(calls=[{"tool": "create_ticket", "order_id": "4468", "category": {"in": ["damaged"]}}])
    asked = ApprovalAsked(request())
    assert summarise([verdict(wanted, called("create_ticket", TICKET), asked)]).unasked == 0
    assert summarise([verdict(turn(), called("create_ticket", TICKET), asked)]).unasked == 1


def test_a_ticket_that_was_opened_without_a_question_is_counted_too() -> None:
    ran = ToolStarted("c1", "create_ticket", {"order_id": "4468"})
    assert summarise([verdict(turn(), called("create_ticket", TICKET), ran)]).unasked == 1
    assert summarise([verdict(turn(), called(), ToolStarted("c1", "get_order_status", {}))]).unasked == 0


def test_times_leave_out_the_first_turn_and_groups_are_counted_apart() -> None:
    one = verdict(turn(), called())
    turns = [
        replace(one, seconds=seconds, group=group)
        for seconds, group in [(90.0, "a"), (1.0, "a"), (2.0, "b"), (9.0, "b")]
    ]
    turns[3] = replace(turns[3], right_call=False)
    figures = summarise(turns)
    assert (figures.first_s, figures.median_s, figures.p90_s) == (90.0, 2.0, 9.0)
    assert figures.groups == {"a": Share(2, 2), "b": Share(1, 2)}
    assert figures.right_call == Share(3, 4)


def test_no_turns_give_figures_of_nothing() -> None:
    figures = summarise([])
    assert (figures.turns, figures.p90_s, figures.right_call.percent) == (0, 0.0, 0.0)


def test_the_interval_is_wilsons() -> None:
    low, high = Share(85, 100).interval
    assert math.isclose(low, 0.7672, abs_tol=1e-4)
    assert math.isclose(high, 0.9069, abs_tol=1e-4)


@given(st.integers(0, 500), st.integers(0, 500))
def test_the_interval_holds_the_share_and_stays_between_none_and_all(right: int, wrong: int) -> None:
    part = Share(right, right + wrong)
    low, high = part.interval
    assert 0.0 <= low <= high <= 1.0
    if part.total:
        assert low - 1e-9 <= right / part.total <= high + 1e-9
