"""The bridge: one MCP session, seen as tools that can be called.

Knows:    schemas, calls, errors, time limits, and how to start the server again.
Does not: know orders, prompts, people, or whether a call should be made.   (guards/, agent_mcp.py)
Promises: a call gives one ToolResult whatever happened; a write whose outcome is unknown is reported
          as unknown and never sent twice; nothing that was started outlives the session.
"""

import logging
from collections.abc import AsyncGenerator, Awaitable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from typing import Any, cast
from uuid import uuid4

import anyio
from mcp import Client, InputRequiredRoundsExceededError, MCPError
from mcp_types import URL_ELICITATION_REQUIRED, CallToolResult, TextResourceContents, Tool
from pydantic import SecretStr

from bridge import (
    NO_TOKEN,
    Answer,
    AnswerTooLarge,
    BridgeSettings,
    ConnectError,
    Connection,
    Limits,
    Listing,
    OpenCall,
    Pin,
    Questions,
    ServerAnswer,
    ServerQuestion,
    Target,
    TokenRefused,
    ToolResult,
    compare,
    configured_limits,
    failure,
    held,
    label,
    not_offered,
    pin_of,
    problem_with,
    read_lock,
    result_of,
    travels_open,
    vet,
    within,
    words_of,
)
from common.schema import inline, without_marks
from common.settings import load
from common.target import HouseServer

__all__ = [
    "Bridge",
    "ConnectError",
    "Limits",
    "ServerAnswer",
    "ServerQuestion",
    "Target",
    "ToolResult",
    "connect",
    "failure",
    "openai_schema",
]

log = logging.getLogger(__name__)

PREVIEW = "shopkart/preview"
"""Key of a tool's `_meta`: true when the tool can be asked what it would do."""

DRY_RUN = "shopkart/dry_run"
"""Key of a call's `_meta`: true asks for exactly that. A server that does not know it would execute."""

CONVERSATION = "shopkart/conversation"
"""Key of a call's `_meta`: a name of this session, by which a server tells one conversation from another."""

SESSION_URI = "shop://session"
"""The resource in which a server of the house says whom it serves."""

_CONNECTION_CLOSED = -32000
_NOT_STARTED = {-32600, -32601, -32602, -32020, -32021, -32022}
"""JSON-RPC's and MCP's codes for a request that was refused as it came, before any tool ran.

-32700 is none of them: what is sent is JSON, so the SDK's client says it, of an answer that it cannot read.
"""

_STILL_THERE_S = 5.0
"""Seconds that a server which left a call unanswered has to list its tools before it is started again."""


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
    target: Target = None,
    *,
    limits: Limits | None = None,
    mode: str = "auto",
    token: SecretStr | None = None,
    pins: Mapping[str, Pin] | None = None,
) -> AsyncGenerator["Bridge", None]:
    """Open a session with a server and close it, with its process, at the end.

    target: None for `python server.py` over stdio; an http or https URL; a command line as a list; another
    server of the house, as common/target.py names it; an MCPServer in this process. mode: the SDK's word for
    the protocol era, "auto" or "legacy". token: shown to the URL's server and to no other; None: MCP_TOKEN of
    the settings. limits: None: theirs. pins: None: those of servers.lock.
    Raises: ConnectError, and BadSettings where one of the bridge's settings cannot be used.
    """
    if token is None:
        token = load(BridgeSettings).mcp_token if isinstance(target, str) else NO_TOKEN
    pins = read_lock(load(BridgeSettings).lock) if pins is None else pins
    bridge = Bridge(target, limits or configured_limits(), mode, token)
    bridge.pin = pins.get(words_of(target) or "")
    try:
        await bridge.open()
        if isinstance(target, str) and travels_open(token, target):
            bridge.notices.append(
                f"MCP_TOKEN travels unencrypted to {label(target)}. Use an https:// address if there is one."
            )
        yield bridge
    finally:
        await bridge.close()


class Bridge:
    """A session with one server."""

    def __init__(self, target: Target, limits: Limits, mode: str, token: SecretStr = NO_TOKEN) -> None:
        self.limits = limits
        self.notices: list[str] = []
        self.pin: Pin | None = None
        self._target = target
        self._mode = mode
        self._token = token
        self._connection: Connection | None = None
        self._listing: Listing | None = None
        self._opening = anyio.Lock()
        self._questions = Questions()
        self._closed = False
        self.conversation = uuid4().hex

    @property
    def label(self) -> str:
        """The server's name as a person knows it: its command, its address without anything secret."""
        return label(self._target)

    @property
    def own(self) -> bool:
        """Say whether it is the shop's own server: the one that is started where no other is named.

        The server of contracts is not: what it offers was written by others (docs/decisions/043).
        """
        return self._target is None or not isinstance(self._target, str | list | HouseServer)

    @property
    def tools(self) -> list[Tool]:
        """The tools as the server lists them now, less what was refused."""
        return list(self._listing.tools.values()) if self._listing else []

    def pin_now(self) -> Pin:
        """Return what would be pinned of the server as it is now."""
        calls_itself = self._connection.calls_itself if self._connection else ("", "")
        return pin_of(self._listing or Listing(), calls_itself)

    @property
    def changed(self) -> Mapping[str, str]:
        """What became, during the session, of tools that are not what they were; a sentence each."""
        return self._listing.changed if self._listing else {}

    def openai_schemas(self) -> list[dict[str, Any]]:
        """Return the tools in OpenAI's function form: references inlined, our marks left out."""
        return [openai_schema(tool) for tool in self.tools]

    async def open(self) -> None:
        """Connect and list the tools, unless that is done.  Raises: ConnectError."""
        async with self._opening:
            connection = self._connection
            if connection and connection.alive and connection.unlisted:
                try:
                    await self._list(connection, min(_STILL_THERE_S, self.limits.connect_s))
                except ConnectError:
                    log.warning("server does not answer; starting it again")
            if connection is None or not connection.alive:
                again = self._listing is not None
                await self._list(await self._connect(), self.limits.connect_s)
                if again:
                    self.notices.append(
                        "The server ended and was started again; what it kept in memory is gone."
                    )

    async def serves(self) -> str | None:
        """Return the server's sentence on whom it serves; None where it has none to say."""
        connection = self._connection
        if connection is None:
            return None
        try:
            read = await connection.within(
                lambda client: client.read_resource(SESSION_URI), self.limits.call_s
            )
        except Exception:  # noqa: BLE001  # the boundary to the server, as in _send: any other has no such resource
            return None
        texts = [content.text for content in read.contents if isinstance(content, TextResourceContents)]
        return " ".join(texts) or None

    async def close(self) -> None:
        """End the session for good; a second call does nothing."""
        self._closed = True
        connection, self._connection = self._connection, None
        if connection:
            await connection.close()

    async def call(self, name: str, arguments: dict[str, Any]) -> ToolResult:
        """Call a tool and return what came of it; never raises for anything the server did."""
        return await self._call(name, arguments, None)

    def asking(self, answer: Answer) -> AbstractAsyncContextManager[None]:
        """Have what the server asks during the calls of a block answered; outside of one the answer is no.

        answer: is called in a task of the block; what it raises ends the block, and the calls in it.
        """
        return self._questions.answered_by(answer)

    async def preview(self, name: str, arguments: dict[str, Any]) -> ToolResult | None:
        """Ask a tool what a call would do, without doing it.

        Returns None where the tool's `_meta` offers no dry run: any other server would execute it.
        `text` of a result that is no error is the effect in plain words.
        """
        tool = self._listing.tools.get(name) if self._listing else None
        if tool is None or (tool.meta or {}).get(PREVIEW) is not True or name in self.changed:
            return None  # nor is a tool that was changed sent anything before a person agrees
        return await self._call(name, arguments, {DRY_RUN: True})

    async def _call(self, name: str, arguments: dict[str, Any], meta: dict[str, Any] | None) -> ToolResult:
        if problem := problem_with(arguments, self.limits.argument_bytes):
            return problem
        connection, before = self._connection, self._listing or Listing()
        if connection is None or not connection.alive or connection.unlisted:
            try:
                await self.open()
            except ConnectError as error:
                return failure(
                    "server_unavailable",
                    str(error),
                    "Nothing was done. Say that the shop's system does not answer now.",
                )
        refused = not_offered(name, self._listing or Listing(), before)
        return refused or await self._send(name, arguments, meta)

    async def _send(self, name: str, arguments: dict[str, Any], meta: dict[str, Any] | None) -> ToolResult:
        connection = self._connection

        def request(client: Client) -> Awaitable[CallToolResult]:
            told = {CONVERSATION: self.conversation} | (meta or {})
            return client.call_tool(name, arguments, meta=cast(Any, told))

        if connection is None:
            return self._no_answer(name, "the session was closed", dry=meta is not None)
        with self._questions.during(dry=meta is not None) as under_way:
            try:
                result = result_of(await connection.within(request, self.limits.call_s, under_way))
            except Exception as error:  # noqa: BLE001
                # The boundary to the server: what the SDK, pydantic or a schema library raise over its answer
                # (a wrong shape, a bad pattern in its own output schema) is a result of this call.
                result = await self._failed(name, error, connection, dry=meta is not None)
        return self._explained(result, under_way)

    def _explained(self, result: ToolResult, call: OpenCall) -> ToolResult:
        """Return the result with why a question was answered with no, so that it is not read as a fault."""
        self.notices += [why for why in call.turned_away if why not in self.notices]
        if not call.turned_away or not result.is_error:
            return result
        why = " ".join(call.turned_away)
        message = f"{why} {result.data.get('message')}"
        return replace(result, data={**result.data, "message": message}, text=f"{why} {result.text}")

    async def _failed(self, name: str, error: Exception, connection: Connection, *, dry: bool) -> ToolResult:
        code = error.code if isinstance(error, MCPError) else None
        if isinstance(error, TokenRefused):
            return failure(
                "token_refused",
                f"The call to {name!r} was not let in: the server {error}",
                "Nothing was done. Say that the sign-in is no longer good and that signing in again helps.",
            )
        if isinstance(error, AnswerTooLarge):
            if not connection.alive:
                await connection.close()
            return self._no_answer(name, str(error), dry=dry)
        if isinstance(error, ConnectionError) or code == _CONNECTION_CLOSED:
            await connection.close()
            return self._no_answer(name, "the server ended", dry=dry)
        if isinstance(error, TimeoutError):
            connection.unlisted = True  # so the next call finds out whether the server still lives
            return self._no_answer(name, f"no answer came within {self.limits.call_s:g} s", dry=dry)
        if code == URL_ELICITATION_REQUIRED:
            return failure(
                "needs_input",
                f"Before {name!r} is done the server wants a page to be opened, which is never done here.",
                "Do not repeat it. Say that this cannot be done here.",
            )
        if isinstance(error, InputRequiredRoundsExceededError):
            return self._no_answer(name, "it asked for more, again and again", dry=dry)
        if code is None:
            log.warning("answer cannot be used", extra={"tool": name, "cause": type(error).__name__})
            return self._no_answer(name, "its answer did not fit what the server had announced", dry=dry)
        if code in _NOT_STARTED or dry or self._reads_only(name):
            return failure(
                "server_error",
                f"The server refused the call to {name!r} (code {code}).",
                "Do not repeat it. Say that this could not be done now.",
            )
        return self._no_answer(name, f"the server reported an error (code {code})", dry=dry)

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

    async def _connect(self) -> Connection:
        # A server of the handshake era may die of the newer protocol's first message: then ask as of old.
        modes = (self._mode, "legacy") if isinstance(self._target, list) else (self._mode,)
        first: ConnectError | None = None
        for mode in dict.fromkeys(modes):
            if self._closed:
                raise ConnectError("The session is closed. Open a new one with connect().")
            if self._connection:
                await self._connection.close()
            self._connection = connection = Connection(
                self._target, self.limits, mode, self._token, self._questions
            )
            try:
                await connection.open()
                return connection
            except ConnectError as error:
                first = first or error
                if error.timed_out:
                    break
        raise first or ConnectError("No way to connect was tried. Give a mode.")

    async def _list(self, connection: Connection, limit_s: float) -> None:
        connection.unlisted = False  # a change that is announced while the list is read sets it again
        try:
            with anyio.fail_after(limit_s):
                tools, remark = await connection.list_tools()
            now = held(within(vet(tools), self.limits), self.pin)
        except TokenRefused as error:
            await connection.close()
            raise ConnectError(f"The MCP server ({label(self._target)}) {error}") from error
        except AnswerTooLarge as error:
            await connection.close()
            raise ConnectError(f"The MCP server ({label(self._target)}) cannot be used: {error}.") from error
        except Exception as error:  # the boundary to the server, as in _send
            await connection.close()
            raise ConnectError(
                f"The MCP server ({label(self._target)}) gave no usable list of tools "
                f"({type(error).__name__}). Start it by hand to see what it prints."
            ) from error
        except BaseException:
            connection.unlisted = True
            raise
        self._listing = compare(self._listing, now) if self._listing else now
        remarks = [*self._listing.notices, *([remark] if remark else [])]
        self.notices += [notice for notice in remarks if notice not in self.notices]
