"""The estimate of tokens, against what the tokenizer of qwen2.5 counts."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.tokens import count, of_messages, of_tools

COUNTED = [
    json.loads(line)
    for line in (Path(__file__).parent.parent / "data" / "tokens" / "qwen25.jsonl")
    .read_text(encoding="utf-8")
    .splitlines()
]


@pytest.mark.parametrize("text", COUNTED, ids=lambda text: text["kind"])
def test_no_text_takes_more_than_estimated_and_none_much_less(text: dict[str, Any]):
    assert text["tokens"] <= count(text["text"]) <= text["tokens"] * 2.3


def test_all_texts_together_are_estimated_at_most_a_third_too_high():
    counted = sum(text["tokens"] for text in COUNTED)
    assert counted <= sum(count(text["text"]) for text in COUNTED) <= counted * 4 / 3


@given(st.text(max_size=300))
def test_every_text_has_an_estimate_and_none_costs_more_than_its_bytes(text: str):
    size = len(text.encode("utf-8", "surrogatepass"))
    assert 0 <= count(text) <= 2 * size + 1
    assert (count(text) == 0) == (text == "")


@given(st.text(max_size=100), st.text(max_size=100))
def test_a_longer_text_is_never_estimated_lower(first: str, second: str):
    assert count(first + second) >= count(first) - 1


def test_calls_and_tools_count():
    call = {"id": "c", "function": {"name": "look_up", "arguments": '{"id": "4471"}'}}
    plain = of_messages([{"role": "assistant", "content": "hi"}])
    assert of_messages([{"role": "assistant", "content": "hi", "tool_calls": [call]}]) > plain + 15
    assert of_tools([]) == 0
    assert of_tools([{"type": "function", "function": {"name": "look_up"}}]) > 160
