"""The native dialect: the endpoint's own tools, with calls that leak as text caught.

Knows:    that a small model may write a call as text, and that such text is never shown.
Does not: widen what counts as a call beyond one strict form; see leaks.py.
"""

from collections.abc import AsyncIterator
from dataclasses import replace

from model.budget import estimate, fitted
from model.endpoint import Endpoint, Request
from model.leaks import guarded, is_markup, recovered
from model.replies import Message, Reply, Schema, added

ANSWER_TOKENS = 1024


class Native:
    """Speaks to an endpoint that knows tools."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint

    async def stream(self, messages: list[Message], tools: list[Schema]) -> AsyncIterator[str | Reply]:
        """Yield text pieces, then the Reply; a Reply with calls may come alone."""
        request = Request(self._fitted(messages, tools), tools=tools, max_tokens=ANSWER_TOKENS)
        first: Reply | None = None
        for last_try in (False, True):
            shown = False
            async for item in guarded(self._endpoint.stream(request), lambda r: _settled(r, tools)):
                if isinstance(item, str):
                    shown = True
                    yield item
                elif item.content or item.tool_calls or shown or last_try:
                    yield item if first is None else _after(first, item)
                    return
                else:
                    first = item

    async def warm(self, messages: list[Message], tools: list[Schema]) -> None:
        """Have the model loaded, so that the first turn need not wait for it."""
        opening: list[Message] = [*messages[:1], {"role": "user", "content": "Hello"}]
        await self._endpoint.reply(Request(opening, tools=tools, max_tokens=1))

    def _fitted(self, messages: list[Message], tools: list[Schema]) -> list[Message]:
        limit = self._endpoint.target.context - ANSWER_TOKENS - estimate(tools)
        return [_sendable(message) for message in fitted(messages, limit)]


def _after(first: Reply, second: Reply) -> Reply:
    return replace(second, usage=added(first.usage, second.usage), requests=2)


def _sendable(message: Message) -> Message:
    # Some versions of Ollama refuse a null content beside tool_calls.
    return {**message, "content": message.get("content") or ""}


def _settled(reply: Reply, tools: list[Schema]) -> Reply:
    """Return the reply with a leaked call in its place, and without text that is mark-up."""
    if reply.tool_calls or not reply.content:
        return replace(reply, content=(reply.content or "").strip() or None)
    names = {tool["function"]["name"] for tool in tools}
    calls = recovered(reply.content, names)
    if calls:
        return replace(reply, content=None, tool_calls=calls)
    return replace(reply, content=None) if is_markup(reply.content) else reply
