"""The contracts as an MCP server: the one place of this room where the protocol is spoken.

Knows:    the SDK's server, who asks under which profile, and what of a call a client is told.
Does not: read contracts (registry.py), or send requests (engine.py).
Rule:     what a profile hides is nowhere: each answer is made from the profile's own catalog, so that a
          hidden name gets the very bytes that an unknown one gets.
Source:   MCP 2026-07-28 and 2025-11-25; both eras are told of changed lists in their own way.
"""

import logging
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import Any
from weakref import WeakSet

import anyio
from mcp import MCPError
from mcp.server import MCPServer
from mcp.server.connection import Connection
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.lowlevel.server import NotificationOptions
from mcp.server.mcpserver import Context
from mcp.server.models import InitializationOptions
from mcp.server.subscriptions import PromptsListChanged, ResourcesListChanged, ToolsListChanged
from mcp_types import (
    INVALID_PARAMS,
    CallToolResult,
    GetPromptResult,
    ListPromptsResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ListToolsResult,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    ReadResourceResult,
)
from mcp_types import Prompt as ListedPrompt
from mcp_types import Resource as ListedResource
from mcp_types import Tool as Listed

from common.version import VERSION
from contracts import surface_catalog
from contracts.credentials import Principal
from contracts.cursors import BadCursor, Cursors
from contracts.engine import Engine
from contracts.failures import CallFailed
from contracts.live import Live
from contracts.profiles import DEFAULT, UnknownProfile
from contracts.surface_lists import Shown, named
from contracts.surface_stages import Stages
from contracts.surface_tools import UNAPPROVED, preview_of, refusal_of, result_of
from contracts.task import Offered
from contracts.telling import told
from contracts.validating import problems_of
from journal import AnyTrail, NoTrail
from serving.access import Access
from serving.house import Admission, Facts, HouseServer
from serving.identity import GUEST, Caller
from serving.recording import Call, Recorder
from serving.refusals import Refused, not_signed_in, unknown_tool
from serving.said import told_of
from serving.tools import conversation_of, is_dry_run

log = logging.getLogger(__name__)

MODERN = "2026-07-28"

_ANNOUNCE_S = 5
"""Seconds that one client may take to read that its lists have changed."""

Who = Callable[[], Principal | None]
"""Return for whom the request is that is being answered; None for somebody who may do nothing."""


@dataclass(frozen=True)
class Options:
    """How it is served.

    profile: of a session that names none. session: one line on what stands behind, for a person at the
    screen. page: entries of one page of a list. poll_s: how often the source is looked at while nobody asks.
    """

    profile: str = DEFAULT
    session: str = ""
    page: int = 200
    poll_s: float = 2.0
    trail: AnyTrail = field(default_factory=NoTrail)
    process: str = ""


def contract_server(live: Live, engine: Engine, who: Who, options: Options | None = None) -> "ContractServer":
    """Return the server of what is live.  Raises: UnknownProfile where the default one is none."""
    return ContractServer(live, engine, who, options or Options())


class ContractServer(HouseServer):
    """Serves contracts: refusals, crashes, spans and the audit trail are the house's."""

    def __init__(self, live: Live, engine: Engine, who: Who, options: Options) -> None:
        if options.profile not in live.profiles:
            raise UnknownProfile
        self._live, self._engine, self._who, self._options = live, engine, who, options
        self._cursors = Cursors(options.page)
        self._shown_of: dict[str, Shown] = {}
        self._now: ContextVar[Shown] = ContextVar("shown")
        self._connections: WeakSet[Connection] = WeakSet()
        self._announced = live.version
        self._served = 0

        def caller() -> Caller:
            principal = who()
            return Caller("staff", principal.name) if principal else GUEST

        recorder = Recorder(options.trail, caller, options.process)
        super().__init__(_facts(live), [], Admission(caller, Access()), recorder, lifespan=self._kept_open)
        # Outermost, so that whatever looks at a message knows its profile.
        self.middleware.insert(0, self._in_profile)
        self._say_that_lists_change()

    def _say_that_lists_change(self) -> None:
        """Say so to clients of the older protocol; the SDK's own start tells them that they never do."""
        options_of = self._lowlevel_server.create_initialization_options

        def options(
            notification_options: Any = None, experimental_capabilities: Any = None, extensions: Any = None
        ) -> InitializationOptions:
            return options_of(NotificationOptions(True, True, True), experimental_capabilities, extensions)

        self._lowlevel_server.create_initialization_options = options

    # ------------------------------------------------------------ who sees what

    async def _in_profile(self, ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        """Answer a message from the catalog of its profile, as it is now."""
        if ctx.protocol_version != MODERN:  # those of the newer protocol listen to the bus
            self._connections.add(ctx.session._connection)  # pyright: ignore[reportPrivateUsage]
        try:
            shown = self._shown(self._asked(ctx))
        except UnknownProfile as error:
            raise MCPError(INVALID_PARAMS, str(error)) from None
        token = self._now.set(shown)
        try:
            return await call_next(ctx)
        finally:
            self._now.reset(token)

    def _asked(self, ctx: ServerRequestContext[Any, Any]) -> str:
        """Return the profile that a message asks for: of its URL, else the server's own."""
        query = getattr(ctx.request, "query_params", None)
        asked: list[str] = query.getlist("profile") if query is not None else []
        if len(asked) > 1:
            raise UnknownProfile  # which of them is meant, nobody knows
        return asked[0] if asked else self._options.profile

    def _shown(self, profile: str) -> Shown:
        self._live.refresh()
        principal = self._who()
        view = self._live.view(profile, principal.name if principal else "")
        known = self._shown_of.get(profile)
        if known is None or known.view is not view:
            known = self._shown_of[profile] = Shown(view)
        return known

    @property
    def shown(self) -> Shown:
        """Return what the message that is being answered may see."""
        now = self._now.get(None)
        return now if now is not None else self._shown(self._options.profile)

    # ------------------------------------------------------------ lists

    async def list_tools(self) -> list[Listed]:
        """Return every tool."""
        return list(self.shown.tools.values())

    async def list_prompts(self) -> list[ListedPrompt]:
        """Return every prompt."""
        return self.shown.prompts

    async def list_resources(self) -> list[ListedResource]:
        """Return every resource."""
        return self.shown.resources

    async def _handle_list_tools(self, ctx: Any, params: PaginatedRequestParams | None) -> ListToolsResult:
        page, cursor = self._page("tools", await self.list_tools(), params)
        return ListToolsResult(tools=page, next_cursor=cursor)

    async def _handle_list_prompts(
        self, ctx: Any, params: PaginatedRequestParams | None
    ) -> ListPromptsResult:
        page, cursor = self._page("prompts", await self.list_prompts(), params)
        return ListPromptsResult(prompts=page, next_cursor=cursor)

    async def _handle_list_resources(
        self, ctx: Any, params: PaginatedRequestParams | None
    ) -> ListResourcesResult:
        page, cursor = self._page("resources", await self.list_resources(), params)
        return ListResourcesResult(resources=page, next_cursor=cursor)

    async def _handle_list_resource_templates(
        self, ctx: Any, params: PaginatedRequestParams | None
    ) -> ListResourceTemplatesResult:
        page, cursor = self._page("templates", await self.list_resource_templates(), params)
        return ListResourceTemplatesResult(resource_templates=page, next_cursor=cursor)

    def _page(
        self, kind: str, items: list[Any], params: PaginatedRequestParams | None
    ) -> tuple[list[Any], str | None]:
        shown = self.shown
        bound = "\n".join((kind, shown.view.name, shown.catalog.digest))
        try:
            page, cursor = self._cursors.page(items, params.cursor if params else None, bound)
        except BadCursor as error:
            raise MCPError(INVALID_PARAMS, str(error)) from None
        return list(page), cursor

    # ------------------------------------------------------------ prompts and resources

    async def get_prompt(
        self, name: str, arguments: dict[str, Any] | None = None, context: Context[Any, Any] | None = None
    ) -> GetPromptResult:
        """Fill a prompt.  Raises: MCPError."""
        return self.shown.prompt(name, arguments or {})

    async def _handle_read_resource(self, ctx: Any, params: ReadResourceRequestParams) -> ReadResourceResult:
        return self.shown.resource(str(params.uri), self._session())

    def _session(self) -> str:
        shown, principal = self.shown, self._who()
        whom = f"for {principal.name}" if principal else "nobody signed in"
        facts = [self._options.session, whom, f"profile {shown.view.name}"]
        if not shown.catalog.approved:
            facts.append("UNAPPROVED contracts, which nobody has reviewed")
        return ", ".join(filter(None, facts))

    # ------------------------------------------------------------ calls

    def _tool_input_schema(self, name: str) -> None:
        """Return nothing: the SDK asks before the profile is known, and no contract has headers to check."""

    def _is_tool(self, name: str) -> bool:
        return self.shown.has_tool(name)

    def _changes(self, name: str) -> bool:
        return self.shown.changes(name)

    async def _named(self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None) -> Call:
        """Return the call as the trail is told of it: behind `call`, the function that it names."""
        conversation = (context and conversation_of(context)) or ""
        shown = self.shown
        if shown.is_catalog and name == surface_catalog.CALL.name:
            function = arguments.get("function")
            if isinstance(function, str) and function in shown.catalog.functions:
                return Call(function, arguments, conversation)
        return Call(name if shown.has_tool(name) else "", arguments, conversation)

    async def _bar(self, name: str) -> None:
        """Refuse a caller who is nobody; which tools there are for the others, the profile says."""
        if self._who() is None:
            raise not_signed_in()

    def _check(self, name: str, arguments: dict[str, Any]) -> None:
        """Refuse arguments that do not fit before a change counts as started.  Raises: Refused."""
        offered = self.shown.catalog.functions.get(name)
        if offered and (problems := problems_of(offered, arguments)):
            raise Refused(
                "invalid_arguments",
                f"The arguments do not fit: {'; '.join(problems)}.",
                "Correct them, or ask the user for what is missing, and call the tool again.",
                said=told_of("invalid_arguments"),
            )

    async def _answer(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None
    ) -> CallToolResult:
        """Return what a tool answers.  Raises: Refused."""
        shown, principal = self.shown, self._who()
        if not shown.has_tool(name):
            raise _unknown_tool(list(shown.tools))
        if principal is None:
            raise not_signed_in()
        run = _Run(self._engine, shown, principal, context)
        try:
            if shown.is_catalog:
                return await surface_catalog.answer(shown.view, name, arguments, run.read)
            return await run.function(shown.catalog.functions[name], arguments)
        except CallFailed as failure:
            raise refusal_of(failure) from None

    # ------------------------------------------------------------ what is open while it serves

    @asynccontextmanager
    async def _kept_open(self, _: MCPServer[Any]) -> AsyncGenerator[None]:
        """Keep the engine open and watch the source while somebody is served."""
        async with self._engine_open(), anyio.create_task_group() as group:
            group.start_soon(self._watch)
            yield
            group.cancel_scope.cancel()

    @asynccontextmanager
    async def _engine_open(self) -> AsyncGenerator[None]:
        """Open the engine with the first who is served, and close it with the last.

        In one process several clients may enter the server at once, each with a lifespan of its own.
        """
        self._served += 1
        if self._served == 1:
            await self._engine.__aenter__()
        try:
            yield
        finally:
            self._served -= 1
            if self._served == 0:
                await self._engine.__aexit__(None, None, None)

    async def _watch(self) -> None:
        while True:
            version = await self._live.next_change(self._announced, self._options.poll_s)
            if version != self._announced:
                self._announced = version
                await self._announce()

    async def _announce(self) -> None:
        """Tell every open session that its lists may be others now."""
        for event in (ToolsListChanged(), PromptsListChanged(), ResourcesListChanged()):
            await self._subscriptions.publish(event)
        async with anyio.create_task_group() as group:
            for connection in list(self._connections):
                group.start_soon(_tell_changed, connection)


async def _tell_changed(connection: Connection) -> None:
    """Tell a client of the older protocol; one that reads nothing is not waited for."""
    with anyio.move_on_after(_ANNOUNCE_S):
        await connection.send_tool_list_changed()
        await connection.send_prompt_list_changed()
        await connection.send_resource_list_changed()


@dataclass(frozen=True)
class _Run:
    """One call on its way to the engine."""

    engine: Engine
    shown: Shown
    principal: Principal
    context: Context[Any, Any] | None

    async def function(self, offered: Offered, arguments: Mapping[str, Any]) -> CallToolResult:
        """Run a function, or say what it would do."""
        catalog = self.shown.catalog
        dry = offered.contract.effect != "read" and self.context is not None and is_dry_run(self.context)
        with Stages(offered.name, self.context) as stages:
            if dry:
                preview = await self.engine.preview(
                    catalog, offered.name, arguments, self.principal, stages.hear
                )
                return preview_of(preview)
            result = await self.engine.call(catalog, offered.name, arguments, self.principal, stages.hear)
        return result_of(result, told(offered, result))

    async def read(self, offered: Offered, arguments: Mapping[str, Any], every: bool) -> CallToolResult:
        """Run a function that reads, for the catalog's `call`."""
        ask = self.engine.fetch_all if every else self.engine.call
        with Stages(offered.name, self.context) as stages:
            result = await ask(self.shown.catalog, offered.name, arguments, self.principal, stages.hear)
        said = dict(told(offered, result))
        if not self.shown.catalog.approved:
            said = {language: f"{UNAPPROVED}\n{text}" for language, text in said.items()}
        return result_of(result, said, function=offered.name)


def _unknown_tool(known: list[str]) -> Refused:
    """Refuse a tool that is not there, was removed, or is hidden: nobody can tell which."""
    told = named(known) or "There are none"
    return unknown_tool(known, f"{told}. List the tools again: they may have changed.")


def _facts(live: Live) -> Facts:
    facts = Facts(
        name="shopkart-contracts",
        title="ShopKart contracts",
        version=VERSION,
        instructions="What may be done in a shop, as contracts say that were reviewed and pinned.",
    )
    if live.catalog.approved:
        return facts
    return replace(facts, instructions=f"What may be done in a shop, from contracts. {UNAPPROVED}")
