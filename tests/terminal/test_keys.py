"""Writing a message at a terminal: paste, new lines, an editor, history, completion."""

import stat
from pathlib import Path

import pytest

from tests.terminal.person import ALT_ENTER, CTRL_G, CTRL_R, FORKS, UP, Terminal, played_chat

pytestmark = FORKS


def test_three_pasted_lines_are_one_message(terminal: Terminal):
    terminal.is_ready()
    terminal.types("\x1b[200~one\ntwo\nthree\x1b[201~")
    terminal.types("\r")
    terminal.sees("1 model call")
    terminal.rests()
    assert terminal.page == (
        "you> one\n     two\n     three\nassistant: You said: one\ntwo\nthree\n"
        "90 in · 7 out · 0.0 s · 0 tools · 1 model call\nyou>\n"
    )


@pytest.mark.parametrize("keys", [ALT_ENTER, "\\\r"])
def test_alt_enter_and_a_backslash_before_enter_begin_a_new_line(terminal: Terminal, keys: str):
    terminal.is_ready()
    terminal.types(f"one{keys}two")
    terminal.types("\r")
    terminal.sees("You said: one")
    terminal.sees("two")


def test_ctrl_g_opens_the_editor_and_enter_sends_what_was_written_there(tmp_path: Path, history: Path):
    editor = tmp_path / "editor"
    editor.write_text('#!/bin/sh\nprintf " and in the editor\\nsecond line\\n" >> "$1"\n', "utf-8")
    editor.chmod(0o700)
    terminal = played_chat(history, EDITOR=str(editor))
    terminal.is_ready()
    terminal.types("typed" + CTRL_G)
    terminal.sees("second line")
    terminal.types("\r")
    terminal.sees("You said: typed and in the editor")
    terminal.close()


def test_history_is_kept_for_its_owner_only_and_holds_no_answers_and_no_secrets(history: Path):
    first = played_chat(history)
    first.says("asks")
    first.sees("[y/N")
    first.types("y\r")
    first.says("a thing to remember")
    first.says("my password is hunter2")
    first.sees("it is not kept in the history.")
    first.says("/quit")
    assert first.ends() == 0
    assert stat.S_IMODE(history.stat().st_mode) == 0o600
    assert stat.S_IMODE(history.parent.stat().st_mode) == 0o700
    kept = [line for line in history.read_text("utf-8").splitlines() if line.startswith("+")]
    assert kept == ["+asks", "+a thing to remember", "+/quit"]

    second = played_chat(history)
    second.is_ready()
    second.types(UP + UP + "\r")
    second.sees("You said: a thing to remember")
    second.is_ready()
    second.types(CTRL_R + "thing to")
    second.sees("reverse-i-search")
    second.types("\r\r")
    second.sees("You said: a thing to remember")
    second.close()


def test_a_history_that_cannot_be_kept_is_said_and_the_chat_goes_on(tmp_path: Path):
    (tmp_path / "file").touch()
    terminal = played_chat(tmp_path / "file" / "history")
    terminal.sees("No history is kept:")
    terminal.says("hello")
    terminal.sees("You said: hello")
    terminal.close()


def test_tab_completes_a_command(terminal: Terminal):
    terminal.is_ready()
    terminal.types("/he\t\r")
    terminal.sees("Commands:")
    terminal.is_ready()
    terminal.types("/\t")
    terminal.sees("/retry")  # several fit: they are listed
    terminal.types("\x1b\x1b\x15/q\t\r")
    assert terminal.ends() == 0
