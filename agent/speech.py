"""From the model's stream to checked sentences.

Knows:    when a piece of text is complete, and that a failing piece is never shown.
Does not: know what makes it fail.   (guards/output.py)
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Protocol, cast, runtime_checkable

from agent.limits import MOST_HEARD
from agent.settings import agent_settings
from guards.sentences import sentences
from llm import ChatFn, Reply

Check = Callable[[str], list[str]]
Show = Callable[[str], Awaitable[None]]
Messages = list[dict[str, Any]]


@runtime_checkable
class Streaming(Protocol):
    """A chat function whose text can come in pieces; the last item is the whole Reply."""

    def stream(self, messages: Messages, tools: Messages) -> AsyncIterator[str | Reply]:
        """Yield the text in pieces, then the Reply."""
        ...


async def pieces(chat_fn: ChatFn, messages: Messages, tools: Messages) -> AsyncIterator[str | Reply]:
    """Yield the model's text as it comes, then its Reply."""
    if isinstance(chat_fn, Streaming):
        async for piece in chat_fn.stream(messages, tools):
            yield piece
        return
    yield await chat_fn(messages, tools)


async def listen(
    source: AsyncIterator[str | Reply], check: Check, show: Show
) -> tuple[Reply, list[str], bool]:
    """Return the reply, what in it nothing supports, and whether any of it was shown.

    A sentence is shown once it is complete and has passed; after one that failed nothing more is shown.
    """
    heard = _Heard(check, show)
    reply = Reply(None)
    async for piece in source:
        if isinstance(piece, Reply):
            reply = piece
        elif isinstance(cast(object, piece), str):  # anything else a model function sends says nothing
            await heard.take(piece)
            if heard.length > MOST_HEARD:
                break
    if not reply.tool_calls:
        await heard.finish(cast(object, reply.content))
    return reply, heard.problems, heard.shown


class _Heard:
    def __init__(self, check: Check, show: Show) -> None:
        self._check = check
        self._show = show
        self._text = ""
        self._rest = ""
        self._most = agent_settings().reply_chars
        self.length = 0
        self.problems: list[str] = []
        self.shown = False

    async def take(self, piece: str) -> None:
        self.length += len(piece)
        if self.length > self._most or self.problems:
            return  # what is left is heard, for its token count, and neither kept nor shown
        self._text += piece
        complete, self._rest = sentences(self._rest + piece, self._rest)
        for sentence in complete:
            await self._judge(sentence)

    async def finish(self, content: object) -> None:
        """Take the whole reply; it may differ from what was streamed, and then it is what counts."""
        text = content if isinstance(content, str) else ""
        if self.length > MOST_HEARD:
            self.problems = [f"a reply of more than {MOST_HEARD} characters"]
        elif (longest := max(self.length, len(text))) > self._most:
            self.problems = [f"a reply of {longest} characters"]
        elif not text.strip():
            self.problems = ["an empty reply"]
        elif text.startswith(self._text):
            await self.take(text[len(self._text) :])
            if self._rest.strip() and not self.problems:
                await self._judge(self._rest)
        else:
            self.problems = ["a reply that is not the text that was streamed"]

    async def _judge(self, sentence: str) -> None:
        if self.problems:
            return
        self.problems = self._check(sentence)
        if not self.problems:
            self.shown = True
            await self._show(sentence)
