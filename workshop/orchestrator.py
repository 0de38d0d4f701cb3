"""The orchestrator: runs agents, asks them, and asks the model for them.

Knows:    which agents there are, whose turn it is, when nobody waits any more, when an agent is started again.
Does not: write a file, run code, or read what an answer says.   (pipeline.py, judging.py)
Agreed:   one request at a time for each agent, in the order of asking. An agent that ended is started again
          at its next request; so is one that still works on a request which is over. What is dropped, and
          what agents write to stderr, is told to on_stderr.

    async with Orchestrator(model.complete, memory) as orchestrator:
        await orchestrator.start_agent("echo", [sys.executable, "-m", "workshop.agents.echo"])
        answer = await orchestrator.ask("echo", UserInput, seconds=5, text="hello")
"""

import itertools
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Literal, Self

import anyio
from anyio.abc import TaskGroup
from pydantic import ValidationError

from llm import CompleteFn, Completion, ModelError
from workshop import messages
from workshop.agent import Agent, Hears
from workshop.asking import CALLS_MOST, Asking, Matching, model_failed
from workshop.errors import AgentFailed, AgentGone, AgentLate, NotStarted
from workshop.lines import BadLine, line_of, message_of
from workshop.memory import Memory
from workshop.notices import Notices

log = logging.getLogger(__name__)

OnPart = Callable[[messages.Progress | messages.FileWritten], Awaitable[None]]
OnStderr = Callable[[str], Awaitable[None]]
State = Literal["ready", "busy", "ended"]

RESTARTS_MOST = 3
"""Starts in a row without an answered request, after the first."""

SETTLE_S = 5.0
"""For how long an agent may finish what is over before it is started again; at most half of what is left."""

_FAREWELL_S = 2.0
_PARTS_MOST = 64
_ROLES = frozenset({"system", "user", "assistant"})


async def unheard(line: str) -> None:
    """Let nobody know."""


@dataclass
class _Place:
    """An agent's place: its command, and the process that has it at the moment."""

    name: str
    command: list[str]
    agent: Agent
    matching: Matching = field(default_factory=Matching)
    turn: anyio.Lock = field(default_factory=anyio.Lock)
    restarts: int = 0
    stopped: bool = False


class Orchestrator:
    """An async context manager; at its end every agent is ended."""

    def __init__(
        self,
        complete: CompleteFn,
        memory: Memory,
        *,
        on_stderr: OnStderr = unheard,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._complete = complete
        self._memory = memory
        self._now = now
        self._notices = Notices(on_stderr)
        self._places: dict[str, _Place] = {}
        self._ids = itertools.count(1)
        self._hears = Hears(line=self._line, shown=self._shown, ended=self._ended)
        self._tasks: TaskGroup | None = None

    async def __aenter__(self) -> Self:
        self._tasks = await anyio.create_task_group().__aenter__()
        self._tasks.start_soon(self._notices.tell)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        tasks, self._tasks = self._tasks, None
        assert tasks is not None
        try:
            await self.stop_all_agents()
            await self._notices.told()
        finally:
            tasks.cancel_scope.cancel()
            # Without the exception: it goes on as it is, not as one of a group.
            await tasks.__aexit__(None, None, None)

    @property
    def agents(self) -> Mapping[str, State]:
        """Return each agent that was started and not stopped, and what it does."""
        return {name: _state(place) for name, place in self._places.items()}

    async def start_agent(self, name: str, command: list[str]) -> None:
        """Start a program as an agent.

        Raises: NotStarted when it cannot be, or an agent is called so already.
        """
        if name in self._places:
            raise NotStarted(f"An agent {name!r} is running already. Stop it first, or take another name.")
        agent = await Agent.started(name, command, self._hears)
        self._places[name] = _Place(name, command, agent)

    async def stop_agent(self, name: str) -> None:
        """End an agent: a word, a signal, the end. A request that it has fails.

        Raises: NotStarted when there is none of this name.
        """
        place = self._places.pop(self._place(name).name)
        place.stopped = True
        await place.agent.close(self._farewell())

    async def stop_all_agents(self) -> None:
        """End every agent, all at once."""
        with anyio.CancelScope(shield=True):
            async with anyio.create_task_group() as ends:
                for name in list(self._places):
                    ends.start_soon(self.stop_agent, name)

    async def ask[Kind](self) -> None: ...
