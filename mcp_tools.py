"""The bridge: one MCP session, seen as tools that can be called.

Knows:    schemas, calls, errors, time limits, and how to start the server again.
Does not: know orders, prompts, people, or whether a call should be made.   (guards/, agent_mcp.py)
Promises: a call gives one ToolResult whatever happened; a write whose outcome is unknown is reported
          as unknown and never sent twice; nothing that was started outlives the session.
"""

import json
import shutil
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, cast

import anyio
from mcp import Client, MCPError, StdioServerParameters, stdio_client
from mcp.server import MCPServer, Server
from mcp_types import CallToolResult, TextContent, Tool
from pydantic import ValidationError

from bridge import ConnectError, Connection, Listing, vet
from bridge.vetting import compare
from common.leash import leashed
from common.schema import inline, without_marks
from common.settings import ROOT, server_environment

__all__ = ["Bridge", "ConnectError", "Limits", "Target", "ToolResult", "connect", "openai_schema"]

Target = str | list[str] | MCPServer | Server[Any] | None

PREVIEW = "shopkart/preview"
"""Key of a tool's `_meta`: true when the tool can be asked what it would do."""

DRY_RUN = "shopkart/dry_run"
"""Key of a call's `_meta`: true asks for exactly that. A server that does not know it would execute."""

_CONNECTION_CLOSED = -32000
_REQUEST_TIMEOUT = -32001


@dataclass(frozen=True)
class Limits:
    """Bounds of one session: seconds to connect, seconds a call may take, bytes of one call's arguments."""

    connect_s: float = 20.0
    call_s: float = 30.0
    argument_bytes: int = 262_144


@dataclass(frozen=True)
class ToolResult:
    """What came of a call.

    is_error: the protocol's word: the tool or the way to it failed. A business refusal has it too.
    data: the structured result; of an error: `error` (a code), `message` (what happened), `next`
    (what to say or do now).
    text: the same in words, for a person.
    """

    is_error: bool
    data: dict[str, Any] = field(default_factory=dict[str, Any])
    text: str = ""


def failure(code: str, message: str, next: str) -> ToolResult:
    """Return the result of a call that did not succeed."""
    return ToolResult(True, {"error": code, "message": message, "next": next}, f"{message} {next}")


def openai_schema(tool: Tool, parameters: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return the tool as an OpenAI function; parameters replaces its own schema, as narrowed for a turn."""
    schema = inline(tool.input_schema) if parameters is None else parameters
    return {
        "type": "function",
        "function": {
            "name": tool.name,
            "description": tool.description or tool.title or tool.name,
            "parameters": without_marks(schema),
        },
    }


@asynccontextmanager
async def connect(
    target: Target = None, *, limits: Limits | None = None, mode: str = "auto"
) -> AsyncIterator["Bridge"]:
    """Open a session with a server and close it, with its process, at the end.

    target: None for `python server.py` over stdio; an http or https URL; a command line as a list;
    an MCPServer in this process. mode: the SDK's word for the protocol era, "auto" or "legacy".
    Raises: ConnectError.
    """
    bridge = Bridge(target, limits or Limits(), mode)
    await bridge.open()
    try:
        yield bridge
    finally:
        await bridge.close()


class Bridge:
    """A session with one server."""

    def __init__(self, target: Target, limits: Limits, mode: str) -> None:
        self.limits = limits
        self.notices: list[str] = []
        self._target = target
        self._mode = mode
        self._label = _label(target)
        self._connection: Connection | None = None
        self._listing: Listing | None = None
        self._opening = anyio.Lock()

    @property
    def tools(self) -> list[Tool]:
        """The tools as listed at the start of the session, less what was refused."""
        return list(self._listing.tools.values()) if self._listing else []

    def openai_schemas(self) -> list[dict[str, Any]]:
        """Return the tools in OpenAI's function form: references inlined, our marks left out."""
        return [openai_schema(tool) for tool in self.tools]

    async def open(self) -> None:
        """Connect and list the tools, unless that is done.  Raises: ConnectError."""
        async with self._opening:
            if self._connection is None or not self._connection.alive:
                await self._reopen()
            elif self._connection.tools_changed:
                self._connection.tools_changed = False
                await self._list(self._connection)

    async def close(self) -> None:
        """End the session; a second call does nothing."""
        connection, self._connection = self._connection, None
        if connection:
            await connection.close()

    async def call(self, name: str, arguments: dict[str, Any]) -> ToolResult:
        """Call a tool and return what came of it; never raises for anything the server did."""
        return await self._call(name, arguments, None)

    async def preview(self, name: str, arguments: dict[str, Any]) -> ToolResult | None:
        """Ask a tool what a call would do, without doing it.

        Returns None where the tool's `_meta` offers no dry run: any other server would execute it.
        `text` of a result that is no error is the effect in plain words.
        """
        tool = self._listing.tools.get(name) if self._listing else None
        if tool is None or (tool.meta or {}).get(PREVIEW) is not True:
            return None
        return await self._call(name, arguments, {DRY_RUN: True})

    async def _call(self, name: str, arguments: dict[str, Any], meta: dict[str, Any] | None) -> ToolResult:
        problem = self._unsendable(arguments)
        if problem:
            return problem
        try:
            await self.open()
        except ConnectError as error:
            return failure(
                "server_unavailable",
                str(error),
                "Nothing was done. Say that the shop's system does not answer now.",
            )
        if self._listing and name in self._listing.refused:
            reason = self._listing.refused[name]
            return failure("tool_refused", f"Tool {name!r} cannot be used: {reason}.", "Answer without it.")
        return await self._send(name, arguments, meta)

    async def _send(self, name: str, arguments: dict[str, Any], meta: dict[str, Any] | None) -> ToolResult:
        connection = cast(Connection, self._connection)
        # The outer limit is ours; the SDK's is a little shorter, so that it can tell the server to stop.
        limit_s = self.limits.call_s

        async def request(client: Client) -> CallToolResult:
            return await client.call_tool(name, arguments, limit_s, meta=cast(Any, meta))

        try:
            return _result(await connection.within(request, limit_s + 1))
        except (TimeoutError, ConnectionError, MCPError, ValidationError, RuntimeError) as error:
            return await self._failed(name, error, connection, dry=meta is not None)

    async def _failed(self, name: str, error: Exception, connection: Connection, *, dry: bool) -> ToolResult:
        code = error.code if isinstance(error, MCPError) else None
        lost = isinstance(error, ConnectionError) or code == _CONNECTION_CLOSED
        if lost:
            await connection.close()
        if lost or isinstance(error, TimeoutError) or code == _REQUEST_TIMEOUT:
            what = "the server ended" if lost else f"no answer came within {self.limits.call_s:g} s"
            return self._no_answer(name, what, dry=dry)
        if isinstance(error, MCPError):
            return failure(
                "server_error",
                f"The server refused the call to {name!r} (code {error.code}).",
                "Do not repeat it. Say that this could not be done now.",
            )
        # pydantic: not a protocol message; RuntimeError: a result that its own output schema does not allow.
        return self._no_answer(name, "its answer did not fit what the server had announced", dry=dry)

    def _no_answer(self, name: str, what: str, *, dry: bool) -> ToolResult:
        if dry or self._reads_only(name):
            return failure(
                "no_answer",
                f"The call to {name!r} gave nothing: {what}.",
                "Nothing was changed. Say that this cannot be looked up now, or try once more.",
            )
        return failure(
            "unknown_outcome",
            f"The call to {name!r} was sent, then {what}. It may or may not have been carried out.",
            "Do not repeat it. Say that the outcome is not known and that staff will check.",
        )

    def _reads_only(self, name: str) -> bool:
        tool = self._listing.tools.get(name) if self._listing else None
        return bool(tool and tool.annotations and tool.annotations.read_only_hint is True)

    def _unsendable(self, arguments: object) -> ToolResult | None:
        if not isinstance(arguments, dict):
            return failure(
                "bad_arguments",
                f"The arguments are {type(arguments).__name__}, not an object.",
                "Send one JSON object.",
            )
        try:
            size = len(json.dumps(arguments, allow_nan=False, ensure_ascii=False).encode("utf-8"))
        except (TypeError, ValueError, RecursionError):
            return failure(
                "bad_arguments",
                "The arguments cannot be written as JSON text.",
                "Send plain text, numbers, lists and objects.",
            )
        if size > self.limits.argument_bytes:
            return failure(
                "bad_arguments",
                f"The arguments take {size} bytes; {self.limits.argument_bytes} are allowed.",
                "Send a shorter text.",
            )
        return None

    async def _reopen(self) -> None:
        if self._connection:
            await self._connection.close()
        self._connection = await self._connected()
        await self._list(self._connection)

    async def _connected(self) -> Connection:
        error: ConnectError | None = None
        # A server of the handshake era may die of the newer protocol's first message: then ask as of old.
        for mode in dict.fromkeys(
            (self._mode, "legacy") if isinstance(self._target, list) else (self._mode,)
        ):
            connection = Connection(_transport(self._target), self._label, self.limits.connect_s, mode)
            try:
                await connection.open()
                return connection
            except ConnectError as problem:
                error = error or problem
                if "did not answer" in str(problem):
                    break
        raise cast(ConnectError, error)

    async def _list(self, connection: Connection) -> None:
        try:
            with anyio.fail_after(self.limits.connect_s):
                now = vet(await connection.list_tools())
        except (TimeoutError, ConnectionError, MCPError, ValidationError) as error:
            await connection.close()
            raise ConnectError(
                f"The MCP server ({self._label}) gave no usable list of tools ({type(error).__name__}). "
                "Start it by hand to see what it prints."
            ) from error
        self._listing = compare(self._listing, now) if self._listing else now
        self.notices += [notice for notice in self._listing.notices if notice not in self.notices]


def _result(result: CallToolResult) -> ToolResult:
    text = "\n".join(block.text for block in result.content if isinstance(block, TextContent))
    structured = cast(object, result.structured_content)
    data = cast(dict[str, Any], structured) if isinstance(structured, dict) else {}
    if not result.is_error:
        return ToolResult(False, data, text)
    if {"error", "message", "next"} <= data.keys():
        return ToolResult(True, data, text)
    return ToolResult(
        True,
        {
            **data,
            "error": "tool_error",
            "message": text or "The tool failed and did not say why.",
            "next": "Do not repeat the same call. Say what could not be done.",
        },
        text,
    )


def _label(target: Target) -> str:
    if target is None:
        return "server.py"
    if isinstance(target, str):
        return target.split("?", 1)[0]  # a query may hold a secret
    if isinstance(target, list):
        return " ".join(target[:3])
    return target.name


def _transport(target: Target) -> Any:
    """Return what the SDK's client opens.  Raises: ConnectError for a target that cannot be one."""
    if target is None:
        # Ends by itself when its input closes, so it needs no leash and starts a little sooner.
        return _stdio([sys.executable, str(ROOT / "server.py")], server_environment())
    if isinstance(target, str):
        if not target.startswith(("http://", "https://")):
            raise ConnectError(f"{target!r} is not an http or https URL. Give a command as a list of words.")
        return target
    if isinstance(target, list):
        if not target or shutil.which(target[0]) is None:
            raise ConnectError(
                f"The MCP server's command was not found ({_label(target)}). Check its spelling and PATH."
            )
        return _stdio(leashed(target), {})
    return target


def _stdio(command: list[str], environment: dict[str, str]) -> Any:
    parameters = StdioServerParameters(
        command=command[0],
        args=command[1:],
        env=environment,
        encoding_error_handler="replace",  # one bad byte would stop the session (python-sdk 2454)
    )
    return stdio_client(parameters, errlog=sys.__stderr__ or sys.stderr)
