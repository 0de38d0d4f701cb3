"""A chat completions endpoint without a network: what it was asked, and answers in order."""

import json
from collections.abc import AsyncIterator
from typing import Any

import anyio
import httpx2

from model.endpoint import Endpoint, Request, Target
from model.replies import Message, Reply

SAY_HELLO: list[Message] = [{"role": "user", "content": "hello"}]
TARGET = Target("test-model on Test", "http://test.invalid/v1", "test-model", remedy="Run `start it`.")
EMBEDDED = Target("small (embedded)", "http://test.invalid/v1", "small", slots=True)


def text(*pieces: str) -> httpx2.Response:
    return streamed(*[{"content": piece} for piece in pieces])


def calls(*deltas: dict[str, Any]) -> httpx2.Response:
    return streamed(*[{"tool_calls": [delta]} for delta in deltas])


def call(name: str, arguments: str, *, id: str | None = "c1", index: int | None = 0) -> dict[str, Any]:
    return {"id": id, "index": index, "type": "function", "function": {"name": name, "arguments": arguments}}


def streamed(*deltas: dict[str, Any], read: int = 7, finish_reason: str | None = None) -> httpx2.Response:
    """Answer with the deltas; read: the prompt's tokens as the endpoint counted them."""
    chunks: list[dict[str, Any]] = [{"choices": [{"index": 0, "delta": delta}]} for delta in deltas]
    if chunks:
        chunks[-1]["choices"][0]["finish_reason"] = finish_reason
    usage = {"prompt_tokens": read, "completion_tokens": 3, "total_tokens": read + 3}
    chunks.append({"choices": [], "usage": usage})
    base = {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "test-model"}
    lines = [f"data: {json.dumps({**base, **chunk})}\n\n" for chunk in chunks]
    return httpx2.Response(
        200, headers={"content-type": "text/event-stream"}, text="".join([*lines, "data: [DONE]\n\n"])
    )


def failure(status: int, code: str = "", message: str = "no") -> httpx2.Response:
    return httpx2.Response(status, json={"error": {"message": message, "code": code, "type": code}})


class StandIn:
    """Answers with what it was given, the last one again and again; asked: the bodies it received."""

    def __init__(self, *answers: httpx2.Response | Exception, target: Target = TARGET) -> None:
        self._answers = list(answers)
        self.asked: list[dict[str, Any]] = []
        self.pauses: list[float] = []
        self.endpoint = Endpoint(target, httpx2.MockTransport(self._answer), self._pause)

    async def _pause(self, seconds: float) -> None:
        self.pauses.append(seconds)

    def _answer(self, request: httpx2.Request) -> httpx2.Response:
        self.asked.append(json.loads(request.content or b"{}"))
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        if isinstance(answer, Exception):
            raise answer
        return httpx2.Response(answer.status_code, headers=answer.headers, content=answer.content)


async def collected(items: AsyncIterator[str | Reply]) -> list[str | Reply]:
    with anyio.fail_after(5):
        return [item async for item in items]


async def asked(stand_in: StandIn, messages: list[Message] = SAY_HELLO) -> Reply:
    with anyio.fail_after(5):
        return await stand_in.endpoint.reply(Request(messages))
