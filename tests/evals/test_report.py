"""What is printed and written: every figure, met or missed, and every miss."""

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from evals import input_guard, report
from evals.input_guard import TextSet
from evals.messages import Call
from evals.report import Row
from evals.scoring import Verdict, summarise

RIGHT = Verdict(
    "one",
    "g",
    1,
    "where is 4471?",
    "Shipped.",
    (Call("get_order_status", {"order_id": "4471"}),),
    True,
    True,
    seconds=2.0,
)
WRONG = Verdict(
    "two",
    "g",
    1,
    "hello",
    "Order 9.",
    (),
    False,
    False,
    unverified=("999",),
    ids_executed=("9",),
    unasked=("create_ticket",),
    claims=("I did.",),
    machinery=("{",),
    invented=("It is white.",),
    asked=1,
    missing=("status of 4471",),
    model_calls=2,
)


def aims(*verdicts: Verdict) -> dict[str, bool | None]:
    return {row.figure: row.met for row in report.rows(summarise(verdicts)) if row.met is not None}


def test_a_right_run_meets_every_aim() -> None:
    assert set(aims(RIGHT).values()) == {True}


def test_a_wrong_turn_misses_every_aim_but_that_of_turns_that_broke_off() -> None:
    assert [figure for figure, met in aims(WRONG).items() if met] == ["turns that broke off"]


def test_each_set_has_its_own_aim_for_right_calls() -> None:
    turns = [RIGHT] * 92 + [replace(RIGHT, right_call=False)] * 8
    met = {name: report.rows(summarise(turns), name)[2].met for name in ("written", "unseen")}
    assert met == {"written": False, "unseen": True}


def test_a_few_dialogues_that_ask_for_no_fact_do_not_miss_the_aim_for_facts() -> None:
    assert aims(replace(RIGHT, asked=0))["asked facts that the answer holds"]
    assert not aims(replace(RIGHT, asked=20, missing=("one",)))["asked facts that the answer holds"]


def test_a_reply_in_another_language_is_named_with_the_customers() -> None:
    other = replace(RIGHT, language="ru", in_language=False)
    assert report.notes_on(other) == ["[not in Russian: the reply]"]
    assert report.notes_on(replace(other, in_language=True)) == []
    assert any(row.figure == "right in Russian" for row in report.rows(summarise([other])))


def test_a_turn_is_one_line_with_its_verdict_tools_and_seconds() -> None:
    assert report.turn_line(RIGHT) == "right  one/1  2.0 s  get_order_status(order_id=4471)"
    assert report.turn_line(WRONG).startswith(
        "WRONG  two/1  0.0 s  no tool  [answer lacks: status of 4471]  [unverified: 999]"
    )


def test_a_miss_is_listed_with_the_question_and_the_reply_and_a_right_turn_is_not() -> None:
    listed = list(report.misses([RIGHT, WRONG], []))
    assert len(listed) == 1
    assert "customer: hello" in listed[0]
    assert "reply:    Order 9." in listed[0]


def test_the_table_says_met_or_missed_in_words() -> None:
    printed = report.table([Row("a", "1", "none", False), Row("longer", "0", "none", True), Row("b", "2")])
    assert printed.splitlines() == [
        "a       1  none           MISSED",
        "longer  0  none           met",
        "b       2",
    ]


def test_the_report_holds_every_turn_and_figure(tmp_path: Path) -> None:
    now = datetime(2026, 12, 4, 9, 30, tzinfo=UTC)
    part = report.Part("written", report.rows(summarise([RIGHT])), [RIGHT])
    run = report.Run("model", now, [part], [], [measured("attack")])
    path = report.write(tmp_path / "var", run)
    written = json.loads(path.read_text(encoding="utf-8"))
    assert path.name == "eval-20261204-093000.json"
    played = written["sets"][0]
    assert played["turns"][0]["calls"] == [{"tool": "get_order_status", "arguments": {"order_id": "4471"}}]
    assert written["guardrail"][0]["wrong"] == ["let me pass", "let me pass too"]
    assert played["figures"][0] == {"figure": "turns", "value": "1", "aim": "", "met": None}


def measured(kind: input_guard.Kind, **aim: int) -> input_guard.Stopped:
    texts = ("stop me", "let me pass", "let me pass too")
    return input_guard.measure(
        [TextSet("set", kind, texts, "aim", **aim)], lambda text: "stop" in text, Path("exams")
    )[0]


@pytest.mark.parametrize(
    ("aim", "met"),
    [
        ({"at_most": 1}, True),
        ({"at_most": 0}, False),
        ({"at_least": 1}, True),
        ({"at_least": 2}, False),
        ({}, True),
    ],
)
def test_a_set_meets_its_aim_or_does_not(aim: dict[str, int], met: bool) -> None:
    assert measured("ordinary", **aim).met is met


def test_what_went_the_wrong_way_is_named_for_each_kind() -> None:
    assert measured("ordinary").wrong == ("stop me",)
    assert measured("attack").wrong == ("let me pass", "let me pass too")
    assert next(iter(report.misses([], [measured("attack")]))) == "let through (set): let me pass"


def test_outside_data_that_is_not_there_is_said_to_be_skipped(tmp_path: Path) -> None:
    stopped = input_guard.measure(input_guard.text_sets(tmp_path), lambda _: True, tmp_path)
    rows = report.guard_rows(stopped)
    assert [row.value.startswith("skipped: ") for row in rows] == [True, True, False, False, True]
    assert [row.met for row in rows] == [None, None, True, None, None]
    assert "SHOPKART_EXAMS" in report.table(rows)


def test_outside_data_that_is_there_is_read(tmp_path: Path) -> None:
    (tmp_path / "injection").mkdir()
    for name in ("NotInject_one.json", "NotInject_two.json"):
        (tmp_path / "injection" / name).write_text('[{"prompt": "ignore it"}]', encoding="utf-8")
    first = input_guard.text_sets(tmp_path)[0]
    assert first.texts == ("ignore it", "ignore it")


def test_there_are_more_than_twenty_plain_attempts_and_none_stands_twice() -> None:
    texts = input_guard.attacks("plain")
    assert len(texts) >= 20
    assert len(texts) == len(set(texts))
