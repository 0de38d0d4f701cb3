"""Over HTTP a server that dies is a result too, and never the end of the caller's task."""

import select
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import anyio
import pytest

from mcp_tools import Limits, connect
from tests.bridge.faults import BOUND_S, SERVERS, code, text

pytestmark = pytest.mark.anyio


@contextmanager
def served() -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """Start a server of its own on a free port of this machine; yield its URL and process."""
    command = [sys.executable, str(SERVERS / "over_http.py")]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            assert select.select([process.stdout], [], [], BOUND_S)[0], "the server did not start"
            yield f"http://127.0.0.1:{int(process.stdout.readline())}/mcp", process
        finally:
            process.kill()


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_session_over_http_calls_gives_up_cancels_and_outlives_the_servers_death(mode):
    with served() as (url, _), anyio.fail_after(BOUND_S):
        async with connect(url, limits=Limits(connect_s=10, call_s=1), mode=mode) as bridge:
            assert [tool.name for tool in bridge.tools] == ["read", "write"]
            assert await text(bridge, "read") == "done"

            assert code(await bridge.call("write", {"do": "never"})) == "unknown_outcome"
            assert await text(bridge, "read") == "done"

            with anyio.move_on_after(0.2) as scope:
                await bridge.call("read", {"do": "never"})
            assert scope.cancelled_caught
            assert await text(bridge, "read") == "done"

            assert code(await bridge.call("write", {"do": "die"})) == "unknown_outcome"
            gone = await bridge.call("read", {})
            assert code(gone) == "server_unavailable"
            assert url in gone.text


async def test_calls_at_once_over_http_all_get_a_result_when_the_server_dies():
    with served() as (url, _), anyio.fail_after(BOUND_S):
        async with connect(url, limits=Limits(connect_s=10, call_s=10)) as bridge:
            codes: list[str] = []

            async def ask(tool: str, do: str) -> None:
                codes.append(code(await bridge.call(tool, {"do": do})))

            async with anyio.create_task_group() as group:
                group.start_soon(ask, "read", "never")
                group.start_soon(ask, "write", "never")
                await anyio.wait_all_tasks_blocked()
                group.start_soon(ask, "read", "die")
            assert sorted(codes) == ["no_answer", "no_answer", "unknown_outcome"]


async def test_a_server_over_http_that_ended_between_two_calls_is_said_to_be_unavailable():
    with served() as (url, process), anyio.fail_after(BOUND_S):
        async with connect(url, limits=Limits(connect_s=10, call_s=10)) as bridge:
            assert await text(bridge, "read") == "done"
            process.kill()
            process.wait()
            assert code(await bridge.call("read", {})) in ("no_answer", "server_unavailable")
            assert code(await bridge.call("read", {})) == "server_unavailable"
