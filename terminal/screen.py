"""Where text goes: answers to stdout, all else to stderr, a waiting line while nothing else is shown.

Knows:    which stream is a terminal, and how the waiting line is drawn and wiped.
Does not: know events, tools or what a line says.   (words.py, turn.py)
Rule:     no control code leaves here for a stream that is not a terminal. NO_COLOR, FORCE_COLOR and
          TERM=dumb are Rich's to read; the waiting line also needs a terminal that can be wiped.
Live:     the waiting line is the only line that is ever drawn again; all else is final once written.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager

from rich.console import Console
from rich.live import Live
from rich.text import Text

from terminal.flow import Flow, wrapped

_PATIENCE_S = 0.3
"""A wait shorter than this is not worth a line that flickers."""

_REDRAW_S = 0.25
"""The waiting line counts whole seconds; four drawings a second keep it from jumping."""

ASSISTANT = "assistant: "

Clock = Callable[[], float]


class Screen:
    """The two streams of a session.

    console: where everything but the answers goes. answers: where replies go.
    """

    def __init__(self, console: Console, answers: Console, clock: Clock = time.monotonic) -> None:
        self.console = console
        self.clock = clock
        self._answers = answers
        self._flow: Flow | None = None
        self._what = ""
        self._since = 0.0
        self._live: Live | None = None
        self._line_open = False
        self._question_open = False

    @property
    def streams_answers(self) -> bool:
        """Say whether pieces of a reply may be shown before the reply is whole.

        Not in a file or pipe: a piece that is withdrawn later could not be taken back there.
        """
        return self._answers.file.isatty()

    @property
    def width(self) -> int | None:
        """The columns of the terminal that the lines go to; None where there is no terminal."""
        # FORCE_COLOR makes Rich call a pipe a terminal: that is about colour, so the file is asked too.
        return self.console.width if self.console.file.isatty() else None

    def line(self, text: str, style: str = "", hang: int = 0) -> None:
        """Write one line, or several, to stderr; nothing in the text is taken for markup.

        hang: on a terminal, the columns that further lines of a long text stand in.
        """
        self._make_room()
        shown = wrapped(text, self.width, hang) if self.width else text
        self.console.print(Text(shown, style), soft_wrap=True)

    def ask(self, question: str) -> None:
        """Write a question on stderr and leave its line open for the answer."""
        self._make_room()
        self.console.print(Text(question), soft_wrap=True, end="")
        self._question_open = True

    def answered(self, text: str) -> None:
        """Write the answer on the question's line."""
        self._question_open = False
        self.console.print(Text(text), soft_wrap=True)

    def answer(self, text: str) -> None:
        """Write a piece of a reply to stdout: laid out and named on a terminal, as it is elsewhere."""
        if not text:
            return
        self._before_answer()
        if self.streams_answers:
            self._lay_out(text)
        else:
            self._answers.file.write(text)
            self._answers.file.flush()
        self._line_open = not text.endswith("\n")

    def record(self, text: str) -> None:
        """Write one line to stdout for a program to read: never laid out."""
        self._before_answer()
        self._answers.file.write(f"{text}\n")
        self._answers.file.flush()

    def end_answer(self) -> None:
        """Close the reply's last line; the next piece begins another reply."""
        if self._line_open:
            self.answer("\n")
        self._flow = None

    def wait_for(self, what: str) -> None:
        """Say what is being waited for, from now on until something else is written."""
        self.stop_waiting()
        self._what, self._since = what, self.clock()

    def stop_waiting(self) -> None:
        """Wipe the waiting line."""
        self._what = ""
        if self._live:
            self._live.stop()
            self._live = None

    @asynccontextmanager
    async def waiting_line(self) -> AsyncGenerator[None, None]:
        """Keep the waiting line drawn within the block; nothing is drawn where there is no terminal."""
        # A task of asyncio, not a task group: what the block raises must come out as it is, unwrapped.
        drawing = asyncio.create_task(self._keep_drawing()) if self._can_wipe() else None
        try:
            yield
        finally:
            if drawing:
                drawing.cancel()
            self.stop_waiting()

    async def _keep_drawing(self) -> None:
        while True:
            self.draw()
            await asyncio.sleep(_REDRAW_S)

    def draw(self) -> None:
        """Draw the waiting line as it is now, once it is worth one."""
        waited_s = self.clock() - self._since
        # Not beneath a half-written reply: wiping the line would wipe the reply's last words.
        if not self._what or self._line_open or waited_s < _PATIENCE_S:
            return
        if self._live is None:
            # Rich's own refresh is a thread; the session's task draws instead, so that nothing is
            # drawn into a prompt.
            self._live = Live(
                console=self.console,
                auto_refresh=False,
                transient=True,
                redirect_stdout=False,
                redirect_stderr=False,
            )
            self._live.start()
        self._live.update(self._waiting_text(int(waited_s)), refresh=True)

    def _waiting_text(self, seconds: int) -> Text:
        """Return one line that keeps its end, the seconds and the way out, at any width."""
        end = f"… {seconds} s · Ctrl-C stops"
        room = self.console.width - len(end)
        what = self._what if len(self._what) <= room else self._what[: max(room - 1, 0)]
        return Text(f"{what}{end}", "dim", no_wrap=True, overflow="ellipsis")

    def _can_wipe(self) -> bool:
        return self.console.is_terminal and self.width is not None and not self.console.is_dumb_terminal

    def _before_answer(self) -> None:
        self.stop_waiting()
        if self._question_open:
            self.answered("")

    def _lay_out(self, text: str) -> None:
        shown = Text()
        if self._flow is None:
            self._flow = Flow(lambda: self._answers.width)
            shown.append_text(self._flow.label(ASSISTANT, "bold"))
        shown.append_text(self._flow.feed(text))
        self._answers.print(shown, soft_wrap=True, end="")
        self._answers.file.flush()

    def _make_room(self) -> None:
        self.stop_waiting()
        self.end_answer()
        if self._question_open:  # nobody answered: the question's approval expired
            self.answered("")
