"""The MCP server that every server of the house is: refusals with a shape, and crashes that tell nothing.

Knows:    the SDK's server.
Does not: know any tool, identity or rule.
Logs:     to stderr, names and places only; an exception's own text may hold a customer's data.
"""

import logging
import traceback
from typing import Any

from mcp import MCPError
from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError, UnexpectedToolError
from mcp.server.mcpserver.tools import Tool
from mcp_types import INTERNAL_ERROR, INVALID_PARAMS, CallToolResult, GetPromptResult, InputRequiredResult
from pydantic import ValidationError

from serving.refusals import Refused, crashed, invalid_arguments, unknown_tool

log = logging.getLogger(__name__)


class HouseServer(MCPServer[Any]):
    """An MCPServer whose every failed call is a refusal with a code, a message and what to do next."""

    def __init__(self, name: str, *, title: str, version: str, instructions: str, tools: list[Tool]) -> None:
        # A WARNING level: the SDK's own INFO lines would repeat text that callers send.
        super().__init__(
            name, title=title, version=version, instructions=instructions, tools=tools, log_level="WARNING"
        )

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        """Call a tool; only a protocol error is raised."""
        try:
            return await super().call_tool(name, arguments, context)
        except MCPError:
            raise
        except UnexpectedToolError as error:
            log.error("tool %s crashed: %s", name, _place(error))
            return crashed().result()
        except ToolError as error:
            return (await self._refusal(name, error)).result()

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
            log.error("prompt %s failed: %s", name, _place(error))
            raise MCPError(INTERNAL_ERROR, f"The prompt {name} could not be filled.") from None

    async def _refusal(self, name: str, error: ToolError) -> Refused:
        cause = error.__cause__
        if cause is None:  # whatever a tool raises arrives with a cause; only a missing tool has none
            return unknown_tool([tool.name for tool in await self.list_tools()])
        if isinstance(cause, Refused):
            return cause
        if isinstance(cause, ValidationError):
            return invalid_arguments(cause)
        log.error("tool %s failed without a refusal: %s", name, _place(error))
        return crashed()


def _place(error: BaseException) -> str:
    """Return the kind of the innermost cause and where it was raised, without its text."""
    while error.__cause__ is not None:
        error = error.__cause__
    frames = traceback.extract_tb(error.__traceback__)
    where = " < ".join(f"{frame.name}:{frame.lineno}" for frame in reversed(frames[-3:]))
    return f"{type(error).__name__} in {where}"
