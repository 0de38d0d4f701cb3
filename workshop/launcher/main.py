"""Start a program as a plan says, apart from everything, and tell how it ended.

Knows:    the order: namespaces, root, files, identity, rights, limits, program.
Does not: decide what a run may see or use: the plan does.   (workshop/sandbox/plans.py)
Run as:   python -I -S -c "…main()" ROOT REPORT_FD STATUS_FD, the plan as JSON on stdin. The status pipe gets
          one JSON object: {"ended": code, "why": words} or {"refused": what the system did not allow}.
Three:    The outermost process waits; SIGTERM makes it end the run. The next is the first process of the
          run's process namespace: when it ends, for whatever reason, the kernel ends all the others. It dies
          with the outermost, which dies with the core. The third becomes the program.
"""

import contextlib
import json
import os
import resource
import signal
import sys
from collections.abc import Callable

from workshop.launcher import calls, kernel, laying, mounts, watching

_LINUX = sys.platform == "linux"
_FIRST_OWN_ID = 0x70000000
"""The first of the user ids that no distribution or container runtime hands out (systemd, UIDS-GIDS)."""
_NOBODY = 65534
_OPEN_FILES = 256
_SPARE_S = 10
_KEPT = 100
"""The lowest handle that the status pipe is kept at until the program starts: above those that it gets."""

Plan = dict


def main() -> None:
    """Run the plan on stdin."""
    report, status = int(sys.argv[2]), int(sys.argv[3])
    try:
        plan = json.loads(sys.stdin.buffer.read())
        _ready(plan)
        code, why = _WAYS[plan["way"]](plan, report, status)
        _tell(status, ended=code, why=why)
    except (OSError, ValueError, MemoryError) as error:
        _tell(status, refused=f"{error.__class__.__name__}: {error}")
        raise SystemExit(1) from None


def _tell(status: int, **words: object) -> None:
    with contextlib.suppress(BrokenPipeError):  # the core has ended, and so shall we
        os.write(status, json.dumps(words).encode()[:4_000])


def _ready(plan: Plan) -> None:
    if _LINUX and plan["way"] != "inside":
        kernel.die_with_parent(signal.SIGKILL)
        if os.getppid() != plan["parent"]:
            raise OSError("the core has ended")
    signal.alarm(int(plan["limits"]["wall_s"]) + _SPARE_S)  # should the core be stopped and never come back
    os.umask(0o022)
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGCHLD])
    with contextlib.suppress(OSError):  # where there is no such file; the first to go when memory runs out
        _write("/proc/self/oom_score_adj", "1000")


def _write(path: str, text: str) -> None:
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


# Namespaces


def _in_namespaces(plan: Plan, report: int, status: int) -> tuple[int, str]:
    if not calls.known(kernel.MACHINE):
        raise OSError(f"there is no filter of system calls for {kernel.MACHINE}")
    uid, gid = _identity()
    apart = kernel.CLONE_NEWNS | kernel.CLONE_NEWPID | kernel.CLONE_NEWNET
    apart |= kernel.CLONE_NEWIPC | kernel.CLONE_NEWUTS
    if os.geteuid() != 0:
        apart |= kernel.CLONE_NEWUSER
    kernel.unshare(apart)
    if apart & kernel.CLONE_NEWUSER:
        _write("/proc/self/setgroups", "deny")
        _write("/proc/self/uid_map", f"{uid} {uid} 1")
        _write("/proc/self/gid_map", f"{gid} {gid} 1")
    alive, held = os.pipe()
    first = os.fork()
    if first == 0:
        os.close(held)
        _as_child(status, lambda: _be_first(plan, report, status, (uid, gid, alive)))
    os.close(alive)
    os.close(report)
    _let_go_of_output()
    signal.signal(signal.SIGTERM, lambda *_: os.kill(first, signal.SIGKILL))
    _, ended = os.waitpid(first, 0)
    if ended == 0:
        raise SystemExit(0)  # it has told the end itself
    return os.waitstatus_to_exitcode(ended), "the run was ended from outside"


def _let_go_of_output() -> None:
    null = os.open(os.devnull, os.O_RDWR)
    for handle in (0, 1, 2):
        os.dup2(null, handle)
    os.close(null)


def _identity() -> tuple[int, int]:
    """Return the user and group of the run: as root one that no other process has, so that counts are its."""
    if os.geteuid() != 0:
        return os.geteuid(), os.getegid()
    own = _FIRST_OWN_ID + int.from_bytes(os.urandom(3), "big")
    with contextlib.suppress(OSError, ValueError), open("/proc/self/uid_map", encoding="ascii") as file:
        if any(int(start) <= own < int(start) + int(many) for start, _, many in map(str.split, file)):
            return own, own
    return _NOBODY, _NOBODY  # we are root in a container only, which has fewer ids


def _as_child(status: int, act: Callable[[], None]) -> None:
    """Act and end this process, whatever happens: it must never go on as its parent."""
    try:
        act()
        os._exit(0)
    except BaseException as error:  # noqa: BLE001  the end of a forked process; it tells what happened
        _tell(status, refused=f"{error.__class__.__name__}: {error}")
    finally:
        os._exit(1)


def _be_first(plan: Plan, report: int, status: int, who: tuple[int, int, int]) -> None:
    uid, gid, alive = who
    kernel.die_with_parent(signal.SIGKILL)
    os.set_blocking(alive, False)
    with contextlib.suppress(BlockingIOError):
        if os.read(alive, 1) == b"":
            os._exit(1)  # the outermost ended before we asked to end with it
    if os.geteuid() != 0:
        _write("/proc/sys/user/max_user_namespaces", "0")
    kernel.raise_loopback()
    mounts.build(plan, uid, gid)
    laying.lay(mounts.fixed_folder(), plan["fixed"])
    for name in {path.partition("/")[0]: path for path in plan["fixed"]}.values():
        _make_place(plan["folder"], name)
    mounts.enter(plan)
    child = os.fork()
    if child == 0:
        _as_child(status, lambda: _start(plan, report, status, (uid, gid)))
    os.close(report)
    _let_go_of_output()
    kernel.hide_from_trace()
    code, why = watching.wait(child, plan["limits"]["memory_mb"], watching.all_but_us)
    _tell(status, ended=code, why=why)


def _make_place(folder: str, path: str) -> None:
    """Nothing: mounts.enter makes the place that it shows a thing at."""


# The program


def _start(plan: Plan, report: int, status: int, who: tuple[int, int] | None = None) -> None:
    os.setsid()
    if who is not None:
        kernel.empty_bounding_set()
        if os.geteuid() == 0:
            os.setgroups([])
            os.setresgid(who[1], who[1], who[1])
            os.setresuid(who[0], who[0], who[0])
    os.chdir(plan["folder"])
    laying.lay(plan["folder"], plan["files"])
    if plan["way"] != "namespaces":
        laying.lay(plan["folder"], plan["fixed"] if plan["way"] == "bare" else {}, 0o444)
    _hand_over(plan, report, status)
    _limit(plan["limits"])
    if _LINUX:
        kernel.drop_capabilities()
        kernel.forbid_new_rights()
        if plan["way"] != "bare":
            kernel.filter_calls(calls.program(kernel.MACHINE))
    for number in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGTERM, signal.SIGALRM):
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    os.execve(plan["command"][0], plan["command"], plan["environment"])


def _hand_over(plan: Plan, report: int, status: int) -> None:
    """Leave open what the program gets, and the status pipe until it starts."""
    # The report first: a later handle may come to stand where it was.
    import fcntl

    far_report = fcntl.fcntl(report, fcntl.F_DUPFD_CLOEXEC, _KEPT)
    far_status = fcntl.fcntl(status, fcntl.F_DUPFD_CLOEXEC, _KEPT)
    source = _given(plan["stdin"].encode("latin-1"))
    os.dup2(source, 0)
    os.dup2(far_report, 3)
    highest = os.sysconf("SC_OPEN_MAX")
    os.closerange(4, far_status)
    os.closerange(far_status + 1, min(highest, 65_536))
    os.dup2(far_status, status if status > 3 else 4, inheritable=False)


def _given(text: bytes) -> int:
    """Return a handle from which the program reads what it is given."""
    return 0


def _limit(limits: dict) -> None:
    memory, disk = limits["memory_mb"] * 2**20, limits["disk_mb"] * 2**20
    wanted = {
        "RLIMIT_CORE": (0, 0),
        "RLIMIT_CPU": (limits["cpu_s"], limits["cpu_s"] + 1),
        "RLIMIT_FSIZE": (disk, disk),
        "RLIMIT_MEMLOCK": (0, 0),
        "RLIMIT_NOFILE": (_OPEN_FILES, _OPEN_FILES),
        "RLIMIT_NPROC": (limits["processes"], limits["processes"]),
        "RLIMIT_AS": (memory, memory),
    }
    for name, pair in wanted.items():
        kind = getattr(resource, name, None)
        if kind is None:
            continue
        most = resource.getrlimit(kind)[1]
        if most != resource.RLIM_INFINITY:
            pair = (min(pair[0], most), min(pair[1], most))
        resource.setrlimit(kind, pair)


_WAYS: dict[str, Callable[[Plan, int, int], tuple[int, str]]] = {"namespaces": _in_namespaces}
