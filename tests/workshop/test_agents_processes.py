"""An agent's process: its start, its stderr, its environment, its end, and that nothing is left of it."""

import os
import signal
import subprocess
import sys

import anyio
import anyio.to_thread
import pytest

from tests.workshop.wires import ECHO, Told, ask, orchestrator, program
from workshop import agent
from workshop.errors import AgentGone, NotStarted

pytestmark = pytest.mark.anyio

POSIX = pytest.mark.skipif(os.name != "posix", reason="process groups and signals are POSIX's")
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="a child that dies with its parent needs Linux")


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let less time pass between a word, a signal and the end."""
    monkeypatch.setattr(agent, "POLITE_S", 0.3)
    monkeypatch.setattr(agent, "_DRAIN_S", 0.3)


WHO = program("for message in requests(): answer(message, str(os.getpid()))")

KILLED_AT = {
    "before it reads": "",
    "after it has read": "m = next(requests())",
    "in the middle of a line": 'next(requests()); raw(b\'{"type": "agent_resp\')',
    "after progress": "m = next(requests()); say('progress', id=m['id'], text='x')",
    "after a file": "m = next(requests()); say('file', id=m['id'], path='a', content='')",
    "after asking the model": (
        "m = next(requests())\n"
        "    say('model_request', id=m['id'], call='1', messages=[dict(role='user', content='x')])"
    ),
}


@POSIX
@pytest.mark.parametrize("when", KILLED_AT)
async def test_an_agent_killed_at_any_point_fails_its_request_and_the_next_is_answered(when: str, tmp_path):
    # The first process is killed; the next one, started in its place, works.
    body = f"""
mark = {str(tmp_path / "mark")!r}
if not os.path.exists(mark):
    open(mark, "w").close()
    {KILLED_AT[when]}
    os.kill(os.getpid(), 9)
for message in requests(): answer(message)
"""

    async def silent(asked: object) -> None:
        await anyio.sleep_forever()

    with anyio.fail_after(10):
        async with orchestrator(complete=silent) as core:  # type: ignore[arg-type]
            await core.start_agent("a", program(body))
            try:
                await ask(core, "first")
            except AgentGone as gone:
                assert "was killed by signal 9 before it answered" in str(gone)
            else:
                # It was dead, and known to be, before anything was asked of it.
                assert when == "before it reads"
            assert (await ask(core, "second")).text == "second"


@POSIX
async def test_an_answer_written_just_before_the_end_counts():
    with anyio.fail_after(5):
        async with orchestrator() as core:
            await core.start_agent("a", program("answer(next(requests())); os.kill(os.getpid(), 9)"))
            assert (await ask(core, "x")).text == "x"


async def test_a_crash_is_told_with_its_last_words_and_the_exit_code():
    with anyio.fail_after(5):
        async with orchestrator() as core:
            await core.start_agent("a", program("next(requests()); sys.exit('no more paper')"))
            with pytest.raises(AgentGone, match=r"exit code 1.*no more paper"):
                await ask(core, "x")
            assert core.agents == {"a": "ended"}


async def test_an_agent_that_never_answers_is_not_started_for_ever():
    with anyio.fail_after(10):
        async with orchestrator() as core:
            await core.start_agent("a", program("next(requests())"))
            for _ in range(4):
                with pytest.raises(AgentGone):
                    await ask(core, "x")
            with pytest.raises(NotStarted, match="3 times without answering"):
                await ask(core, "x")
            await core.stop_agent("a")
            await core.start_agent("a", ECHO)
            assert (await ask(core, "x")).text == "1: x"


async def test_an_answered_request_lets_an_agent_be_started_again_as_often():
    # Every second request ends it: never three in a row.
    dies = program("answer(next(requests())); next(requests())")
    with anyio.fail_after(10):
        async with orchestrator() as core:
            await core.start_agent("a", dies)
            for number in range(5):
                assert (await ask(core, str(number))).text == str(number)
                with pytest.raises(AgentGone):
                    await ask(core, "x")


@pytest.mark.usefixtures("hurried")
async def test_an_agent_that_closes_its_stdout_is_gone_though_it_runs_on():
    with anyio.fail_after(10):
        async with orchestrator() as core:
            await core.start_agent(
                "a", program("next(requests()); os.close(1); import threading; threading.Event().wait()")
            )
            with pytest.raises(AgentGone, match="closed its stdout"):
                await ask(core, "x", 60)


async def test_a_program_that_is_not_there_is_named():
    with anyio.fail_after(5):
        async with orchestrator() as core:
            with pytest.raises(NotStarted, match="no program 'no-such-program'"):
                await core.start_agent("a", ["no-such-program"])
            with pytest.raises(NotStarted, match="no program ''"):
                await core.start_agent("a", [])
            assert core.agents == {}


async def test_stderr_is_shown_line_by_line_with_the_agents_name():
    told = Told()
    body = """
sys.stderr.buffer.write("первая\\nsecond \\xff".encode("utf-8") + b"\\xff\\n" + b"\\x1b[31mred\\n")
sys.stderr.buffer.write(b"y" * 100_000 + b"\\nno end")
sys.stderr.flush()
"""
    with anyio.fail_after(5):
        async with orchestrator(told) as core:
            await core.start_agent("speaker", program(body))
            await told.until("no end")
    first, second, third, fourth, last = told.lines
    assert first == "[agent:speaker][stderr] первая"
    assert second == "[agent:speaker][stderr] second ÿ�"
    assert third == "[agent:speaker][stderr] \\u001b[31mred"
    assert fourth == "[agent:speaker][stderr] (a line of 100000 bytes)"
    assert last == "[agent:speaker][stderr] no end"


async def test_a_flood_of_stderr_neither_stops_an_answer_nor_grows_without_bound():
    told = Told()
    body = """
for message in requests():
    for number in range(30_000): sys.stderr.write(f"line {number}\\n")
    sys.stderr.flush()
    answer(message)
"""
    with anyio.fail_after(10):
        async with orchestrator(told) as core:
            await core.start_agent("a", program(body))
            assert (await ask(core, "x")).text == "x"
            await told.until("line 29999")
    assert len(told.lines) == 30_000


async def test_an_agent_finds_no_secret_in_its_environment_and_utf8(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-not-for-agents")
    monkeypatch.setenv("LC_ALL", "C")
    body = "for message in requests(): answer(message, json.dumps([dict(os.environ), sys.stdout.encoding]))"
    with anyio.fail_after(5):
        async with orchestrator() as core:
            await core.start_agent("a", program(body))
            text = (await ask(core, "x")).text
    assert "sk-not-for-agents" not in text
    assert '"PATH"' in text
    assert text.endswith('"utf-8"]')


async def test_an_agent_gets_the_word_first_and_may_put_its_things_away(tmp_path):
    body = f"list(requests()); open({str(tmp_path / 'put away')!r}, 'w').close()"
    with anyio.fail_after(5):
        async with orchestrator() as core:
            await core.start_agent("a", program(body))
            await core.stop_agent("a")
            assert core.agents == {}
            with pytest.raises(NotStarted):
                await ask(core, "x")
    assert (tmp_path / "put away").exists()


@POSIX
@pytest.mark.usefixtures("hurried")
async def test_an_agent_deaf_to_the_word_gets_a_signal_and_one_deaf_to_that_is_killed(tmp_path):
    body = f"""
import signal
def heard(*_):
    open({str(tmp_path / "signal")!r}, "w").close()
signal.signal(signal.SIGTERM, heard)
print(json.dumps(dict(type="progress", id="0", text="ready")), flush=True)
import threading
threading.Event().wait()
"""
    told = Told()
    with anyio.fail_after(10):
        async with orchestrator(told) as core:
            await core.start_agent("a", program(body))
            await told.until("not open")
            await core.stop_agent("a")
    assert (tmp_path / "signal").exists()


@POSIX
async def test_what_an_agent_started_ends_with_it():
    body = """
import subprocess
child = subprocess.Popen(["sleep", "600"])
for message in requests(): answer(message, str(child.pid))
"""
    with anyio.fail_after(10):
        async with orchestrator() as core:
            await core.start_agent("a", program(body))
            child = int((await ask(core, "x")).text)
            await core.stop_agent("a")
            await _gone(child)


@POSIX
async def test_what_a_killed_agent_had_started_ends_too_and_its_open_pipes_hold_up_nobody():
    body = """
import subprocess
child = subprocess.Popen(["sleep", "600"])
message = next(requests())
say("progress", id=message["id"], text=str(child.pid))
next(requests())
"""
    pids: list[int] = []

    async def on_part(part) -> None:
        pids.append(int(part.text))
        os.kill(os.getpgid(pids[0]), signal.SIGKILL)

    with anyio.fail_after(10):
        async with orchestrator() as core:
            await core.start_agent("a", program(body))
            with pytest.raises(AgentGone):
                await ask(core, "x", on_part=on_part)
            await _gone(pids[0])


@POSIX
@pytest.mark.usefixtures("hurried")
async def test_a_daemon_that_keeps_the_pipes_holds_up_neither_the_answer_nor_the_end():
    # It leaves the process group, so nothing of ours ends it; it ends by itself when its stdin does.
    body = """
import subprocess
message = next(requests())
subprocess.Popen([sys.executable, "-S", "-c", "import sys; sys.stdin.read()"], start_new_session=True)
os.kill(os.getpid(), 9)
"""
    with anyio.fail_after(6):
        async with orchestrator() as core:
            await core.start_agent("a", program(body))
            with pytest.raises(AgentGone):
                await ask(core, "x", 60)


async def test_stopping_an_agent_fails_the_request_that_it_has():
    begun = anyio.Event()

    async def on_part(part) -> None:
        begun.set()

    body = "m = next(requests()); say('progress', id=m['id'], text='x'); next(requests())"
    with anyio.fail_after(5):
        async with orchestrator() as core, anyio.create_task_group() as tasks:

            async def fails() -> None:
                with pytest.raises(AgentGone):
                    await ask(core, "x", 60, on_part=on_part)

            await core.start_agent("a", program(body))
            tasks.start_soon(fails)
            await begun.wait()
            await core.stop_agent("a")


@pytest.mark.usefixtures("hurried")
async def test_agents_are_ended_all_at_once():
    with anyio.fail_after(8):
        async with orchestrator() as core:
            for number in range(12):
                await core.start_agent(
                    f"deaf {number}", program("import threading; threading.Event().wait()")
                )
            await core.stop_all_agents()
            assert core.agents == {}


async def test_a_cancelled_run_leaves_no_agent_behind():
    pids: list[int] = []
    with anyio.fail_after(10):
        with anyio.CancelScope() as scope:
            async with orchestrator() as core:
                await core.start_agent("a", WHO)
                pids.append(int((await ask(core, "x")).text))
                scope.cancel()
                await anyio.sleep_forever()
        await _gone(pids[0])


CORE = """
import sys, anyio
from tests.workshop.wires import orchestrator, ask, program
async def main():
    async with orchestrator() as core:
        await core.start_agent("a", program("for message in requests(): answer(message, str(os.getpid()))"))
        sys.stdout.write((await ask(core, "x")).text + "\\n")
        sys.stdout.flush()
        await anyio.sleep_forever()
anyio.run(main)
"""


@LINUX
async def test_an_agent_is_killed_with_the_core_even_when_the_core_is():
    with anyio.fail_after(10):
        core = await anyio.open_process([sys.executable, "-c", CORE], stderr=None)
        assert core.stdout is not None
        child = int(await core.stdout.receive())
        core.kill()
        await core.aclose()
        await _gone(child)


async def _gone(pid: int) -> None:
    """Wait until there is no such process, or only its zombie: nobody may be there to collect it."""
    while _runs(pid):
        await anyio.to_thread.run_sync(_a_moment)


def _a_moment() -> None:
    subprocess.run(["true"], check=True)


def _runs(pid: int) -> bool:
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False)
    return bool(state.stdout.strip()) and not state.stdout.startswith("Z")
