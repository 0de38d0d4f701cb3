"""A chat with one model, whatever dialect it speaks.

Knows:    that a dialect streams, and that the last item is the reply.
Does not: choose the dialect or the endpoint.   (provider.py)
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Protocol

from model.replies import Message, Reply, Schema
from model.target import Target


class Dialect(Protocol):
    """How an endpoint is spoken to."""

    def stream(self, messages: list[Message], tools: list[Schema]) -> AsyncIterator[str | Reply]:
        """Yield text pieces, then one Reply."""
        ...

    async def warm(self, messages: list[Message], tools: list[Schema]) -> None:
        """Prepare the endpoint for this system message."""
        ...


class Chat:
    """The model function of the agent: `await chat(messages, tools)`, or `chat.stream(messages, tools)`.

    name: what a person calls it, as in "qwen2.5:7b on Ollama". model, provider: the words for it in a trace.
    notices: what a person should know of the endpoint, each once; grows while it is in use.
    """

    traces_requests = True
    """Each request has a span of its own (endpoint.py), so a round of several needs none around them."""

    def __init__(
        self,
        target: Target,
        dialect: Dialect,
        aclose: Callable[[], Awaitable[None]],
        notices: Sequence[str] = (),
    ) -> None:
        self.name = target.name
        self.model = target.model
        self.provider = target.provider
        self.notices = notices
        self._dialect = dialect
        self.aclose = aclose

    async def __call__(self, messages: list[Message], tools: list[Schema]) -> Reply:
        """Return the whole reply.

        Raises: model.errors.ModelError.
        """
        last = Reply(None)
        async for item in self._dialect.stream(messages, tools):
            if isinstance(item, Reply):
                last = item
        return last

    def stream(self, messages: list[Message], tools: list[Schema]) -> AsyncIterator[str | Reply]:
        """Yield the text in pieces; the last item is the Reply, and one with calls may be the only item."""
        return self._dialect.stream(messages, tools)

    async def warm(self, messages: list[Message], tools: list[Schema]) -> None:
        """Have the beginning of the prompts read ahead of the first question; messages[0] is enough.

        It is worth it while the customer types. Cancel it when a question comes, or that waits for it.
        """
        await self._dialect.warm(messages, tools)
