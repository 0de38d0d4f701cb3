"""A person at a pseudo-terminal: types keys, reads the screen."""

import os
import sys
from pathlib import Path

import pexpect
import pyte
import pytest

ROOT = Path(__file__).resolve().parents[2]

CTRL_C, CTRL_D, CTRL_G, CTRL_R, ESCAPE, UP = "\x03", "\x04", "\x07", "\x12", "\x1b", "\x1b[A"
ALT_ENTER = "\x1b\r"

PROMPT = "\x1b[?2004h"
"""What the editor sends when it begins to read: "paste in brackets, please"."""

# PATH: the editor that Ctrl-G opens is a program of the machine.
ENVIRONMENT = {
    "TERM": "xterm",
    "PYTHONPATH": str(ROOT),
    "PROMPT_TOOLKIT_NO_CPR": "1",
    "LANG": "C.UTF-8",
    "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
}

# Python 3.12 and later warn of every fork in a process that has threads; the child execs at once.
FORKS = pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")

SECONDS = 20


class Terminal:
    """A terminal that runs the played chat, or another command."""

    def __init__(self, *arguments: str, columns: int = 100, rows: int = 60, **environment: str) -> None:
        self.screen = pyte.Screen(columns, rows)
        self._stream = pyte.Stream(self.screen)
        self.child = pexpect.spawn(
            sys.executable,
            list(arguments),
            env={**ENVIRONMENT, **environment},
            encoding="utf-8",
            dimensions=(rows, columns),
            timeout=SECONDS,
        )
        self.child.delaybeforesend = None
        self.child.logfile_read = self

    def write(self, text: str) -> None:
        """Draw what the chat sent; pexpect calls this."""
        self._stream.feed(text)

    def flush(self) -> None:
        """Do nothing; pexpect calls this."""

    def sees(self, text: str) -> None:
        self.child.expect_exact(text)

    def types(self, keys: str) -> None:
        self.child.send(keys)

    def is_ready(self) -> None:
        """Wait until the editor reads."""
        self.sees(PROMPT)

    def rests(self) -> None:
        """Wait until the editor has drawn its empty line: the page is complete."""
        self.is_ready()
        self.sees("you>")

    def says(self, message: str) -> None:
        self.is_ready()
        self.types(message + "\r")

    def ends(self) -> int | None:
        self.child.expect(pexpect.EOF)
        self.child.close()
        return self.child.exitstatus

    def close(self) -> None:
        self.child.close(force=True)

    @property
    def page(self) -> str:
        """The screen as it is read: lines without white space at their ends, up to the last that has text."""
        return "\n".join(line.rstrip() for line in self.screen.display).rstrip() + "\n"


def played_chat(history: Path, **options: str | int) -> Terminal:
    """Start the chat with a played agent."""
    return Terminal(str(ROOT / "tests" / "terminal" / "chat_in_a_terminal.py"), str(history), **options)  # type: ignore[arg-type]
