"""Agents that hold a server and wait, to be ended from outside.

Run: python agents.py COUNT [COMMAND ...]. Forks COUNT processes (one import for all), each with a bridge
to the command, or to server.py without one. Each prints two process ids, its own and its server's;
SIGUSR1 ends it in order, and so does the end of the input, so that none outlives the test.
"""

import os
import signal
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import anyio

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from mcp_tools import connect


def children() -> list[int]:
    """Return the running processes whose parent is this one."""
    found: list[int] = []
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, parent = entry.read_text(encoding="utf-8").rpartition(")")[2].split()[:2]
        except (OSError, ValueError):
            continue  # it ended while we looked
        if int(parent) == os.getpid() and state != "Z":
            found.append(int(entry.parent.name))
    return found


async def hold(command: list[str]) -> None:
    asked_to_leave = anyio.Event()

    async def watch(wait: Callable[[], Awaitable[object]]) -> None:
        await wait()
        asked_to_leave.set()

    async with anyio.create_task_group() as group:
        with anyio.open_signal_receiver(signal.SIGUSR1) as signals:
            async with connect(command or None):
                (server,) = children()
                os.write(1, f"{os.getpid()} {server}\n".encode())
                group.start_soon(watch, signals.__anext__)
                group.start_soon(watch, lambda: anyio.wait_readable(0))
                await asked_to_leave.wait()
                group.cancel_scope.cancel()


def main() -> None:
    count, command = int(sys.argv[1]), sys.argv[2:]
    for _ in range(count):
        if os.fork() == 0:
            try:
                anyio.run(hold, command)
            except KeyboardInterrupt:
                os._exit(130)
            os._exit(0)
    for _ in range(count):
        os.wait()


if __name__ == "__main__":
    main()
