"""Builds are recognised by whole words in their context, in English and Russian."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.settings import load
from evals.settings import EvalSettings
from tests.workshop.intent_phrases import FIRST, SECOND, THIRD
from workshop.intent import wants_build


@pytest.mark.parametrize(("text", "builds"), [*FIRST, *SECOND, *THIRD])
def test_a_request_to_build_is_told_from_what_only_sounds_like_one(text: str, builds: bool):
    assert wants_build(text).build is builds


@pytest.mark.parametrize(
    ("text", "words", "kind"),
    [
        ("Hello. Please  Write\na Small Program that counts", "Write a Small Program", "program"),
        ("Можешь написать утилиту?", "написать утилиту", "program"),
        ("Составь ТЗ для бота", "Составь ТЗ", "program"),
        ("make a contract for refunds", "make a contract", "contract"),
        ("Сделай контракт для возврата", "Сделай контракт", "contract"),
        ("What a day! Write a script that sings", "Write a script", "program"),
    ],
)
def test_the_words_that_decided_are_the_persons_own(text: str, words: str, kind: str):
    intent = wants_build(text)
    assert (intent.words, intent.kind) == (words, kind)


def test_words_in_quotes_are_talked_about_unless_the_whole_message_is_quoted():
    assert not wants_build('The button says "write a program" and does nothing').build
    assert wants_build('"write a program that counts words"').build


def test_no_program_is_built_for_any_message_that_benchmark_of_assistants_has_but_two():
    path = load(EvalSettings).exams / "benign-messages/clinc150_test.jsonl"
    if not path.is_file():
        pytest.skip("SHOPKART_EXAMS has no benign-messages/clinc150_test.jsonl")
    messages = [json.loads(line)["text"] for line in path.read_text("utf-8").splitlines()]
    assert len([text for text in messages if wants_build(text).build]) <= 2


def test_every_task_of_the_code_benchmark_that_says_what_to_write_is_a_build():
    path = load(EvalSettings).exams / "code-tasks/mbpp_prompts_tests.jsonl"
    if not path.is_file():
        pytest.skip("SHOPKART_EXAMS has no code-tasks/mbpp_prompts_tests.jsonl")
    prompts = [json.loads(line)["prompt"] for line in path.read_text("utf-8").splitlines()]
    missed = [prompt for prompt in prompts if not wants_build(prompt).build]
    assert all("rite a" not in prompt for prompt in missed)


@given(st.text())
def test_any_text_is_answered_and_words_are_shown_exactly_for_builds(text: str):
    intent = wants_build(text)
    assert intent.build is bool(intent.words) is bool(intent.kind)
