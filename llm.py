"""The model's endpoint, as the rest of the house sees it: messages and tools in, one reply out.

Knows:    the wire types, and which endpoint the settings name.
Does not: know what a tool means or what a reply may say.   (guards/, agent_mcp.py)
Agreed with the caller, for the constrained dialect:
  - messages[0] is a system message: the rules, one line a tool ("- name(arguments): what it does"), and,
    when a detail is missing, a last paragraph that begins with "Not yet known:";
  - tools are offered as narrowed by the evidence; no tools at all means: words only.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from common.settings import load
from model.errors import ModelError
from model.replies import ChatFn, CompleteFn, Completion, Message, Reply, Schema, ToolCall, Usage

if TYPE_CHECKING:
    from model.chat import Chat
    from model.provider import Chosen
    from model.weights import Progress

__all__ = [
    "ChatFn",
    "CompleteFn",
    "Completion",
    "Message",
    "ModelError",
    "Reply",
    "Schema",
    "ToolCall",
    "Usage",
    "chat",
    "open_model",
    "pull_model",
]


@asynccontextmanager
async def open_model(progress: "Progress | None" = None) -> "AsyncGenerator[Chat]":
    """Give a chat on the configured model, ready to be asked, and stop in the end what was started for it.

    progress: called with a label, bytes done and bytes in all while the model file is fetched.
    Raises: model.errors.ModelError, whose text is for people; common.settings.BadSettings.
    """
    # The client takes a second to import; whoever only needs the types does not wait for it.
    from model.provider import opened
    from model.settings import ModelSettings
    from model.weights import quiet

    async with opened(load(ModelSettings), progress or quiet) as chat:
        yield chat


async def pull_model(name: str, progress: "Progress | None" = None) -> None:
    """Have the configured Ollama fetch a model; `ModelMissing.name` is one that it can.

    progress: as for open_model.
    Raises: model.errors.ModelError, whose text is for people; common.settings.BadSettings.
    """
    from model.pull import pull
    from model.settings import ModelSettings
    from model.weights import quiet

    await pull(name, load(ModelSettings).ollama_base_url, progress or quiet)


class ConfiguredModel:
    """The model of the settings, opened at the first use and kept until the program ends."""

    traces_requests = True
    """As of model.chat.Chat."""

    def __init__(self) -> None:
        self._chosen: Chosen | None = None
        self._chat: Chat | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    async def __call__(self, messages: list[Message], tools: list[Schema]) -> Reply:
        """Return the model's reply."""
        opened = await self._opened()
        return await opened(messages, tools)

    async def stream(self, messages: list[Message], tools: list[Schema]) -> AsyncIterator[str | Reply]:
        """Yield the text in pieces; the last item is the Reply."""
        opened = await self._opened()
        async for item in opened.stream(messages, tools):
            yield item

    async def _opened(self) -> "Chat":
        from model.provider import choose
        from model.settings import ModelSettings

        loop = asyncio.get_running_loop()
        if self._chosen is None:
            self._chosen = await choose(load(ModelSettings))
        # Connections belong to the event loop that made them; the engine does not.
        if self._chat is None or self._loop is not loop:
            self._chat, self._loop = self._chosen.chat(), loop
        return self._chat


chat = ConfiguredModel()
