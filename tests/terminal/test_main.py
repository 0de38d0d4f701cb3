"""`python main.py` as a process: what it prints where, and how it ends."""

import json
import os
import re
import select
import signal
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path

import pexpect
import pytest

from main import VERSION
from store.database import open_store
from store.demo import fill_with_demo
from tests.terminal.person import FORKS, PROMPT, ROOT
from tests.terminal.scripted_endpoint import Endpoint, serving

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


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--nonsense",), "No such option"),
        (("one", "two"), "unexpected extra argument"),
        (("--server", "python 'server.py"), "cannot be split into words"),
        (("",), "The question is empty. Write one, or none at all to chat."),
        (("  ",), "The question is empty."),
        (("--as", "staff", "--server", "http://127.0.0.1:1/mcp"), "--as is for the shop's own server"),
        (("--as", ""), "--as names nobody."),
        (("--load", "nowhere.json", "hello"), "nowhere.json cannot be read (No such file or directory)."),
    ],
)
def test_a_wrong_command_line_says_what_is_wrong_and_ends_with_2(arguments: tuple[str, ...], told: str):
    done = chat(*arguments)
    assert told in " ".join(done.stderr.split())
    assert (done.stdout, done.returncode) == ("", 2)


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("LLM_PROVIDER", "nonsense"),
        ("LLM_CONTEXT", "many"),
        ("ORDER_ID_PATTERN", "["),
        ("SHOPKART_ROLE", "king"),
        ("SHOP_FILE", "nowhere.yaml"),
    ],
)
def test_a_setting_that_cannot_be_used_is_named_once_and_ends_with_2(setting: str, value: str):
    with serving() as endpoint:
        done = chat("hello", env=environment(endpoint, **{setting: value}))
    assert (done.stdout, done.returncode) == ("", 2)
    assert done.stderr.count(value if setting == "SHOP_FILE" else setting) == 1
    assert "Traceback" not in done.stderr


def test_a_model_that_nothing_is_known_of_ends_with_2():
    done = chat("hello", env=environment(LLM_PROVIDER="embedded", EMBEDDED_MODEL="qwen2.5-nonsense"))
    assert "EMBEDDED_MODEL" in done.stderr
    assert (done.stdout, done.returncode) == ("", 2)


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
        r'tool: get_order_status \{"order_id": "4471"\} · ok · \d+ B · \d\.\d s\n'
        r"200 in · 20 out · \d+\.\d s · 1 tool · 2 model calls\n",
        done.stderr,
    )
    assert done.returncode == 0


def test_a_piped_chat_opens_the_ticket_that_the_next_line_approves():
    with serving(TICKET, "I have opened a ticket for your lamp.") as endpoint:
        done = chat(
            piped="the lamp in order 4468 arrived broken, open a ticket\ny\n", env=environment(endpoint)
        )
    assert "  Call:    create_ticket " in done.stderr
    assert "Do it? [y/N] y\napproved by a line of the piped input\ntool: create_ticket " in done.stderr
    assert done.stdout == "I have opened a ticket for your lamp.\n"
    assert done.returncode == 0


def test_a_question_that_a_killed_chat_left_is_answered_in_the_next_one(sqlite_url: str, tmp_path: Path):
    store = open_store(sqlite_url)
    fill_with_demo(store, date.today())
    store.engine.dispose()
    asked = "the lamp in order 4468 arrived broken, open a ticket"
    with serving(TICKET) as endpoint:
        env = environment(endpoint, DATABASE_URL=sqlite_url, XDG_STATE_HOME=str(tmp_path))
        process = subprocess.Popen(
            [sys.executable, str(ROOT / "main.py"), "--as", "C-1001"],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env=env,
        )
        with process:
            assert process.stdin is not None
            assert process.stderr is not None
            process.stdin.write(f"{asked}\n".encode())
            process.stdin.flush()
            shown = b""
            while b"Do it? [y/N]" not in shown:
                assert select.select([process.stderr], [], [], LIMIT_S)[0], "it asked nothing"
                read = os.read(process.stderr.fileno(), 4_096)
                assert read, shown
                shown += read
            process.kill()
        after = chat("--as", "C-1001", piped="y\n", env=env)
    assert b"create_ticket" in shown
    assert "Left open by an earlier chat, " in after.stderr
    assert "Do it? [y/N] y\napproved by a line of the piped input\ntool: create_ticket " in after.stderr
    assert "T-" in after.stdout
    assert after.returncode == 0


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
def at_a_terminal(endpoint: Endpoint, **settings: str) -> Iterator[pexpect.spawn]:
    child = pexpect.spawn(
        sys.executable,
        [str(ROOT / "main.py")],
        env=environment(endpoint, TERM="xterm", PROMPT_TOOLKIT_NO_CPR="1", HOME="/nonexistent", **settings),
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
        child.expect_exact("Starting…")
        child.expect_exact("ShopKart support · demo shop, signed in as customer C-1001")
        child.expect_exact("scripted at 127.0.0.1")
        child.expect_exact("assistant: \x1b[0mHello! This is ShopKart.")
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
        child.expect_exact("Do it? [y/N")
        child.send("\r")
        child.expect_exact("create_ticket")
        child.expect_exact("· refused at permission")
        says(child, "please do open the ticket for 4468")
        child.expect_exact("Do it? [y/N")
        child.send("y\r")
        child.expect_exact("· ok ·")
        child.expect_exact("I have opened a ticket.")
        child.expect_exact(PROMPT)
        child.send("\x04")
        child.expect_exact("Tickets are kept in memory only: they are gone when the server stops.")
        child.expect(pexpect.EOF)


@FORKS
def test_a_model_that_ollama_does_not_have_is_pulled_after_a_yes_and_then_answers():
    with serving("Hello.") as endpoint:
        endpoint.models.clear()
        with at_a_terminal(endpoint, **endpoint.ollama) as child:
            child.expect_exact("Pull scripted now? [y/N]")
            child.send("y\r")
            child.expect_exact("200/200 bytes")
            child.expect_exact("scripted on Ollama")
            says(child, "hello")
            child.expect_exact("Hello.")


def test_a_model_that_ollama_does_not_have_is_said_in_a_pipe_and_ends_with_4():
    with serving() as endpoint:
        endpoint.models.clear()
        done = chat("hello", env=environment(endpoint, **endpoint.ollama))
    assert "ollama pull scripted" in done.stderr
    assert (done.stdout, done.returncode) == ("", 4)


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


def test_another_customer_or_the_staff_can_be_served():
    spoken = "Your order 4471 has been shipped."
    with serving(LOOK, spoken, LOOK, "I do not have that order.") as endpoint:
        staff = chat("status of order 4471?", "--as", "staff", "--json", env=environment(endpoint))
        other = chat("status of order 4471?", "--as", "C-1002", "--json", env=environment(endpoint))
        named = chat("status of order 4471?", "--as", "nobody@example.com", env=environment(endpoint))
    assert json.loads(staff.stdout)["tools"][0]["is_error"] is False
    assert json.loads(other.stdout)["tools"][0]["data"]["error"] == "unknown_order"
    assert named.returncode == 2
    assert "SHOPKART_CUSTOMER is an e-mail address, and no customer of this store has" in named.stderr


def test_json_is_one_object_a_turn_on_stdout():
    with serving(LOOK, "Your order 4471 has been shipped.", "You are welcome.") as endpoint:
        done = chat("--json", piped="status of order 4471?\nand please?\n", env=environment(endpoint))
    first, second = map(json.loads, done.stdout.splitlines())
    assert first["reply"] == "Your order 4471 has been shipped."
    assert [call["tool"] for call in first["tools"]] == ["get_order_status"]
    assert first["meta"]["llm_calls"] == 2
    assert second["tools"] == []
    assert done.returncode == 0


def test_a_saved_chat_is_gone_on_with(tmp_path: Path):
    saved = tmp_path / "chat.json"
    with serving("Hello.", LOOK, "Your order 4471 has been shipped.") as endpoint:
        first = chat(piped=f"my order is 4471\n/export {saved}\n", env=environment(endpoint))
        assert f"Written to {saved}" in first.stderr
        later = chat("where is it?", "--load", str(saved), env=environment(endpoint))
    assert later.stdout == "Your order 4471 has been shipped.\n"
    assert [
        message["content"] for message in endpoint.requests[1]["messages"] if message["role"] == "user"
    ] == [
        "my order is 4471",
        "where is it?",
    ]


def test_a_broken_saved_chat_says_where_and_ends_with_2(tmp_path: Path):
    broken = tmp_path / "chat.json"
    broken.write_text('{"schema": "shopkart/chat/1"', "utf-8")
    done = chat("hello", "--load", str(broken))
    assert done.stderr.endswith(
        "cannot be loaded. It is no JSON at line 1, column 29: Expecting ',' delimiter.\n"
    )
    assert (done.stdout, done.returncode) == ("", 2)
