"""An agent's place: its command, the process that has it at the moment, and what that owes.

Knows:    when the process is started again, and what is told of lines that are dropped.
Does not: ask the model, or wait for an answer.   (orchestrator.py)
"""

from typing import Literal

import anyio

from common.text import visible
from workshop.agent import Agent, Hears
from workshop.asking import Asking, Matching, model_failed
from workshop.errors import AgentGone, NotStarted
from workshop.lines import BadLine, message_of
from workshop.messages import FromCore, ModelRequest
from workshop.notices import Notices

State = Literal["ready", "busy", "ended"]

RESTARTS_MOST = 3
"""Starts in a row without an answered request, after the first."""

SETTLE_S = 5.0
"""For how long an agent may finish what is over before it is started again; at most half of what is left."""

_PARTS_MOST = 64


class Place:
    """Where an agent sits. turn: held by the one request that it works on."""

    def __init__(self, name: str, command: list[str], notices: Notices) -> None:
        self.name = name
        self.turn = anyio.Lock(fast_acquire=True)
        self._command = command
        self._notices = notices
        self._hears = Hears(line=self._line, shown=self._shown, ended=self._ended)
        self._matching = Matching()
        self._agent: Agent | None = None
        self._restarts = 0
        self._stopped = False

    @property
    def state(self) -> State:
        """Return what the agent does."""
        if self._agent is None or self._agent.exited:
            return "ended"
        return "busy" if self._matching.open else "ready"

    async def start(self) -> None:
        """Start the process.

        Raises: NotStarted.
        """
        before, agent = self._agent, Agent(self.name, self._hears)
        self._matching = Matching()
        self._agent = agent
        try:
            await agent.start(self._command)
        except NotStarted:
            self._agent = before
            raise
        if self._stopped:  # meanwhile
            await agent.close()
            raise self._is_stopped()

    async def ready(self, give_up: float) -> None:
        """See to it that a process is there which works on nothing. give_up: on the event loop's clock.

        Raises: NotStarted.
        """
        agent = self._agent
        if self._stopped or agent is None:
            raise self._is_stopped()
        if not self._matching.settled.is_set():
            with anyio.move_on_after(min(SETTLE_S, max(give_up - anyio.current_time(), 0) / 2)):
                await self._matching.settled.wait()
            if not self._matching.settled.is_set():
                self._tell("still works on a request that is over: it is started again")
                await agent.close()
        if agent.exited:
            await agent.finished.wait()
            await self._restart(agent)

    async def close(self, farewell: FromCore) -> None:
        """End the process for good; a request that it has fails."""
        self._stopped = True
        if self._agent is not None:
            await self._agent.close(farewell)

    def begin(self, request: FromCore) -> Asking:
        """Send a request, and return what will be heard of it."""
        asking = self._matching.begin(request)
        self.send(request)
        return asking

    def end(self) -> None:
        """Take the open request as over. An agent that waits for the model is told, so that it is free."""
        asking = self._matching.open
        for call in self._matching.end():
            if asking is not None:
                self.send(_over(asking.request.id, call))
        if asking is not None and asking.answered:
            self._restarts = 0
        self._hold(False)

    def send(self, message: FromCore) -> None:
        """Hand the process a message."""
        if self._agent is not None:
            self._agent.send(message)

    def taken(self, asking: Asking) -> None:
        """Read on where reading had been put off because too much was waiting."""
        if asking.waiting() <= _PARTS_MOST:
            self._hold(False)

    def drop(self, why: str) -> None:
        """Tell of something that is dropped."""
        self._tell(f"dropped: {why}")

    async def _restart(self, agent: Agent) -> None:
        if self._restarts >= RESTARTS_MOST:
            raise NotStarted(
                f"The agent {self.name!r} {agent.how_it_ended()}, after it had been started again "
                f"{RESTARTS_MOST} times without answering anything.{_last(agent)} Correct it, stop it and "
                "start it."
            )
        self._restarts += 1
        await agent.close()  # its pipes are given back
        await self.start()

    def _is_stopped(self) -> NotStarted:
        return NotStarted(f"The agent {self.name!r} was stopped. Start it again.")

    def _line(self, agent: Agent, line: bytes | int) -> None:
        if agent is not self._agent:
            self.drop("a line of a process that is no longer asked")
        elif isinstance(line, int):
            self.drop(f"a line of {line} bytes, which is too long")
            self._matching.too_long(line)
        else:
            self._read(agent, line)
            asking = self._matching.open
            if asking is not None and asking.waiting() > _PARTS_MOST:
                self._hold(True)

    def _read(self, agent: Agent, line: bytes) -> None:
        try:
            message = message_of(line)
        except BadLine as bad:
            self.drop(f"a line that is no message ({bad})")
            if told := self._matching.unreadable(bad):
                agent.send(told)
            return
        if why := self._matching.heard(message):
            self.drop(why)
            if isinstance(message, ModelRequest):
                agent.send(_over(message.id, message.call))

    def _shown(self, agent: Agent, line: str) -> None:
        self._notices.put(agent, line, 2)

    def _ended(self, agent: Agent) -> None:
        if agent is not self._agent and self._agent is not None:
            return
        asking = self._matching.open
        if asking is not None and not asking.answered:
            next_ = "" if self._stopped else " It is started again at the next request."
            asking.put(
                AgentGone(
                    f"The agent {self.name!r} {agent.how_it_ended()} before it answered.{_last(agent)}{next_}"
                )
            )
        self._matching.forget()

    def _hold(self, held: bool) -> None:
        if self._agent is not None:
            self._agent.hold(held)

    def _tell(self, what: str) -> None:
        if self._agent is not None:
            self._notices.put(self._agent, f"[agent:{self.name}] {visible(what)}")


def _over(id_: str, call: str) -> FromCore:
    return model_failed(id_, call, "request_over", "The request is over; nobody waits for its answer.")


def _last(agent: Agent) -> str:
    return f" Its last words: {agent.last_words[:300]!r}." if agent.last_words else ""
