"""The server as a process: what it says when it starts, whom it serves, and how it ends."""

import os
import select
import signal
import subprocess
import sys
from collections.abc import AsyncGenerator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from pathlib import Path

import anyio
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from common.settings import ROOT
from tests.serving.desk import SECRET, token, who

pytestmark = pytest.mark.anyio

BOUND_S = 20
"""Seconds that a process may take on a busy machine; never a promise."""

WITH_TOKENS = {"SHOPKART_TOKEN_SECRET": SECRET}
SERVER = Path(__file__).parent / "servers" / "who.py"


def environment(**more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("SHOPKART_", "MCP_"))}
    return kept | {"PYTHONPATH": str(ROOT)} | more


@contextmanager
def started(host: str = "127.0.0.1", **more: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Start a server; yield the URL that it prints, and its process."""
    with subprocess.Popen(
        [sys.executable, str(SERVER), host, "0", "C-9999"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(**more),
    ) as process:
        try:
            assert process.stdout is not None
            assert select.select([process.stdout], [], [], BOUND_S)[0], "the server did not start"
            yield process.stdout.readline().strip(), process
        finally:
            process.kill()


def bearer(customer: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token(customer)}"}


@asynccontextmanager
async def client_of(url: str, customer: str, mode: str = "auto", **headers: str) -> AsyncGenerator[Client]:
    async with (
        httpx2.AsyncClient(headers=bearer(customer) | headers) as http,
        Client(streamable_http_client(url, http_client=http), mode=mode) as client,
    ):
        yield client


def ended(process: subprocess.Popen[str]) -> tuple[int, str]:
    _, said = process.communicate(timeout=BOUND_S)
    return process.returncode, said


async def test_a_server_with_tokens_serves_their_holders_and_ends_with_ctrl_c():
    with started(**WITH_TOKENS) as (url, process), anyio.fail_after(BOUND_S):
        for mode in ("auto", "legacy"):
            for customer in ("C-1001", "C-2002"):
                async with client_of(url, customer, mode) as client:
                    assert await who(client) == f"customer:{customer}"
                    # A call that lost its token on the way would be nobody's, not the settings' customer's.
                    assert await who(client, "built_for") == "guest:"
        async with httpx2.AsyncClient() as http:
            assert (await http.post(url, json={})).status_code == 401
            assert (await http.get(f"{url}?access_token={token('C-1001')}")).status_code == 401
            assert (await http.get(url.replace("/mcp", "/health"))).text == "ok\n"
        process.send_signal(signal.SIGINT)
        assert ended(process) == (130, "Serving holders of this shop's tokens.\n")


async def test_a_server_without_tokens_says_whom_it_serves_and_serves_this_machine():
    with started() as (url, process), anyio.fail_after(BOUND_S):
        assert url.startswith("http://127.0.0.1:")
        async with Client(url) as client:
            assert await who(client) == "customer:C-9999"
        process.send_signal(signal.SIGINT)
        code, said = ended(process)
        assert code == 130
        assert said.startswith("Serving this machine only, and everybody on it as customer C-9999: no tokens")


async def test_ctrl_c_ends_a_server_that_a_client_still_listens_to():
    with started(**WITH_TOKENS) as (url, process), anyio.fail_after(BOUND_S):
        async with client_of(url, "C-1001", "legacy") as client:
            assert await who(client) == "customer:C-1001"
            process.send_signal(signal.SIGINT)
            code, said = await anyio.to_thread.run_sync(ended, process)
        assert code == 130, said
        assert "Traceback" not in said


async def test_a_server_ends_within_seconds_whatever_is_open():
    with started(**WITH_TOKENS) as (url, process), anyio.fail_after(BOUND_S * 2):
        async with AsyncExitStack() as stack:
            for customer in ("C-1001", "C-2002"):
                for _ in range(10):
                    client = await stack.enter_async_context(client_of(url, customer, "legacy"))
                    assert await who(client) == f"customer:{customer}"
            process.send_signal(signal.SIGTERM)
            code, said = await anyio.to_thread.run_sync(ended, process)
        assert (code, "Traceback" in said) == (-signal.SIGTERM, False)


async def test_what_a_stranger_sends_is_redacted_in_the_log():
    with started(**WITH_TOKENS) as (url, process), anyio.fail_after(BOUND_S):
        async with httpx2.AsyncClient(headers=bearer("C-1001")) as http:
            for header in ("Host", "Origin"):
                await http.post(url, json={}, headers={header: "marker.person@example.com"})
        process.send_signal(signal.SIGINT)
        _, said = ended(process)
    assert "Invalid Host header: [e-mail]" in said
    assert "marker" not in said


async def test_what_breaks_is_logged_by_its_kind_and_place_alone():
    with started(**WITH_TOKENS) as (url, process), anyio.fail_after(BOUND_S):
        async with client_of(url, "C-1001") as client:
            assert (await client.call_tool("crash", {})).is_error
        async with httpx2.AsyncClient(headers=bearer("C-1001")) as http:
            assert (await http.get(url.replace("/mcp", "/crash"))).status_code == 500
        process.send_signal(signal.SIGINT)
        _, said = ended(process)
        assert "RuntimeError in crash_outside" in said
        assert "RuntimeError in crash:" in said
        assert "anna@example.com" not in said


async def test_every_address_is_served_under_listed_names_to_holders_of_tokens():
    with started("0.0.0.0", **WITH_TOKENS, SHOPKART_HTTP_HOSTS="support.shop.example") as (url, process):
        here = url.replace("0.0.0.0", "127.0.0.1")
        with anyio.fail_after(BOUND_S):
            async with client_of(here, "C-1001", Host="support.shop.example") as client:
                assert await who(client) == "customer:C-1001"
        process.send_signal(signal.SIGINT)
        code, said = ended(process)
        assert (code, "put a proxy that speaks https in front" in said) == (130, True)


def test_the_command_prints_a_token_alone():
    done = subprocess.run(
        [sys.executable, "-m", "serving", "token", "--customer", "C-1001"],
        capture_output=True,
        text=True,
        env=environment(**WITH_TOKENS),
        cwd=ROOT,
        timeout=BOUND_S,
    )
    assert (done.returncode, done.stderr, len(done.stdout.split("."))) == (0, "", 3)
