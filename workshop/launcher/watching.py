"""Watch over a run: wait for its end, count its memory and its processes, leave nothing of it.

Knows:    the processes below us.
Does not: start the run, or measure its time and output: the core does, and ends us.
"""

import os
import signal
import sys
import time
from collections.abc import Callable
from typing import Any

_EVERY_S = 0.05
_PAGE = os.sysconf("SC_PAGE_SIZE")


def wait(child: int, limits: dict[str, Any], others: Callable[[], list[int]]) -> tuple[int, str]:
    """Wait until the child ends, taking in every orphan; return its code and, if it is to be ended, why.

    SIGCHLD is blocked: it is waited for, with a look at the others in between.
    """
    while True:
        ended = _reaped(child)
        if ended is not None:
            return ended, ""
        if sys.platform == "linux":
            signal.sigtimedwait([signal.SIGCHLD], _EVERY_S)
        else:
            time.sleep(_EVERY_S)
        running = others()
        if sum(map(_own_pages, running)) * _PAGE > limits["memory_mb"] * 2**20:
            return -signal.SIGKILL, f"it used more than {limits['memory_mb']} MB of memory"
        if len(running) > limits["processes"]:
            # The kernel holds a run to this, where it is not root's or counted with all of a user's.
            return -signal.SIGKILL, f"it had more than {limits['processes']} processes"


def _reaped(child: int) -> int | None:
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return -signal.SIGKILL
        if pid == child:
            return os.waitstatus_to_exitcode(status)
        if pid == 0:
            return None


def _own_pages(pid: int) -> int:
    """Return how many pages the process holds that no file stands behind."""
    try:
        with open(f"/proc/{pid}/statm", "rb") as file:
            fields = file.read().split()
        return int(fields[1]) - int(fields[2])
    except (OSError, IndexError):
        return 0  # it has ended


def all_but_us() -> list[int]:
    """Return every process of this process namespace but its first."""
    return [int(name) for name in os.listdir("/proc") if name.isdigit() and name != "1"]


def below_us() -> list[int]:
    """Return our children and theirs. Without /proc, as on macOS: none."""
    parents: dict[int, int] = {}
    for name in os.listdir("/proc") if os.path.isdir("/proc") else ():
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", "rb") as file:
                    # The second field is a name in brackets, which may hold spaces and brackets itself.
                    parents[int(name)] = int(file.read().rpartition(b")")[2].split()[1])
            except (OSError, IndexError):
                continue  # it has ended
    us = os.getpid()
    return [pid for pid in parents if _leads_to(pid, us, parents)]


def _leads_to(pid: int, us: int, parents: dict[int, int]) -> bool:
    for _ in range(len(parents)):
        pid = parents.get(pid, 0)
        if pid in {us, 0}:
            break
    return pid == us


def end_all_below() -> None:
    """Kill what is below us until nothing is; what is being started meanwhile is found the next time."""
    while left := below_us():
        for pid in left:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        try:
            while os.waitpid(-1, 0):
                continue
        except ChildProcessError:
            continue
