"""What came of a call, in one shape.

Knows:    the protocol's result and its parts.
Does not: know why a call was made, or what is said to a customer.   (agent/)
"""

from dataclasses import dataclass, field
from typing import Any, cast

from mcp_types import CallToolResult, EmbeddedResource, TextContent, TextResourceContents


@dataclass(frozen=True)
class ToolResult:
    """What came of a call.

    is_error: the protocol's word: the tool or the way to it failed. A business refusal has it too.
    data: the structured result; of an error: `error` (a code), `message` (what happened), `next`
    (what to say or do now).
    text: the same in words, for a person.
    meta: the result's `_meta`: what the server adds for a program, and no model reads.
    """

    is_error: bool
    data: dict[str, Any] = field(default_factory=dict[str, Any])
    text: str = ""
    meta: dict[str, Any] = field(default_factory=dict[str, Any])


def failure(code: str, message: str, next: str) -> ToolResult:
    """Return the result of a call that did not succeed."""
    return ToolResult(True, {"error": code, "message": message, "next": next}, f"{message} {next}")


def result_of(result: CallToolResult) -> ToolResult:
    """Return a server's answer; an error that names no code, message and next step is given them."""
    text = "\n".join(filter(None, (_words(block) for block in result.content)))
    structured = cast(object, result.structured_content)
    data = cast(dict[str, Any], structured) if isinstance(structured, dict) else {}
    if structured is not None and not isinstance(structured, dict):
        data = {"result": structured}  # the newest revision allows any JSON value; the SDK wraps it so, too
    meta: dict[str, Any] = {**(result.meta or {})}
    if not result.is_error:
        return ToolResult(False, data, text, meta)
    if all(isinstance(data.get(key), str) for key in ("error", "message", "next")):
        return ToolResult(True, data, text, meta)
    message = text or "The tool failed and did not say why."
    told = {
        "error": "tool_error",
        "message": message,
        "next": "Do not repeat the same call. Say what could not be done.",
    }
    return ToolResult(True, data | told, message, meta)


def _words(block: object) -> str:
    if isinstance(block, TextContent):
        return block.text
    if isinstance(block, EmbeddedResource) and isinstance(block.resource, TextResourceContents):
        return block.resource.text
    return f"[{getattr(block, 'type', 'content')}: not shown as text]"
