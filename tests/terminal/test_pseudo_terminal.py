"""The chat at a real terminal: keys in, screen out."""

import re
import signal
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import pexpect
import pytest

ROOT = Path(__file__).resolve().parents[2]
CTRL_C, CTRL_D, UP = "\x03", "\x04", "\x1b[A"
PROMPT = "\x1b[?2004h"
"""What the editor sends when it begins to read: "paste in brackets, please"."""

ENVIRONMENT = {"TERM": "xterm", "PYTHONPATH": str(ROOT), "PROMPT_TOOLKIT_NO_CPR": "1", "LANG": "C.UTF-8"}

# Python 3.12 and later warn of every fork in a process that has threads; the child execs at once.
pytestmark = pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")


class Terminal:
    """A person at a terminal of 100 columns."""

    def __init__(self, history: Path, **environment: str) -> None:
        script = str(ROOT / "tests" / "terminal" / "chat_in_a_terminal.py")
        self.child = pexpect.spawn(
            sys.executable,
            [script, str(history)],
            env={**ENVIRONMENT, **environment},
            encoding="utf-8",
            dimensions=(24, 100),
            timeout=8,
        )
        self.child.delaybeforesend = None

    def sees(self, text: str) -> None:
        self.child.expect_exact(text)

    def types(self, keys: str) -> None:
        self.child.send(keys)

    def says(self, message: str) -> None:
        self.sees(PROMPT)
        self.types(message + "\r")

    def ends(self) -> int | None:
        self.child.expect(pexpect.EOF)
        self.child.close()
        return self.child.exitstatus


@pytest.fixture
def history(tmp_path: Path) -> Path:
    return tmp_path / "state" / "history"


@pytest.fixture
def terminal(history: Path) -> Iterator[Terminal]:
    chat = Terminal(history)
    yield chat
    chat.child.close(force=True)


def test_ctrl_c_stops_the_turn_and_not_the_chat(terminal: Terminal):
    terminal.says("reads")
    terminal.sees("Look up an order… 1 s · Ctrl-C stops")
    terminal.types(CTRL_C)
    terminal.sees("Stopped. Nothing was changed.")
    terminal.says("hello")
    terminal.sees("You said: hello")
    terminal.says("/quit")
    assert terminal.ends() == 0


def test_a_stop_says_what_was_already_done(terminal: Terminal):
    terminal.says("wrote")
    terminal.sees("Look up an order… ")
    terminal.types(CTRL_C)
    terminal.sees('Stopped. Already done: create_ticket {"order_id": "4468"')


def test_a_stop_says_when_a_change_may_or_may_not_have_happened(terminal: Terminal):
    terminal.says("writes")
    terminal.sees("Half an answer.")
    terminal.types(CTRL_C)
    terminal.sees('Stopped. Not known whether it was carried out: create_ticket {"order_id": "4468"')


def test_ctrl_c_still_stops_the_turn_after_a_question_within_it(terminal: Terminal):
    terminal.says("asks then reads")
    terminal.sees("[y/N]")
    terminal.types("y\r")
    terminal.sees("Look up an order… ")
    terminal.types(CTRL_C)
    terminal.sees("Stopped. Already done: create_ticket")
    terminal.says("hello")
    terminal.sees("You said: hello")


def test_ctrl_c_at_the_question_stops_the_turn(terminal: Terminal):
    terminal.says("asks")
    terminal.sees("[y/N]")
    terminal.types(CTRL_C)
    terminal.sees("Stopped. Nothing was changed.")
    terminal.says("hello")
    terminal.sees("You said: hello")


@pytest.mark.parametrize("keys", ["\r", "n\r", "No\r", CTRL_D])
def test_enter_alone_and_ctrl_d_at_the_question_are_no(terminal: Terminal, keys: str):
    terminal.says("asks")
    terminal.sees("[y/N]")
    terminal.types(keys)
    terminal.sees("No ticket was opened.")


def test_any_other_word_at_the_question_is_asked_again(terminal: Terminal):
    terminal.says("asks")
    terminal.sees("Do it? [y/N]")
    terminal.types("yes\r")
    terminal.sees("Type y for yes; Enter alone is no. [y/N]")
    terminal.types("Y\r")
    terminal.sees("Ticket T-1 is open.")


def test_a_question_that_expires_leaves_the_terminal_as_it_was(terminal: Terminal):
    terminal.says("expires")
    terminal.sees("Do it? [y/N]")
    terminal.sees("The question expired.")
    terminal.says("hello")
    terminal.sees("You said: hello")


def test_keys_that_were_pressed_before_the_question_do_not_answer_it(terminal: Terminal):
    terminal.sees(PROMPT)
    terminal.types("asks\ry\ry\r")
    terminal.sees("Do it? [y/N]")
    terminal.types("n\r")
    terminal.sees("No ticket was opened.")


def test_keys_that_were_pressed_while_the_model_was_thinking_do_not_answer_the_question(terminal: Terminal):
    terminal.says("asks when told")
    terminal.sees("Thinking…")
    terminal.types("y\r")
    terminal.sees("y\r\n")  # the terminal has taken them
    terminal.child.kill(signal.SIGUSR1)
    terminal.sees("Do it? [y/N]")
    terminal.types("\r")
    terminal.sees("No ticket was opened.")


def test_ctrl_c_clears_a_half_typed_message_and_leaves_when_pressed_twice_at_an_empty_prompt(
    terminal: Terminal,
):
    terminal.sees(PROMPT)
    terminal.types("half a mess" + CTRL_C + "whole\r")
    terminal.sees("You said: whole")
    terminal.sees(PROMPT)
    terminal.types(CTRL_C)
    terminal.sees("Ctrl-C again leaves the chat.")
    terminal.says("still here")
    terminal.sees("You said: still here")
    terminal.sees(PROMPT)
    terminal.types(CTRL_C)
    terminal.sees("Ctrl-C again leaves the chat.")
    terminal.sees(PROMPT)
    terminal.types(CTRL_C)
    assert terminal.ends() == 0


def test_ctrl_d_leaves(terminal: Terminal):
    terminal.sees(PROMPT)
    terminal.types(CTRL_D)
    assert terminal.ends() == 0


def test_pasted_lines_are_one_message(terminal: Terminal):
    terminal.sees(PROMPT)
    terminal.types("\x1b[200~one\ntwo\nthree\x1b[201~")
    terminal.types("\r")
    terminal.sees("You said: one")
    terminal.sees("two")
    terminal.sees("three")
    terminal.says("/quit")
    assert terminal.ends() == 0


def test_history_is_kept_for_its_owner_only_and_holds_no_answers(history: Path):
    first = Terminal(history)
    first.says("asks")
    first.sees("[y/N]")
    first.types("y\r")
    first.says("a thing to remember")
    first.says("/quit")
    assert first.ends() == 0
    assert stat.S_IMODE(history.stat().st_mode) == 0o600
    assert stat.S_IMODE(history.parent.stat().st_mode) == 0o700
    kept = [line for line in history.read_text("utf-8").splitlines() if line.startswith("+")]
    assert kept == ["+asks", "+a thing to remember", "+/quit"]

    second = Terminal(history)
    second.sees(PROMPT)
    second.types(UP + UP + "\r")
    second.sees("You said: a thing to remember")
    second.child.close(force=True)


def test_a_history_that_cannot_be_kept_is_said_and_the_chat_goes_on(tmp_path: Path):
    (tmp_path / "file").touch()
    terminal = Terminal(tmp_path / "file" / "history")
    terminal.sees("No history is kept: ")
    terminal.says("hello")
    terminal.sees("You said: hello")
    terminal.child.close(force=True)


def test_no_color_and_a_dumb_terminal_are_honoured(history: Path):
    plain = Terminal(history, NO_COLOR="1")
    plain.says("reads")
    plain.sees("Look up an order… ")
    plain.types(CTRL_C)
    plain.sees("Stopped. Nothing was changed.")
    assert not re.search(r"\x1b\[[0-9;]*3[0-9][;m]", plain.child.before or "")
    plain.child.close(force=True)

    dumb = Terminal(history, TERM="dumb")
    dumb.sees("> ")
    dumb.types("hello\r")
    dumb.sees("You said: hello")
    dumb.sees("> ")
    dumb.types("/quit\r")
    dumb.ends()
    assert "\x1b" not in (dumb.child.before or "")
