"""Stopping, leaving and being asked, at a real terminal: keys in, screen out."""

import re
from pathlib import Path

import pytest

from tests.terminal.person import CTRL_C, CTRL_D, ESCAPE, FORKS, Terminal, played_chat

pytestmark = FORKS


def test_ctrl_c_stops_the_turn_and_not_the_chat(terminal: Terminal):
    terminal.says("reads")
    terminal.sees("Looking up an order… 1 s · Ctrl-C stops")
    terminal.types(CTRL_C)
    terminal.sees("Stopped. Nothing was changed.")
    terminal.says("hello")
    terminal.sees("You said: hello")
    terminal.says("/quit")
    assert terminal.ends() == 0


def test_a_turn_says_that_it_runs_before_anything_is_heard_of_the_model(terminal: Terminal):
    terminal.says("silent")
    terminal.sees("Thinking… 0 s · Ctrl-C stops")


def test_escape_stops_the_turn_as_ctrl_c_does(terminal: Terminal):
    terminal.says("reads")
    terminal.sees("Looking up an order… ")
    terminal.types(ESCAPE)
    terminal.sees("Stopped. Nothing was changed.")
    terminal.says("hello")
    terminal.sees("You said: hello")


def test_an_arrow_key_is_no_escape_and_what_is_typed_meanwhile_stands_at_the_next_prompt(terminal: Terminal):
    terminal.says("asks when keys were pressed")
    terminal.sees("Press.")
    terminal.types("\x1b[A\x1b[B")
    terminal.sees("Do it? ")
    terminal.types("\r")
    terminal.sees("No ticket was opened.")
    terminal.says("half")
    terminal.sees("Half an answer.")
    terminal.types("typed ahead")
    terminal.types(CTRL_C)
    terminal.sees("Stopped.")
    terminal.sees("typed ahead")
    terminal.types("\r")
    terminal.sees("You said: typed ahead")


def test_a_stop_keeps_the_part_of_the_answer_and_marks_it(terminal: Terminal):
    terminal.says("half")
    terminal.sees("Half an answer.")
    terminal.types(CTRL_C)
    terminal.rests()
    assert terminal.page == (
        "you> half\nassistant: Half an answer. (stopped)\nStopped. Nothing was changed.\nyou>\n"
    )


def test_a_stop_says_what_was_already_done(terminal: Terminal):
    terminal.says("wrote")
    terminal.sees("Looking up an order… ")
    terminal.types(CTRL_C)
    terminal.sees('Stopped. Already done: create_ticket {"order_id": "4468"')


def test_a_stop_says_when_a_change_may_or_may_not_have_happened(terminal: Terminal):
    terminal.says("writes")
    terminal.sees("Half an answer.")
    terminal.types(CTRL_C)
    terminal.sees('Stopped. Not known whether it was carried out: create_ticket {"order_id": "4468"')


def test_ctrl_c_still_stops_the_turn_after_a_question_within_it(terminal: Terminal):
    terminal.says("asks then reads")
    terminal.sees("[y/N")
    terminal.types("y\r")
    terminal.sees("Looking up an order… ")
    terminal.types(CTRL_C)
    terminal.sees("Stopped. Already done: create_ticket")
    terminal.says("hello")
    terminal.sees("You said: hello")


@pytest.mark.parametrize("key", [CTRL_C, ESCAPE])
def test_ctrl_c_and_escape_at_the_question_stop_the_turn(terminal: Terminal, key: str):
    terminal.says("asks")
    terminal.sees("[y/N")
    terminal.types(key)
    terminal.sees("Stopped. Nothing was changed.")
    terminal.says("hello")
    terminal.sees("You said: hello")


def test_ctrl_c_at_an_empty_prompt_asks_to_be_pressed_again_to_exit(terminal: Terminal):
    terminal.is_ready()
    terminal.types(CTRL_C)
    terminal.sees("Ctrl-C again to exit.")
    terminal.says("still here")
    terminal.sees("You said: still here")
    terminal.is_ready()
    terminal.types(CTRL_C)
    terminal.sees("Ctrl-C again to exit.")
    terminal.is_ready()
    terminal.types(CTRL_C)
    assert terminal.ends() == 0


def test_ctrl_c_clears_a_half_typed_message(terminal: Terminal):
    terminal.is_ready()
    terminal.types("half a mess" + CTRL_C + "whole\r")
    terminal.sees("You said: whole")


def test_ctrl_d_leaves(terminal: Terminal):
    terminal.is_ready()
    terminal.types(CTRL_D)
    assert terminal.ends() == 0


def test_a_question_that_expires_leaves_the_terminal_as_it_was(terminal: Terminal):
    terminal.says("expires")
    terminal.sees("Do it? [y/N")
    terminal.sees("The question expired.")
    terminal.says("hello")
    terminal.sees("You said: hello")


def test_keys_that_were_pressed_before_the_question_do_not_answer_it(terminal: Terminal):
    terminal.is_ready()
    terminal.types("asks\ry\ry\r")
    terminal.sees("Do it? [y/N")
    terminal.types("n no, thank you\r")
    terminal.sees("No ticket was opened.")


def test_keys_that_were_pressed_while_the_model_was_thinking_do_not_answer_the_question(terminal: Terminal):
    terminal.says("asks when keys were pressed")
    terminal.sees("Press.")
    terminal.types("y\r")
    terminal.sees("Do it? [y/N")
    terminal.types("\r")
    terminal.sees("No ticket was opened.")


def test_no_color_and_a_dumb_terminal_are_honoured(history: Path):
    plain = played_chat(history, NO_COLOR="1")
    plain.says("reads")
    plain.sees("Looking up an order… ")
    plain.types(CTRL_C)
    plain.sees("Stopped. Nothing was changed.")
    assert not re.search(r"\x1b\[[0-9;]*3[0-9][;m]", plain.child.before or "")
    plain.close()

    dumb = played_chat(history, TERM="dumb")
    dumb.sees("you> ")
    dumb.types("long\r")
    dumb.sees("the start of a list")
    dumb.sees("you> ")
    dumb.types("/quit\r")
    dumb.ends()
    assert "\x1b" not in (dumb.child.before or "")
