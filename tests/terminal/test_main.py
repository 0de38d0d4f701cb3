"""`python main.py` as a process: what it prints where, and how it ends."""

import os
import re
import signal
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pexpect
import pytest

from main import VERSION
from tests.terminal.scripted_endpoint import Endpoint, serving

PROMPT = "\x1b[?2004h"
"""What the editor sends when it begins to read."""

# Python 3.12 and later warn of every fork in a process that has threads; the child execs at once.
FORKS = pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")

ROOT = Path(__file__).resolve().parents[2]
LIMIT_S = 60

LOOK = ("get_order_status", {"order_id": "4471"})
TICKET = (
    "create_ticket",
    {"order_id": "4468", "category": "damaged", "summary": "The lamp arrived broken."},
)


def environment(endpoint: Endpoint | None = None, **more: str) -> dict[str, str]:
    clean = {key: os.environ[key] for key in ("PATH", "HOME") if key in os.environ}
    return {**clean, "LANG": "C.UTF-8", **(endpoint.environment if endpoint else {}), **more}


def chat(
    *arguments: str, piped: str = "", env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(ROOT / "main.py"), *arguments],
        input=piped,
        capture_output=True,
        encoding="utf-8",
        env=env or environment(),
        timeout=LIMIT_S,
        check=False,
    )


def test_help_starts_with_an_example_and_does_not_load_what_only_a_chat_needs():
    done = chat("--help")
    assert done.stdout.startswith(
        'Example: python main.py "what is the status of order 4471?"\n\nUsage: main.py'
    )
    assert done.returncode == 0
    heavy = "{'mcp', 'openai', 'rich', 'prompt_toolkit', 'anyio', 'pydantic'}"
    check = f"import main, sys; sys.exit(bool({heavy} & set(sys.modules)))"
    subprocess.run([sys.executable, "-c", check], cwd=ROOT, check=True, timeout=LIMIT_S)


def test_version_is_the_project_s():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["version"] == VERSION
    assert chat("--version").stdout == f"shopkart, version {VERSION}\n"


@pytest.mark.parametrize("arguments", [("--nonsense",), ("one", "two"), ("--server", "python 'server.py")])
def test_a_wrong_command_line_ends_with_2(arguments: tuple[str, ...]):
    assert chat(*arguments).returncode == 2


def test_settings_that_cannot_be_used_are_named_and_end_with_2():
    done = chat("hello", env=environment(LLM_PROVIDER="nonsense"))
    assert "LLM_PROVIDER" in done.stderr
    assert done.returncode == 2


def test_a_server_that_is_not_there_is_said_and_ends_with_4():
    with serving() as endpoint:
        done = chat("hello", "--server", "no-such-command-here", env=environment(endpoint))
    assert "no-such-command-here" in done.stderr
    assert (done.stdout, done.returncode) == ("", 4)


def test_a_model_that_is_not_there_is_said_and_ends_with_4():
    with serving() as endpoint:
        gone = environment(endpoint)
    done = chat("hello", env=gone)
    assert "cannot be reached" in done.stderr
    assert (done.stdout, done.returncode) == ("", 4)


def test_a_model_that_breaks_down_in_a_turn_is_said_and_ends_with_4():
    with serving() as endpoint:
        done = chat("what is the status of order 4471?", env=environment(endpoint))
    assert "answered 500" in done.stderr
    assert (done.stdout, done.returncode) == ("", 4)


def test_one_question_is_answered_on_stdout_and_the_rest_is_on_stderr():
    with serving(LOOK, "Your order 4471 has been shipped.") as endpoint:
        done = chat("what is the status of order 4471?", env=environment(endpoint))
    assert done.stdout == "Your order 4471 has been shipped.\n"
    assert re.fullmatch(
        r'  get_order_status \{"order_id": "4471"\} · ok · \d\.\d s\n'
        r"2 model calls · 2 steps · 200 tokens in · 20 out · \d+\.\d s\n",
        done.stderr,
    )
    assert done.returncode == 0


def test_a_piped_chat_opens_the_ticket_that_the_next_line_approves():
    with serving(TICKET, "I have opened a ticket for your lamp.") as endpoint:
        done = chat(
            piped="the lamp in order 4468 arrived broken, open a ticket\ny\n", env=environment(endpoint)
        )
    assert "  Call:   create_ticket " in done.stderr
    assert "Do it? [y/N] y\n  create_ticket " in done.stderr
    assert done.stdout == "I have opened a ticket for your lamp.\n"
    assert done.returncode == 0


def test_one_question_whose_call_nobody_approves_ends_with_3_and_nothing_is_opened():
    with serving(TICKET, "No ticket was opened, because nobody agreed to it.") as endpoint:
        done = chat("the lamp in order 4468 arrived broken, open a ticket", env=environment(endpoint))
    assert "Do it? [y/N] no (end of input)\n" in done.stderr
    assert "· ok ·" not in done.stderr
    assert done.returncode == 3


def test_another_server_is_reached_by_its_command_line():
    command = f"'{sys.executable}' '{ROOT / 'server.py'}'"
    with serving(LOOK, "Your order 4471 has been shipped.") as endpoint:
        done = chat("status of order 4471?", "--server", command, env=environment(endpoint))
    assert done.stdout == "Your order 4471 has been shipped.\n"


def test_an_interrupted_pipe_ends_with_130():
    with serving("Hello.") as endpoint:
        process = subprocess.Popen(
            [sys.executable, str(ROOT / "main.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(endpoint),
            encoding="utf-8",
        )
        with process:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write("hello\n")
            process.stdin.flush()
            assert process.stdout.readline() == "Hello.\n"
            process.send_signal(signal.SIGINT)  # it waits for the next line of a pipe that stays open
            assert process.wait(LIMIT_S) == 130


@contextmanager
def at_a_terminal(endpoint: Endpoint) -> Iterator[pexpect.spawn]:
    child = pexpect.spawn(
        sys.executable,
        [str(ROOT / "main.py")],
        env=environment(endpoint, TERM="xterm", PROMPT_TOOLKIT_NO_CPR="1", HOME="/nonexistent"),
        encoding="utf-8",
        dimensions=(24, 120),
        timeout=LIMIT_S,
    )
    child.delaybeforesend = None
    try:
        yield child
    finally:
        child.close(force=True)


def says(child: pexpect.spawn, message: str) -> None:
    child.expect_exact(PROMPT)
    child.send(message + "\r")


@FORKS
def test_a_terminal_names_the_model_and_ctrl_d_ends_with_0():
    with serving("Hello.") as endpoint, at_a_terminal(endpoint) as child:
        child.expect_exact("ShopKart support · scripted at 127.0.0.1")
        says(child, "hello")
        child.expect_exact("Hello.")
        child.expect_exact(PROMPT)
        child.send("\x04")
        child.expect(pexpect.EOF)
        child.close()
        assert child.exitstatus == 0


@FORKS
def test_ctrl_c_stops_a_model_that_never_answers_and_the_chat_and_its_server_live_on():
    with (
        serving(None, LOOK, "Your order 4471 has been shipped.") as endpoint,
        at_a_terminal(endpoint) as child,
    ):
        says(child, "what is the status of order 4471?")
        assert endpoint.asked.wait(LIMIT_S)
        child.send("\x03")
        child.expect_exact("Stopped. Nothing was changed.")
        says(child, "what is the status of order 4471?")
        child.expect_exact("get_order_status")
        child.expect_exact("· ok ·")
        child.expect_exact("Your order 4471 has been shipped.")


@FORKS
def test_enter_alone_opens_no_ticket_and_y_opens_one():
    script = (TICKET, "No ticket was opened.", TICKET, "I have opened a ticket.")
    with serving(*script) as endpoint, at_a_terminal(endpoint) as child:
        says(child, "the lamp in order 4468 arrived broken, open a ticket")
        child.expect_exact("Do it? [y/N]")
        child.send("\r")
        child.expect_exact("create_ticket")
        child.expect_exact("· refused at permission")
        says(child, "please do open the ticket for 4468")
        child.expect_exact("Do it? [y/N]")
        child.send("y\r")
        child.expect_exact("· ok ·")
        child.expect_exact("I have opened a ticket.")


def test_a_closed_stdout_is_said_and_nothing_is_started():
    closed = subprocess.run(
        ["sh", "-c", f"{sys.executable} main.py hello >&-"],
        cwd=ROOT,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )
    assert closed.returncode == 2
    assert closed.stderr.startswith("stdout is closed")
