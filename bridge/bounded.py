"""What a server sends, read up to a limit: one line of its stdout, one body or one event of its HTTP answer.

Knows:    bytes.
Does not: know what they mean, or whose call they answer.   (connection.py)
Why:      the SDK reads a line, or a JSON body, until it ends, whatever its length.
Source:   mcp 2.3; its client reads the pipe of a process as this module's `BoundedLines` is read.
"""

import re
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any, cast

import anyio
import httpx2

_LINE_END = re.compile(rb"\n")
_EVENT_END = re.compile(rb"\r\n\r\n|\n\n|\r\r")
_NO_END = re.compile(rb"(?!)")
_LONGEST_END = 4
"""Bytes; an end may be cut in its middle."""


class AnswerTooLarge(ConnectionError):
    """A server sends more in one message than is read."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"it sends more than {limit} bytes in one message (RESULT_BYTES)")


class _Meter:
    """Measures the parts of a stream between ends, however it is cut into pieces."""

    def __init__(self, end: re.Pattern[bytes]) -> None:
        self._end = end
        self._open = 0
        self._tail = b""

    def largest(self, data: bytes) -> int:
        """Take a piece; return the size of the largest part that it belongs to, as far as that is known."""
        first, *more = self._end.split(self._tail + data)
        size = self._open - len(self._tail) + len(first)
        largest = max(size, *map(len, more), 0)
        self._open = len(more[-1]) if more else size
        self._tail = (more[-1] if more else first)[1 - _LONGEST_END :]
        return largest


class BoundedLines:
    """The output of a process, in whose lines are at most so many bytes; then it counts as broken.

    on_excess: called once, before the reader is told.
    """

    def __init__(self, stream: Any, limit: int, on_excess: Callable[[], None]) -> None:
        self._stream = stream
        self._limit = limit
        self._on_excess = on_excess
        self._meter = _Meter(_LINE_END)
        self._broken = False

    async def receive(self, max_bytes: int = 65_536) -> bytes:
        """Return the next bytes.  Raises: anyio.BrokenResourceError from a line that is too long on."""
        if self._broken:
            raise anyio.BrokenResourceError
        data: bytes = await self._stream.receive(max_bytes)
        if self._meter.largest(data) > self._limit:
            self._broken = True
            self._on_excess()
            raise anyio.BrokenResourceError
        return data

    async def aclose(self) -> None:
        """Close it."""
        await self._stream.aclose()

    @property
    def extra_attributes(self) -> Mapping[Any, Callable[[], Any]]:
        """What the stream knows of itself."""
        return self._stream.extra_attributes

    def __aiter__(self) -> "BoundedLines":
        return self

    async def __anext__(self) -> bytes:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None


class BoundedBody(httpx2.AsyncByteStream):
    """The body of an answer, or each event of a stream of events, up to so many bytes.

    on_excess: as of BoundedLines.
    Raises: httpx2.StreamError, of events httpx2.SSEError: what the SDK takes for the end of this answer.
    """

    def __init__(self, response: httpx2.Response, limit: int, on_excess: Callable[[], None]) -> None:
        self._stream = cast(httpx2.AsyncByteStream, response.stream)  # an asynchronous client's is one
        self._limit = limit
        self._on_excess = on_excess
        kind = response.headers.get("content-type", "").lower()
        self._is_events = kind.startswith("text/event-stream")
        # None was asked for, and packed bytes may unfold to any size.
        self._is_packed = response.headers.get("content-encoding", "identity").lower() != "identity"

    async def __aiter__(self) -> AsyncIterator[bytes]:
        meter = _Meter(_EVENT_END if self._is_events else _NO_END)
        async for data in self._stream:
            if meter.largest(data) > self._limit or self._is_packed:
                self._on_excess()
                raise (httpx2.SSEError if self._is_events else httpx2.StreamError)("it is too large")
            yield data

    async def aclose(self) -> None:
        """Close it."""
        await self._stream.aclose()
