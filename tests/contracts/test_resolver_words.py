"""A resolver whose function searches by the word: what may be written, and what is asked then.

Knows: tasks/orders, changed in one place.
"""

import pytest

from common.settings import ROOT
from contracts.folders import files_of
from contracts.problems import BadContracts
from contracts.reading import read_task

RESOLVER = "{function: get, word: order_number, match: [reference_id], value: id}"


def rules_broken(resolver: str) -> list[str]:
    files = dict(files_of(ROOT / "tasks" / "orders"))
    text = files["functions.yaml"].decode()
    assert RESOLVER in text
    files["functions.yaml"] = text.replace(RESOLVER, resolver).encode()
    with pytest.raises(BadContracts) as bad:
        read_task("orders", files)
    return [f"{problem.field.partition('.resolve.')[2]}: {problem.rule}" for problem in bad.value.problems]


def test_the_word_must_be_an_argument_of_the_function_that_searches() -> None:
    broken = rules_broken(RESOLVER.replace("word: order_number", "word: keyword"))
    assert "order_number.word: get has no argument keyword." in broken


def test_a_function_that_needs_an_argument_cannot_be_asked_without_the_word() -> None:
    broken = rules_broken(RESOLVER.replace("word: order_number, ", ""))
    assert (
        broken
        == ["order_number.function: get must be a read without resolvers, and need no argument but word's."]
        * 2
    )
