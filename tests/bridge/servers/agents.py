"""Agents that hold a server and wait, to be ended from outside.

Run: python agents.py COUNT [COMMAND ...]. Forks COUNT processes (one import for all), each with a bridge to
the command, or to server.py without one. Each prints "AGENT SERVER", two process ids; SIGUSR1 ends it in order.
"""

import os
import signal
import sys
from pathlib import Path

import anyio

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from mcp_tools import connect  # noqa: E402 - the root must be on the path first


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
    with anyio.open_signal_receiver(signal.SIGUSR1) as asked_to_leave:
        async with connect(command or None):
            (server,) = children()
            os.write(1, f"{os.getpid()} {server}\n".encode())
            async for _ in asked_to_leave:
                return


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
