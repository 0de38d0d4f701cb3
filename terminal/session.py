"""The chat: read a message, run its turn, show it, until the person leaves.

Knows:    when a turn starts and stops, what a command does, and which exit code tells what.
Does not: know the model, the server or the gates.   (agent_mcp.py)
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, Protocol

import anyio

from common.approval import Approver
from common.events import Event
from common.text import visible
from terminal.approver import TerminalApprover
from terminal.commands import help_text, unknown_text
from terminal.interrupts import on_interrupt
from terminal.lines import Interrupted, Lines
from terminal.screen import Screen
from terminal.turn import ToolBox, TurnView
from terminal.words import shortened

_MAX_COMMAND = 40


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


@dataclass(frozen=True)
class Agent:
    """The agent as a session sees it.

    run: one turn on the session's conversation.
    notices: what is odd about the server's tools; may grow during the session.
    unreachable: the errors that mean the model or the server does not answer; their text is for people.
    """

    run: RunTurn
    tools: ToolBox = field(default_factory=ToolBox)
    notices: Sequence[str] = ()
    unreachable: tuple[type[Exception], ...] = ()


class Session:
    """One person's chat with one agent."""

    def __init__(self, agent: Agent, screen: Screen, lines: Lines, *, verbose: bool = False) -> None:
        self._agent = agent
        self._screen = screen
        self._lines = lines
        self._verbose = verbose
        self._notices_said = 0

    async def once(self, question: str) -> Exit:
        """Answer one question."""
        self._say_notices()
        return await self._turn(question)

    async def chat(self) -> Exit:
        """Answer message after message; a failed turn does not end the chat.

        Returns DONE; for piped input UNREACHABLE where a turn ended so, INTERRUPTED where a signal ended it.
        """
        result = Exit.DONE
        while (message := await self._next_message()) is not None:
            if message.startswith("/"):
                if self._command(message):
                    break
                continue
            turn = await self._turn(message)
            if self._lines.interactive:
                continue
            if turn is Exit.INTERRUPTED:
                return turn
            if turn is Exit.UNREACHABLE:
                result = turn
        return result

    async def _next_message(self) -> str | None:
        """Return the next message; None at the end of input and at the second Ctrl-C in a row."""
        leaving = False
        while True:
            self._say_notices()
            try:
                message = await self._lines.message()
            except EOFError:
                return None
            except Interrupted:
                if leaving:
                    return None
                leaving = True
                self._screen.line("Ctrl-C again leaves the chat.", "dim")
                continue
            if not self._lines.interactive:
                self._screen.line(f"> {visible(message)}")
            return message

    def _command(self, line: str) -> bool:
        """Carry out a command; true means leave."""
        name = line.split()[0]
        if name == "/help":
            self._screen.line(help_text())
        elif name != "/quit":
            self._screen.line(unknown_text(shortened(name, _MAX_COMMAND)))
        return name == "/quit"

    async def _turn(self, message: str) -> Exit:
        view = TurnView(self._screen, self._agent.tools, verbose=self._verbose)
        outcome = None
        with anyio.CancelScope() as scope, on_interrupt(scope.cancel):
            approver = TerminalApprover(self._screen, self._lines, scope.cancel)
            try:
                async with self._screen.waiting_line():
                    outcome = await self._agent.run(message, approver, view.handle)
            except anyio.get_cancelled_exc_class():
                view.stop()
                raise
            except self._agent.unreachable as error:
                view.fail(str(error))
                return Exit.UNREACHABLE
        if outcome is None:
            return Exit.INTERRUPTED
        view.finish(outcome.reply, outcome.meta)
        return Exit.REFUSED if view.refused else Exit.DONE

    def _say_notices(self) -> None:
        for notice in self._agent.notices[self._notices_said :]:
            self._screen.line(f"Notice: {visible(notice)}", "yellow")
        self._notices_said = len(self._agent.notices)
