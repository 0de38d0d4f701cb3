"""A streamed chat completion, put together from its pieces.

Knows:    the ways in which endpoints number the calls of one answer: by index, by id, by neither.
Does not: send a request or judge the answer.   (endpoint.py, native.py)
Source:   Ollama has sent calls without an index, and several calls under index 0; another id is then another
          call. A piece that opens with a name after a whole call opens the next one.
"""

import json
from dataclasses import dataclass
from typing import Any

from openai.types.chat import ChatCompletionChunk

from model.replies import Reply, ToolCall, Usage


class Answer:
    """Collects a streamed answer."""

    def __init__(self) -> None:
        self._text: list[str] = []
        self._calls: list[_OpenCall] = []
        self.usage: Usage | None = None
        self.size = 0
        """Characters of text and arguments so far."""

    def take(self, chunk: ChatCompletionChunk) -> str:
        """Take one chunk; return the text in it."""
        if chunk.usage is not None:
            self.usage = Usage(chunk.usage.prompt_tokens or 0, chunk.usage.completion_tokens or 0)
        piece = "".join(self._take_delta(choice.delta) for choice in chunk.choices or [])
        if piece:
            self._text.append(piece)
            self.size += len(piece)
        return piece

    def reply(self) -> Reply:
        """Return what was collected; a reason to finish says nothing that this does not."""
        calls = tuple(
            ToolCall(call.id, call.name, call.arguments or "{}") for call in self._calls if call.name
        )
        return Reply("".join(self._text) or None, calls, self.usage)

    def _take_delta(self, delta: Any) -> str:
        calls: list[Any] = getattr(delta, "tool_calls", None) or []
        for call in calls:
            self._take_call(call)
        content = getattr(delta, "content", None)
        return content if isinstance(content, str) else ""

    def _take_call(self, delta: Any) -> None:
        # The client checks no types, and a field that was not sent is no attribute.
        function = getattr(delta, "function", None)
        piece = _Piece(
            getattr(delta, "index", None),
            getattr(delta, "id", None) or "",
            getattr(function, "name", None) or "",
            _as_text(getattr(function, "arguments", None)),
        )
        call = next((call for call in reversed(self._calls) if call.goes_on_with(piece)), None)
        if call is None:
            call = _OpenCall(piece.index, piece.id or f"call_{len(self._calls)}")
            self._calls.append(call)
        call.name = call.name or piece.name
        call.arguments += piece.arguments
        self.size += len(piece.arguments) + len(piece.name)


@dataclass(frozen=True)
class _Piece:
    index: int | None
    id: str
    name: str
    arguments: str


@dataclass
class _OpenCall:
    index: int | None
    id: str
    name: str = ""
    arguments: str = ""

    def goes_on_with(self, piece: _Piece) -> bool:
        """Tell whether the piece belongs to this call."""
        if piece.id:
            return piece.id == self.id
        if piece.index is not None and self.index is not None and piece.index != self.index:
            return False
        return not (piece.name and self.name and _is_whole(self.arguments))


def _is_whole(arguments: str) -> bool:
    try:
        json.loads(arguments)
    except ValueError:
        return False
    return True


def _as_text(arguments: Any) -> str:
    if arguments is None:
        return ""
    return arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
