"""Agents that behave and agents that do not: what the core makes of each."""

import json
import sys
from pathlib import Path
from typing import Any

import anyio
import pytest

from tests.workshop.wires import ECHO, Told, ask, no_model, orchestrator, program
from workshop import agent
from workshop.errors import AgentFailed, AgentGone, AgentLate, NotStarted
from workshop.memory import Memory
from workshop.messages import FileWritten, Progress, UserInput
from workshop.orchestrator import Orchestrator

pytestmark = pytest.mark.anyio

PLAIN = program("for message in requests(): answer(message)")

SILENT = program("for message in requests(): pass")


async def test_a_late_reply_does_not_answer_the_next_question(tmp_path: Path):
    told = Told()
    # It answers the first request only once somebody has asked for the second: one too late, as it were.
    late = program("""
first = None
for message in requests():
    if message["text"] == "first":
        first = message
        say("progress", id=message["id"], text="has it")
        while not os.path.exists(sys.argv[1]): time.sleep(0.005)
    answer(message)
""")
    with anyio.fail_after(10):
        async with orchestrator(told) as core:
            path = tmp_path / "go"
            await core.start_agent("a", [*late, str(path)])
            with pytest.raises(AgentLate, match="did not answer within"):
                await ask(core, "first", 0.3)
            path.touch()
            assert (await ask(core, "second")).text == "second"
            assert (await ask(core, "third")).text == "third"
            assert "came too late" in await told.until("came too late")


async def test_an_agent_that_still_works_on_what_is_over_is_started_again():
    told = Told()
    stuck = program("""
for message in requests():
    if message["text"] == "hang":
        while True: time.sleep(60)
    answer(message, str(os.getpid()))
""")
    with anyio.fail_after(10):
        async with orchestrator(told) as core:
            await core.start_agent("a", stuck)
            before = (await ask(core, "who")).text
            with pytest.raises(AgentLate):
                await ask(core, "hang", 0.2)
            after = (await ask(core, "who", 1)).text
            assert before != after
            assert "started again" in told


async def test_progress_and_files_are_handed_on_in_order_before_the_answer():
    chatty = program("""
for message in requests():
    say("progress", id=message["id"], text="one")
    say("file", id=message["id"], path="a.py", content="x = 1\\n")
    say("progress", id=message["id"], text="two")
    answer(message)
""")
    heard: list[Progress | FileWritten] = []

    async def on_part(part: Progress | FileWritten) -> None:
        heard.append(part)

    with anyio.fail_after(5):
        async with orchestrator() as core:
            await core.start_agent("a", chatty)
            assert (await ask(core, "hello", on_part=on_part)).text == "hello"
    assert [each.text if isinstance(each, Progress) else each.path for each in heard] == [
        "one",
        "a.py",
        "two",
    ]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ('b"garbage\\n"', "no message"),
        ('b"\\xff\\xfe\\x00 not utf-8\\n"', "no message"),
        ('b"[1, 2]\\n"', "no message"),
        ('b"{\\n"', "no message"),
        ('b"[" * 100_000 + b"\\n"', "no message"),
        ("b'{\"type\": \"nonsense\", \"id\": \"1\"}\\n'", "no message"),
        ("b'{\"type\": \"progress\", \"id\": 1, \"text\": \"x\"}\\n'", "no message"),
        ("b'{\"type\": \"agent_response\", \"id\": \"999\", \"text\": \"wrong\"}\\n'", "not open"),
        ("b'{\"type\": \"file\", \"id\": \"999\", \"path\": \"a\", \"content\": \"b\"}\\n'", "not open"),
        ("b'{\"type\": \"model_request\", \"id\": \"9\", \"call\": \"1\", \"messages\": "
         "[{\"role\": \"user\", \"content\": \"x\"}]}\\n'", "not open"),
    ],
)  # fmt: skip
async def test_what_is_no_message_of_the_request_is_dropped_and_told(line: str, why: str):
    told = Told()
    noisy = program(f"for message in requests():\n    raw({line})\n    answer(message)")
    with anyio.fail_after(5):
        async with orchestrator(told) as core:
            await core.start_agent("a", noisy)
            assert (await ask(core, "first")).text == "first"
            assert (await ask(core, "second")).text == "second"
            assert why in await told.until("[agent:a] dropped")


async def test_a_second_answer_is_dropped_and_answers_nothing_else():
    told = Told()
    twice = program("for message in requests():\n    answer(message)\n    answer(message, 'again')")
    with anyio.fail_after(5):
        async with orchestrator(told) as core:
            await core.start_agent("a", twice)
            for text in ("first", "second", "third"):
                assert (await ask(core, text)).text == text
    assert "[agent:a] dropped" in told


async def test_a_huge_line_is_skipped_and_fails_its_request_alone():
    told = Told()
    huge = program("""
for message in requests():
    if message["text"] == "huge":
        for _ in range(5): raw(b"x" * 1_000_000)
        raw(b"\\n")
    answer(message)
""")
    with anyio.fail_after(10):
        async with orchestrator(told) as core:
            await core.start_agent("a", huge)
            with pytest.raises(AgentFailed, match="5000000 bytes") as failed:
                await ask(core, "huge")
            assert failed.value.code == "bad_answer"
            assert (await ask(core, "next")).text == "next"
            assert "too long" in told


async def test_an_answer_that_cannot_be_read_fails_its_request_at_once():
    wrong = program("""
for message in requests():
    if message["text"] == "wrong": say("agent_response", id=message["id"], text=7)
    else: answer(message)
""")
    with anyio.fail_after(5):
        async with orchestrator() as core:
            await core.start_agent("a", wrong)
            with pytest.raises(AgentFailed, match="cannot be read"):
                await ask(core, "wrong", 60)
            assert (await ask(core, "next")).text == "next"


async def test_lines_in_pieces_and_several_at_once_are_read_as_they_were_meant():
    pieces = program("""
for message in requests():
    whole = {"type": "agent_response", "id": message["id"], "text": "п" * 50_000}
    line = json.dumps(whole, ensure_ascii=False)
    say("progress", id=message["id"], text="x")
    for byte in (data := line.encode())[:40]: raw(bytes([byte]))
    raw(data[40:] + b"\\r\\n\\n\\n")
""")
    with anyio.fail_after(5):
        async with orchestrator() as core:
            await core.start_agent("a", pieces)
            assert (await ask(core, "x")).text == "п" * 50_000


async def test_a_failure_is_told_with_the_agents_own_code_and_sentence():
    fails = program("""
for message in requests():
    say("agent_failed", id=message["id"], code="no_idea", message="I do not know.")
""")
    with anyio.fail_after(5):
        async with orchestrator() as core:
            await core.start_agent("a", fails)
            with pytest.raises(AgentFailed, match=r"^I do not know\.$") as failed:
                await ask(core, "x")
    assert failed.value.code == "no_idea"


async def test_requests_to_one_agent_take_turns_and_each_gets_its_own_answer():
    answers: dict[str, str] = {}
    with anyio.fail_after(5):
        async with orchestrator() as core:
            await core.start_agent("a", PLAIN)

            async def one(text: str) -> None:
                answers[text] = (await ask(core, text)).text

            async with anyio.create_task_group() as tasks:
                for number in range(30):
                    tasks.start_soon(one, f"question {number}")
    assert answers == {f"question {number}": f"question {number}" for number in range(30)}


async def test_what_was_said_is_in_view_of_the_next_answer_and_outlives_the_agents():
    shows = program("""
for message in requests():
    answer(message, json.dumps([[each["role"], each["content"]] for each in message["history"]]))
""")
    memory = Memory(None)
    with anyio.fail_after(10):
        for _ in range(2):
            async with Orchestrator(no_model, memory) as core:
                await core.start_agent("a", shows)
                answer = await core.say("a", "hello", 5, chars=1_000)
    assert json.loads(answer.text) == [["user", "hello"], ["assistant", "[]"]]
    assert [each.role for each in memory.newest(1_000)] == ["user", "assistant"] * 2
    memory.close()


async def test_what_was_not_answered_is_not_remembered():
    memory = Memory(None)
    with anyio.fail_after(5):
        async with Orchestrator(no_model, memory) as core:
            await core.start_agent("a", program("next(requests())"))
            with pytest.raises(AgentGone):
                await core.say("a", "hello", 5, chars=1_000)
    assert memory.newest(1_000) == ()
    memory.close()


async def test_two_agents_are_asked_at_the_same_time():
    with anyio.fail_after(10):
        async with orchestrator() as core:
            await core.start_agent("a", SILENT)
            await core.start_agent("b", ECHO)
            async with anyio.create_task_group() as tasks:

                async def waits() -> None:
                    with pytest.raises(AgentGone):
                        await ask(core, "x", 60)

                tasks.start_soon(waits)
                assert (await core.ask("b", UserInput, 8, text="y")).text == "1: y"
                await core.stop_agent("a")


async def test_a_cancelled_request_leaves_nothing_and_its_reply_is_dropped(tmp_path: Path):
    told = Told()
    begun = anyio.Event()

    async def on_part(part: Progress | FileWritten) -> None:
        begun.set()

    waits = program("""
for message in requests():
    say("progress", id=message["id"], text="has it")
    if message["text"] == "first":
        while not os.path.exists(sys.argv[1]): time.sleep(0.005)
    answer(message)
""")
    with anyio.fail_after(10):
        async with orchestrator(told) as core:
            path = tmp_path / "go"
            await core.start_agent("a", [*waits, str(path)])
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(lambda: ask(core, "first", 60, on_part=on_part))
                await begun.wait()
                tasks.cancel_scope.cancel()
            assert core.agents == {"a": "ready"}
            path.touch()
            assert (await ask(core, "second")).text == "second"
            assert "came too late" in await told.until("came too late")


async def test_what_on_part_raises_ends_the_request_and_not_the_agent():
    parts = program(
        "for message in requests():\n    say('progress', id=message['id'], text='x')\n    answer(message)"
    )

    async def on_part(part: Progress | FileWritten) -> None:
        raise OSError("the disk is full")

    with anyio.fail_after(5):
        async with orchestrator() as core:
            await core.start_agent("a", parts)
            with pytest.raises(OSError, match="the disk is full"):
                await ask(core, "x", on_part=on_part)
            assert (await ask(core, "y")).text == "y"


async def test_an_agent_that_does_not_read_holds_up_nobody_beyond_the_deadline(monkeypatch):
    monkeypatch.setattr(agent, "POLITE_S", 0.1)
    deaf = program("time.sleep(60)")
    with anyio.fail_after(10):
        async with orchestrator() as core:
            await core.start_agent("a", deaf)
            with pytest.raises(AgentLate):
                await ask(core, "x" * 900_000, 0.2)
            assert core.agents == {"a": "ready"}


async def test_an_agent_that_says_more_than_is_taken_is_not_read_on():
    flood = program("""
for message in requests():
    for number in range(20_000): say("progress", id=message["id"], text=str(number) + "x" * 100)
    answer(message)
""")
    heard: list[str] = []

    async def on_part(part: Progress | FileWritten) -> None:
        assert isinstance(part, Progress)
        heard.append(part.text)

    with anyio.fail_after(10):
        async with orchestrator() as core:
            await core.start_agent("a", flood)
            assert (await ask(core, "x", on_part=on_part)).text == "x"
    assert [int(text.rstrip("x")) for text in heard] == list(range(20_000))


async def test_a_request_that_is_too_long_is_refused_and_not_sent():
    with anyio.fail_after(5):
        async with orchestrator() as core:
            await core.start_agent("a", PLAIN)
            with pytest.raises(AgentFailed, match="cannot be sent") as failed:
                await ask(core, "x" * 1_000_001)
            assert failed.value.code == "bad_request"
            facts = {str(number): "x" * 900_000 for number in range(5)}
            with pytest.raises(AgentFailed, match="Send less"):
                await ask(core, "x", memory=facts)
            assert (await ask(core, "y")).text == "y"


async def test_a_request_that_waits_for_its_turn_fails_when_the_agent_is_stopped():
    begun = anyio.Event()

    async def on_part(part: Progress | FileWritten) -> None:
        begun.set()

    waits = program("m = next(requests()); say('progress', id=m['id'], text='x'); next(requests())")
    with anyio.fail_after(5):
        async with orchestrator() as core, anyio.create_task_group() as tasks:

            async def fails(kind: type[Exception], **more: Any) -> None:
                with pytest.raises(kind):
                    await ask(core, "x", 60, **more)

            await core.start_agent("a", waits)
            tasks.start_soon(lambda: fails(AgentGone, on_part=on_part))
            await begun.wait()
            tasks.start_soon(fails, NotStarted)
            await anyio.wait_all_tasks_blocked()
            await core.stop_agent("a")


async def test_an_unknown_agent_is_not_asked_and_the_known_ones_are_named():
    with anyio.fail_after(5):
        async with orchestrator() as core:
            await core.start_agent("b", PLAIN)
            with pytest.raises(NotStarted, match=r"There is no agent 'a'\. Running: b"):
                await ask(core, "x")


async def test_a_name_is_given_once():
    with anyio.fail_after(5):
        async with orchestrator() as core:
            await core.start_agent("a", PLAIN)
            with pytest.raises(NotStarted, match="there already"):
                await core.start_agent("a", PLAIN)


async def test_an_orchestrator_that_is_not_open_starts_nothing():
    with pytest.raises(NotStarted, match="async with"):
        await orchestrator().start_agent("a", [sys.executable])


async def test_what_the_body_raises_comes_out_as_it_is():
    with anyio.fail_after(5), pytest.raises(AgentFailed, match="as it is"):
        async with orchestrator() as core:
            await core.start_agent("a", PLAIN)
            raise AgentFailed("as it is")


async def test_a_deadline_counts_from_the_asking_the_turn_included(monkeypatch):
    monkeypatch.setattr(agent, "POLITE_S", 0.1)
    with anyio.fail_after(10):
        async with orchestrator() as core:
            await core.start_agent("a", program("for message in requests(): time.sleep(60)"))
            async with anyio.create_task_group() as tasks:

                async def late(seconds: float) -> None:
                    with pytest.raises(AgentLate):
                        await ask(core, "x", seconds)

                tasks.start_soon(late, 0.6)
                tasks.start_soon(late, 0.2)
