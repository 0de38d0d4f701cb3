"""A person's lines without a terminal, and a screen on paper."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from io import StringIO

from rich.console import Console

from terminal import Screen
from terminal.lines import Interrupted

CTRL_C = "\x03"
"""As a line: Ctrl-C was pressed."""


class Typed:
    """Answers with its lines in order, then with the end of input; asked remembers the questions."""

    interactive = True

    def __init__(self, *lines: str) -> None:
        self.lines = list(lines)
        self.asked: list[str] = []

    async def message(self) -> str:
        return await self.ask("message")

    async def ask(self, question: str, default: str = "") -> str:
        self.asked.append(question + default)
        if not self.lines:
            raise EOFError
        line = self.lines.pop(0)
        if line == CTRL_C:
            raise Interrupted
        return line

    def keep(self, line: str) -> None:
        self.lines.insert(0, line)

    def watching(self, stop: Callable[[], None]) -> AbstractContextManager[None]:
        return nullcontext()


def screen_on(page: StringIO | None = None, clock: Callable[[], float] = lambda: 0.0) -> Screen:
    """Return a screen that writes both streams to one page, as to a pipe."""
    console = Console(file=StringIO() if page is None else page, force_terminal=False)
    return Screen(console, console, clock)
