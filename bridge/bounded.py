"""What a server sends, read up to a limit: one line of its stdout, one body or one event of its HTTP answer.

Knows:    bytes.
Does not: know what they mean, or whose call they answer.   (connection.py)
Why:      the SDK reads a line, or a JSON body, until it ends, whatever its length.
Source:   mcp 2.3; its client reads the pipe of a process as this module's `BoundedLines` is read.
"""

from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any, cast

import anyio
import httpx2


class AnswerTooLarge(ConnectionError):
    """A server sends more in one message than is read."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"it sends more than {limit} bytes in one message (RESULT_BYTES)")


class BoundedLines:
    """The output of a process, in whose lines are at most so many bytes; then it counts as broken.

    on_excess: called once, before the reader is told.
    """

    def __init__(self, stream: Any, limit: int, on_excess: Callable[[], None]) -> None:
        self._stream = stream
        self._limit = limit
        self._on_excess = on_excess
        self._open_line = 0
        self._broken = False

    async def receive(self, max_bytes: int = 65_536) -> bytes:
        """Return the next bytes.  Raises: anyio.BrokenResourceError after a line that is too long."""
        if self._broken:
            raise anyio.BrokenResourceError
        data: bytes = await self._stream.receive(max_bytes)
        self._open_line = _after(data, self._open_line, b"\n")
        if self._open_line > self._limit:
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

    on_excess: as of BoundedLines. Raises: httpx2.StreamError, which the SDK takes for the end of this answer.
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
        size = 0
        async for data in self._stream:
            size = _after(data, size, b"\n\n", b"\r\n\r\n") if self._is_events else size + len(data)
            if size > self._limit or self._is_packed:
                self._on_excess()
                raise httpx2.StreamError("the answer is too large")
            yield data

    async def aclose(self) -> None:
        """Close it."""
        await self._stream.aclose()


def _after(data: bytes, size: int, *ends: bytes) -> int:
    """Return how many bytes stand after the newest end, where so many stood before the data."""
    newest = max(data.rfind(end) + len(end) if end in data else 0 for end in ends)
    return len(data) - newest if newest else size + len(data)
