"""Become the program: lay its files in, give up every right, set the limits, start it.

Knows:    what a program gets: stdin, stdout, stderr, the report pipe, an environment; and what it may use.
Does not: keep it apart from the machine; that is done before.   (main.py)
"""

import os
import resource
import signal
from typing import Any

from workshop.launcher import calls, kernel, laying

_REPORT_FD = 3
_OPEN_FILES = 256
_GIVEN = ".stdin"
"""Where in the folder the text for stdin is kept, for as long as it has a name."""


def start(plan: dict[str, Any], report: int) -> None:
    """Start the program in place of this process. Raises: OSError where something of it is refused."""
    os.setsid()
    os.chdir(plan["folder"])
    os.dup2(_given(plan["stdin"].encode("latin-1")), 0)  # before a file of the project could have its name
    laying.lay(plan["folder"], plan["files"])
    os.dup2(report, _REPORT_FD)  # every other handle is closed by the start of the program
    _limit(plan["limits"])
    if kernel.LINUX:
        kernel.drop_capabilities()
        kernel.forbid_new_rights()
        if plan["way"] != "bare":
            kernel.filter_calls(calls.program(kernel.MACHINE))
    # Python ignores the first two, and what is ignored stays so in the program.
    for number in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    os.execve(plan["command"][0], plan["command"], plan["environment"])


def _given(text: bytes) -> int:
    """Return a handle from which the program can read the text, and whatever it likes of it."""
    if not text:
        return os.open(os.devnull, os.O_RDONLY)
    handle = os.open(_GIVEN, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    os.unlink(_GIVEN)
    view = memoryview(text)
    while view:
        view = view[os.write(handle, view) :]
    os.lseek(handle, 0, os.SEEK_SET)
    return handle


def _limit(limits: dict[str, Any]) -> None:
    memory, disk = limits["memory_mb"] * 2**20, limits["disk_mb"] * 2**20
    wanted = {
        "RLIMIT_CORE": (0, 0),
        "RLIMIT_CPU": (limits["cpu_s"], limits["cpu_s"] + 1),
        "RLIMIT_FSIZE": (disk, disk),
        "RLIMIT_MEMLOCK": (0, 0),
        "RLIMIT_NOFILE": (_OPEN_FILES, _OPEN_FILES),
        "RLIMIT_NPROC": (limits["threads"], limits["threads"]),
        "RLIMIT_AS": (memory, memory),
    }
    for name, (soft, hard) in wanted.items():
        kind = getattr(resource, name, None)
        if kind is None or (name == "RLIMIT_AS" and not kernel.LINUX):
            continue  # macOS has the name, and refuses the call
        most = resource.getrlimit(kind)[1]
        if most != resource.RLIM_INFINITY:
            soft, hard = min(soft, most), min(hard, most)
        resource.setrlimit(kind, (soft, hard))
