"""From what a caller names to what the SDK's client opens.

Knows:    commands, URLs, servers in this process, and how to notice that a process ended.
Does not: speak MCP.   (bridge/connection.py)
Rule:     a label is for people and logs: of a URL it holds no user, password or query, of a command
          only the first words, for options and their values may be secrets.
"""

import logging
import os
import shutil
import signal
import sys
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from mcp import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.server import MCPServer, Server
from mcp_types import JSONRPCError
from pydantic import SecretStr

from bridge.bearer import NO_TOKEN, http_client
from bridge.bounded import BoundedLines
from bridge.limits import Limits
from common.leash import leashed
from common.settings import ROOT, contracts_environment, named, server_environment
from common.target import HouseServer
from common.upstream_secrets import secrets_named_in

Target = str | list[str] | HouseServer | MCPServer | Server[Any] | None


class ConnectError(Exception):
    """A server could not be reached or did not answer; the text says what to do.

    exit_code: of a process that was started for it and ended by itself.
    """

    def __init__(self, text: str, *, timed_out: bool = False, exit_code: int | None = None) -> None:
        super().__init__(text)
        self.timed_out = timed_out
        self.exit_code = exit_code


class _WithoutContent(logging.Filter):
    """Leave a bad line of a server out of the log: it may hold anything, a customer's data too."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.exc_info = record.exc_text = None
        return "parse" not in str(record.msg)


# The SDK logs each line that is no message with its text; bridge/connection.py counts them instead.
logging.getLogger("mcp.client.stdio").addFilter(_WithoutContent())


def label(target: Target) -> str:
    """Return the words that name the target to a person."""
    if target is None:
        return "server.py"
    if isinstance(target, HouseServer):
        return " ".join(["python", *target.arguments[:2]])  # more words than any command is shown with
    if isinstance(target, str):
        try:
            url = urlsplit(target)
            port = f":{url.port}" if url.port else ""
        except ValueError:
            return "a bad URL"
        return f"{url.scheme}://{url.hostname or ''}{port}{url.path}"
    if isinstance(target, list):
        second = [word for word in target[1:2] if not word.startswith("-") and "=" not in word]
        return " ".join([Path(word).name for word in [*target[:1], *second]])
    return target.name


def advice(target: Target) -> str:
    """Return what a person can do when the target does not answer."""
    if isinstance(target, str):
        return "Check the address, and that the server runs."
    return "Start it by hand to see what it prints."


@dataclass
class Watch:
    """What the holder of a connection learns of a server's process.

    on_end: called when it stops talking. kill: ends it and what it started, without asking.
    exit_code: what it ended with, None while it runs. too_large: it sent more in one line than is read.
    """

    on_end: Callable[[], None]
    kill: Callable[[], None] = lambda: None
    exit_code: Callable[[], int | None] = lambda: None
    too_large: bool = False

    def exceed(self) -> None:
        """Take a line that is too long: nobody reads what else the process says, so it is ended."""
        self.too_large = True
        self.kill()


def transport(target: Target, watch: Watch, limits: Limits, token: SecretStr = NO_TOKEN) -> Any:
    """Return what the SDK's client opens, and let the watch see a process that is started for it.

    token: shown to a server over HTTP.
    Raises: ConnectError for a target that cannot be one.
    """
    if target is None:
        # Ends by itself when its input closes, so it needs no leash and starts a little sooner.
        return _stdio([sys.executable, str(ROOT / "server.py")], server_environment(), watch, limits)
    if isinstance(target, HouseServer):
        secrets = secrets_named_in(ROOT / named("CONTRACTS_UPSTREAMS"))
        command = [sys.executable, *target.arguments]
        return _stdio(leashed(command), contracts_environment(secrets), watch, limits, ROOT)
    if isinstance(target, str):
        if not target.startswith(("http://", "https://")):
            raise ConnectError("The server's URL must start with http:// or https://. Correct it.")
        return _over_http(target, token, limits)
    if isinstance(target, list):
        if not target or shutil.which(target[0]) is None:
            raise ConnectError(
                f"The MCP server's command was not found ({label(target)}). Check its spelling and PATH."
            )
        return _stdio(leashed(target), {}, watch, limits)
    return target


@asynccontextmanager
async def _over_http(url: str, token: SecretStr, limits: Limits) -> AsyncGenerator[tuple[Any, Any], None]:
    async with (
        http_client(url, token, limits.result_bytes) as http,
        # The client bounds what is read; the SDK's own limit, of events alone, would only come between.
        streamable_http_client(url, http_client=http, max_sse_event_size=None) as (incoming, outgoing),
    ):
        yield _Watched(incoming, lambda: None), outgoing


@asynccontextmanager
async def _stdio(
    command: list[str],
    environment: dict[str, str],
    watch: Watch,
    limits: Limits,
    folder: Path | None = None,
) -> AsyncGenerator[tuple[Any, Any], None]:
    parameters = StdioServerParameters(
        command=command[0],
        args=command[1:],
        env=environment,
        cwd=folder,
        encoding_error_handler="replace",  # one bad byte would stop the session (python-sdk 2454)
    )
    opening = stdio_client(parameters, errlog=sys.__stderr__ or sys.stderr)
    async with opening as (incoming, outgoing):
        process = _process_of(opening)
        watch.kill = _killer_of(process)
        _bound(process, limits.result_bytes, watch.exceed)
        watch.exit_code = lambda: getattr(process, "returncode", None)
        yield _Watched(incoming, watch.on_end), outgoing


def _process_of(opening: Any) -> Any:
    """Return the process that the SDK started, which it shows nobody: it is read off its frame."""
    frame = getattr(getattr(opening, "gen", None), "ag_frame", None)
    return frame.f_locals.get("process") if frame else None


def _bound(process: Any, limit: int, on_excess: Callable[[], None]) -> None:
    """Bound the lines that are read of a process. The SDK's reader has not run yet, and takes what it finds.

    Raises: ConnectError where that cannot be done any more: an unbounded server is not talked to.
    """
    if getattr(process, "_stdout", None) is None:
        raise ConnectError("The server's output cannot be bounded with this version of mcp. Install mcp 2.3.")
    process._stdout = BoundedLines(process._stdout, limit, on_excess)


def _killer_of(process: Any) -> Callable[[], None]:
    def kill() -> None:
        if process is None or process.returncode is not None:
            return
        with suppress(ProcessLookupError):
            if sys.platform == "win32":
                process.kill()
            else:
                os.killpg(process.pid, signal.SIGKILL)  # the SDK starts it as the leader of a group

    return kill


def _wordless(item: Any) -> Any:
    """Return a message of the server without the words of its error.

    The SDK puts them into its span, and they may hold a customer's data; what counts here is the code.
    """
    message = getattr(item, "message", None)
    if not isinstance(message, JSONRPCError):
        return item
    error = message.error.model_copy(update={"message": "error"})
    return replace(item, message=message.model_copy(update={"error": error}))


class _Watched:
    """A stream of messages that says when it ends.

    The SDK tells only the calls in flight that a server is gone; of one that died between two calls
    nobody would know, and the next write would be sent into nothing and counted as unknown.
    """

    def __init__(self, stream: Any, on_end: Callable[[], None]) -> None:
        self._stream = stream
        self._on_end = on_end

    async def __aenter__(self) -> "_Watched":
        await self._stream.__aenter__()
        return self

    async def __aexit__(self, *error: Any) -> bool | None:
        return await self._stream.__aexit__(*error)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)  # the SDK's own stream over HTTP also knows a context

    def __aiter__(self) -> "_Watched":
        return self

    async def __anext__(self) -> Any:
        try:
            return _wordless(await self._stream.__anext__())
        except StopAsyncIteration:
            self._on_end()
            raise

    async def receive(self) -> Any:
        """Return the next message."""
        return _wordless(await self._stream.receive())

    async def aclose(self) -> None:
        """Close the stream."""
        await self._stream.aclose()
