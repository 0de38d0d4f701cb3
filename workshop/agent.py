"""One agent's process: its start, its bytes, its end.

Knows:    process groups, pipes, how a process is ended that does not want to.
Does not: know requests.   (asking.py, orchestrator.py)
Agreed:   an agent has a process group of its own, so that Ctrl-C reaches the core alone and the whole group
          can be ended; on Linux it is killed with the core, even when the core is. Nothing here waits for a
          pipe: what an agent does not read is kept for it, and gone with it.
"""

import asyncio
import os
import shutil
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

import anyio

from common.leash import leashed
from common.settings import ROOT
from common.text import visible
from workshop.errors import NotStarted
from workshop.lines import Lines, line_of
from workshop.messages import FromCore
from workshop.settings import agent_environment

POLITE_S = 1.0
"""For how long an agent may put its things away after the word, and again after the signal."""

_DRAIN_S = 1.0
"""How long the last bytes of a process that ended may take: a child of its may hold the pipe open."""

_STDERR_LINE_BYTES = 16_384
_SHOWN_CHARS = 2_000


@dataclass(frozen=True)
class Hears:
    """Who is told. line: a line of stdout; an int is the size of one that was skipped.

    shown: a line for people; ended: nothing more comes.
    """

    line: Callable[["Agent", bytes | int], None]
    shown: Callable[["Agent", str], None]
    ended: Callable[["Agent"], None]


class Agent(asyncio.SubprocessProtocol):
    """A running process. finished: it has ended, and all that it wrote was heard."""

    def __init__(self, name: str, hears: Hears) -> None:
        self.name = name
        self.finished = anyio.Event()
        self.last_words = ""
        self._hears = hears
        self._transport: asyncio.SubprocessTransport | None = None
        self._exited = anyio.Event()
        self._let_go = anyio.Event()
        self._lines = {1: Lines(), 2: Lines(_STDERR_LINE_BYTES)}
        self._open = {1, 2}
        self._swept = False
        self._timer: asyncio.TimerHandle | None = None

    async def start(self, command: list[str]) -> None:
        """Start the program; its working directory is the project's root. What it says may be heard at once.

        Raises: NotStarted.
        """
        program = _found(self.name, command[0] if command else "")
        try:
            # A start that is cut off half way would leave a process that nobody knows.
            with anyio.CancelScope(shield=True):
                await asyncio.get_running_loop().subprocess_exec(
                    lambda: self,
                    *leashed([program, *command[1:]]),
                    cwd=ROOT,
                    env=agent_environment(),
                    start_new_session=os.name == "posix",
                )
        except (OSError, ValueError) as error:
            raise NotStarted(
                f"The agent {self.name!r} cannot be started: {error}. Its command is {command!r}."
            ) from error

    @property
    def exited(self) -> bool:
        """Say whether the process has ended, or says nothing more."""
        return self._exited.is_set() or self.finished.is_set()

    def send(self, message: FromCore) -> None:
        """Hand a message over; it is written as the agent reads."""
        pipe = self._pipe(0)
        if pipe is not None and not pipe.is_closing():
            cast("asyncio.WriteTransport", pipe).write(line_of(message))

    def hold(self, held: bool, fd: int = 1) -> None:
        """Read no more of a pipe for now, or read on."""
        pipe = self._pipe(fd)
        if pipe is None or pipe.is_closing():
            return
        reader = cast("asyncio.ReadTransport", pipe)
        if reader.is_reading() == held:
            (reader.pause_reading if held else reader.resume_reading)()

    def how_it_ended(self) -> str:
        """Return what became of the process, in words."""
        code = self._transport.get_returncode() if self._transport else None
        if code is None:
            return "closed its stdout"
        if code < 0:
            return f"was killed by signal {-code}"
        return f"ended with exit code {code}"

    async def close(self, farewell: FromCore | None = None) -> None:
        """End the process and its group: a word and the end of stdin, a signal, the end. Never hangs.

        farewell: the word; without one the process is killed at once.
        """
        with anyio.CancelScope(shield=True):
            if farewell is not None and not self._exited.is_set():
                self.send(farewell)
                self._close_stdin()
                if not await self._ends(POLITE_S):
                    self._signal(signal.SIGTERM)
                    await self._ends(POLITE_S)
            self.kill()
            await self._ends(POLITE_S)
            with anyio.move_on_after(_DRAIN_S):
                await self.finished.wait()
            self._finish()
            await self._put_away()

    def kill(self) -> None:
        """Kill the process and its group, which may hold more than the process."""
        self._signal(signal.SIGKILL if os.name == "posix" else signal.SIGTERM)

    async def _ends(self, seconds: float) -> bool:
        with anyio.move_on_after(seconds):
            await self._exited.wait()
        return self._exited.is_set()

    async def _put_away(self) -> None:
        """Give back the pipes, also those that another process holds open."""
        if self._transport is None:
            return
        pipe = self._pipe(0)
        if pipe is not None and not pipe.is_closing():
            cast("asyncio.WriteTransport", pipe).abort()
        self._transport.close()
        with anyio.move_on_after(_DRAIN_S):
            await self._let_go.wait()

    def _close_stdin(self) -> None:
        if (pipe := self._pipe(0)) is not None:
            pipe.close()

    def _signal(self, number: signal.Signals) -> None:
        if self._transport is None or self._swept:
            return  # its number may be another process's by now
        try:
            if sys.platform != "win32":
                os.killpg(self._transport.get_pid(), number)
            elif not self._exited.is_set():
                self._transport.send_signal(number)
        except (ProcessLookupError, PermissionError):
            # Gone already. macOS says so with EPERM where only a zombie is left.
            return

    def _pipe(self, fd: int) -> asyncio.BaseTransport | None:
        return self._transport.get_pipe_transport(fd) if self._transport else None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the process over."""
        self._transport = cast("asyncio.SubprocessTransport", transport)

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        """Cut what comes into lines."""
        for line in self._lines[fd].fed(data):
            if fd == 2:
                self._show(line)
            elif line:
                self._hears.line(self, line)

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        """Take notice of a pipe that ends."""
        self._open.discard(fd)
        if not self._open and self._exited.is_set():
            self._finish()
        elif fd == 1 and not self._exited.is_set():
            # It can say nothing more. Its exit, where that is the reason, comes within a moment.
            self._later(self._cut_off)

    def process_exited(self) -> None:
        """Take notice of the process's end; what it left running ends too."""
        self._exited.set()
        self.kill()
        self._swept = True
        if self._open:
            self._later(self._finish)
        else:
            self._finish()

    def connection_lost(self, exc: Exception | None) -> None:
        """Take notice that the pipes are given back."""
        self._let_go.set()

    def _later(self, what: Callable[[], None]) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(_DRAIN_S, what)

    def _cut_off(self) -> None:
        self._finish()
        self.kill()

    def _finish(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if self.finished.is_set():
            return
        self.finished.set()
        if words := self._lines[2].rest():
            self._show(words)
        if rest := self._lines[1].rest():
            size = rest if isinstance(rest, int) else len(rest)
            self._hears.shown(self, f"[agent:{self.name}] dropped: a line of {size} bytes that did not end")
        self._hears.ended(self)

    def _show(self, line: bytes | int) -> None:
        if isinstance(line, int):
            text = f"(a line of {line} bytes)"
        else:
            text = line.decode("utf-8", "replace").rstrip("\r")
        text = text if len(text) <= _SHOWN_CHARS else f"{text[:_SHOWN_CHARS]}…"
        self.last_words = visible(text.strip()) or self.last_words
        self._hears.shown(self, f"[agent:{self.name}][stderr] {visible(text)}")


def _found(name: str, program: str) -> str:
    """Return where a program is; a path counts from the project's root."""
    wanted = str(ROOT / program) if os.path.dirname(program) else program
    found = shutil.which(wanted, path=agent_environment().get("PATH")) if program else None
    if found is None:
        raise NotStarted(
            f"The agent {name!r} cannot be started: there is no program {program!r}. Install it, or give its "
            "whole path."
        )
    return found
