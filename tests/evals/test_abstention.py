"""The policy search abstains where the policies do not answer: the measured figures do not get worse.

Knows:    the figures of `python -m evals.abstention`, as docs/abstention.md tells them.
Does not: know how the search decides.   (tests/server/test_coverage.py)
"""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from common.settings import load
from evals import abstention, questions
from evals.abstention import Outcome, best_threshold, figures, full_text_search
from evals.questions import Asked, shop_questions
from evals.settings import EvalSettings
from store.policies import load_policies, sections

SAMPLE = Path(__file__).parents[1] / "data" / "benign-messages" / "clinc150_300.jsonl"
AT_LEAST = {"tuned": 0.97, "second": 0.95, "held": 0.9}
FALSE_ANSWERS = {"tuned": 0, "second": 0, "held": 3}


@pytest.fixture(scope="module")
def shop() -> dict[str, abstention.Figures]:
    lines = abstention.shop_figures()
    return dict(zip(questions.PARTS, lines, strict=False))


@pytest.mark.parametrize("part", questions.PARTS)
def test_of_the_shops_own_questions_those_are_answered_that_the_policies_answer(
    shop: dict[str, abstention.Figures], part: str
):
    assert shop[part].balanced >= AT_LEAST[part]
    assert shop[part].hits >= 0.98
    assert shop[part].false_answers <= FALSE_ANSWERS[part]


def test_no_message_of_the_sample_beside_the_shop_is_answered():
    rows = [json.loads(line) for line in SAMPLE.read_text(encoding="utf-8").splitlines()]
    beside = [row["text"] for row in rows if row["intent"] == "oos"]
    index = abstention.shop_index()
    assert len(beside) == 58
    answered = questions.answered_out_of_scope()
    assert [text for text in beside if text not in answered and index.search(text).stated] == []


def test_none_of_the_thousand_messages_beside_the_shop_is_answered_but_those_marked():
    stated = abstention.stated_beside(load(EvalSettings).exams)
    if stated is None:
        pytest.skip("SHOPKART_EXAMS has no benign-messages/clinc150_test.jsonl")
    assert stated == []


def test_every_message_that_is_marked_as_answered_is_one_of_the_thousand():
    messages = questions.out_of_scope(load(EvalSettings).exams)
    if messages is None:
        pytest.skip("SHOPKART_EXAMS has no benign-messages/clinc150_test.jsonl")
    assert questions.answered_out_of_scope() <= set(messages)


def test_over_pooled_passages_of_others_it_abstains_better_than_the_aim():
    lines = abstention.pooled_figures(load(EvalSettings).exams)
    if not lines:
        pytest.skip("SHOPKART_EXAMS has no abstention/passages.jsonl")
    ours, _, other_threshold = lines
    assert ours.balanced > abstention.POOL_AIM
    assert ours.balanced > other_threshold.balanced
    assert (ours.answerable, ours.unanswerable) == (116, 34)


def test_without_the_exams_the_measurement_says_that_it_was_skipped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("SHOPKART_EXAMS", str(tmp_path))
    result = CliRunner().invoke(abstention.main)
    assert result.exit_code == 0
    assert result.output.count("skipped") == 3
    assert "| shop, held: our search |" in result.output


# ---------------------------------------------------------------- the questions


def test_no_question_is_in_two_parts_or_of_two_kinds():
    asked = [one for part in questions.PARTS for one in shop_questions(part)]
    assert len({one.text.casefold() for one in asked}) == len(asked)


def test_every_section_of_the_policies_is_asked_for_in_every_part():
    ids = {section.id for policy in load_policies() for section in sections(policy)}
    for part in questions.PARTS:
        assert {one.passage for one in shop_questions(part) if one.passage} == ids


def test_what_a_template_asks_for_is_in_no_policy():
    text = " ".join(policy.text for policy in load_policies()).casefold()
    for one in (one for part in questions.PARTS for one in shop_questions(part)):
        if one.kind in ("country", "city", "carrier", "amount"):
            name = one.text.casefold()
            assert not any(word in text for word in _named(one) if word in name), one.text


def _named(one: Asked) -> list[str]:
    read = questions._read("unanswerable.yaml")  # pyright: ignore[reportPrivateUsage]
    return [str(word).casefold() for words in (read["lists"], read["held"]) for word in words[one.kind]]


# ---------------------------------------------------------------- the figures


def test_the_balanced_accuracy_is_the_mean_of_both_kinds():
    came = [Outcome(True, True), Outcome(True, False), *[Outcome(False, False)] * 3, Outcome(False, True)]
    line = figures("x", came, aim=0.7)
    assert line.balanced == (1 / 2 + 3 / 4) / 2
    assert (line.false_answers, line.false_abstentions, line.met) == (1, 1, False)
    assert "(aim 0.70, missed)" in abstention.table([line])


def test_the_best_threshold_parts_the_two_kinds_where_that_is_possible():
    assert best_threshold([(True, 5.0), (True, 3.0), (False, 2.0), (False, 1.0)]) == 3.0
    assert best_threshold([]) == 0.0


def test_the_full_text_search_that_is_compared_finds_by_words():
    best = full_text_search([section for policy in load_policies() for section in sections(policy)])
    assert best("water damage")[0][0] == "warranty#what-the-warranty-does-not-cover"
    assert best("?!") == []
