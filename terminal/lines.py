"""Where a person's lines come from: messages, and the answer to an approval.

Knows:    how piped input is cut into lines and what counts as a yes there.
Does not: know the terminal's editor (prompt.py), commands or turns (session.py).
Rule:     piped, the next line answers an approval. `y` alone is yes; any other line is no and is kept
          as the next message; the end of input is no.
"""

import asyncio
import os
import threading
from dataclasses import dataclass
from typing import Protocol

from common.approval import NOBODY

_CHUNK = 65_536


class Interrupted(Exception):
    """Ctrl-C was pressed at a prompt."""


@dataclass(frozen=True)
class Answer:
    """A yes or no; said is what to show after the question where the person's keys are not seen."""

    approved: bool
    by: str
    said: str = ""


class Lines(Protocol):
    """Where messages and answers come from."""

    @property
    def interactive(self) -> bool:
        """Say whether a person sits there, who can be asked again and whose keys are on the screen."""
        ...

    async def message(self) -> str:
        """Return the next message that is not empty.  Raises: EOFError at the end, Interrupted."""
        ...

    async def answer(self, question: str) -> Answer:
        """Return the answer to an approval; the end of input is no.  Raises: Interrupted."""
        ...


class PipedLines:
    """Lines of a pipe or file.

    The descriptor is read directly and by a daemon thread: a pipe that stays open and silent holds up
    neither a turn nor the end of the process.
    """

    interactive = False

    def __init__(self, descriptor: int = 0) -> None:
        self._descriptor = descriptor
        self._bytes = b""
        self._ended = False
        self._kept: str | None = None
        self._reading: asyncio.Future[bytes] | None = None

    async def message(self) -> str:
        """Return the next line that is not blank."""
        while True:
            line = await self._next()
            if line is None:
                raise EOFError
            if line.strip():
                return line.strip()

    async def answer(self, question: str) -> Answer:
        """Take the next line for the answer; the question was written by the caller."""
        line = await self._next()
        if line is None:
            return Answer(False, NOBODY, "no (end of input)")
        if line.strip().lower() == "y":
            return Answer(True, "piped input", "y")
        if not line.strip():
            return Answer(False, "piped input", "no")
        self._kept = line
        return Answer(False, "piped input", "no (the next line is not y; it is kept as the next message)")

    async def _next(self) -> str | None:
        kept, self._kept = self._kept, None
        if kept is not None:
            return kept
        while b"\n" not in self._bytes and not self._ended:
            chunk = await self._chunk()
            self._bytes += chunk
            self._ended = not chunk
        if not self._bytes:
            return None
        line, _, self._bytes = self._bytes.partition(b"\n")
        return line.decode("utf-8", "replace")

    async def _chunk(self) -> bytes:
        # A read that was given up (an approval that expired) is picked up by the next one: no line is lost.
        if self._reading is None:
            self._reading = self._start_reading()
        chunk = await asyncio.shield(self._reading)
        self._reading = None
        return chunk

    def _start_reading(self) -> asyncio.Future[bytes]:
        loop = asyncio.get_running_loop()
        future: asyncio.Future[bytes] = loop.create_future()

        def read() -> None:
            try:
                chunk = os.read(self._descriptor, _CHUNK)
            except OSError as error:
                loop.call_soon_threadsafe(_settle, future, error)
            else:
                loop.call_soon_threadsafe(_settle, future, chunk)

        threading.Thread(target=read, name="input", daemon=True).start()
        return future


def _settle(future: asyncio.Future[bytes], what: bytes | OSError) -> None:
    if future.done():
        return
    if isinstance(what, bytes):
        future.set_result(what)
    else:
        future.set_exception(what)
