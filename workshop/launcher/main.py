"""Run a program as a plan says, apart from everything, and tell how it ended.

Knows:    the order of things, and who waits for whom.
Does not: decide what a run may see or use: the plan does.   (workshop/sandbox/plans.py)
Run as:   python -I -S -c "…main()" ROOT REPORT_FD STATUS_FD, the plan as JSON on stdin. The status pipe gets
          one JSON object a line: {"ended": code, "why": words}, {"refused": what the system did not allow}.
Three:    The outermost process waits; SIGTERM makes it end the run. The next is the first process of the
          run's process namespace: when it ends, for whatever reason, the kernel ends all the others. It dies
          with the outermost, which dies with the core. The third becomes the program.
"""

import contextlib
import fcntl
import json
import os
import signal
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

from workshop.launcher import calls, kernel, laying, mounts, starting, watching

_FIRST_OWN_ID = 0x70000000
"""The first of the user ids that no distribution or container runtime hands out (systemd, UIDS-GIDS)."""
_NOBODY = 65534
_SPARE_S = 10
_OUT_OF_THE_WAY = 100
"""The lowest handle that our own pipes are moved to: above those that the program gets."""

Plan = dict[str, Any]


def main() -> None:
    """Run the plan on stdin."""
    report, status = (_moved(int(handle)) for handle in sys.argv[2:4])
    try:
        plan = json.loads(sys.stdin.buffer.read())
        _get_ready(plan)
        _WAYS[plan["way"]](plan, report, status)
    except (OSError, ValueError, MemoryError) as error:
        _tell(status, refused=f"{error.__class__.__name__}: {error}")
        raise SystemExit(1) from None


def _moved(handle: int) -> int:
    far = fcntl.fcntl(handle, fcntl.F_DUPFD_CLOEXEC, _OUT_OF_THE_WAY)
    os.close(handle)
    return far


def _tell(status: int, **words: object) -> None:
    with contextlib.suppress(BrokenPipeError):  # the core has ended, and so shall we
        os.write(
            status, json.dumps({name: str(word)[:2_000] for name, word in words.items()}).encode() + b"\n"
        )


def _get_ready(plan: Plan) -> None:
    if kernel.LINUX and plan["way"] != "inside":
        kernel.die_with_parent(signal.SIGKILL)
        if os.getppid() != plan["parent"]:
            raise OSError("the core has ended")
    signal.alarm(int(plan["limits"]["wall_s"]) + _SPARE_S)  # should the core be stopped and never come back
    os.umask(0o022)
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGCHLD])
    with contextlib.suppress(OSError):  # no such file, or a system that forbids it: then we go on without
        _write("/proc/self/oom_score_adj", "1000")


def _write(path: str, text: str) -> None:
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


def _on_termination(act: Callable[[], None]) -> None:
    def handle(_number: int, _frame: FrameType | None) -> None:
        act()

    signal.signal(signal.SIGTERM, handle)


def _let_go_of_output(null: int) -> None:
    for handle in (0, 1, 2):
        os.dup2(null, handle)
    os.close(null)


def _child(status: int, act: Callable[[], None]) -> int:
    """Fork, act in the child and end it, whatever happens: it must never go on as its parent."""
    child = os.fork()
    if child:
        return child
    try:
        act()
        os._exit(0)
    except BaseException as error:  # noqa: BLE001  the top of a process; what happened is told
        _tell(status, refused=f"{error.__class__.__name__}: {error}")
    finally:
        os._exit(1)


# In namespaces of our own


def _in_namespaces(plan: Plan, report: int, status: int) -> None:
    if not calls.known(kernel.MACHINE):
        raise OSError(f"there is no filter of system calls for a machine of the kind {kernel.MACHINE}")
    uid, gid, is_new = _identity()
    apart = kernel.CLONE_NEWNS | kernel.CLONE_NEWPID | kernel.CLONE_NEWNET
    apart |= kernel.CLONE_NEWIPC | kernel.CLONE_NEWUTS
    if is_new:
        kernel.unshare(apart)
    else:
        kernel.unshare(apart | kernel.CLONE_NEWUSER)
        _write("/proc/self/setgroups", "deny")
        _write("/proc/self/uid_map", f"{uid} {uid} 1")
        _write("/proc/self/gid_map", f"{gid} {gid} 1")
    alive, held = os.pipe()
    # Opened now: the next process will change the root of both, and there is a moment without /dev.
    null = os.open(os.devnull, os.O_RDWR)

    def be_first() -> None:
        os.close(held)
        _die_with_outermost(alive)
        _be_first(plan, report, status, (uid, gid, is_new))

    first = _child(status, be_first)
    _on_termination(lambda: os.kill(first, signal.SIGKILL))
    os.close(alive)
    os.close(report)
    _let_go_of_output(null)
    os.waitpid(first, 0)


def _identity() -> tuple[int, int, bool]:
    """Return the user and group of the run, and whether they are others than ours: only root can take them.

    They are ids that no other process has, so that what the kernel counts for a user is the run's alone; in a
    container, which has few ids, nobody's; and our own where there is no other, in a user namespace.
    """
    own = _FIRST_OWN_ID + int.from_bytes(os.urandom(3), "big")
    for wanted in (own, _NOBODY):
        if os.geteuid() == 0 and _is_mapped("uid", wanted) and _is_mapped("gid", wanted):
            return wanted, wanted, True
    return os.geteuid(), os.getegid(), False


def _is_mapped(kind: str, wanted: int) -> bool:
    with open(f"/proc/self/{kind}_map", encoding="ascii") as file:
        spans = [list(map(int, line.split())) for line in file]
    return any(start <= wanted < start + many for start, _, many in spans)


def _die_with_outermost(alive: int) -> None:
    kernel.die_with_parent(signal.SIGKILL)
    os.set_blocking(alive, False)
    try:
        os.read(alive, 1)
    except BlockingIOError:
        return
    os._exit(1)  # nobody holds the other end: it ended before we asked to end with it


def _be_first(plan: Plan, report: int, status: int, who: tuple[int, int, bool]) -> None:
    uid, gid, is_new = who
    if not is_new:
        # In our user namespace only: the run makes none of its own.
        _write("/proc/sys/user/max_user_namespaces", "0")
    kernel.raise_loopback()
    mounts.build(plan, uid, gid)
    laying.lay(mounts.FIXED, plan["fixed"])
    mounts.enter(plan)

    def become_program() -> None:
        kernel.empty_bounding_set()
        if is_new:
            os.setgroups([])
            os.setresgid(gid, gid, gid)
            os.setresuid(uid, uid, uid)
        starting.start(plan, report)

    child = _child(status, become_program)
    os.close(report)
    _let_go_of_output(os.open(os.devnull, os.O_RDWR))
    kernel.hide_from_trace()
    kernel.drop_capabilities()
    code, why = watching.wait(child, plan["limits"], watching.all_but_us)
    _tell(status, ended=code, why=why)


# In a sandbox that is there already, or in none


def _inside(plan: Plan, report: int, status: int) -> None:
    if not calls.known(kernel.MACHINE):
        raise OSError(f"there is no filter of system calls for a machine of the kind {kernel.MACHINE}")
    _watched(plan, report, status)


def _bare(plan: Plan, report: int, status: int) -> None:
    if kernel.LINUX:
        kernel.adopt_orphans()
    _on_termination(watching.end_all_below)
    laying.lay(plan["folder"], plan["fixed"], 0o444)
    _watched(plan, report, status)


def _watched(plan: Plan, report: int, status: int) -> None:
    child = _child(status, lambda: starting.start(plan, report))
    os.close(report)
    _let_go_of_output(os.open(os.devnull, os.O_RDWR))
    if kernel.LINUX:
        kernel.hide_from_trace()
    code, why = watching.wait(child, plan["limits"], watching.below_us)
    watching.end_all_below()
    _tell(status, ended=code, why=why)


_WAYS: dict[str, Callable[[Plan, int, int], None]] = {
    "namespaces": _in_namespaces,
    "inside": _inside,
    "bare": _bare,
}
