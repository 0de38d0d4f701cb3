"""What the screen draws where, and how far a download is."""

from io import StringIO

import anyio
import pytest
from rich.console import Console

from terminal import Screen
from terminal.download import Download
from terminal.words import closing_line, outcome_text, shortened

pytestmark = pytest.mark.anyio


class Tty(StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("environment", [{}, {"FORCE_COLOR": "1"}, {"TTY_COMPATIBLE": "1"}])
async def test_a_pipe_gets_no_waiting_line_whatever_is_said_of_colour(environment: dict[str, str]):
    page = StringIO()
    ticks = iter(range(1_000))
    screen = Screen(Console(file=page, _environ=environment), StringIO(), clock=lambda: next(ticks))
    async with screen.waiting_line():
        screen.wait_for("Thinking")
        await anyio.wait_all_tasks_blocked()
    assert page.getvalue() == ""


async def test_the_waiting_line_is_drawn_on_a_terminal_and_wiped_before_anything_else():
    page = Tty()
    ticks = iter(range(1_000))
    screen = Screen(Console(file=page, _environ={"TERM": "xterm"}, width=60), page, clock=lambda: next(ticks))
    async with screen.waiting_line():
        screen.wait_for("Thinking")
        await anyio.wait_all_tasks_blocked()
        assert "Thinking… 1 s · Ctrl-C stops" in page.getvalue()
        screen.answer("Hello.")
    assert page.getvalue().endswith("\x1b[2KHello.") or page.getvalue().endswith("\x1b[?25hHello.")


async def test_a_dumb_terminal_gets_no_waiting_line():
    page = Tty()
    screen = Screen(Console(file=page, _environ={"TERM": "dumb"}), page, clock=iter(range(99)).__next__)
    async with screen.waiting_line():
        screen.wait_for("Thinking")
        await anyio.wait_all_tasks_blocked()
    assert page.getvalue() == ""


@pytest.mark.parametrize("width", [40, 80, 200])
def test_a_tool_line_stays_one_line_on_a_terminal(width: int):
    page = Tty()
    screen = Screen(Console(file=page, _environ={"TERM": "xterm"}, width=width), page)
    screen.tool_line("  a_tool " + "x" * 500 + " · ok · 0.1 s")
    assert page.getvalue().count("\n") == 1
    assert page.getvalue().count("x") < width


def test_a_long_line_is_not_broken_in_a_pipe():
    page = StringIO()
    Screen(Console(file=page, width=40), page).line("word " * 50)
    assert page.getvalue().count("\n") == 1


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


@pytest.mark.parametrize(
    ("meta", "line"),
    [
        (
            {"llm_calls": 2, "steps": 1, "usage": {"prompt_tokens": 812, "completion_tokens": 54}},
            "2 model calls · 1 step · 812 tokens in · 54 out · 3.2 s",
        ),
        ({"llm_calls": 1, "steps": 1, "usage": None}, "1 model call · 1 step · 3.2 s"),
        ({}, "3.2 s"),
    ],
)
def test_the_closing_line_leaves_out_what_nobody_reported(meta: dict, line: str):
    assert closing_line(meta, 3.21) == line


@pytest.mark.parametrize(
    ("is_error", "data", "text"),
    [
        (False, {"error": "not one"}, "ok"),
        (True, {"error": "wrong_state"}, "refused: wrong_state"),
        (True, {"error": "unknown_outcome"}, "refused: unknown_outcome"),
        (True, {}, "failed"),
        (True, {"error": 7}, "failed"),
    ],
)
def test_the_outcome_of_a_call_is_one_word_or_the_server_s_code(is_error: bool, data: dict, text: str):
    assert outcome_text(is_error, data) == text


def test_a_megabyte_is_shortened_without_being_escaped_whole():
    assert shortened("\x1b" * 1_000_000, 60) == ("\\u001b" * 10)[:59] + "…"
    assert shortened("a\nb", 60) == "a b"
