"""One live MCP client, held by a task of its own.

Knows:    the SDK's client: how it is opened, what it raises, how it ends.
Does not: know tools, or decide when to open the next one.   (mcp_tools.py)
Why a task: the SDK's client must be closed by the task that opened it, and when an HTTP server dies it
          cancels that task. Here that task is nobody's turn. Source: MCP python-sdk 2.3, issue 1577.
"""

import asyncio
import logging
from collections.abc import Callable
from typing import Any

import anyio
import anyio.lowlevel
from mcp import Client, MCPError
from mcp.client.subscriptions import ListenNotSupportedError, SubscriptionLost
from mcp_types import Implementation, Tool, ToolListChangedNotification

log = logging.getLogger(__name__)

_MAX_PAGES = 50
"""Pages of one tool list; a server may hand out cursors for ever."""


class ConnectError(Exception):
    """A server could not be reached or did not answer; the text says what to do."""


class Connection:
    """A client that any task may call through, open until `close` or until the server goes."""

    def __init__(self, target: Any, label: str, connect_timeout_s: float, mode: str) -> None:
        self._target = target
        self._label = label
        self._timeout_s = connect_timeout_s
        self._mode = mode
        self._client: Client | None = None
        self._ready = asyncio.Event()
        self._leave = asyncio.Event()
        self._error: ConnectError | None = None
        self._calls: set[anyio.CancelScope] = set()
        self._task: asyncio.Task[None] | None = None
        self.tools_changed = False

    @property
    def alive(self) -> bool:
        """Say whether calls can be made."""
        return self._client is not None and not self._leave.is_set()

    async def open(self) -> None:
        """Start the server or reach it.

        Raises: ConnectError after connect_timeout_s at the latest, plus the seconds that ending a
        hanging process takes (the SDK asks it to end, then kills it).
        """
        self._task = asyncio.create_task(self._live(), name=f"mcp {self._label}")
        try:
            await self._ready.wait()
        except asyncio.CancelledError:
            await self.close()
            raise
        if self._error:
            raise self._error

    async def close(self) -> None:
        """End the connection and the server's process, if it was started here."""
        self._leave.set()
        if self._task is None:
            return
        if not self._ready.is_set():
            self._task.cancel()
        with anyio.CancelScope(shield=True):  # an interrupted chat must still take its server with it
            await asyncio.wait([self._task])

    async def list_tools(self) -> list[Tool]:
        """Return every tool that the server lists, over all pages up to a cap."""
        client = self._require()
        tools: list[Tool] = []
        cursor: str | None = None
        seen: set[str] = set()
        for _ in range(_MAX_PAGES):
            page = await client.list_tools(cursor=cursor)
            tools += page.tools
            cursor = page.next_cursor
            if cursor is None:
                return tools
            if cursor in seen:
                log.warning("tool list repeats a cursor", extra={"server": self._label})
                return tools
            seen.add(cursor)
        log.warning("tool list has too many pages", extra={"server": self._label, "pages": _MAX_PAGES})
        return tools

    async def within(self, call: Callable[[Client], Any], timeout_s: float) -> Any:
        """Run a call on the client; cancelled when the connection ends.

        Raises: TimeoutError, ConnectionError when the server went, and what the SDK raises.
        """
        client = self._require()
        with anyio.fail_after(timeout_s), anyio.CancelScope() as scope:
            self._calls.add(scope)
            try:
                return await call(client)
            finally:
                self._calls.discard(scope)
        raise ConnectionError(self._label)

    def _require(self) -> Client:
        if self._client is None or self._leave.is_set():
            raise ConnectionError(self._label)
        return self._client

    async def _live(self) -> None:
        try:
            await self._hold()
        except (
            BaseException
        ) as error:  # the boundary of this task: whatever ended the client is kept, not lost
            self._error = _connect_error(error, self._label, self._timeout_s)
            if self._client is not None:
                log.warning(
                    "connection to the server ended", extra={"server": self._label, "cause": _leaf(error)}
                )
        finally:
            self._client = None
            self._leave.set()
            self._ready.set()
            for scope in list(self._calls):
                scope.cancel()

    async def _hold(self) -> None:
        client = Client(
            self._target,
            mode=self._mode,
            message_handler=self._on_message,
            client_info=Implementation(name="shopkart-agent", version="0.1.0"),
            cache=None,
        )
        with anyio.fail_after(self._timeout_s) as limit:
            async with client:
                limit.deadline = float("inf")
                self._client = client
                listener = asyncio.create_task(self._listen(client))
                self._ready.set()
                try:
                    await self._leave.wait()
                finally:
                    self._client = None
                    listener.cancel()
                    await asyncio.gather(listener, return_exceptions=True)

    async def _on_message(self, message: Any) -> None:
        if isinstance(message, ToolListChangedNotification):
            self.tools_changed = True
        await anyio.lowlevel.checkpoint()

    async def _listen(self, client: Client) -> None:
        """Hear of a changed tool list on a 2026-07-28 connection; older ones notify by themselves."""
        try:
            async with client.listen(tools_list_changed=True) as subscription:
                async for _ in subscription:
                    self.tools_changed = True
        except (ListenNotSupportedError, SubscriptionLost, MCPError, TimeoutError):
            log.debug("server does not announce changes of its tools", extra={"server": self._label})


def _leaf(error: BaseException) -> str:
    """Return the class of the innermost error, which alone says what happened."""
    while isinstance(error, BaseExceptionGroup) and error.exceptions:
        error = error.exceptions[0]
    return type(error).__name__


def _connect_error(error: BaseException, label: str, timeout_s: float) -> ConnectError:
    leaf: BaseException = error
    while isinstance(leaf, BaseExceptionGroup) and leaf.exceptions:
        leaf = leaf.exceptions[0]
    if isinstance(leaf, TimeoutError):
        return ConnectError(
            f"The MCP server ({label}) did not answer within {timeout_s:g} s. Start it by hand to see what it prints."
        )
    if isinstance(leaf, FileNotFoundError):
        return ConnectError(f"The MCP server's command was not found ({label}). Check its spelling and PATH.")
    return ConnectError(
        f"The MCP server ({label}) could not be started or ended at once ({type(leaf).__name__}). "
        "Start it by hand to see what it prints."
    )
