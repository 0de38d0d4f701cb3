"""What of a conversation is kept when it grows too long."""

from hypothesis import given
from hypothesis import strategies as st

from model.budget import estimate, fitted
from model.replies import Message

SYSTEM: Message = {"role": "system", "content": "rules"}


def turn(text: str) -> list[Message]:
    return [{"role": "user", "content": text}, {"role": "assistant", "content": "ok"}]


def test_a_conversation_that_fits_stays_whole():
    messages = [SYSTEM, *turn("a"), *turn("b")]
    assert fitted(messages, 1000) == messages


def test_the_oldest_turns_go_first_and_the_system_message_stays():
    messages = [SYSTEM, *[message for number in range(20) for message in turn(f"{number} " + "x" * 300)]]
    kept = fitted(messages, 1000)
    assert kept[0] == SYSTEM
    assert kept[1:] == messages[-len(kept) + 1 :]
    assert kept[1]["role"] == "user"
    assert estimate(kept) <= 1000


def test_turns_are_dropped_by_fours_so_that_the_prompt_stays_the_same_for_a_while():
    turns = [turn(f"{number:02d} " + "x" * 300) for number in range(30)]
    firsts = {
        fitted([SYSTEM, *[m for t in turns[:count] for m in t]], 1500)[1]["content"][:2]
        for count in range(1, 31)
    }
    assert firsts <= {f"{number:02d}" for number in range(0, 30, 4)}


def test_the_newest_turn_stays_even_when_it_is_too_long():
    assert fitted([SYSTEM, *turn("old"), *turn("y" * 9000)], 100) == [SYSTEM, *turn("y" * 9000)]


@given(st.lists(st.text(max_size=200), max_size=30), st.integers(0, 2000))
def test_what_is_kept_is_always_an_end_of_the_conversation_at_a_turn(texts: list[str], limit: int):
    messages = [SYSTEM, *[message for text in texts for message in turn(text)]]
    kept = fitted(messages, limit)
    assert kept[0] == SYSTEM
    assert messages[len(messages) - len(kept) + 1 :] == kept[1:]
    assert len(kept) % 2 == 1
