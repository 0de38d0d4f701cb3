"""What agents say beside the protocol, told to a person line by line, in order.

Knows:    that whoever says more than is read is not read on for a while.
Does not: word anything.   (place.py, agent.py)
"""

from collections import deque
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
        self._lines: deque[str] = deque()
        self._held: set[tuple[Agent, int]] = set()
        self._more = anyio.Event()
        self._all_told = anyio.Event()
        self._all_told.set()

    def put(self, agent: Agent, line: str, fd: int = 1) -> None:
        """Take a line that came from one of the agent's pipes."""
        self._lines.append(line)
        self._more.set()
        if self._all_told.is_set():
            self._all_told = anyio.Event()
        if len(self._lines) > _MOST:
            agent.hold(True, fd)
            self._held.add((agent, fd))

    async def tell(self) -> None:
        """Hand the lines on, for ever."""
        while True:
            await self._more.wait()
            self._more = anyio.Event()
            while self._lines:
                await self._on_line(self._lines.popleft())
                if len(self._lines) < _MOST // 2:
                    self._read_on()
            self._all_told.set()

    async def told(self) -> None:
        """Wait until everything was told, but not for long."""
        with anyio.move_on_after(_TOLD_S, shield=True):
            await self._all_told.wait()

    def _read_on(self) -> None:
        for agent, fd in self._held:
            agent.hold(False, fd)
        self._held.clear()
