"""The sandbox of bubblewrap, a program that distributions let an ordinary user make namespaces with.

Knows:    the options, for version 0.8 and later, and what it is not used for: root.
Does not: drop rights or set limits: our launcher does, started inside.   (workshop/launcher)
Root:     bubblewrap keeps root's own user id, to which the kernel's limit on processes does not apply.
Source:   bwrap(1)
"""

import contextlib
import os
import shutil
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from workshop.sandbox.launching import ROOT, Pipes, launch, launcher, own_python, refusal
from workshop.sandbox.plans import Job, as_json, plan
from workshop.sandbox.shown import shown
from workshop.sandbox.terms import Limits, Ran

_ROOM = "/room"
"""The one folder that can be written: only what bubblewrap mounts as one has one size."""
_FOLDER = f"{_ROOM}/project"
_CODE = "/launcher"
_DEVICES = ("null", "zero", "full", "random", "urandom")
_ETC = {
    "passwd": f"nobody:x:{os.geteuid()}:{os.getegid()}:nobody:{_FOLDER}:/usr/sbin/nologin\n",
    "group": f"nogroup:x:{os.getegid()}:\n",
    "hosts": "127.0.0.1 localhost\n::1 localhost\n",
    "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
}


@dataclass(frozen=True, slots=True)
class Bubblewrap:
    """Runs a program in bubblewrap. program: the path of bwrap."""

    program: str
    name: str = "bubblewrap"
    isolated: bool = True
    why_not_isolated: str = ""

    async def run(
        self,
        files: Mapping[str, str],
        command: Sequence[str],
        limits: Limits = Limits(),  # noqa: B008  frozen
        *,
        stdin: bytes = b"",
        venv: Path | None = None,
        fixed: Mapping[str, str] | None = None,
    ) -> Ran:
        """Run it as Sandbox.run says."""
        job = Job(files, command, limits, stdin, venv, fixed or {})
        with _started(self.program, job) as (command_line, made, pipes):
            return await launch(command_line, made, limits, pipes)


@contextlib.contextmanager
def _started(program: str, job: Job) -> Generator[tuple[list[str], bytes, Pipes]]:
    with contextlib.ExitStack() as stack, contextlib.closing(Pipes()) as pipes:
        report, status = pipes.theirs

        def handle(text: str) -> str:
            number = _readable(text)
            stack.callback(os.close, number)
            pipes.also.append(number)
            return str(number)

        inside = launcher(own_python(), _CODE, report, status)
        options = _options(job, handle)
        yield [program, *options, "--", *inside], as_json(plan(job, "inside", _FOLDER)), pipes


def _readable(text: str) -> int:
    """Return a handle to a file without a name: a core that is killed leaves nothing on the disk."""
    number = os.memfd_create("workshop")
    with open(os.dup(number), "wb") as file:
        file.write(text.encode("utf-8", "surrogatepass"))
    os.lseek(number, 0, os.SEEK_SET)
    return number


def _options(job: Job, handle: Callable[[str], str]) -> list[str]:
    seen, ours = shown(job.venv), shown(None)  # the launcher runs in our interpreter
    options = ["--unshare-all", "--die-with-parent", "--new-session", "--proc", "/proc"]
    options += ["--size", str(job.limits.disk_mb * 2**20), "--tmpfs", _ROOM]
    for name in ("project", "tmp", "shm"):
        options += ["--dir", f"{_ROOM}/{name}"]
    # Relative: a thing shown may lie below /tmp, and bubblewrap makes its place while another root stands.
    options += ["--symlink", f"{_ROOM[1:]}/tmp", "/tmp", "--symlink", f"..{_ROOM}/shm", "/dev/shm"]
    for source, target in dict.fromkeys([*seen.folders, *ours.folders]):
        options += ["--ro-bind", source, target]
    for path, text in seen.links:
        options += ["--symlink", text, path]
    for name in _DEVICES:
        options += ["--dev-bind", f"/dev/{name}", f"/dev/{name}"]
    for name, text in _ETC.items():
        options += ["--ro-bind-data", handle(text), f"/etc/{name}"]
    options += ["--ro-bind", str(ROOT / "workshop" / "launcher"), f"{_CODE}/workshop/launcher"]
    options += ["--symlink", "/proc/self/fd", "/dev/fd"]
    folders = sorted({path.partition("/")[0] for path in job.fixed if "/" in path})
    for name in folders:
        options += ["--tmpfs", f"{_FOLDER}/{name}"]
    for path, text in job.fixed.items():
        options += ["--ro-bind-data", handle(text), f"{_FOLDER}/{path}"]
    for name in folders:
        options += ["--remount-ro", f"{_FOLDER}/{name}"]
    return [*options, "--remount-ro", "/", "--chdir", _FOLDER]


def found() -> tuple[Bubblewrap | None, str]:
    """Return bubblewrap where it is there and works; else None, and why."""
    program = shutil.which("bwrap")
    if program is None:
        return None, "bubblewrap is not installed"
    if os.geteuid() == 0:
        return None, "bubblewrap is not used by root"
    job = Job({}, ["{python}", "-I", "-c", "pass"], Limits(wall_s=5))
    with _started(program, job) as (command, made, pipes):
        reason = refusal(command, made, pipes)
    return (None, f"bubblewrap refuses: {reason}") if reason else (Bubblewrap(program), "")
