"""What the screen draws where, and how far a download is."""

from io import StringIO

import anyio
import pytest
from rich.console import Console

from terminal import Screen
from terminal.download import Download

pytestmark = pytest.mark.anyio


class Tty(StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("environment", [{}, {"FORCE_COLOR": "1"}, {"TTY_COMPATIBLE": "1"}])
async def test_a_pipe_gets_no_waiting_line_whatever_is_said_of_colour(environment: dict[str, str]):
    page = StringIO()
    ticks = iter(range(1_000))
    screen = Screen(Console(file=page, _environ=environment), Console(file=StringIO()), lambda: next(ticks))
    async with screen.waiting_line():
        screen.wait_for("Thinking")
        await anyio.wait_all_tasks_blocked()
    assert page.getvalue() == ""


async def test_the_waiting_line_is_drawn_on_a_terminal_and_wiped_before_anything_else():
    page = Tty()
    ticks = iter(range(1_000))
    console = Console(file=page, _environ={"TERM": "xterm"}, width=60)
    screen = Screen(console, console, lambda: next(ticks))
    async with screen.waiting_line():
        screen.wait_for("Thinking")
        await anyio.wait_all_tasks_blocked()
        assert "Thinking… 1 s · Ctrl-C stops" in page.getvalue()
        screen.answer("Hello.")
    _, _, after = page.getvalue().rpartition("\x1b[2K")
    assert "Ctrl-C" not in after
    assert after.endswith("assistant: \x1b[0mHello.")


async def test_the_waiting_line_appears_after_300_ms_and_not_before():
    page = Tty()
    now = [0.0]
    console = Console(file=page, _environ={"TERM": "xterm"}, width=60)
    screen = Screen(console, console, lambda: now[0])
    screen.wait_for("Looking up an order")
    now[0] = 0.29
    screen.draw()
    assert page.getvalue() == ""
    now[0] = 0.31
    screen.draw()
    assert "Looking up an order… 0 s · Ctrl-C stops" in page.getvalue()
    now[0] = 3.2
    screen.draw()
    assert "Looking up an order… 3 s · Ctrl-C stops" in page.getvalue()
    screen.stop_waiting()


@pytest.mark.parametrize("width", [40, 80, 200])
def test_the_waiting_line_keeps_its_seconds_and_the_way_out_at_any_width(width: int):
    page = Tty()
    console = Console(file=page, _environ={"TERM": "xterm"}, width=width)
    screen = Screen(console, console, iter([0.0, 12.0]).__next__)
    screen.wait_for("Looking up something with a name that is rather long for a small terminal")
    screen.draw()
    assert "… 12 s · Ctrl-C stops" in page.getvalue()
    assert page.getvalue().count("\n") == 0
    screen.stop_waiting()


async def test_a_dumb_terminal_gets_no_waiting_line():
    page = Tty()
    console = Console(file=page, _environ={"TERM": "dumb"})
    screen = Screen(console, console, iter(range(99)).__next__)
    async with screen.waiting_line():
        screen.wait_for("Thinking")
        await anyio.wait_all_tasks_blocked()
    assert page.getvalue() == ""


def test_a_long_line_is_not_broken_in_a_pipe_and_between_words_on_a_terminal():
    page, terminal = StringIO(), Tty()
    for file in (page, terminal):
        console = Console(file=file, width=40, _environ={"TERM": "xterm"})
        Screen(console, console).line("word " * 20, hang=4)
    assert page.getvalue() == "word " * 20 + "\n"
    assert [line.strip() for line in terminal.getvalue().splitlines()] == [
        "word word word word word word word word",
        "word word word word word word word",
        "word word word word word",
    ]


async def test_an_answer_in_a_pipe_is_neither_broken_nor_named_nor_drawn():
    page = StringIO()
    screen = Screen(Console(file=StringIO()), Console(file=page, width=40))
    screen.answer("**word** " * 20)
    screen.end_answer()
    assert page.getvalue() == "**word** " * 20 + "\n"


def test_a_download_is_a_line_a_tenth_in_a_pipe():
    page = StringIO()
    download = Download(Console(file=page))
    for done in range(0, 101):
        download("model.gguf", done * 10, 1_000)
    download.close()
    lines = page.getvalue().splitlines()
    assert lines[:2] == ["model.gguf: 0 %", "model.gguf: 10 %"]
    assert lines[-1] == "model.gguf: 100 %"
    assert len(lines) == 11


def test_a_download_is_a_bar_on_a_terminal():
    page = Tty()
    download = Download(Console(file=page, _environ={"TERM": "xterm"}, width=100))
    download("model.gguf", 5_000_000, 10_000_000)
    download("model.gguf", 10_000_000, 10_000_000)
    download.close()
    assert "model.gguf" in page.getvalue()
    assert "10.0/10.0 MB" in page.getvalue()


def test_a_download_of_unknown_size_says_how_much_is_there():
    page = StringIO()
    Download(Console(file=page))("model.gguf", 1_234, 0)
    assert page.getvalue() == "model.gguf: 1,234 bytes\n"
