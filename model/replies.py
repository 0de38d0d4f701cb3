"""The wire types of a model: what it was asked to call, what it said, what it cost.

Knows:    the shapes that llm.py shows to the rest of the house.
Does not: know who produces them.   (endpoint.py, native.py, constrained.py)
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from common.tracing import OUTPUT_MESSAGES, Traced, messages_told

Message = dict[str, Any]
"""A message of the OpenAI chat form: role, content, and tool_calls or tool_call_id where they apply."""

Schema = dict[str, Any]
"""A function schema of the OpenAI form, or a JSON schema inside one."""


@dataclass(frozen=True)
class ToolCall:
    """A call that the model asked for; arguments is the raw JSON text it wrote."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True)
class Usage:
    """Tokens of the requests behind one reply."""

    prompt_tokens: int
    completion_tokens: int


@dataclass(frozen=True)
class Reply:
    """What the model said: text, calls, or both.

    requests: how many HTTP requests it took; the constrained dialect needs two for a text.
    """

    content: str | None
    tool_calls: tuple[ToolCall, ...] = ()
    usage: Usage | None = None
    requests: int = 1


ChatFn = Callable[[list[Message], list[Schema]], Awaitable[Reply]]


@dataclass(frozen=True)
class Completion:
    """A text to ask for as it stands: no tools, no dialect, nothing of a shop.

    schema: the JSON Schema that the text is held to, where the endpoint can. seed: at a temperature above 0,
    the same one gives the same text on the same machine.
    """

    messages: list[Message]
    schema: Schema | None = None
    max_tokens: int = 1024
    temperature: float = 0.0
    seed: int | None = None


CompleteFn = Callable[[Completion], Awaitable[Reply]]


def note_reply(span: Traced, reply: Reply) -> None:
    """Put what a model answered into its span: the tokens, and where that is wanted the words."""
    if reply.usage:
        span.count(reply.usage.prompt_tokens, reply.usage.completion_tokens)
    span.show(OUTPUT_MESSAGES, lambda: messages_told([_message(reply)]))


def _message(reply: Reply) -> Message:
    calls = [
        {"id": call.id, "function": {"name": call.name, "arguments": call.arguments}}
        for call in reply.tool_calls
    ]
    return {"role": "assistant", "content": reply.content, "tool_calls": calls}


def added(first: Usage | None, second: Usage | None) -> Usage | None:
    """Return the sum of what is known."""
    if first is None or second is None:
        return first or second
    return Usage(
        first.prompt_tokens + second.prompt_tokens,
        first.completion_tokens + second.completion_tokens,
    )
