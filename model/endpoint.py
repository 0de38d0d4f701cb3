"""One OpenAI-compatible endpoint: a request out, text pieces and one reply back.

Knows:    time limits, retries, how long a model that is being loaded is waited for.
Does not: know a dialect, repair a call, or choose the endpoint.   (native.py, constrained.py, provider.py)
Retries:  connection errors, 429 and 5xx, at most twice, and only before the first piece has come; a model
          that is being loaded counts as none of these.
"""

from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

import anyio
import httpx2
import openai
from openai.types.chat import ChatCompletionChunk
from opentelemetry.trace import SpanKind

from common import tracing
from model import errors, failures, wire
from model.replies import Message, Reply, Schema, Usage, note_reply
from model.streamed import Answer
from model.target import Target
from model.tokens import of_messages, of_tools
from model.truncation import Watch, notice

__all__ = ["LIMITS", "LOADING_LIMIT_S", "LOOPBACK", "Endpoint", "Request", "Target"]

# A cold Ollama holds the request open while it loads the model; 300 s is what large files need.
LIMITS = httpx2.Timeout(connect=5, read=300, write=30, pool=5)
PAUSES_S = (0.5, 2.0)
LOADING_PAUSE_S = 2.0
LOADING_LIMIT_S = 300.0
LONGEST_ANSWER = 200_000
"""Characters of one answer, calls with it; at most a thousand or so tokens are asked for."""
T = TypeVar("T")
LOOPBACK = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True)
class Request:
    """One chat completion to ask for; slot keeps prompts with different beginnings apart."""

    messages: list[Message]
    tools: list[Schema] = field(default_factory=list[Schema])
    response_format: Schema | None = None
    max_tokens: int = 1024
    temperature: float = 0.0
    slot: int | None = None
    seed: int | None = None


class Endpoint:
    """The client of one target.

    notices: what a person should know of the endpoint, each once; grows while it is in use.
    """

    def __init__(
        self,
        target: Target,
        transport: httpx2.AsyncBaseTransport | None = None,
        pause: Callable[[float], Awaitable[None]] = anyio.sleep,
    ) -> None:
        self.target = target
        self.notices: list[str] = []
        self._pause = pause
        self._empty_content = False
        self._watch = Watch()
        host = httpx2.URL(target.base_url).host
        # A proxy of the environment must not see, or break, what stays on this machine.
        http = httpx2.AsyncClient(timeout=LIMITS, transport=transport, trust_env=host not in LOOPBACK)
        self._client = openai.AsyncOpenAI(
            base_url=target.base_url, api_key=target.api_key, max_retries=0, http_client=http
        )

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.close()

    async def models(self) -> set[str] | None:
        """Return the ids of the models that the endpoint lists; None where it has no list."""
        try:
            page = await self._patiently(lambda: self._client.models.list(timeout=5), retries=0)
        except errors.ModelError as error:
            if isinstance(error.__cause__, openai.NotFoundError):
                return None
            raise
        return {model.id for model in page.data or []}

    async def stream(self, request: Request) -> AsyncIterator[str | Reply]:
        """Yield the text as it comes, then one Reply with the whole of it.

        Raises: ModelError.
        """
        answer = Answer()
        span = self._span(request)  # never the current one: what runs between two pieces is not part of it
        try:
            async with aclosing(self._pieces(request, answer)) as pieces:
                async for piece in pieces:
                    yield piece
            note_reply(span, answer.reply())
        except BaseException as error:  # a cancel too ends the span
            span.fail(error)
            raise
        finally:
            span.end()
        self._look_for_a_cut(request, answer.usage)
        yield answer.reply()

    async def _pieces(self, request: Request, answer: Answer) -> AsyncGenerator[str]:
        chunks = await self._opened(request)
        try:
            async with chunks:
                async for chunk in chunks:
                    if piece := answer.take(chunk):
                        yield piece
                    if answer.size > LONGEST_ANSWER:
                        raise failures.endless(self.target, LONGEST_ANSWER)
        except (openai.OpenAIError, httpx2.HTTPError, ValueError) as error:
            raise failures.sentence(error, self.target) from error

    def _span(self, request: Request) -> tracing.Traced:
        """Begin the span of a request, its retries with it."""
        attributes = tracing.chat_attributes(self.target.provider, self.target.model) | {
            tracing.REQUEST_MAX_TOKENS: request.max_tokens,
            tracing.REQUEST_TEMPERATURE: request.temperature,
        }
        span = tracing.begun(f"chat {self.target.model}", SpanKind.CLIENT, attributes)
        span.show(tracing.INPUT_MESSAGES, lambda: tracing.messages_told(request.messages))
        return span

    async def reply(self, request: Request) -> Reply:
        """Return the whole reply."""
        async with aclosing(cast(Any, self.stream(request))) as items:
            last = Reply(None)
            async for item in items:
                if isinstance(item, Reply):
                    last = item
        return last

    async def _opened(self, request: Request) -> openai.AsyncStream[ChatCompletionChunk]:
        create = cast(
            Callable[..., Awaitable[openai.AsyncStream[ChatCompletionChunk]]],
            self._client.chat.completions.create,
        )
        return await self._patiently(lambda: create(**self._body(request)), retries=len(PAUSES_S))

    async def _patiently(self, ask: Callable[[], Awaitable[T]], *, retries: int) -> T:
        """Return what the endpoint answers, asked again where that may help.

        Raises: ModelError.
        """
        pauses, waited_s = list(PAUSES_S[:retries]), 0.0
        while True:
            try:
                return await ask()
            except openai.OpenAIError as error:
                if failures.is_loading(error) and waited_s < LOADING_LIMIT_S:
                    pause_s = LOADING_PAUSE_S
                    waited_s += pause_s
                elif failures.wants_content(error) and not self._empty_content:
                    self._empty_content, pause_s = True, 0.0
                elif pauses and failures.worth_a_retry(error):
                    pause_s = pauses.pop(0)
                else:
                    raise failures.sentence(error, self.target) from error
            await self._pause(pause_s)

    def _body(self, request: Request) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": self.target.model,
            "messages": [wire.sendable(m, empty_content=self._empty_content) for m in request.messages],
            "temperature": request.temperature,
            "max_tokens": request.max_tokens,
            "stream": True,
            "stream_options": {"include_usage": True},
        }
        # Tools and a format in one request do not work on Ollama.
        if request.tools and request.response_format is None:
            body["tools"] = request.tools
        if request.response_format is not None:
            body["response_format"] = request.response_format
        if request.seed is not None:
            body["seed"] = request.seed
        if self.target.slots and request.slot is not None:
            body["extra_body"] = {"id_slot": request.slot, "cache_prompt": True}
        return body

    def _look_for_a_cut(self, request: Request, usage: Usage | None) -> None:
        # llama.cpp's own server, which is the one with slots, refuses what is too long.
        if self.notices or usage is None or self.target.slots:
            return
        estimated = of_messages(request.messages) + of_tools(request.tools)
        beginning = (request.messages[:2], bool(request.tools))
        if self._watch.is_cut(beginning, estimated, usage, self.target.context):
            self.notices.append(notice(estimated, usage, self.target))
