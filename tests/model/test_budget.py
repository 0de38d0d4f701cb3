"""What of a conversation is kept when it grows too long."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from model.budget import SHORT_CHARS, estimate, fitted
from model.replies import Message

SYSTEM: Message = {"role": "system", "content": "rules"}
LONG = "x" * 300


def turn(text: str) -> list[Message]:
    return [{"role": "user", "content": text}, {"role": "assistant", "content": "ok"}]


def asked(text: str, *results: str, id: str = "c") -> list[Message]:
    """A turn in which each result came from a call of its own."""
    messages: list[Message] = [{"role": "user", "content": text}]
    for number, result in enumerate(results):
        call = {"id": f"{id}{number}", "function": {"name": "look_up", "arguments": "{}"}}
        messages.append({"role": "assistant", "content": None, "tool_calls": [call]})
        messages.append({"role": "tool", "tool_call_id": f"{id}{number}", "content": result})
    return messages


def results(messages: list[Message]) -> list[str]:
    return [message["content"] for message in messages if message["role"] == "tool"]


def test_a_conversation_that_fits_stays_whole():
    messages = [SYSTEM, *turn("a"), *turn("b")]
    assert fitted(messages, 1000) is messages


def test_the_oldest_results_are_shortened_before_any_turn_goes():
    messages = [SYSTEM, *[m for n in range(8) for m in [*asked(f"q{n}", LONG, id=f"c{n}"), *turn("thanks")]]]
    kept = fitted(messages, estimate(messages) - 100)
    assert len(kept) == len(messages)
    lengths = [len(result) for result in results(kept)]
    assert lengths == sorted(lengths)
    assert lengths[0] == SHORT_CHARS + 1 and lengths[-1] == len(LONG)


def test_a_shortened_result_keeps_its_own_sentence():
    result = json.dumps({"items": [LONG], "summary": "Order 4471 is on its way."})
    messages = [SYSTEM, *asked("q", result), *turn("thanks")]
    assert results(fitted(messages, 100)) in ([], ['{"summary": "Order 4471 is on its way."}'])
    assert results(fitted(messages, estimate(messages) - 1)) == ['{"summary": "Order 4471 is on its way."}']


def test_the_oldest_turns_go_next_and_the_system_message_stays():
    messages = [SYSTEM, *[message for number in range(20) for message in turn(f"{number} " + LONG)]]
    kept = fitted(messages, 1000)
    assert kept[0] == SYSTEM
    assert kept[1:] == messages[-len(kept) + 1 :]
    assert kept[1]["role"] == "user"
    assert estimate(kept) <= 1000


def test_turns_are_dropped_by_fours_so_that_the_prompt_stays_the_same_for_a_while():
    turns = [turn(f"{number:02d} " + LONG) for number in range(30)]
    firsts = [
        fitted([SYSTEM, *[m for t in turns[:count] for m in t]], 1500)[1]["content"][:2]
        for count in range(1, 31)
    ]
    assert set(firsts) <= {f"{number:02d}" for number in range(0, 30, 4)}
    assert len(set(firsts)) > 3


def test_in_the_newest_turn_old_results_are_shortened_and_then_old_calls_go():
    messages = [SYSTEM, *asked("q", LONG, LONG, LONG)]
    whole = estimate(messages)
    assert [len(r) for r in results(fitted(messages, whole - 10))] == [161, 300, 300]
    assert [len(r) for r in results(fitted(messages, 1))] == [161]
    assert fitted(messages, 1)[1] == messages[1]


def test_the_newest_message_stays_even_when_it_is_too_long():
    newest = {"role": "user", "content": "y" * 9000}
    assert fitted([SYSTEM, *turn("old"), newest], 100) == [SYSTEM, newest]


def test_a_dialect_that_adds_to_the_conversation_is_measured_on_what_it_sends():
    messages = [SYSTEM, *[m for n in range(10) for m in turn(f"{n} " + LONG)]]
    added = {"role": "system", "content": "word " * 300}

    def shown(kept: list[Message]) -> list[Message]:
        return [added, *kept]

    kept = fitted(messages, 1200, shown)
    assert estimate(shown(kept)) <= 1200 < estimate(shown(fitted(messages, 1200)))


texts = st.text(max_size=60) | st.integers(0, 900).map("z".__mul__)
turns = st.builds(
    lambda said, found, answer: [*asked(said, *found), {"role": "assistant", "content": answer}],
    texts,
    st.lists(texts, max_size=4),
    texts,
)


def whole_pairs(messages: list[Message]) -> bool:
    """Say whether every call is followed by its result, and every result follows its call."""
    for before, message in zip([SYSTEM, *messages], messages, strict=False):
        calls = before.get("tool_calls") or []
        wanted = calls[0]["id"] if calls else None
        if wanted != message.get("tool_call_id"):
            return False
    return not messages[-1].get("tool_calls")


@given(st.lists(turns, max_size=9), st.text(max_size=300), st.lists(texts, max_size=3), st.integers(0, 3000))
def test_the_law_of_the_budget(past: list[list[Message]], newest: str, found: list[str], limit: int):
    messages = [SYSTEM, *[m for each in past for m in each], *asked(newest, *found)]
    kept = fitted(messages, limit)
    least = fitted(messages, 0)
    assert estimate(kept) <= max(limit, estimate(least))
    assert estimate(least) <= estimate([SYSTEM, *asked(newest, *[f[:160] + "…" for f in found[-1:]])])
    assert kept[0] == SYSTEM
    assert newest in [m["content"] for m in kept if m["role"] == "user"][-1:]
    assert whole_pairs(kept)
    assert kept == messages if estimate(messages) <= limit else True


@given(st.lists(turns, max_size=9), st.integers(0, 3000))
def test_what_is_kept_is_in_the_old_order_and_nothing_is_made_up(past: list[list[Message]], limit: int):
    messages = [SYSTEM, *[m for each in past for m in each]]
    left: list[Any] = [(m["role"], m.get("content"), m.get("tool_call_id")) for m in messages]
    for message in fitted(messages, limit):
        while True:
            role, content, id = left.pop(0)
            same = content == message["content"] or (
                role == "tool" and message["content"] == content[:160] + "…"
            )
            if (role, id) == (message["role"], message.get("tool_call_id")) and same:
                break
