"""The spans of a server: one a message, in place of the SDK's own.

Knows:    what of a message may stand in a trace: a method and a tool that exist, a code.
Does not: know any tool, or keep a span of what a tool does inside.
Why:      the SDK's middleware (mcp 2.3) puts whatever name a client sends into the span, and the text of an
          exception with its traceback; both can hold a customer's data.
Source:   OpenTelemetry semantic conventions 1.41.0, docs/gen-ai/mcp.md.
"""

from collections.abc import Callable, Mapping
from typing import Any, cast

from mcp import MCPError
from mcp.server.context import CallNext, HandlerResult, ServerMiddleware, ServerRequestContext
from mcp_types import CallToolResult
from opentelemetry.trace import SpanKind

from common import tracing
from journal.entry import kept_reason

METHODS = frozenset(
    {
        "completion/complete",
        "initialize",
        "logging/setLevel",
        "notifications/cancelled",
        "notifications/initialized",
        "notifications/progress",
        "notifications/roots/list_changed",
        "ping",
        "prompts/get",
        "prompts/list",
        "resources/list",
        "resources/read",
        "resources/subscribe",
        "resources/templates/list",
        "resources/unsubscribe",
        "server/discover",
        "subscriptions/listen",
        "tools/call",
        "tools/list",
    }
)
"""What a client of MCP sends; any other method is whatever somebody wrote."""

OTHER = "_OTHER"


class Spans(ServerMiddleware[Any]):
    """Makes the spans. has_tool: says whether a tool of that name is there."""

    def __init__(self, has_tool: Callable[[str], bool]) -> None:
        self._has_tool = has_tool

    async def __call__(self, ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        """Answer a message inside its span, which is below the client's where `_meta` names one."""
        method = ctx.method if ctx.method in METHODS else OTHER
        tool = self._tool(ctx)
        attributes = {
            tracing.MCP_METHOD: method,
            tracing.MCP_VERSION: ctx.protocol_version,
            tracing.OPERATION: "execute_tool" if method == "tools/call" else "",
            tracing.TOOL_NAME: tool,
        }
        parent = tracing.parent_of(ctx.meta)
        with tracing.traced(f"{method} {tool}".strip(), SpanKind.SERVER, attributes, parent) as span:
            try:
                result = await call_next(ctx)
            except MCPError as error:
                span.fail(str(error.error.code))
                raise
            if method == "tools/call" and (code := _code_of_failure(result)):
                span.fail("tool_error")
                span.set(tracing.CODE, code)
            return result

    def _tool(self, ctx: ServerRequestContext[Any, Any]) -> str:
        name = ctx.params.get("name") if ctx.params and ctx.method == "tools/call" else None
        if not isinstance(name, str):
            return ""
        return name if self._has_tool(name) else OTHER


def _code_of_failure(result: HandlerResult) -> str:
    """Return the code of a refusal; empty for what is none."""
    content: object
    match result:
        case CallToolResult(is_error=True, structured_content=content):
            pass
        case {"isError": True, **rest}:
            content = rest.get("structuredContent")
        case _:
            return ""
    code = cast(Mapping[str, object], content).get("error") if isinstance(content, Mapping) else None
    return (kept_reason(code) if isinstance(code, str) else "") or "tool_error"
