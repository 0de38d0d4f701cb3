"""guards/disclosure.py: the instructions are not read out."""

from collections.abc import Callable

import pytest

from agent.prompt import RULES
from common.phrases import catalogue
from guards.disclosure import RUN, disclosed
from tests.agent.scripted import Scripted, desk, says

SENTENCES = [text for text in RULES.replace("\n", " ").split(". ") if len(text.split()) >= RUN]


@pytest.mark.parametrize("sentence", SENTENCES)
def test_each_rule_is_known_again(sentence: str) -> None:
    assert disclosed(f"Sure, here you go: {sentence}!", RULES)


@pytest.mark.parametrize(
    "written",
    [
        "NEVER INVENT OR CHANGE A NUMBER, A DATE, AN AMOUNT.",
        "Never\ninvent - or\nchange * a number / a date / an amount",
        "N\u200bever invent or change a num\u200bber, a date, an amount",
        "Ｎever invent or change a number, a date, an amount",
    ],
)
def test_other_spellings_of_the_same_words_are_the_same_words(written: str) -> None:
    assert disclosed(written, RULES)


@pytest.mark.parametrize("sentence", [text for text in SENTENCES if len(text) > 60])
@pytest.mark.parametrize(
    "written",
    [
        lambda text: text[::-1],
        lambda text: text.replace(" ", "_"),
        lambda text: text.title().replace(" ", ""),
        lambda text: " ".join(text),
        lambda text: text.replace("e", "\u0435").replace("a", "\u0430"),
        lambda text: text.replace("e", "é").replace("a", "ä"),
        lambda text: text.replace("e", "3").replace("o", "0"),
        lambda text: " ".join(f"<b>{word}</b>" for word in text.split()),
        lambda text: " ".join(f"{number}: {word}" for number, word in enumerate(text.split(), 20)),
    ],
)
def test_words_that_are_dressed_up_are_read_by_their_letters(
    sentence: str, written: Callable[[str], str]
) -> None:
    assert disclosed(written(sentence), RULES)


@pytest.mark.parametrize("language", ["en", "es", "ru", "ar", "hi"])
def test_no_fixed_sentence_of_the_house_reads_like_an_instruction(language: str) -> None:
    assert [text for text in catalogue(language).values() if disclosed(text, RULES)] == []


def test_six_words_in_a_row_are_chance() -> None:
    assert disclosed("If a result does not hold the answer, tell me.", RULES) == []


@pytest.mark.anyio
async def test_one_word_a_line_is_not_shown_beyond_the_run() -> None:
    words = SENTENCES[2].split()
    async with desk() as at:
        outcome = await at.ask("hello", Scripted(says("\n".join(words))))
    assert len(at.shown.split("I could not")[0].split()) <= 2 * (RUN - 1)  # two attempts
    assert " ".join(words) not in " ".join(outcome.reply.split())
