"""Where a person's lines come from: messages, and the answers to questions.

Knows:    how piped input is cut into lines.
Does not: know the terminal's editor (prompt.py), what a line means (answers.py), commands or turns.
"""

import asyncio
import os
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Protocol

PROMPT = "you> "
"""What stands before a person's words, typed or piped: who speaks is said in words, not by colour alone."""

_CHUNK = 65_536


class Interrupted(Exception):
    """Ctrl-C was pressed at a prompt."""


class Lines(Protocol):
    """Where messages and answers come from."""

    @property
    def interactive(self) -> bool:
        """Say whether a person sits there, who can be asked again and whose keys are on the screen."""
        ...

    async def message(self) -> str:
        """Return the next message that is not empty.  Raises: EOFError at the end, Interrupted."""
        ...

    async def ask(self, question: str, default: str = "") -> str:
        """Return the next line, which may be empty, as the answer to a question.

        default: what stands there to be changed. Raises: EOFError at the end, Interrupted.
        """
        ...

    def keep(self, line: str) -> None:
        """Put a line back: it is the next one."""
        ...

    def watching(self, stop: Callable[[], None]) -> AbstractContextManager[None]:
        """Call stop when Escape is pressed within the block, while nothing is asked."""
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

    async def ask(self, question: str, default: str = "") -> str:
        """Take the next line for the answer; the question was written by the caller."""
        line = await self._next()
        if line is None:
            raise EOFError
        return line

    def keep(self, line: str) -> None:
        """Put a line back."""
        self._kept = line

    def watching(self, stop: Callable[[], None]) -> AbstractContextManager[None]:
        """Do nothing: a pipe has no keys."""
        return nullcontext()

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
