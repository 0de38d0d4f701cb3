"""Start the launcher and read what comes of a run, never more than its limits allow.

Knows:    three pipes: what is printed, the report, and how it ended; and the clock.
Does not: know what the launcher does with its plan.   (workshop/launcher/main.py)
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import anyio
import anyio.abc

from workshop.errors import SandboxMissing
from workshop.sandbox.terms import Ended, Limits, Ran

REPORT_BYTES = 4 * 1024 * 1024
"""The longest report: some hundreds of tests with all that they print."""
_STATUS_BYTES = 8_192
_CHUNK = 65_536
_PATIENCE_S = 5.0
"""For how long a launcher that was told to end the run is waited for, before it is killed itself."""

ROOT = Path(__file__).resolve().parents[2]
_PROGRAM = "import sys; sys.path.insert(0, sys.argv[1]); from workshop.launcher.main import main; main()"


def launcher(python: str, root: str, report: int, status: int) -> list[str]:
    """Return the command of the launcher: without site-packages, and without its own environment."""
    return [python, "-I", "-S", "-B", "-c", _PROGRAM, root, str(report), str(status)]


def own_python() -> str:
    """Return the interpreter that the launcher runs in: the one that a virtual environment is made from."""
    return os.path.realpath(sys.executable)


@dataclass(slots=True)
class _Reading:
    """What has come so far."""

    most: int
    chunks: list[bytes] = field(default_factory=list[bytes])
    held: int = 0

    def add(self, chunk: bytes) -> bool:
        """Take what still fits; say whether all of it did."""
        self.chunks.append(chunk[: self.most - self.held])
        self.held += len(self.chunks[-1])
        return len(self.chunks[-1]) == len(chunk)

    def bytes(self) -> bytes:
        return b"".join(self.chunks)


class Pipes:
    """The report and the status pipe. theirs: the ends for the launcher, to be closed here once it runs.

    also: what else it is to inherit; whoever added it closes it.
    """

    def __init__(self) -> None:
        self.report, report = os.pipe()
        self.status, status = os.pipe()
        self.theirs = (report, status)
        self.also: list[int] = []
        self._held = True

    def let_go(self) -> None:
        """Close the launcher's ends."""
        if self._held:
            self._held = False
            for handle in self.theirs:
                os.close(handle)

    def close(self) -> None:
        """Close all that is open."""
        self.let_go()
        os.close(self.report)
        os.close(self.status)


async def launch(command: Sequence[str], plan: bytes, limits: Limits, pipes: Pipes) -> Ran:
    """Run the launcher to its end. Raises: SandboxMissing where it tells that the system refused."""
    run = _Run(limits, pipes)
    started = time.monotonic()
    process = await anyio.open_process(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={},
        cwd="/",
        start_new_session=True,
        pass_fds=(*pipes.theirs, *pipes.also),
    )
    pipes.let_go()
    try:
        await run.follow(process, plan)
    finally:
        with anyio.CancelScope(shield=True):
            await _end(process, is_over=run.is_over)
            await _all_gone(pipes.report)
            await process.aclose()
    return run.told(time.monotonic() - started)


class _Run:
    def __init__(self, limits: Limits, pipes: Pipes) -> None:
        self.limits = limits
        self.pipes = pipes
        self.output = _Reading(limits.output_bytes)
        self.report = _Reading(REPORT_BYTES)
        self.status = _Reading(_STATUS_BYTES)
        self.ended: Ended = "exited"
        self.is_over = False

    async def follow(self, process: anyio.abc.Process, plan: bytes) -> None:
        with anyio.move_on_after(self.limits.wall_s) as clock:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(self._give, process, plan)
                tasks.start_soon(self._read_pipe, self.pipes.report, self.report, tasks.cancel_scope)
                tasks.start_soon(self._read_pipe, self.pipes.status, self.status, tasks.cancel_scope)
                await self._read_output(process, tasks.cancel_scope)
        if clock.cancelled_caught:
            self.ended = "timed_out"
        self.is_over = self.ended == "exited"

    async def _give(self, process: anyio.abc.Process, plan: bytes) -> None:
        assert process.stdin is not None
        try:
            await process.stdin.send(plan)
            await process.stdin.aclose()
        except (anyio.BrokenResourceError, anyio.ClosedResourceError, OSError):
            return  # it ended before it had read all; the status says why

    async def _read_output(self, process: anyio.abc.Process, scope: anyio.CancelScope) -> None:
        assert process.stdout is not None
        async for chunk in process.stdout:
            if not self.output.add(chunk):
                self._too_much(scope)
                return

    async def _read_pipe(self, handle: int, reading: _Reading, scope: anyio.CancelScope) -> None:
        os.set_blocking(handle, False)
        while True:
            await anyio.wait_readable(handle)
            chunk = os.read(handle, _CHUNK)
            if not chunk:
                return
            if not reading.add(chunk):
                self._too_much(scope)
                return

    def _too_much(self, scope: anyio.CancelScope) -> None:
        self.ended = "too_much_output"
        scope.cancel()

    def told(self, seconds: float) -> Ran:
        code, why = None, ""
        if self.ended == "timed_out":
            why = f"it had not ended after {self.limits.wall_s:g} s"
        elif self.ended == "too_much_output":
            why = f"it printed or reported more than {self.limits.output_bytes} bytes"
        else:
            code, why = self._read_status()
        output = self.output.bytes().decode("utf-8", errors="replace")
        return Ran(code, self.ended, output, self.report.bytes(), seconds, why)

    def _read_status(self) -> tuple[int | None, str]:
        status = _told(self.status.bytes())
        if "refused" in status:
            raise SandboxMissing(f"The sandbox could not start a program: {status['refused']}.")
        if "ended" not in status:
            self.ended = "killed"
            return None, "something ended it from outside"
        code, why = int(status["ended"]), status["why"]
        if code == -signal.SIGXCPU:
            self.ended, why = "timed_out", f"it used more than {self.limits.cpu_s} s of processor time"
        elif why or code < 0:
            self.ended, why = "killed", why or f"it was ended by the signal {-code}"
        return code, why


def _told(status: bytes) -> dict[str, str]:
    """Return all that the launcher and its children told, a later word before an earlier one."""
    told: dict[str, str] = {}
    for line in status.splitlines():
        told |= json.loads(line)
    return told


async def _end(process: anyio.abc.Process, *, is_over: bool) -> None:
    """Leave nothing of it: the launcher ends the run and waits until all of it is gone.

    is_over: it is about to end by itself. A signal then would take its exit status from the event loop.
    """
    if is_over:
        with anyio.move_on_after(_PATIENCE_S):
            await process.wait()
            return
    if process.returncode is None:
        process.terminate()
        with anyio.move_on_after(_PATIENCE_S):
            await process.wait()
            return
        process.kill()
    await process.wait()


async def _all_gone(report: int) -> None:
    """Wait until nothing of the run is left that holds the report pipe."""
    os.set_blocking(report, False)
    with anyio.move_on_after(_PATIENCE_S):
        await anyio.wait_readable(report)
        while os.read(report, _CHUNK):
            await anyio.wait_readable(report)


def refusal(command: Sequence[str], plan: bytes, pipes: Pipes) -> str:
    """Run a launcher once, without an event loop; return what it was refused, or nothing."""
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={},
        cwd="/",
        start_new_session=True,
        pass_fds=(*pipes.theirs, *pipes.also),
    ) as process:
        pipes.let_go()
        try:
            said, _ = process.communicate(plan, timeout=_PATIENCE_S)
        except subprocess.TimeoutExpired:
            process.kill()
            return f"it did not start within {_PATIENCE_S:g} s"
    os.set_blocking(pipes.status, False)
    try:
        status = _told(os.read(pipes.status, _STATUS_BYTES))
    except BlockingIOError:
        status = {}
    if status.get("ended") == "0":
        return ""
    heard = said.decode("utf-8", errors="replace").strip()[-500:]
    return status.get("refused") or heard or "it ended without a word"
