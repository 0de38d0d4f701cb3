"""The chat: read a message, run its turn, show it, until the person leaves.

Knows:    when a turn starts and stops, and which exit code tells what.
Does not: know the model, the server or the gates (agent_mcp.py), or what a command does.   (actions.py)
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from enum import IntEnum
from functools import partial
from typing import Any, Protocol

import anyio

from common.approval import Approver
from common.events import Event, ToolReturned
from common.pending import Pending
from common.text import visible
from guards.grants import Grants
from terminal.actions import Actions, AskAgain, Leave, Memory, TakeUp
from terminal.approver import Occasion, TerminalApprover
from terminal.interrupts import on_interrupt
from terminal.ledger import Ledger, TurnRecord
from terminal.left import NOT_DURABLE, NOTHING, Left, NoQuestions, Questions, Take, still_open
from terminal.lines import PROMPT, Interrupted, Lines
from terminal.manner import Manner
from terminal.permissions import Permissions
from terminal.screen import Screen
from terminal.toolbox import ToolBox
from terminal.turn import TurnView
from terminal.why import Talked

_AGAIN_S = 2.0
"""Seconds within which a second Ctrl-C at an empty prompt leaves."""

_DRAFT_KEPT = "Your message is kept: /retry asks it again."


class Told(Protocol):
    """What a turn came to: what the customer was told, and what it took. `agent_mcp.Outcome` is one."""

    @property
    def reply(self) -> str:
        """Return the whole reply."""
        ...

    @property
    def meta(self) -> dict[str, Any]:
        """Return the figures of the turn."""
        ...


RunTurn = Callable[[str, Approver, Callable[[Event], None]], Awaitable[Told]]


class Exit(IntEnum):
    """What the process's exit code says."""

    DONE = 0
    FAILED = 1
    USAGE = 2
    REFUSED = 3
    UNREACHABLE = 4
    INTERRUPTED = 130


class NoMemory:
    """A conversation of which nothing is kept."""

    def snapshot(self) -> None:
        """Keep nothing."""

    def restore(self, earlier: Any) -> None:
        """Bring nothing back."""

    def clear(self) -> None:
        """Forget nothing."""

    def heard(self) -> list[str]:
        """Return no message."""
        return []

    def origin(self, kind: str, value: Any, schema: dict[str, Any]) -> str:
        """Return nothing: it is not known who named an id."""
        return ""

    def text(self, suffix: str) -> str | None:
        """Return no text."""
        return None


@dataclass(frozen=True)
class Agent:
    """The agent as a session sees it.

    run: one turn on the session's conversation, which memory keeps.
    notices: what is odd about the server's tools, and about the model; each list may grow.
    unreachable: the errors that mean the model or the server does not answer; their text is for people.
    warm: gets the model ready while the person types.
    about_model: the lines that answer /model.
    questions: those that were left open, or wait for the staff. permissions: what is done without asking.
    """

    run: RunTurn
    tools: ToolBox = field(default_factory=ToolBox)
    memory: Memory = field(default_factory=NoMemory)
    notices: Sequence[Sequence[str]] = ()
    unreachable: tuple[type[Exception], ...] = ()
    warm: Callable[[], Awaitable[None]] | None = None
    about_model: Callable[[str], Sequence[str]] = lambda _: ["It is not known which model answers."]
    questions: Questions = field(default_factory=NoQuestions)
    permissions: Permissions = field(default_factory=lambda: Permissions(Grants()))


class Session:
    """One person's chat with one agent."""

    def __init__(self, agent: Agent, screen: Screen, lines: Lines, manner: Manner | None = None) -> None:
        self._agent = agent
        self._screen = screen
        self._lines = lines
        self._manner = manner or Manner()
        self._notices_said = [0] * len(agent.notices)
        self._remarks: list[str] = []
        self._ledger = Ledger()
        self._below_the_card = [NOT_DURABLE] if lines.interactive and not agent.questions.durable else []
        self._left = Left(agent.questions, screen, lines, self._take_up)
        self._result = Exit.DONE
        self._actions = Actions(
            screen,
            self._ledger,
            agent.memory,
            agent.tools,
            agent.permissions,
            agent.about_model,
            lines.interactive,
        )

    async def once(self, question: str) -> Exit:
        """Answer one question."""
        self._say_notices()
        if waiting := await self._agent.questions.count():
            self._screen.line(still_open(waiting), "dim")
        ended = await self._turn(question)
        self._part()
        return ended

    async def chat(self) -> Exit:
        """Answer message after message; a failed turn does not end the chat.

        Returns DONE; for piped input REFUSED where a turn was refused, UNREACHABLE, which counts for more,
        where one could not be finished, INTERRUPTED where a signal ended it.
        """
        async with self._warming():
            self._say_notices()
            await self._left.go_through()
            await self._messages()
        self._part()
        return Exit.DONE if self._lines.interactive else self._result

    async def _messages(self) -> None:
        while self._result is not Exit.INTERRUPTED and (message := await self._next_message()) is not None:
            if message.startswith("/"):
                wanted = self._actions.carry_out(message)
                if isinstance(wanted, Leave):
                    break
                if isinstance(wanted, TakeUp) and not await self._left.go_through():
                    self._screen.line(NOTHING)
                if not isinstance(wanted, AskAgain):
                    continue
                message = wanted.message
            self._ended(await self._turn(message))

    def _ended(self, how: Exit) -> None:
        """Take note of how a turn ended: a chat at a terminal ends well whatever its turns came to."""
        if not self._lines.interactive:
            self._result = max(self._result, how)

    async def _next_message(self) -> str | None:
        """Return the next message; None at the end of input and at a second Ctrl-C soon after the first."""
        leaving_until = float("-inf")
        while True:
            self._say_notices()
            try:
                message = await self._lines.message()
            except EOFError:
                return None
            except Interrupted:
                if self._screen.clock() <= leaving_until:
                    return None
                leaving_until = self._screen.clock() + _AGAIN_S
                self._screen.line("Ctrl-C again to exit.", "dim")
                continue
            if not self._lines.interactive:
                self._screen.line(f"{PROMPT}{visible(message)}")
            return message

    async def _turn(self, message: str) -> Exit:
        record = TurnRecord(message, self._agent.memory.snapshot())
        heard = [*self._agent.memory.heard(), message]
        self._ledger.begin(record)
        view = TurnView(self._screen, self._agent.tools, record, self._manner)
        talked = Talked(heard, self._agent.tools.checked, named=self._agent.memory.origin)
        occasion = Occasion(self._agent.questions.staff, remarks=self._below_the_card)
        outcome = await self._run(partial(self._agent.run, message), view, talked, occasion)
        if isinstance(outcome, Exit):
            return outcome
        self._ledger.finish(outcome.meta, view.seconds)
        return Exit.REFUSED if view.refused else Exit.DONE

    async def _take_up(self, pending: Pending, take: Take) -> bool:
        """Show one question that was left open being taken up; return whether to go on with the next."""
        record = TurnRecord(f"(a question that was left open: {pending.request.title})")
        self._ledger.last = record
        view = TurnView(self._screen, self._agent.tools, record, self._manner)
        memory = self._agent.memory
        talked = Talked(memory.heard(), self._agent.tools.checked, named=memory.origin)
        outcome = await self._run(take, view, talked, Occasion(self._agent.questions.staff, left=True))
        if isinstance(outcome, Exit):
            self._ended(outcome)
            return False
        self._ended(Exit.REFUSED if view.refused else Exit.DONE)
        return True

    async def _run(self, take: Take, view: TurnView, talked: Talked, occasion: Occasion) -> Told | Exit:
        """Show what is done until it ends; return what came of it, or how it was ended."""
        outcome: Told | None = None

        def see(event: Event) -> None:
            if isinstance(event, ToolReturned):
                self._say_notices()  # that the server was started again is said before what it did since
            view.handle(event)

        with (
            anyio.CancelScope() as scope,
            on_interrupt(scope.cancel),
            self._lines.watching(scope.cancel),
        ):
            approver = TerminalApprover(self._screen, self._lines, scope.cancel, talked, occasion)
            try:
                async with self._screen.waiting_line():
                    view.begin()
                    outcome = await take(approver, see)
            except anyio.get_cancelled_exc_class():
                view.stop()
                raise
            except self._agent.unreachable as error:
                view.fail(str(error), _DRAFT_KEPT if self._lines.interactive and not occasion.left else "")
                return Exit.UNREACHABLE
            finally:
                self._ledger.kept.update(dict.fromkeys(filter(None, view.kept)))
        if outcome is None:
            return Exit.INTERRUPTED
        view.finish(outcome.reply, outcome.meta)
        return outcome

    @asynccontextmanager
    async def _warming(self) -> AsyncGenerator[None, None]:
        """Get the model ready within the block, where a person sits who types meanwhile."""
        if self._agent.warm is None or not self._lines.interactive:
            yield
            return
        # A task of asyncio, not a task group: what ends the chat must come out as it is, unwrapped.
        task = asyncio.create_task(self._warm(self._agent.warm))
        try:
            yield
        finally:
            task.cancel()
            await asyncio.wait([task])
            if not task.cancelled():
                task.result()  # a fault of ours is not hidden

    async def _warm(self, warm: Callable[[], Awaitable[None]]) -> None:
        try:
            await warm()
        except self._agent.unreachable as error:
            self._remarks.append(f"The model could not be made ready: {error}")

    def _say_notices(self) -> None:
        new = list(self._remarks)
        self._remarks.clear()
        for index, notices in enumerate(self._agent.notices):
            new += notices[self._notices_said[index] :]
            self._notices_said[index] = len(notices)
        for notice in new:
            self._screen.line(f"Notice: {visible(notice)}", "yellow")

    def _part(self) -> None:
        """Say what will be gone: how long what was changed in this session is kept."""
        self._say_notices()
        for kept in self._ledger.kept:
            self._screen.line(visible(kept), "yellow")
