"""What agents say beside the protocol, told to a person line by line, in order.

Knows:    that whoever says more than is read is not read on for a while.
Does not: word anything.   (place.py, agent.py)
"""

from collections.abc import Awaitable, Callable

import anyio

from workshop.agent import Agent

OnLine = Callable[[str], Awaitable[None]]

_MOST = 1_000
_TOLD_S = 1.0
"""For how long the end waits for the last lines to be told."""


class Notices:
    """A queue of lines before the one who is told."""

    def __init__(self, on_line: OnLine) -> None:
        self._on_line = on_line
        self._in, self._out = anyio.create_memory_object_stream[str](float("inf"))
        self._held: set[tuple[Agent, int]] = set()
        self._left = 0
        self._closed = False
        self._all_told = anyio.Event()

    def put(self, agent: Agent, line: str, fd: int = 1) -> None:
        """Take a line that came from one of the agent's pipes; after the end, none."""
        if self._closed:
            return
        self._left += 1
        self._in.send_nowait(line)
        if self._left > _MOST:
            agent.hold(True, fd)
            self._held.add((agent, fd))

    async def tell(self) -> None:
        """Hand the lines on, until there will be no more."""
        with self._out:
            async for line in self._out:
                await self._on_line(line)
                self._left -= 1
                if self._left == 0:
                    self._all_told.set()
                    self._all_told = anyio.Event()
                if self._left < _MOST // 2:
                    self._read_on()

    async def told(self) -> None:
        """Wait until everything was told, but not for long; then take nothing more."""
        with anyio.move_on_after(_TOLD_S, shield=True):
            while self._left:
                await self._all_told.wait()
        self._closed = True
        self._in.close()

    def _read_on(self) -> None:
        for agent, fd in self._held:
            agent.hold(False, fd)
        self._held.clear()
