"""One live MCP client, held by a task of its own.

Knows:    the SDK's client: how it is opened, what it raises, how it ends.
Does not: know tools, or decide when to open the next one.   (mcp_tools.py)
Why a task: the SDK's client must be closed by the task that opened it, and when an HTTP server dies it
          cancels that task. Here that task is nobody's turn. Source: MCP python-sdk 2.3, issue 1577.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar, cast

import anyio
import anyio.lowlevel
from mcp import Client, MCPError
from mcp.client.subscriptions import ListenNotSupportedError, SubscriptionLost
from mcp_types import Implementation, Tool, ToolListChangedNotification
from pydantic import SecretStr

from bridge.bearer import NO_TOKEN, TokenRefused, at_the_door
from bridge.bounded import AnswerTooLarge
from bridge.elicitation import OpenCall, Questions
from bridge.limits import Limits
from bridge.transport import ConnectError, Target, Watch, advice, label, transport
from common.version import VERSION

log = logging.getLogger(__name__)

T = TypeVar("T")

_MAX_PAGES = 50
"""Pages of one tool list; a server may hand out cursors for ever."""


class Connection:
    """A client that any task may call through, open until `close` or until the server goes."""

    def __init__(
        self,
        target: Target,
        limits: Limits,
        mode: str,
        token: SecretStr = NO_TOKEN,
        questions: Questions | None = None,
    ) -> None:
        self._target = target
        self._token = token
        self._label = label(target)
        self._limits = limits
        self._timeout_s = limits.connect_s
        self._mode = mode
        self._questions = questions or Questions()
        self._client: Client | None = None
        self._ready = asyncio.Event()
        self._leave = asyncio.Event()
        self._opening = anyio.CancelScope()
        self._error: ConnectError | None = None
        self._calls: set[anyio.CancelScope] = set()
        self._task: asyncio.Task[None] | None = None
        self._watch = Watch(self._on_end)
        self._odd_lines = 0
        self.unlisted = True
        """The tools were not listed yet, or may have changed since."""

    @property
    def calls_itself(self) -> tuple[str, str]:
        """Return the server's name and version in its own words; empty where it says none."""
        info = self._client.server_info if self._client else None
        return (info.name, info.version) if info else ("", "")

    @property
    def alive(self) -> bool:
        """Say whether calls can be made."""
        return self._client is not None and not self._leave.is_set()

    async def open(self) -> None:
        """Start the server or reach it.

        Raises: ConnectError after limits.connect_s at the latest, plus the seconds that ending a
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
            self._opening.cancel()  # not the task: that would break off the SDK's clean-up, too
        try:
            with anyio.CancelScope(shield=True):  # an interrupted chat must still take its server with it
                await asyncio.wait([self._task])
        except asyncio.CancelledError:
            # A second Ctrl-C cancels every task, past all shields. The SDK's clean-up is broken off, and what
            # is left of it would wait for ever for a server that ignores the end of its input.
            self._watch.kill()
            raise

    async def list_tools(self) -> tuple[list[Tool], str | None]:
        """Return every tool that the server lists, over all pages up to a cap, and a remark on the paging."""
        tools: list[Tool] = []
        cursor: str | None = None
        seen: set[str] = set()
        for _ in range(_MAX_PAGES):
            page = await self._page(cursor)
            earlier = list(tools)  # a page that comes twice is one page
            tools += [tool for tool in page.tools if tool not in earlier]
            cursor = page.next_cursor
            if cursor is None or len(tools) > self._limits.tools:
                return tools, None
            if cursor in seen:
                return tools, "The server's list of tools never ends: it repeats a page. One round was read."
            seen.add(cursor)
        return tools, f"The server's list of tools has more than {_MAX_PAGES} pages; the rest was not read."

    async def _page(self, cursor: str | None) -> Any:
        return await self.within(lambda client: client.list_tools(cursor=cursor), self._timeout_s)

    async def within(
        self, call: Callable[[Client], Awaitable[T]], timeout_s: float, under_way: OpenCall | None = None
    ) -> T:
        """Run a call on the client; cancelled when the connection ends.

        under_way: of a tool's call, whose time stands still while a person is asked.
        Raises: TimeoutError, ConnectionError when the server went, AnswerTooLarge, TokenRefused, and what the
        SDK raises.
        """
        client = self._client
        if client is None or self._leave.is_set():
            raise ConnectionError(self._label)
        with anyio.CancelScope(deadline=anyio.current_time() + timeout_s) as scope:
            self._calls.add(scope)
            if under_way:
                under_way.scope = scope
            try:
                return await self._let_in(call(client))
            finally:
                self._calls.discard(scope)
        if self._watch.too_large:
            raise AnswerTooLarge(self._limits.result_bytes)
        raise TimeoutError(self._label) if self.alive else ConnectionError(self._label)

    def _on_end(self) -> None:
        if not self._leave.is_set() and self._client is not None:
            log.warning("server ended by itself", extra={"server": self._label})
        if self._client is not None:  # before that, the client's own error says more
            self._leave.set()

    async def _live(self) -> None:
        try:
            with self._opening:
                await self._let_in(self._hold())
            if self._opening.cancelled_caught:
                self._error = ConnectError(f"Opening the MCP server ({self._label}) was stopped. Try again.")
        except (Exception, BaseExceptionGroup, asyncio.CancelledError) as error:  # noqa: BLE001
            # The boundary of this task: whatever ended the client is kept for the caller, not lost. The
            # SDK cancels this task when an HTTP server dies, so a CancelledError is an end like others.
            if self._client is not None and not self._leave.is_set():
                log.warning(
                    "connection to the server ended",
                    extra={"server": self._label, "cause": type(_leaf(error)).__name__},
                )
            self._error = self._connect_error(_leaf(error))
        finally:
            self._client = None
            self._stop_calls()
            self._ready.set()

    async def _hold(self) -> None:
        client = Client(
            transport(self._target, self._watch, self._limits, self._token),
            mode=self._mode,
            message_handler=self._on_message,
            elicitation_callback=self._questions,
            client_info=Implementation(name="shopkart-agent", version=VERSION),
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
                    self._stop_calls()
                    listener.cancel()
                    await asyncio.gather(listener, return_exceptions=True)

    def _stop_calls(self) -> None:
        self._leave.set()
        for scope in list(self._calls):
            scope.cancel()

    async def _on_message(self, message: Any) -> None:
        if isinstance(message, ToolListChangedNotification):
            self.unlisted = True
        elif isinstance(message, Exception):
            self._odd_lines += 1
            if self._odd_lines == 1:
                log.warning("server prints lines that are no messages", extra={"server": self._label})
        await anyio.lowlevel.checkpoint()

    async def _listen(self, client: Client) -> None:
        """Hear of a changed tool list on a 2026-07-28 connection; older ones notify by themselves."""
        try:
            async with client.listen(tools_list_changed=True) as subscription:
                async for _ in subscription:
                    self.unlisted = True
        except (ListenNotSupportedError, SubscriptionLost, MCPError, TimeoutError):
            log.debug("server does not announce changes of its tools", extra={"server": self._label})

    def _connect_error(self, leaf: BaseException) -> ConnectError:
        if isinstance(leaf, ConnectError):
            return leaf
        odd = f" It printed {self._odd_lines} lines that are no MCP messages." if self._odd_lines else ""
        if isinstance(leaf, TokenRefused):
            return ConnectError(f"The MCP server ({self._label}) {leaf}")
        if self._watch.too_large or isinstance(leaf, AnswerTooLarge):
            told = AnswerTooLarge(self._limits.result_bytes)
            return ConnectError(
                f"The MCP server ({self._label}) cannot be used: {told}. {advice(self._target)}"
            )
        if isinstance(leaf, TimeoutError):
            what = f"did not answer within {self._timeout_s:g} s"
        elif isinstance(self._target, str):
            what = f"could not be reached ({type(leaf).__name__})"
        else:
            what = f"could not be started or ended at once ({type(leaf).__name__})"
        return ConnectError(
            f"The MCP server ({self._label}) {what}.{odd} {advice(self._target)}",
            timed_out=isinstance(leaf, TimeoutError),
            exit_code=self._watch.exit_code(),
        )

    async def _let_in(self, doing: Awaitable[T]) -> T:
        """Wait for something that sends requests over HTTP.

        Raises: TokenRefused where one of them was not let in, AnswerTooLarge where its answer was not read.
        """
        with at_the_door() as door:
            try:
                return await doing
            except (Exception, BaseExceptionGroup) as error:
                if door.refusal is not None:
                    raise TokenRefused(door.refusal) from error
                if door.too_large or self._watch.too_large:
                    raise AnswerTooLarge(self._limits.result_bytes) from error
                raise


def _leaf(error: BaseException) -> BaseException:
    """Return the innermost error, which alone says what happened."""
    while isinstance(error, BaseExceptionGroup):
        error = cast(BaseExceptionGroup[BaseException], error).exceptions[0]
    return error
