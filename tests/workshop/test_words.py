"""What a person reads of a run."""

import json
import os
import signal
import sys

import anyio
import pytest

from workshop.account import Account
from workshop.events import (
    Began,
    Committed,
    Ended,
    FileOnDisk,
    FileRefused,
    Judged,
    Specified,
    TestsFrozen,
    Working,
    as_json,
)
from workshop.screen import Screen
from workshop.specification import Example, PlannedFile, Specification
from workshop.words import lines_of

SPEC = Specification(
    title="Till",
    description="Adds prices.",
    requirements=("adds prices",),
    files=(PlannedFile(path="till.py", description="total(prices)"),),
    examples=(
        Example(file="till.py", call="total([1, 2])", returns="3", stated=True),
        Example(file="till.py", call="total(None)", raises="TypeError"),
        Example(file="till.py", arguments=("1",), prints="1\n"),
    ),
)
ACCOUNT = Account(
    "not_done",
    name="till",
    works=("total([]) == 0",),
    fails=("total([1]) == 1",),
    look_at=("After 3 versions.",),
    files=("till.py",),
    stated=2,
    attempts=3,
    seconds=12.4,
    requests=4,
    tokens=(1_200, 300),
)


def text(event) -> str:
    return "\n".join(lines_of(event))


def test_a_specification_says_whose_each_example_is():
    told = text(Specified(SPEC, by_code=False))
    assert "you say: total([1, 2]) == 3" in told
    assert "the model proposes: total(None) raises TypeError" in told
    assert "python till.py 1 prints '1'" in told


def test_an_account_lists_what_works_what_fails_and_what_to_look_at():
    assert text(Ended(ACCOUNT)).split("\n") == [
        "",
        "Not done: not every test passes.",
        "  works: total([]) == 0",
        "  fails: total([1]) == 1",
        "  look at: After 3 versions.",
        "  files: till.py",
        "  3 versions judged, 12 s, 4 requests, 1,200 + 300 tokens",
    ]


def test_a_test_that_does_not_count_is_named_with_its_reason():
    told = text(TestsFrozen(1, 2, (("test_proposed_4", "it passes on an empty program"),)))
    assert told.split("\n")[0] == "Tests, fixed from now on: 1 in your words, 2 proposed by the model"
    assert "test_proposed_4 does not count: it passes on an empty program" in told


@pytest.mark.parametrize(
    "event",
    [
        Working("developer", "Writing\x1b[2J a.py"),
        FileOnDisk("a\x1b[2J.py", 3),
        FileRefused("a\u202e.py", "no\x07"),
        Judged(0, 1, 0, "Passed\x1b]0;x", 0.1),
        Ended(Account("done", works=("f('\x1b[1m') == 1",))),
    ],
)
def test_nothing_that_a_model_wrote_moves_the_cursor(event):
    told = text(event)
    assert not any(char in told for char in "\x1b\x07\u202e")


def test_a_version_is_told_by_its_commit_or_by_why_there_is_none():
    assert text(Committed("abc1234")) == "  kept as abc1234"
    assert text(Committed("", "there is no git here")) == "  not kept in the history: there is no git here"


def test_an_event_is_one_json_object():
    for event in (Specified(SPEC, by_code=True), Began("till", "var"), Ended(ACCOUNT), TestsFrozen(1, 0, ())):
        value = json.loads(json.dumps(as_json(event)))
        assert value["event"] == type(event).__name__
    assert as_json(Ended(ACCOUNT))["account"]["outcome"] == "not_done"


@pytest.mark.anyio
async def test_what_is_being_done_is_told_with_the_seconds(capsys: pytest.CaptureFixture[str]):
    times = iter([0.0, 7.0, 19.0, 19.0])
    screen = Screen(now=lambda: next(times))
    await screen.on_event(Working("developer", "Writing a.py."))
    await screen.on_event(FileOnDisk("a.py", 3))
    assert capsys.readouterr().out == "   7 s  developer: Writing a.py.\n  19 s  wrote a.py, 3 lines\n"


@pytest.mark.anyio
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signal handlers of the loop")
async def test_ctrl_c_ends_the_work_and_not_the_talk():
    screen = Screen()

    async def work() -> None:
        await screen.on_event(Began("till", "var"))
        os.kill(os.getpid(), signal.SIGINT)
        await anyio.sleep_forever()

    with anyio.fail_after(5):
        assert await screen.interrupted(work)
    assert screen.stopped("/resume {}") == "Stopped. `/resume till` goes on."


@pytest.mark.anyio
async def test_work_that_ends_by_itself_was_not_interrupted():
    async def work() -> None:
        return

    before = signal.getsignal(signal.SIGINT)
    assert not await Screen().interrupted(work)
    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.anyio
async def test_as_json_stdout_has_nothing_but_json(capsys: pytest.CaptureFixture[str]):
    screen = Screen(as_json=True)
    await screen.on_event(Working("developer", "Writing a.py."))
    screen.put(["words"])
    shown = capsys.readouterr()
    assert json.loads(shown.out) == {
        "schema": "shopkart.workshop/1",
        "event": "Working",
        "agent": "developer",
        "text": "Writing a.py.",
    }
    assert shown.err == "words\n"
