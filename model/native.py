"""The native dialect: the endpoint's own tools, with calls that leak as text caught.

Knows:    that a model may write a call as text, and that such text is never shown; that a reply may be empty.
Does not: read a call out of text (recovery.py), or know what one looks like (leaks.py).
Source:   finish_reason says "stop" beside calls and "length" beside a whole one, so nothing here reads it.
"""

from collections.abc import AsyncIterator
from dataclasses import replace

from model import leaks, recovery, wire
from model.budget import fitted
from model.endpoint import Endpoint, Request
from model.errors import ContextTooLong
from model.replies import Message, Reply, Schema, added
from model.tokens import of_tools

ANSWER_TOKENS = 1024
RETRY_TEMPERATURE = 0.6
"""At temperature 0 the same request gives the same empty reply."""


class Native:
    """Speaks to an endpoint that knows tools."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self._context = endpoint.target.context

    async def stream(self, messages: list[Message], tools: list[Schema]) -> AsyncIterator[str | Reply]:
        """Yield text pieces, then the Reply; a Reply with calls may come alone."""
        first: Reply | None = None
        request = self._request(messages, tools, self._context)
        for last_try in (False, True):
            shown = False
            try:
                async for item in self._guarded(request, messages, tools):
                    if isinstance(item, str):
                        shown = True
                        yield item
                    elif item.content or item.tool_calls or shown or last_try:
                        yield item if first is None else _after(first, item)
                        return
                    else:
                        first = item
            except ContextTooLong:
                # The window is smaller than LLM_CONTEXT says, or the estimate was too low.
                if shown or last_try:
                    raise
                request = self._request(messages, tools, self._context // 2)
            else:
                request = replace(request, temperature=RETRY_TEMPERATURE)

    async def warm(self, messages: list[Message], tools: list[Schema]) -> None:
        """Have the model loaded and the beginning read, so that the first turn need not wait for it."""
        opening: list[Message] = [*messages[:1], {"role": "user", "content": "Hello"}]
        await self._endpoint.reply(replace(self._request(opening, tools, self._context), max_tokens=1))

    def _request(self, messages: list[Message], tools: list[Schema], context: int) -> Request:
        offered = [wire.offered(tool) for tool in tools]
        answer = min(ANSWER_TOKENS, context // 4)
        return Request(
            fitted(messages, context - answer - of_tools(offered)), tools=offered, max_tokens=answer
        )

    def _guarded(
        self, request: Request, messages: list[Message], tools: list[Schema]
    ) -> AsyncIterator[str | Reply]:
        names = tuple(tool["function"]["name"] for tool in tools)
        return leaks.guarded(
            self._endpoint.stream(request), lambda reply: _settled(reply, tools, messages), names
        )


def _after(first: Reply, second: Reply) -> Reply:
    return replace(second, usage=added(first.usage, second.usage), requests=2)


def _settled(reply: Reply, tools: list[Schema], messages: list[Message]) -> Reply:
    """Return the reply with leaked calls in their place, and without text that is no words for a customer."""
    text = leaks.without_thoughts(reply.content or "")
    names = tuple(tool["function"]["name"] for tool in tools)
    calls = reply.tool_calls or recovery.recovered(text, tools, messages)
    if calls:
        return replace(reply, content=_words_before(text, names), tool_calls=calls)
    return replace(reply, content=None if not text.strip() or leaks.is_markup(text, names) else text)


def _words_before(text: str, names: tuple[str, ...]) -> str | None:
    """Return what was said before the call."""
    return text[: leaks.opening(text, names)].strip() or None
