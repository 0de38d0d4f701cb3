"""`python -m contracts demo` as a person starts it: what it prints, what it serves, and how Ctrl-C ends it.

Knows: a process of its own; it is waited for by what it prints.
"""

import re
import signal
import subprocess
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager

import httpx2
from click.testing import CliRunner

from common.settings import ROOT
from contracts.commands.demo import command

BOUND_S = 30


@contextmanager
def started(*options: str) -> Generator[tuple[subprocess.Popen[str], str]]:
    """Yield the process and the URL that it printed."""
    process = subprocess.Popen(
        [sys.executable, "-m", "contracts", "demo", "--port", "0", *options],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    bound = threading.Timer(BOUND_S, process.kill)  # a line that never comes
    bound.start()
    try:
        assert process.stdout is not None
        yield process, process.stdout.readline().strip()
    finally:
        bound.cancel()
        process.kill()
        process.communicate(timeout=BOUND_S)


def test_help_begins_with_an_example_and_needs_no_server() -> None:
    said = CliRunner().invoke(command, ["--help"])
    assert said.exit_code == 0
    assert "python -m contracts demo" in said.output


def test_it_serves_a_shop_and_its_tools_and_ctrl_c_ends_both_with_130() -> None:
    with started() as (process, url):
        assert httpx2.get(url.replace("/mcp", "/health")).status_code == 200
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=BOUND_S)
        assert process.returncode == 130
    assert "main.py --server" in told
    shop = re.search(r"http://127\.0\.0\.1:[0-9]+/admin/v2", told)
    assert shop is not None
    assert "Traceback" not in told


def test_a_port_that_is_taken_is_said() -> None:
    with started() as (_, url):
        port = url.rpartition(":")[2].partition("/")[0]
        refused = subprocess.run(
            [sys.executable, "-m", "contracts", "demo", "--port", port],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=BOUND_S,
        )
    assert refused.returncode == 1
    assert port in refused.stderr
    assert "Traceback" not in refused.stderr
