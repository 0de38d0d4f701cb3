"""However a session ends, nothing that it started outlives it, and the caller's own error comes out."""

import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import anyio
import pytest

from mcp_tools import connect
from tests.bridge.faults import BOUND_S, SERVERS, bridge_to, code, faulty, text

pytestmark = pytest.mark.anyio

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="pidfd and /proc are Linux's")


def ended(pidfd: int) -> bool:
    """Wait for a process to end, for a bounded time."""
    return bool(select.select([pidfd], [], [], BOUND_S)[0])


async def server_of(bridge) -> int:
    return os.pidfd_open(int(await text(bridge, "read", "pid")))


class Own(Exception):
    pass


@linux_only
async def test_an_error_of_the_caller_comes_out_as_itself_and_the_server_ends():
    server = -1
    with pytest.raises(Own):
        async with bridge_to() as bridge:
            server = await server_of(bridge)
            raise Own
    assert ended(server)


async def test_an_error_of_the_caller_comes_out_as_itself_when_the_server_is_gone():
    with pytest.raises(Own):
        async with bridge_to() as bridge:
            await bridge.call("read", {"do": "die"})
            raise Own


async def test_an_error_of_the_caller_comes_out_as_itself_when_another_call_is_in_flight():
    async def call_for_ever(bridge) -> None:
        assert code(await bridge.call("read", {"do": "never"})) == "no_answer"

    async with anyio.create_task_group() as group:
        with pytest.raises(Own):
            async with bridge_to() as bridge:
                group.start_soon(call_for_ever, bridge)
                await anyio.wait_all_tasks_blocked()
                raise Own


@linux_only
async def test_closing_twice_is_closing_once():
    async with bridge_to() as bridge:
        server = await server_of(bridge)
        await bridge.close()
        assert ended(server)
        await bridge.close()
        assert code(await bridge.call("read", {})) == "server_unavailable"


async def test_leaving_is_quiet_when_the_server_is_dead():
    async with bridge_to() as bridge:
        os.kill(int(await text(bridge, "read", "pid")), signal.SIGKILL)


@linux_only
async def test_a_server_that_died_between_two_calls_is_started_again_and_a_write_is_done_once(tmp_path):
    log = tmp_path / "log"
    async with bridge_to("none", log) as bridge:
        pid = int(await text(bridge, "read", "pid"))
        server = os.pidfd_open(pid)
        os.kill(pid, signal.SIGKILL)
        assert ended(server)
        for _ in range(100):  # rounds of the event loop, in which it reads that the pipe is closed
            await anyio.lowlevel.checkpoint()
        assert await text(bridge, "write") == "done"
    assert log.read_text(encoding="utf-8").splitlines() == ["written"]


@linux_only
async def test_a_server_that_ignores_the_end_of_its_input_and_sigterm_is_killed():
    async with bridge_to("stubborn") as bridge:
        server = await server_of(bridge)
    assert ended(server)


@linux_only
async def test_a_cancelled_session_takes_its_server_with_it():
    server = -1
    with anyio.CancelScope() as scope:
        async with bridge_to() as bridge:
            server = await server_of(bridge)
            scope.cancel()
            await bridge.call("read", {"do": "never"})
    assert scope.cancelled_caught
    assert ended(server)


@linux_only
async def test_a_session_that_is_closed_while_it_opens_leaves_no_server(tmp_path):
    started = tmp_path / "pid"
    async with bridge_to("silent_when_started_again", started) as bridge:
        first = await text(bridge, "read", "pid")
        await bridge.call("read", {"do": "die"})
        results: list[str] = []

        async def call() -> None:
            results.append(code(await bridge.call("read", {})))

        async with anyio.create_task_group() as group:
            group.start_soon(call)
            while started.read_text(encoding="utf-8") in ("", first):
                await anyio.lowlevel.checkpoint()
            await bridge.close()
            second = int(started.read_text(encoding="utf-8"))
            with pytest.raises(ProcessLookupError):
                os.kill(second, 0)
        assert results == ["server_unavailable"]


async def test_two_sessions_do_not_share_a_server():
    async with bridge_to() as one, bridge_to() as other:
        assert await text(one, "read", "pid") != await text(other, "read", "pid")


async def test_a_session_may_be_closed_by_another_task_than_the_one_that_opened_it():
    with anyio.fail_after(BOUND_S):
        manager = connect(faulty())
        async with anyio.create_task_group() as group:
            bridge = await manager.__aenter__()
            group.start_soon(bridge.close)
        await manager.__aexit__(None, None, None)


# ---------------------------------------------------------------- agents that end


@contextmanager
def agents(count: int, command: list[str]) -> Iterator[list[tuple[int, int, int]]]:
    """Start agents that hold a server each; yield (agent, its pidfd, its server's pidfd)."""
    script = [sys.executable, str(SERVERS / "agents.py"), str(count), *command]
    with ExitStack() as stack:
        # Unbuffered: select looks at the pipe, not at lines that Python has read ahead.
        pipe = subprocess.PIPE
        parent = stack.enter_context(subprocess.Popen(script, bufsize=0, stdin=pipe, stdout=pipe))
        held: list[tuple[int, int, int]] = []
        assert parent.stdout is not None
        for _ in range(count):
            assert select.select([parent.stdout], [], [], BOUND_S)[0], "an agent did not start"
            agent, server = map(int, parent.stdout.readline().split())
            held.append((agent, os.pidfd_open(agent), os.pidfd_open(server)))
        stack.callback(end_all, held)
        yield held


def end_all(held: list[tuple[int, int, int]]) -> None:
    """Leave nothing behind when a test fails."""
    for _, *pidfds in held:
        for pidfd in pidfds:
            if not select.select([pidfd], [], [], 0)[0]:
                signal.pidfd_send_signal(pidfd, signal.SIGKILL)
            os.close(pidfd)


ENDS = {"exit": signal.SIGUSR1, "ctrl_c": signal.SIGINT, "kill_9": signal.SIGKILL}


@linux_only
@pytest.mark.parametrize("end", ENDS.values(), ids=ENDS.keys())
@pytest.mark.parametrize(
    ("count", "command"),
    [(20, faulty()), (20, faulty("stubborn")), (2, [])],
    ids=["a server", "a server that ignores its end", "server.py"],
)
def test_no_server_outlives_its_agent(count, command, end):
    with agents(count, command) as held:
        for agent, _, _ in held:
            os.kill(agent, end)
        for _, agent, server in held:
            assert ended(agent)
            assert ended(server)


@linux_only
def test_no_server_outlives_an_agent_that_is_interrupted_again_while_it_ends_its_server(tmp_path):
    fifo = tmp_path / "ending"
    os.mkfifo(fifo)
    ending = os.open(fifo, os.O_RDWR)
    with agents(1, faulty("stubborn", fifo)) as [(agent, agent_fd, server_fd)]:
        os.kill(agent, signal.SIGINT)
        assert select.select([ending], [], [], BOUND_S)[0]
        os.kill(agent, signal.SIGINT)
        assert ended(agent_fd)
        assert ended(server_fd)
    os.close(ending)
