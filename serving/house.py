"""The MCP server that every server of the house is: refusals with a shape, and crashes that tell nothing.

Knows:    the SDK's server.
Does not: know any tool, identity or rule.
Logs:     to stderr, names and places only; an exception's own text may hold a customer's data.
"""

import logging
import traceback
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Any

from mcp import MCPError
from mcp.server import MCPServer
from mcp.server._otel import OpenTelemetryMiddleware
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError, UnexpectedToolError
from mcp.server.mcpserver.tools import Tool
from mcp_types import INTERNAL_ERROR, INVALID_PARAMS, CallToolResult, GetPromptResult, InputRequiredResult
from pydantic import ValidationError

from journal import JournalFailed, NoTrail
from serving.access import Access
from serving.identity import Caller
from serving.lookups import Lookups
from serving.recording import Call, Recorder
from serving.refusals import (
    MOST_ARGUMENTS,
    Refused,
    crashed,
    invalid_arguments,
    not_allowed,
    not_signed_in,
    too_many_arguments,
    too_many_lookups,
    unknown_tool,
)
from serving.spans import Spans
from serving.tools import conversation_of, is_dry_run

log = logging.getLogger(__name__)

Lifespan = Callable[[MCPServer[Any]], AbstractAsyncContextManager[Any]]
"""What a server keeps open while it serves."""


@dataclass(frozen=True)
class Facts:
    """What a server says of itself."""

    name: str
    title: str
    version: str
    instructions: str


@dataclass(frozen=True)
class Admission:
    """Who may use which tool, and how often. who: returns the caller of the call that is being answered.

    uncounted: tools that show nobody's data, of whose calls only those count that are refused.
    """

    who: Callable[[], Caller]
    access: Access
    calls: Lookups = field(default_factory=lambda: Lookups(0))
    uncounted: frozenset[str] = frozenset()

    def count(self) -> Refused | None:
        """Count a call; return a refusal of one too many. Guests are one person, staff have no limit."""
        caller = self.who()
        if caller.role == "staff" or self.calls.allow(caller.customer_id):
            return None
        return too_many_lookups(noted=self.calls.notes(caller.customer_id))


class HouseServer(MCPServer[Any]):
    """An MCPServer whose every failed call is a refusal with a code, a message and what to do next."""

    def __init__(
        self,
        facts: Facts,
        tools: list[Tool],
        admission: Admission,
        recorder: Recorder | None = None,
        lifespan: Lifespan | None = None,
    ) -> None:
        # A WARNING level: the SDK's own INFO lines would repeat text that callers send.
        super().__init__(**vars(facts), tools=tools, log_level="WARNING", lifespan=lifespan)
        # In the place of the SDK's, which would tell a trace what clients send.
        self.middleware[:] = [
            Spans(self._is_tool) if isinstance(each, OpenTelemetryMiddleware) else each
            for each in self.middleware
        ]
        self._admission = admission
        self._recorder = recorder or Recorder(NoTrail(), admission.who)
        self._tools = {tool.name: tool for tool in tools}

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        """Call a tool; only a protocol error is raised."""
        call = await self._named(name, arguments, context)
        may_change = call.tool != "" and self._changes(name)
        changes = may_change and not (context and is_dry_run(context))
        try:
            self._admit(name, arguments)
            await self._bar(name)
            if changes:
                self._check(name, arguments)  # what is refused has not started
                await self._recorder.told(call, "started")
            result = await self._answer(name, arguments, context)
        except Refused as refusal:
            refusal = self._counted(name, refusal)
            told = await self._tell(self._recorder.refused(call, refusal))
            return (refusal if told else crashed()).result()  # a refusal, too, may show what is there
        except JournalFailed as failure:
            log.error("%s", failure)
            return crashed().result()
        except MCPError:
            raise
        except Exception as error:  # noqa: BLE001  the boundary: the SDK would log its text, in another shape
            log.error("a call failed: %s", place_of_error(error))
            await self._tell(self._recorder.refused(call, crashed()))
            return crashed().result()
        kind = "written" if changes else "tried" if may_change else "done"
        if not await self._tell(self._recorder.told(call, kind)) and not changes:
            return crashed().result()  # nothing is looked up untold; a change was told before it was made
        return result

    def _is_tool(self, name: str) -> bool:
        return name in self._tools

    def ended(self) -> None:
        """Say to the trail that this server came to an orderly end."""
        try:
            self._recorder.trail.close()
        except JournalFailed as failure:
            log.error("%s", failure)

    def _admit(self, name: str, arguments: dict[str, Any]) -> None:
        """Count the call, and refuse too many arguments before any is looked at.  Raises: Refused."""
        if name not in self._admission.uncounted and (too_many := self._admission.count()):
            raise too_many
        if len(arguments) > MOST_ARGUMENTS:
            raise too_many_arguments()

    def _counted(self, name: str, refusal: Refused) -> Refused:
        """Count a refused call of a tool whose others do not count; return what is said of it then."""
        too_many = self._admission.count() if name in self._admission.uncounted else None
        return too_many or refusal

    async def _named(self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None) -> Call:
        """Return the call as the trail is told of it: a name that no tool has may be anything."""
        known = name in self._tools or name in {tool.name for tool in await self.list_tools()}
        return Call(name if known else "", arguments, (context and conversation_of(context)) or "")

    def _changes(self, name: str) -> bool:
        """Say whether a tool may change something; one that was added later may."""
        tool = self._tools.get(name)
        return tool is None or tool.annotations is None or tool.annotations.read_only_hint is not True

    async def _tell(self, telling: Awaitable[None]) -> bool:
        """Wait until the trail was told; False where it could not be."""
        try:
            await telling
        except JournalFailed as failure:
            log.error("%s", failure)
            return False
        except Exception as error:  # noqa: BLE001  what became of the call is answered all the same
            log.error("the trail failed: %s", place_of_error(error))
            return False
        return True

    async def _answer(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None
    ) -> CallToolResult | InputRequiredResult:
        """Return what the tool answers.  Raises: Refused, MCPError."""
        try:
            return await super().call_tool(name, arguments, context)
        except MCPError:
            raise
        except UnexpectedToolError as error:
            log.error("tool %s crashed: %s", name, place_of_error(error))
            raise crashed() from None
        except ToolError as error:
            raise await self._refusal(name, error) from None

    async def _bar(self, name: str) -> None:
        """Refuse a tool that is there and that the caller's role may not use.  Raises: Refused."""
        role = self._admission.who().role
        if self._admission.access.allows(role, name):
            return
        if name in {tool.name for tool in await self.list_tools()}:
            raise not_signed_in() if role == "guest" else not_allowed()

    def _check(self, name: str, arguments: dict[str, Any]) -> None:
        """Refuse arguments that do not fit; a tool added later does so when it runs.  Raises: Refused."""
        if tool := self._tools.get(name):
            try:
                tool.fn_metadata.validate_arguments(arguments)
            except ValidationError as error:
                raise invalid_arguments(error) from None

    async def get_prompt(
        self, name: str, arguments: dict[str, Any] | None = None, context: Context[Any, Any] | None = None
    ) -> GetPromptResult | InputRequiredResult:
        """Fill a prompt. The SDK would log, and on the older protocol send, the text of whatever failed."""
        prompts = {prompt.name: prompt for prompt in await self.list_prompts()}
        if name not in prompts:
            raise MCPError(
                INVALID_PARAMS, f"There is no prompt of that name. Use one of: {', '.join(prompts)}."
            )
        needed = {each.name for each in prompts[name].arguments or () if each.required}
        if missing := sorted(needed - set(arguments or {})):
            raise MCPError(INVALID_PARAMS, f"The prompt {name} needs these arguments: {', '.join(missing)}.")
        try:
            return await super().get_prompt(name, arguments, context)
        except ValueError as error:  # what the SDK makes of every failure of a prompt
            log.error("prompt %s failed: %s", name, place_of_error(error))
            raise MCPError(INTERNAL_ERROR, f"The prompt {name} could not be filled.") from None

    async def _refusal(self, name: str, error: ToolError) -> Refused:
        cause = error.__cause__
        if cause is None:  # whatever a tool raises arrives with a cause; only a missing tool has none
            return unknown_tool([tool.name for tool in await self.list_tools()])
        if isinstance(cause, Refused):
            return cause
        if isinstance(cause, ValidationError):
            return invalid_arguments(cause)
        log.error("tool %s failed without a refusal: %s", name, place_of_error(error))
        return crashed()


def place_of_error(error: BaseException) -> str:
    """Return the kind of the innermost cause and where it was raised, without its text."""
    while error.__cause__ is not None:
        error = error.__cause__
    frames = traceback.extract_tb(error.__traceback__)
    where = " < ".join(f"{frame.name}:{frame.lineno}" for frame in reversed(frames[-3:]))
    return f"{type(error).__name__} in {where}"
