"""The model's endpoint, as the rest of the house sees it: messages and tools in, one reply out.

Knows:    the wire types, and which endpoint the settings name.
Does not: know what a tool means or what a reply may say.   (guards/, agent_mcp.py)
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class ToolCall:
    """A call that the model asked for; arguments is the raw JSON text it wrote."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True)
class Usage:
    """Tokens of one request."""

    prompt_tokens: int
    completion_tokens: int


@dataclass(frozen=True)
class Reply:
    """What the model said: text, calls, or both."""

    content: str | None
    tool_calls: tuple[ToolCall, ...] = ()
    usage: Usage | None = None


ChatFn = Callable[[list[dict[str, Any]], list[dict[str, Any]]], Awaitable[Reply]]
