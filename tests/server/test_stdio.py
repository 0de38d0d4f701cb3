"""The server as a process: what a broken or hostile client can send, and what may come out of it."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from anyio.abc import Process
from anyio.streams.buffered import BufferedByteReceiveStream

ROOT = Path(__file__).resolve().parents[2]
ENV = {
    "SHOPKART_ROLE": "customer",
    "SHOPKART_CUSTOMER": "C-1001",
    "ORDER_ID_PATTERN": "^[0-9]{1,12}$",
    "PYTHONPATH": str(ROOT),
}

pytestmark = pytest.mark.anyio

STATUS = {"name": "get_order_status", "arguments": {"order_id": "4471"}}
HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "raw", "version": "1"},
}


class RawClient:
    """Lines in, lines out, no SDK between."""

    def __init__(self, process: Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._in = process.stdin
        self._out = BufferedByteReceiveStream(process.stdout)

    async def send(self, line: bytes) -> None:
        await self._in.send(line + b"\n")

    async def receive(self) -> dict[str, Any]:
        return json.loads(await self._out.receive_until(b"\n", 10_000_000))

    async def request(self, number: int | str, method: str, params: Any) -> dict[str, Any]:
        await self.send(
            json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode()
        )
        while True:
            answer = await self.receive()
            if answer.get("id") == number:
                return answer


@asynccontextmanager
async def started(*command: str) -> AsyncGenerator[RawClient]:
    """Start a server, shake hands in the older era, and see it end when its stdin is closed."""
    with anyio.fail_after(30):
        async with await anyio.open_process(
            [sys.executable, *command], env=ENV, cwd=ROOT, stderr=subprocess.DEVNULL
        ) as process:
            client = RawClient(process)
            answer = await client.request(0, "initialize", HELLO)
            assert answer["result"]["serverInfo"]["name"] == "shopkart"
            await client.send(b'{"jsonrpc":"2.0","method":"notifications/initialized"}')
            yield client
            assert process.stdin is not None
            await process.stdin.aclose()
            assert await process.wait() == 0


def call_line(number: int, arguments: str) -> bytes:
    """Write a call with arguments as raw text, which json.dumps could not write."""
    params = '{"name":"get_order_status","arguments":%s}' % arguments  # noqa: UP031 - braces on both sides
    return f'{{"jsonrpc":"2.0","id":{number},"method":"tools/call","params":{params}}}'.encode()


GARBAGE = {
    "malformed JSON": b'{"jsonrpc": "2.0", "id": 7, "method": ',
    "no JSON": b"GET / HTTP/1.1",
    "invalid UTF-8": b'{"jsonrpc":"2.0","id":7,"method":"tools/\xff\xfe"}',
    "a batch": b'[{"jsonrpc":"2.0","id":7,"method":"tools/list"}]',
    "no jsonrpc": b'{"id":7,"method":"tools/list"}',
    "a null id": b'{"jsonrpc":"2.0","id":null,"method":"tools/list"}',
    "a fractional id": b'{"jsonrpc":"2.0","id":1.5,"method":"tools/list"}',
    "a blank line": b"",
    "a nul byte": b"\x00",
    "deep JSON": b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":'
    + b"[" * 20_000
    + b"]" * 20_000
    + b"}",
    "a lone surrogate": b'{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{"cursor":"\\ud800"}}',
    "an unknown method": b'{"jsonrpc":"2.0","id":7,"method":"shop/refund"}',
    "no params": b'{"jsonrpc":"2.0","id":7,"method":"tools/call"}',
    "an answer to nothing": b'{"jsonrpc":"2.0","id":99,"result":{}}',
    "a cancel of nothing": b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}',
    "a second hello": json.dumps(
        {"jsonrpc": "2.0", "id": 7, "method": "initialize", "params": HELLO}
    ).encode(),
    "a megabyte": call_line(7, json.dumps({"order_id": "4" * 1_000_000})),
}


async def test_the_server_answers_after_every_kind_of_garbage():
    async with started("server.py") as client:
        for number, (kind, line) in enumerate(GARBAGE.items(), start=100):
            await client.send(line)
            answer = await client.request(number, "tools/call", STATUS)
            assert answer["result"]["structuredContent"]["status"] == "shipped", kind


async def test_arguments_that_are_no_object_are_a_protocol_error():
    async with started("server.py") as client:
        for number, arguments in enumerate(('"4471"', "[]", "4471", "true"), start=1):
            await client.send(call_line(number, arguments))
            assert (await client.receive())["error"]["code"] == -32602


async def test_null_arguments_and_nan_are_invalid_arguments():
    async with started("server.py") as client:
        for number, arguments in enumerate(("null", '{"order_id":NaN}', '{"order_id":1e999}'), start=1):
            await client.send(call_line(number, arguments))
            answer = await client.receive()
            assert answer["result"]["structuredContent"]["error"] == "invalid_arguments"


async def test_two_requests_of_one_id_are_both_answered():
    async with started("server.py") as client:
        line = call_line(5, '{"order_id":"4471"}')
        await client.send(line + b"\n" + line)
        assert [(await client.receive())["id"] for _ in range(2)] == [5, 5]


_PRINTING = """
import os, subprocess, sys
import server
from store import Store, demo_store

class Chatty(Store):
    def get_order(self, order_id, reach):
        print("stray", flush=True)
        sys.stdout.write("{}\\n")
        os.write(1, b"junk\\n")
        subprocess.run([sys.executable, "-c", "print('child')"], check=True)
        return super().get_order(order_id, reach)

store = Chatty(demo_store().engine, waits=False)
store.is_demo = True
server.serve_stdio(lambda: server.build_server(store))
"""


async def test_what_a_tool_prints_never_reaches_the_protocol():
    async with started("-c", _PRINTING) as client:
        for number in (1, 2):
            await client.send(call_line(number, '{"order_id":"4471"}'))
            answer = await client.receive()  # the very next line
            assert answer["id"] == number
            assert answer["result"]["structuredContent"]["status"] == "shipped"


def _server(stdout: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, str(ROOT / "server.py")],
        stdin=subprocess.PIPE,
        stdout=stdout,
        stderr=subprocess.PIPE,
        env=ENV,
    )


def _initialize() -> bytes:
    request = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO}
    return json.dumps(request).encode() + b"\n"


def test_a_client_that_was_killed_is_said_in_one_line_and_no_traceback():
    read, write = os.pipe()
    process = _server(write)
    os.close(write)
    os.close(read)  # nobody will ever read: what is left of a client that was killed
    _, said = process.communicate(_initialize(), timeout=20)
    assert process.returncode == 0
    assert said.decode() == "WARNING serving.stdio: the client is gone; the server ends\n"


def test_ctrl_c_ends_the_server_with_130_and_no_traceback():
    process = _server(subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(_initialize())
    process.stdin.flush()
    assert process.stdout.readline()  # it serves
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=20)
    assert process.returncode == 130
    assert b"Traceback" not in said
