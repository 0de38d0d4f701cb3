"""The Escape key while a turn runs.

Knows:    the terminal's modes, and prompt-toolkit's reading of keys.
Does not: know what is stopped (session.py). Ctrl-C stays a signal.   (interrupts.py)
Note:     what is typed meanwhile is not echoed; it is kept, and stands at the next prompt.
"""

import asyncio
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager

from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyPress
from prompt_toolkit.keys import Keys

if sys.platform != "win32":
    import termios

_ALONE_S = 0.05
"""An Escape that nothing follows for this long is the key; arrow and Alt keys send one at their beginning."""


class EscapeWatch:
    """Reads the keys of a turn. typed: those that are none of ours, in order."""

    def __init__(self, input: Input, stop: Callable[[], None]) -> None:
        self.typed: list[KeyPress] = []
        self._input = input
        self._stop = stop
        self._timer: asyncio.TimerHandle | None = None

    @contextmanager
    def reading(self) -> Generator[None, None, None]:
        """Read within the block."""
        with _unechoed(self._input.fileno()), self._input.attach(self._read):
            try:
                yield
            finally:
                if self._timer:
                    self._timer.cancel()

    def _read(self) -> None:
        self._take(self._input.read_keys())
        if self._timer:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(_ALONE_S, self._flush)

    def _flush(self) -> None:
        keys = self._input.flush_keys()
        if [press.key for press in keys] == [Keys.Escape]:
            self._stop()
        else:
            self._take(keys)

    def _take(self, keys: list[KeyPress]) -> None:
        self.typed += [press for press in keys if press.key != Keys.CPRResponse]


@contextmanager
def _unechoed(descriptor: int) -> Generator[None, None, None]:
    """Take keys one by one and do not show them, within the block; Ctrl-C still sends its signal."""
    if sys.platform == "win32":
        yield
        return
    before = termios.tcgetattr(descriptor)
    quiet = termios.tcgetattr(descriptor)
    quiet[3] &= ~(termios.ECHO | termios.ICANON)
    quiet[3] |= termios.NOFLSH  # or Ctrl-C would drop what was typed before it
    quiet[6][termios.VMIN], quiet[6][termios.VTIME] = 1, 0
    termios.tcsetattr(descriptor, termios.TCSANOW, quiet)
    try:
        yield
    finally:
        termios.tcsetattr(descriptor, termios.TCSANOW, before)
