"""Record a session with the configured model: `make recording` writes docs/session.txt and docs/session.svg.

It types what a person would and waits for the chat each time, so it takes as long as the model does.
"""

import os
import re
import sys
import tempfile
from io import StringIO
from pathlib import Path

import pexpect
import pyte
from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

from tests.terminal.person import CTRL_D, ROOT, Terminal

COLUMNS, ROWS = 96, 200
PATIENCE_S = 600

MESSAGE, ASKED = "you>", "Do it? [y/N"
STEPS: tuple[tuple[str, str], ...] = (
    (MESSAGE, "where is order 4471?"),
    (MESSAGE, "and how many days do I have to return it?"),
    (MESSAGE, "the lamp in order 4468 arrived broken, please open a ticket"),
    (ASKED, "w"),
    (ASKED, "y"),
    (MESSAGE, "/cost"),
)
"""What is waited for, and what is typed then."""

_FONT = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)
"""Rich's picture would fetch its font from elsewhere; the reader's own monospace does."""

_COLORS = {"brown": "yellow", "default": None}
"""pyte's names where they are not Rich's."""


def main() -> int:
    """Play the session with the configured model and write both files; return the exit code."""
    with tempfile.TemporaryDirectory() as state:  # the person's own history is none of ours
        surroundings = {**os.environ, "TERM": "xterm", "XDG_STATE_HOME": state}
        terminal = Terminal(str(ROOT / "main.py"), columns=COLUMNS, rows=ROWS, **surroundings)
        terminal.child.timeout = PATIENCE_S
        return _played(terminal)


def _played(terminal: Terminal) -> int:
    try:
        for seen, typed in STEPS:
            terminal.is_ready()  # once a prompt; the prompt's own text is drawn again when it is answered
            terminal.sees(seen)
            terminal.types(f"{typed}\r")
        terminal.sees("model call")
        terminal.is_ready()
        terminal.types(CTRL_D)
        terminal.ends()
    except (pexpect.TIMEOUT, pexpect.EOF) as error:
        print(
            f"The session did not go as written ({type(error).__name__}):\n{terminal.page}", file=sys.stderr
        )
        return 1
    write(terminal, ROOT / "docs")
    return 0


def write(terminal: Terminal, folder: Path) -> None:
    """Write the terminal's page as text and as a picture."""
    (folder / "session.txt").write_text(terminal.page, "utf-8")
    (folder / "session.svg").write_text(picture(terminal.screen), "utf-8")


def picture(screen: pyte.Screen) -> str:
    """Return the screen, down to its last line that has text, as SVG."""
    console = Console(record=True, width=screen.columns, file=StringIO(), force_terminal=True)
    last = max((row for row, line in enumerate(screen.display) if line.strip()), default=-1)
    for row in range(last + 1):
        console.print(_drawn(screen, row), soft_wrap=True)
    svg = console.export_svg(title="ShopKart", theme=MONOKAI, unique_id="session")
    return _FONT.sub("", svg) + "\n"


def _drawn(screen: pyte.Screen, row: int) -> Text:
    line = Text()
    for column in range(screen.columns):
        char = screen.buffer[row][column]
        color = _COLORS.get(char.fg, char.fg)
        line.append(char.data, " ".join(filter(None, ("bold" if char.bold else "", color))))
    line.rstrip()
    return line


if __name__ == "__main__":
    sys.exit(main())
