"""Tools that take what their schema says and nothing else.

Knows:    how to make an SDK tool strict, and how a call says that it is a dry run.
Does not: know any tool.
Source:   the SDK coerces "4471" to 4471 and drops unknown arguments unless told otherwise.
"""

import inspect
from collections.abc import Callable
from typing import Any

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.tools import Tool
from mcp_types import ToolAnnotations
from pydantic import ConfigDict

DRY_RUN = "shopkart/dry_run"
"""Request `_meta`: check everything, change nothing, say what would happen."""

CONVERSATION = "shopkart/conversation"
"""Request `_meta`: the client's own name of the conversation, by which one hand-off is told from another."""

_LONGEST_CONVERSATION = 64

PREVIEW = "shopkart/preview"
"""Tool `_meta`: the tool understands DRY_RUN."""

ASKED_FOR = "shopkart/asked-for"
"""Tool `_meta`: {language: [beginning of a word, ...]}, by which customers ask for what the tool changes."""

SHOWN_BY = "shopkart/shown-by"
"""Tool `_meta`: {argument: {value: {language: [beginning of a word, ...]}}}, by which customers show it."""

CALLS = "shopkart/calls"
"""Tool `_meta`: {"function": ARGUMENT, "arguments": ARGUMENT, "describe": TOOL}: the tool calls a function by
name, and the tool named under `describe` returns that function's schemas."""

KEPT = "shopkart/kept"
"""Tool `_meta`: one sentence, where what the tool changes does not outlive the server."""

READS = ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)
ADDS = ToolAnnotations(
    read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)


def strict_tool(
    function: Callable[..., Any],
    *,
    title: str,
    annotations: ToolAnnotations,
    meta: dict[str, Any] | None = None,
) -> Tool:
    """Return the function as a tool that refuses unknown arguments and converts nothing."""
    tool = Tool.from_function(
        function, description=inspect.getdoc(function), title=title, annotations=annotations, meta=meta
    )
    base = tool.fn_metadata.arg_model
    config = ConfigDict(extra="forbid", strict=True, hide_input_in_errors=True)
    strict = type(base.__name__, (base,), {"model_config": config, "__module__": function.__module__})
    tool.fn_metadata.arg_model = strict
    tool.parameters = strict.model_json_schema(by_alias=True)
    if tool.fn_metadata.output_schema is not None:
        tool.fn_metadata.output_schema = or_refusal(tool.fn_metadata.output_schema)
    return tool


_REFUSAL = {
    "error": {"type": "string", "description": "Only in a refusal: its code"},
    "message": {"type": "string", "description": "Only in a refusal: what happened"},
    "next": {"type": "string", "description": "Only in a refusal: what to say or do now"},
}


def or_refusal(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the output schema that a refusal fits, too.

    Some clients, the official TypeScript one among them, check a result that is an error against it as well.
    """
    properties = {**schema.get("properties", {}), **_REFUSAL}
    either = [{"required": schema.get("required", [])}, {"required": list(_REFUSAL)}]
    rest = {key: value for key, value in schema.items() if key not in ("properties", "required")}
    return {**rest, "properties": properties, "anyOf": either}


def is_dry_run(context: Context[Any, Any]) -> bool:
    """Say whether the call may change nothing. Any value but false and null counts as yes."""
    meta = context.request_context.meta
    wanted = None if meta is None else meta.get(DRY_RUN)
    return wanted is not None and wanted is not False  # by identity: 0 equals False and is no clear no


def conversation_of(context: Context[Any, Any]) -> str | None:
    """Return the client's name of the conversation, None where it gives none that can be one."""
    meta = context.request_context.meta
    name = None if meta is None else meta.get(CONVERSATION)
    return name if isinstance(name, str) and 0 < len(name) <= _LONGEST_CONVERSATION else None
