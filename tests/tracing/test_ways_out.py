"""Nothing personal or secret of a message, a result or an exception leaves, by whichever way out.

The ways out: the log, tracebacks, traces with and without content, the audit trail, and the texts of errors.
"""

import io
import logging
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from mcp.server import MCPServer

from agent_mcp import Conversation, run
from common.redaction import RedactingFormatter, plain_address
from journal import journal_of_turns
from journal.turns import Served
from llm import Reply
from mcp_tools import ConnectError, connect
from model import failures, provider
from model.errors import ModelError, NotConfigured
from model.settings import ModelSettings
from model.target import Target
from tests.agent.scripted import Scripted, calls, says
from tests.house.tree import ROOT
from tests.journal.writers import rows
from tests.tracing.spans import watched

pytestmark = pytest.mark.anyio

# Written in pieces: no file of this project holds a secret.
TOKEN = "sk" + "-live-" + "a1B2c3D4e5F6g7H8"
PERSONAL = ("kim.lee@example.com", "+49 151 2345 6789", "4111 1111 1111 1111", TOKEN)
SAID = "mail {}, phone {}, card {}, token {}".format(*PERSONAL)


def leaks(text: str) -> list[str]:
    return [each for each in PERSONAL if each in text]


@contextmanager
def logged() -> Iterator[io.StringIO]:
    """Keep what the house's handler writes, of every library and at every level."""
    lines = io.StringIO()
    handler = logging.StreamHandler(lines)
    handler.setFormatter(RedactingFormatter("%(levelname)s %(name)s: %(message)s"))
    root = logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    try:
        yield lines
    finally:
        root.removeHandler(handler)
        root.setLevel(level)


def shop() -> MCPServer:
    server = MCPServer("shop")

    @server.tool()
    def look_up(about: str) -> str:
        """Look something up."""
        return f"Found: {SAID}"

    @server.tool()
    def crash(about: str) -> str:
        """Look something else up."""
        raise RuntimeError(SAID)

    return server


def models() -> list[Scripted]:
    return [
        Scripted(calls(("look_up", {"about": SAID})), says(f"Your data: {SAID}")),
        Scripted(calls(("crash", {"about": SAID})), says("That did not work.")),
        Scripted(calls((SAID, {"about": SAID}), ("look_up", SAID)), says(SAID)),
    ]


@pytest.mark.parametrize("content", [False, True])
async def test_no_log_no_trace_and_no_row_of_the_trail_holds_it(
    content: bool, sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("DATABASE_URL", sqlite_url)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))

    async def agrees(request: Any) -> Any:
        raise RuntimeError(SAID)

    async def broken(messages: Any, tools: Any) -> Reply:
        raise RuntimeError(SAID)

    with logged() as lines, watched(content=content) as spans:
        async with connect(shop()) as bridge, journal_of_turns(Served("a-session")) as journal:
            talk = Conversation()
            for model in models():
                await run(SAID, model, agrees, bridge=bridge, conversation=talk, journal=journal)
            with pytest.raises(RuntimeError):
                await run(SAID, broken, agrees, bridge=bridge, conversation=talk, journal=journal)
    assert "approver failed" in lines.getvalue()
    assert leaks(lines.getvalue()) == []
    assert spans.named("invoke_agent")
    agents = "\n".join(span.to_json() for span in spans.ended if span.kind.name != "SERVER")
    assert leaks(agents) == []
    kept = rows(sqlite_url)
    assert len(kept) > 10
    assert leaks(repr(kept)) == []


def test_the_traceback_of_what_nobody_catches_is_redacted():
    program = (
        f"from common.redaction import redact_tracebacks\nredact_tracebacks()\nraise ValueError({SAID!r})"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False, timeout=60
    )
    assert ended.returncode == 1
    assert "ValueError: mail [e-mail], phone [phone], card [card number], token [secret]" in ended.stderr
    assert "Traceback" in ended.stderr


# ---------------------------------------------------------------- error texts


ADDRESS = f"http://kim:{TOKEN}@127.0.0.1:9/v1?key={TOKEN}#{TOKEN}"


async def test_the_error_of_a_model_tells_no_password_of_its_address_and_no_word_of_its_endpoint():
    target = Target("m on Ollama", ADDRESS, "m", api_key=TOKEN)
    request = httpx2.Request("POST", ADDRESS)
    for error in (
        httpx2.ConnectError(SAID, request=request),
        httpx2.ReadTimeout(SAID, request=request),
        ValueError(SAID),
    ):
        told = failures.sentence(error, target)
        assert isinstance(told, ModelError)
        assert leaks(str(told)) == [] and "kim" not in str(told)
        assert "http://127.0.0.1:9/v1" in str(told)


async def test_a_missing_setting_tells_no_password_of_the_address():
    settings = ModelSettings(llm_provider="openai", openai_base_url=ADDRESS, openai_model="")
    with pytest.raises(NotConfigured) as refused:
        await provider.choose(settings)
    assert leaks(str(refused.value)) == []
    chosen = ModelSettings(llm_provider="openai", openai_base_url=ADDRESS, openai_model="m")
    (_, _, openai) = provider.targets(chosen)
    assert leaks(" ".join(openai.advice.values())) == []


async def test_a_server_that_cannot_be_reached_tells_no_password_of_its_address():
    with anyio.fail_after(30), pytest.raises(ConnectError) as refused:
        async with connect(ADDRESS):
            pass
    assert leaks(str(refused.value)) == [] and "kim" not in str(refused.value)


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("https://api.example/v1", "https://api.example/v1"),
        ("http://u:p@h.example:80/a?b=c#d", "http://h.example:80/a"),
        ("http://[::1]:8080/v1", "http://[::1]:8080/v1"),
        ("http://h.example:port/", "a bad address"),
    ],
)
def test_an_address_is_told_without_what_may_be_secret(address: str, told: str):
    assert plain_address(address) == told
