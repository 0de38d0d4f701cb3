"""What an agent in Python stands on, seen from the core's side of the wire."""

import json
import subprocess
import sys
import time

import anyio
import pytest

from tests.workshop.wires import Told, ask, kitted, orchestrator
from workshop.errors import AgentFailed
from workshop.messages import FileWritten, Progress, SpecRequest

pytestmark = pytest.mark.anyio


async def test_a_handler_that_breaks_is_told_and_the_agent_goes_on():
    told = Told()
    agent = kitted("serve({'user_input': lambda desk: str(1 / int(desk.message['text']))})")
    with anyio.fail_after(5):
        async with orchestrator(told) as core:
            await core.start_agent("a", agent)
            with pytest.raises(AgentFailed, match="ZeroDivisionError") as failed:
                await ask(core, "0")
            assert failed.value.code == "broke"
            assert (await ask(core, "1")).text == "1.0"
            await told.until("Traceback")
            await told.until("ZeroDivisionError: division by zero")


@pytest.mark.parametrize("answer", ["None", "7", "{'text': object()}", "{'text': {1}}", "[1]"])
async def test_an_answer_that_is_none_is_told_and_the_agent_goes_on(answer: str):
    agent = kitted(
        f"serve({{'user_input': lambda desk: {answer} if desk.message['text'] == '0' else 'well'}})"
    )
    with anyio.fail_after(5):
        async with orchestrator() as core:
            await core.start_agent("a", agent)
            with pytest.raises(AgentFailed) as failed:
                await ask(core, "0")
            assert failed.value.code == "broke"
            assert (await ask(core, "1")).text == "well"


async def test_a_request_that_the_agent_does_not_know_is_answered_so():
    with anyio.fail_after(5):
        async with orchestrator() as core:
            await core.start_agent("a", kitted("serve({'user_input': lambda desk: 'x'})"))
            with pytest.raises(AgentFailed, match="It knows: user_input") as failed:
                await core.ask("a", SpecRequest, 5, text="x", answer_schema={})
    assert failed.value.code == "unknown_type"


async def test_what_a_handler_prints_does_not_come_between_the_messages():
    told = Told()
    agent = kitted("""
import os, subprocess, sys
def answer(desk):
    print("printed")
    os.write(1, b"written\\n")
    subprocess.run([sys.executable, "-S", "-c", "print('from a child')"])
    return "well"
serve({"user_input": answer})
""")
    with anyio.fail_after(5):
        async with orchestrator(told) as core:
            await core.start_agent("a", agent)
            assert (await ask(core, "x")).text == "well"
            for words in ("printed", "written", "from a child"):
                assert await told.until(words) == f"[agent:a][stderr] {words}"


async def test_text_of_every_script_and_half_of_a_surrogate_pair_come_through():
    agent = kitted("serve({'user_input': lambda desk: desk.message['text'] + 'л│😀' + chr(0xD800)})")
    with anyio.fail_after(5):
        async with orchestrator() as core:
            await core.start_agent("a", agent)
            assert (await ask(core, "привет\u2028\n\x00")).text == "привет\u2028\n\x00л│😀?"


async def test_files_progress_and_tests_are_handed_over():
    agent = kitted("""
def answer(desk):
    desk.progress("x" * 5_000)
    desk.file("a.py", "a = 1\\n")
    return {"tests": {"test_a.py": "b"}, "text": "done"}
serve({"user_input": answer})
""")
    parts: list[Progress | FileWritten] = []

    async def on_part(part: Progress | FileWritten) -> None:
        parts.append(part)

    with anyio.fail_after(5):
        async with orchestrator() as core:
            await core.start_agent("a", agent)
            answer = await ask(core, "x", on_part=on_part)
    assert (answer.text, answer.tests) == ("done", {"test_a.py": "b"})
    assert [each.type for each in parts] == ["progress", "file"]


def _line(type_: str, id_: str = "1", **fields: object) -> bytes:
    # Nobody waits longer than this test may take.
    return json.dumps({"type": type_, "id": id_, "deadline": time.time() + 60, **fields}).encode() + b"\n"


def _run(agent: list[str], stdin: bytes) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run(agent, input=stdin, capture_output=True, timeout=5, check=False)


@pytest.mark.parametrize(
    "body",
    [
        "import threading; serve({'user_input': lambda desk: threading.Event().wait()})",
        "serve({'user_input': lambda desk: desk.ask_model([{'role': 'user', 'content': 'x'}])})",
        "import itertools; serve({'user_input': lambda desk: [0 for _ in itertools.count() if False]})",
    ],
    ids=["waiting for nothing", "waiting for the model", "counting for ever"],
)
@pytest.mark.parametrize("ending", [b"", _line("shutdown")], ids=["the end of stdin", "the word"])
def test_the_end_ends_an_agent_at_once_whatever_it_does(body: str, ending: bytes):
    assert _run(kitted(body), _line("user_input", text="x") + ending).returncode == 0


def test_lines_that_are_no_messages_are_dropped_and_the_next_is_read():
    body = "serve({'user_input': lambda desk: (desk.progress(desk.message['text']), time.sleep(60))})"
    agent = kitted(f"import time\n{body}")
    lines = [b"garbage\n", b"[]\n", b"\n", b'{"type": "user_input"}\n', b"\xff\n", b"x" * 4_194_400 + b"\n"]
    with subprocess.Popen(
        agent, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as run:
        assert run.stdin and run.stdout and run.stderr
        run.stdin.write(b"".join(lines) + _line("user_input", text="read"))
        run.stdin.flush()
        assert json.loads(run.stdout.readline())["text"] == "read"
        run.stdin.close()
        assert run.stderr.read().count(b"dropped a line") == 5


def test_a_request_whose_deadline_has_passed_is_not_begun():
    body = "serve({'user_input': lambda desk: 'begun'})"
    with subprocess.Popen(kitted(body), stdin=subprocess.PIPE, stdout=subprocess.PIPE) as run:
        assert run.stdin and run.stdout
        run.stdin.write(
            json.dumps({"type": "user_input", "id": "1", "deadline": 1, "text": "x"}).encode() + b"\n"
        )
        run.stdin.flush()
        assert json.loads(run.stdout.readline())["code"] == "too_late"
        run.stdin.close()


def test_the_kit_needs_nothing_that_is_installed_and_nothing_slow():
    program = (
        "import sys\nbefore = set(sys.modules)\nimport workshop.agents.kit\n"
        "print(sorted({name.partition('.')[0] for name in set(sys.modules) - before}))"
    )
    command = [
        sys.executable,
        "-S",
        "-c",
        f"import sys; sys.path.insert(0, '.'); {program!r} and exec({program!r})",
    ]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    loaded = set(eval(ran.stdout))
    assert loaded - {"workshop"} <= set(sys.stdlib_module_names) | {"_queue"}
    assert not loaded & {"asyncio", "inspect", "dataclasses", "subprocess", "logging"}
