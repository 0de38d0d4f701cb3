"""One OpenAI-compatible endpoint: a request out, text pieces and one reply back.

Knows:    time limits, retries, how streamed calls are put together, which failure gets which sentence.
Does not: know a dialect, repair a call, or choose the endpoint.   (native.py, constrained.py, provider.py)
Retries:  connection errors, 429 and 5xx, at most twice, and only before the first piece has come.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any, cast

import anyio
import httpx2
import openai
from openai.types.chat import ChatCompletionChunk
from openai.types.chat.chat_completion_chunk import ChoiceDelta, ChoiceDeltaToolCall

from model import errors
from model.replies import Message, Reply, Schema, ToolCall, Usage

# A cold Ollama holds the request open while it loads the model; 300 s is what large files need.
LIMITS = httpx2.Timeout(connect=5, read=300, write=30, pool=5)
PAUSES_S = (0.5, 2.0)
LOOPBACK = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True)
class Target:
    """An endpoint and the model on it.

    name: how a person calls it, as in "qwen2.5:7b on Ollama".
    remedy: the command or setting that helps when it does not answer.
    slots: the server keeps prompts apart by `id_slot` (llama.cpp).
    """

    name: str
    base_url: str
    model: str
    api_key: str = field(default="none", repr=False)
    remedy: str = ""
    context: int = 4096
    slots: bool = False


@dataclass(frozen=True)
class Request:
    """One chat completion to ask for; slot keeps prompts with different beginnings apart."""

    messages: list[Message]
    tools: list[Schema] = field(default_factory=list[Schema])
    response_format: Schema | None = None
    max_tokens: int = 1024
    temperature: float = 0.0
    slot: int | None = None


class Endpoint:
    """The client of one target."""

    def __init__(
        self,
        target: Target,
        transport: httpx2.AsyncBaseTransport | None = None,
        pause: Callable[[float], Awaitable[None]] = anyio.sleep,
    ) -> None:
        self.target = target
        self._pause = pause
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
            page = await self._client.models.list(timeout=5)
        except openai.NotFoundError:
            return None
        except openai.OpenAIError as error:
            raise sentence(error, self.target) from error
        return {model.id for model in page.data or []}

    async def stream(self, request: Request) -> AsyncIterator[str | Reply]:
        """Yield the text as it comes, then one Reply with the whole of it.

        Raises: ModelError.
        """
        chunks = await self._opened(request)
        answer = _Answer()
        try:
            async with chunks:
                async for chunk in chunks:
                    if piece := answer.take(chunk):
                        yield piece
        except (openai.OpenAIError, httpx2.HTTPError, ValueError) as error:
            raise sentence(error, self.target) from error
        yield answer.reply()

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
        body = _body(request, self.target)
        for pause_s in (*PAUSES_S, None):
            try:
                return await create(**body)
            except openai.OpenAIError as error:
                if pause_s is None or not _worth_a_retry(error):
                    raise sentence(error, self.target) from error
                await self._pause(pause_s)
        raise AssertionError("the last attempt returns or raises")


def _body(request: Request, target: Target) -> dict[str, Any]:
    body: dict[str, Any] = {
        "model": target.model,
        "messages": request.messages,
        "temperature": request.temperature,
        "max_tokens": request.max_tokens,
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    if request.tools:
        body["tools"] = request.tools
    if request.response_format is not None:
        body["response_format"] = request.response_format
    if target.slots and request.slot is not None:
        body["extra_body"] = {"id_slot": request.slot, "cache_prompt": True}
    return body


def _worth_a_retry(error: openai.OpenAIError) -> bool:
    if isinstance(error, openai.APITimeoutError):
        return False
    if isinstance(error, openai.APIStatusError):
        return error.status_code == 429 or error.status_code >= 500
    return isinstance(error, openai.APIConnectionError)


class _Answer:
    """Collects a streamed answer."""

    def __init__(self) -> None:
        self._text: list[str] = []
        self._calls: list[_OpenCall] = []
        self._usage: Usage | None = None

    def take(self, chunk: ChatCompletionChunk) -> str:
        """Take one chunk; return the text in it."""
        if chunk.usage is not None:
            self._usage = Usage(chunk.usage.prompt_tokens, chunk.usage.completion_tokens)
        piece = ""
        for choice in chunk.choices or []:
            piece += self._take_delta(choice.delta)
        if piece:
            self._text.append(piece)
        return piece

    def _take_delta(self, delta: ChoiceDelta) -> str:
        for call in delta.tool_calls or []:
            self._open_call(call).take(call)
        return delta.content or ""

    def _open_call(self, delta: ChoiceDeltaToolCall) -> "_OpenCall":
        # Ollama has sent several calls under index 0: another id there is another call.
        for call in reversed(self._calls):
            same_place = call.index == delta.index
            if same_place and delta.id in (None, "", call.id):
                return call
            if same_place:
                break
        self._calls.append(_OpenCall(delta.index, delta.id or f"call_{len(self._calls)}"))
        return self._calls[-1]

    def reply(self) -> Reply:
        """Return what was collected."""
        calls = tuple(
            ToolCall(call.id, call.name, call.arguments or "{}") for call in self._calls if call.name
        )
        return Reply("".join(self._text) or None, calls, self._usage)


@dataclass
class _OpenCall:
    index: int | None
    id: str
    name: str = ""
    arguments: str = ""

    def take(self, delta: ChoiceDeltaToolCall) -> None:
        if delta.function is not None:
            self.name = self.name or delta.function.name or ""
            self.arguments += delta.function.arguments or ""


def sentence(error: Exception, target: Target) -> errors.ModelError:
    """Return the error that says what happened, where, and what to do; nothing of the endpoint's text."""
    where = f"{target.name} ({target.base_url})"
    remedy = f" {target.remedy}" if target.remedy else ""
    if isinstance(error, (openai.APITimeoutError, httpx2.TimeoutException)):
        return errors.TimedOut(
            f"{where} gave no answer within the time limit. Ask again; a model that is being loaded "
            "answers when it is there."
        )
    if isinstance(error, openai.APIStatusError):
        return _status_sentence(error, target, where, remedy)
    if isinstance(error, (openai.APIConnectionError, httpx2.TransportError)):
        return errors.NotReachable(f"{where} cannot be reached, or broke the connection.{remedy}")
    if isinstance(error, openai.APIError) and _says_context(error):
        return _context_sentence(target, where)
    return errors.BrokenAnswer(
        f"{where} answered with something that is no chat completion. Check the address: it must be "
        f"the OpenAI-compatible one, which usually ends in /v1."
    )


def _status_sentence(
    error: openai.APIStatusError, target: Target, where: str, remedy: str
) -> errors.ModelError:
    status = error.status_code
    if _says_context(error):
        return _context_sentence(target, where)
    if status == 404:
        return errors.ModelMissing(
            f"{where} answered 404: it does not have the model {target.model!r}, or the address is wrong."
            f"{remedy}"
        )
    if status in (401, 403):
        return errors.Refused(f"{where} answered {status}: it does not accept the key.{remedy}")
    if status == 429 or status >= 500:
        return errors.Overloaded(
            f"{where} answered {status}, and it is too busy or has a fault. Ask again in a moment.{remedy}"
        )
    return errors.Refused(
        f"{where} refused the request with status {status}. It may not know a part of it: "
        "set LLM_TOOL_MODE to native or constrained."
    )


def _says_context(error: openai.APIError) -> bool:
    words = f"{error.code} {error.type} {error.message}".lower()
    return any(sign in words for sign in ("exceed_context", "context_length", "no user query found"))


def _context_sentence(target: Target, where: str) -> errors.ModelError:
    return errors.ContextTooLong(
        f"The conversation does not fit the window of {where}, which LLM_CONTEXT gives as "
        f"{target.context} tokens. Start a new conversation, or raise LLM_CONTEXT together with the "
        "endpoint's own setting (OLLAMA_CONTEXT_LENGTH for Ollama)."
    )
