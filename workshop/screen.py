"""Where a run is shown: lines for people, or one JSON object an event; then the lines go to stderr.

Knows:    which stream, and that a person's answer is one line of stdin.
Does not: word anything.   (words.py)
"""

import asyncio
import json
import re
import signal
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Iterable
from typing import TYPE_CHECKING, Any

import anyio.to_thread
import click

from workshop.events import Began, Ended, Event, as_json
from workshop.words import lines_of

if TYPE_CHECKING:
    from prompt_toolkit import PromptSession

AGREE = frozenset({"y", "yes", "да", "д"})


_UNSEEN = re.compile("[\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff]")
"""What JSON may hold as it is, and a terminal acts on or a stream refuses."""


def _escaped(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"


class Screen:
    """The person's side of the workshop. as_json: events go to stdout as JSON lines, words to stderr.

    now: the clock, in seconds, that tells how long a run has taken.
    """

    def __init__(
        self, *, as_json: bool = False, quiet: bool = False, now: Callable[[], float] = time.monotonic
    ) -> None:
        self.as_json = as_json
        self.quiet = quiet
        self._now = now
        self._began = now()
        self._project = ""
        self._session: PromptSession[str] | None = None

    def begin(self) -> None:
        """Count the seconds from here."""
        self._began = self._now()
        self._project = ""

    async def interrupted(self, work: Callable[[], Awaitable[None]]) -> bool:
        """Do the work; Ctrl-C ends it and nothing else. Return whether it did."""
        if sys.platform == "win32" or threading.current_thread() is not threading.main_thread():
            await work()
            return False
        loop, before = asyncio.get_running_loop(), signal.getsignal(signal.SIGINT)
        with anyio.CancelScope() as scope:
            loop.add_signal_handler(signal.SIGINT, scope.cancel)
            try:
                await work()
            finally:
                loop.remove_signal_handler(signal.SIGINT)
                signal.signal(signal.SIGINT, before)
        return scope.cancelled_caught

    def stopped(self, how: str) -> str:
        """Return what is said of a run that was stopped. how: the words that go on with one, {} its name."""
        return f"Stopped. `{how.format(self._project)}` goes on." if self._project else "Stopped."

    async def on_event(self, event: Event) -> None:
        """Show an event; what is being done has the seconds since the run began before it."""
        if isinstance(event, Began):
            self._project = event.name
        if self.as_json:
            self.put_json(as_json(event))
            return
        if isinstance(event, Ended):
            self.put(lines_of(event))
        elif not self.quiet:
            taken = f"{self._now() - self._began:4.0f} s  "
            first, *rest = [*lines_of(event), ""]
            self.put(
                [f"{taken}{first.strip()}", *(f"{'':8}{line.strip()}" for line in rest if line)]
                if first
                else []
            )

    def put_json(self, value: dict[str, Any]) -> None:
        """Write one JSON object as a line."""
        line = json.dumps({"schema": "shopkart.workshop/1", **value}, ensure_ascii=False)
        click.echo(_UNSEEN.sub(_escaped, line))

    def put(self, lines: Iterable[str]) -> None:
        """Write lines for a person."""
        for line in lines:
            click.echo(line, err=self.as_json)

    async def on_stderr(self, line: str) -> None:
        """Show what an agent wrote on its stderr; the line bears the agent's name."""
        click.echo(line, err=True)

    async def ask(self, question: str) -> bool:
        """Ask a yes-or-no question; the end of the input, and any other answer, is no."""
        try:
            answer = await self.line(f"{question} [y/N] ")
        except KeyboardInterrupt:  # at a question it is an answer
            return False
        return answer is not None and answer.strip().casefold() in AGREE

    async def line(self, prompt: str) -> str | None:
        """Return the next line that a person types, None at the end of the input."""
        return await anyio.to_thread.run_sync(self._read, prompt, abandon_on_cancel=True)

    def _read(self, prompt: str) -> str | None:
        if sys.stdin.isatty():
            return self._typed(prompt)
        line = sys.stdin.readline()
        if not line:
            return None
        click.echo(f"{prompt}{line.rstrip()}", err=self.as_json)
        return line.rstrip("\n")

    def _typed(self, prompt: str) -> str | None:
        # It takes a quarter of a second to import, which a pipe need not wait for.
        from prompt_toolkit import PromptSession
        from prompt_toolkit.output import create_output

        if self._session is None:
            self._session = PromptSession[str](
                output=create_output(sys.stderr if self.as_json else sys.stdout)
            )
        try:
            return self._session.prompt(prompt)
        except EOFError:
            return None
