"""A limit of a conversation in the chat: it is told, and the exit code says that a gate refused."""

import pytest

from tests.terminal.scripted_endpoint import serving
from tests.terminal.test_main import chat, environment


def test_a_conversation_that_is_full_is_told_and_ends_with_3():
    with serving("Hello.") as endpoint:
        env = environment(endpoint, TURNS_PER_CHAT="1")
        done = chat(piped="hello\nhello again\n", env=env)
    assert done.stdout.splitlines() == [
        "Hello.",
        "This conversation is too long for me to go on with it. Please begin a new one (/new in the chat).",
    ]
    assert "refused at limit" in done.stderr
    assert done.returncode == 3
    assert len(endpoint.requests) == 1


def test_a_new_conversation_goes_on():
    with serving("Hello.", "Hello once more.") as endpoint:
        env = environment(endpoint, TURNS_PER_CHAT="1")
        done = chat(piped="hello\n/new\nhello\n", env=env)
    assert done.stdout.splitlines() == ["Hello.", "Hello once more."]
    assert done.returncode == 0


@pytest.mark.parametrize("setting", ["TURNS_PER_CHAT", "RESULT_BYTES"])
def test_a_limit_that_is_none_is_told_at_the_start_and_ends_with_2(setting: str):
    done = chat("hello", env=environment(None, **{setting: "0"}))
    assert f"- {setting}: " in done.stderr
    assert done.stdout == ""
    assert done.returncode == 2
