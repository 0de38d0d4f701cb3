"""What each command of the chat does.

Knows:    the conversation it is given, the ledger, the screen.
Does not: read lines or run a turn (session.py), or know the list of commands.   (commands.py)
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from common.text import visible
from terminal.commands import help_rows, split, unknown_text
from terminal.files import FileProblem, write_new
from terminal.ledger import Ledger
from terminal.permissions import Permissions
from terminal.screen import Screen
from terminal.toolbox import ToolBox
from terminal.words import left_behind, shortened

_MAX_MESSAGE = 60


class Memory(Protocol):
    """The conversation as the terminal handles it."""

    def snapshot(self) -> Any:
        """Return what it can be brought back to."""
        ...

    def restore(self, earlier: Any) -> None:
        """Bring it back to a snapshot."""
        ...

    def clear(self) -> None:
        """Forget everything."""
        ...

    def heard(self) -> list[str]:
        """Return the customer's messages, oldest first."""
        ...

    def origin(self, kind: str, value: Any, schema: dict[str, Any]) -> str:
        """Return who named an id of a kind, in words; empty where that is not known."""
        ...

    def text(self, suffix: str) -> str | None:
        """Return it in the form of the file's suffix, None for a suffix that has no form."""
        ...


@dataclass(frozen=True)
class Leave:
    """The person wants to leave."""


@dataclass(frozen=True)
class AskAgain:
    """The person wants this message asked."""

    message: str


@dataclass(frozen=True)
class TakeUp:
    """The person wants the questions that wait."""


@dataclass(frozen=True)
class Actions:
    """Carries out commands.

    about_model: returns the lines that answer /model, given the name that was typed, if any.
    """

    screen: Screen
    ledger: Ledger
    memory: Memory
    tools: ToolBox
    permissions: Permissions
    about_model: Callable[[str], Sequence[str]]
    has_keys: bool

    def carry_out(self, line: str) -> Leave | AskAgain | TakeUp | None:
        """Carry out one line that begins with a slash; what is returned is for the session to do."""
        name, rest = split(line)
        if name == "/quit":
            return Leave()
        if name == "/retry":
            return self._retry()
        if name == "/approvals":
            return TakeUp()
        action = {
            "/help": self._help,
            "/tools": self._tools,
            "/new": self._new,
            "/undo": self._undo,
            "/permissions": lambda: self._say(*self.permissions.carry_out(rest), hang=4),
            "/model": lambda: self._say(*self.about_model(rest)),
            "/export": lambda: self._export(rest),
            "/cost": lambda: self._say(self.ledger.told()),
            "/trace": self._trace,
        }.get(name)
        if action is None:
            self._say(unknown_text(name))
        else:
            action()
        return None

    def _say(self, *lines: str, hang: int = 0) -> None:
        for line in lines:
            self.screen.line(line, hang=hang)

    def _help(self) -> None:
        for line, hang in help_rows(keys=self.has_keys):
            self._say(line, hang=hang)

    def _tools(self) -> None:
        self._say(*self.tools.described(), hang=4)

    def _new(self) -> None:
        self.memory.clear()
        self.ledger.turns.clear()
        self._say("A new conversation. What was said before is forgotten; what was done on the server stays.")
        if dropped := self.permissions.drop():
            self._say(dropped)

    def _undo(self) -> None:
        if not self.ledger.turns:
            self._say("There is nothing to take back.")
            return
        turn = self.ledger.turns.pop()
        self.memory.restore(turn.before)
        self._say(f"Taken back: {shortened(turn.message, _MAX_MESSAGE)}")
        self._say(f"{left_behind(turn.done, turn.unsure)}{_STAYS if turn.done or turn.unsure else ''}")

    def _retry(self) -> AskAgain | None:
        if not self.ledger.turns:
            self._say("There is no message to ask again.")
            return None
        turn = self.ledger.turns.pop()
        self.memory.restore(turn.before)
        if turn.done or turn.unsure:
            self._say(f"{left_behind(turn.done, turn.unsure)}{_STAYS}")
        self._say(f"Asked again: {shortened(turn.message, _MAX_MESSAGE)}")
        return AskAgain(turn.message)

    def _export(self, name: str) -> None:
        path = Path(name).expanduser()
        text = self.memory.text(path.suffix.lower()) if name else None
        if text is None:
            self._say(
                "Name a file that ends in .md, to read it, or .json, to go on from it later: /export chat.md"
            )
            return
        try:
            write_new(path, text)
        except FileProblem as problem:
            self.screen.line(visible(str(problem)), "red")
        else:
            later = f" Go on from it: --load {path}" if path.suffix.lower() == ".json" else ""
            self._say(visible(f"Written to {path}; only you can read it.{later}"))

    def _trace(self) -> None:
        if self.ledger.last is None:
            self._say("No turn has run yet.")
            return
        for event in self.ledger.last.events:
            self.screen.line(visible(json.dumps(event, ensure_ascii=False)))


_STAYS = " That stays: it is not taken back on the server."
