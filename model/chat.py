"""A chat with one model, whatever dialect it speaks.

Knows:    that a dialect streams, and that the last item is the reply.
Does not: choose the dialect or the endpoint.   (provider.py)
"""

from collections.abc import AsyncIterator, Sequence
from typing import Protocol

from model.endpoint import Endpoint, Request
from model.replies import Completion, Message, Reply, Schema


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
    context: its window in tokens.
    notices: what a person should know of the endpoint, each once; grows while it is in use.
    """

    traces_requests = True
    """Each request has a span of its own (endpoint.py), so a round of several needs none around them."""

    def __init__(self, endpoint: Endpoint, dialect: Dialect) -> None:
        self.name = endpoint.target.name
        self.model = endpoint.target.model
        self.provider = endpoint.target.provider
        self.context = endpoint.target.context
        self.notices: Sequence[str] = endpoint.notices
        self._endpoint = endpoint
        self._dialect = dialect

    async def aclose(self) -> None:
        """Close the connections."""
        await self._endpoint.aclose()

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

    async def complete(self, asked: Completion) -> Reply:
        """Return the text that the model writes on these messages, past every dialect.

        Raises: model.errors.ModelError; ContextTooLong where they do not fit the window.
        """
        return await self._endpoint.reply(request_of(asked))

    async def models(self) -> frozenset[str]:
        """Return the names of the models that the endpoint has; empty where it has no list.

        Raises: model.errors.ModelError.
        """
        return frozenset(await self._endpoint.models() or ())


def request_of(asked: Completion) -> Request:
    """Return the request for a completion."""
    held = asked.schema and {
        "type": "json_schema",
        "json_schema": {"name": "answer", "strict": True, "schema": asked.schema},
    }
    return Request(
        asked.messages,
        response_format=held,
        max_tokens=asked.max_tokens,
        temperature=asked.temperature,
        seed=asked.seed,
    )
