"""Put a chat together: the model, the server, the agent, the screen.

Knows:    in which order they are opened, and which failure of theirs gets which exit code.
Does not: know what any of them does.   (llm.py, mcp_tools.py, agent_mcp.py, session.py)
"""

import os
import sys
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console

from agent.permission import hash_of
from agent.policy_file import shop_policy
from agent.settings import agent_settings
from agent_mcp import Conversation, Outcome, needs_approval, opening, run
from common.approval import Approver
from common.database import DatabaseUnusable
from common.events import Event
from common.settings import BadSettings, check, load, state_folder
from common.shop import load_shop
from common.target import HouseServer
from common.text import visible
from common.tracing import TracingSettings
from journal import JournalFailed, JournalUnusable, journal_of_turns
from llm import open_model
from mcp_tools import PREVIEW, Bridge, ConnectError, connect
from model.errors import ModelError, ModelMissing, NotConfigured
from model.settings import ModelSettings
from terminal.about_model import about_model
from terminal.fetching import Fetching, offered_pull
from terminal.files import FileProblem
from terminal.kept import Kept, who_is
from terminal.lines import Lines, PipedLines
from terminal.manner import Manner
from terminal.memory import TalkMemory, loaded_from
from terminal.open_questions import OpenQuestions
from terminal.permissions import Permissions
from terminal.prompt import PromptLines
from terminal.screen import Screen
from terminal.served import served_by
from terminal.session import Agent, Exit, Session
from terminal.settings import serve_as
from terminal.toolbox import ToolBox, ToolCard
from terminal.words import counted

UNREACHABLE = (ModelError, ConnectError, JournalFailed)

LONGEST_LINE = 160
"""Characters of what a server says of itself."""

KEPT = "shopkart/kept"
"""Key of a tool's `_meta`: the server's sentence on how long what the tool changes is kept."""


@dataclass(frozen=True)
class Wishes:
    """What the command line asks for.

    server: as `mcp_tools.connect` takes it. serve: a customer's id, or staff, for our own server.
    load: a file that /export has written.
    """

    question: str | None = None
    server: str | list[str] | HouseServer | None = None
    serve: str | None = None
    load: Path | None = None
    manner: Manner = field(default_factory=Manner)


async def talk(wishes: Wishes) -> Exit:
    """Hold the chat that the command line asks for, and return how it ended."""
    screen = Screen(Console(stderr=True), Console())
    try:
        conversation = loaded_from(wishes.load) if wishes.load else Conversation()
        return await _talk(wishes, screen, conversation)
    except (BadSettings, NotConfigured, FileProblem, DatabaseUnusable, JournalUnusable) as error:
        screen.line(str(error), "red")
        return Exit.USAGE
    except ConnectError as error:
        is_ours = wishes.server is None or isinstance(wishes.server, HouseServer)
        if is_ours and error.exit_code == Exit.USAGE:
            return Exit.USAGE  # a server of ours has said on stderr which of its settings are wrong
        screen.line(str(error), "red")
        return Exit.UNREACHABLE
    except (ModelError, JournalFailed) as error:
        screen.line(str(error), "red")
        return Exit.UNREACHABLE


async def _talk(wishes: Wishes, screen: Screen, conversation: Conversation) -> Exit:
    shop = load_shop()
    agent_settings()  # what cannot be used is told now, not with the first message
    shop_policy()
    check(TracingSettings)
    if wishes.serve:
        serve_as(wishes.serve)
    lines = _lines(screen)
    async with _agent(wishes, screen, lines, conversation) as (agent, model, signed_in):
        session = Session(agent, screen, lines, wishes.manner)
        if wishes.question:
            return await session.once(wishes.question)
        if lines.interactive:
            screen.line(" · ".join(filter(None, (f"{shop.name} support", signed_in))), "dim")
            screen.line(f"{model} · /help lists the commands · Ctrl-D leaves", "dim")
            if wishes.load:
                said = sum(message["role"] == "user" for message in conversation.messages)
                screen.line(f"Going on from {wishes.load}: {counted(said, 'message')} of yours.", "dim")
            elif screen.streams_answers and not wishes.manner.as_json:
                screen.answer(shop.say("greeting", shop.languages[0]))
                screen.end_answer()
        return await session.chat()


@asynccontextmanager
async def _agent(
    wishes: Wishes, screen: Screen, lines: Lines, conversation: Conversation
) -> AsyncGenerator[tuple[Agent, str, str], None]:
    """Open the server, which is quick to fail, then the model.

    Yields the agent, the model's name, and the server's words on whom it serves.
    """
    async with AsyncExitStack() as stack:
        async with screen.waiting_line():
            screen.wait_for("Starting the shop's server")
            bridge = await stack.enter_async_context(connect(wishes.server))
            says = await bridge.serves() or ""
        bridge.notices += shop_policy().strange_to(bridge)
        signed_in = visible(says)[:LONGEST_LINE]
        served = served_by(wishes.server, wishes.serve, bridge, says)
        journal = await stack.enter_async_context(journal_of_turns(served))
        permissions, kept = kept_permissions(conversation, bridge, who_is(served, says))
        chat = await _model(stack, screen, lines)

        async def turn(message: str, approver: Approver, on_event: Callable[[Event], None]) -> Outcome:
            return await run(
                message,
                chat,
                approver,
                bridge=bridge,
                conversation=conversation,
                on_event=on_event,
                journal=journal,
            )

        async def warm() -> None:
            await chat.warm(*opening(bridge))

        settings = load(ModelSettings)
        # An endpoint elsewhere keeps its model loaded, and is paid by the token.
        is_ours = settings.llm_provider != "openai"
        yield (
            Agent(
                turn,
                tool_box(bridge),
                TalkMemory(conversation),
                (bridge.notices, chat.notices, kept),
                UNREACHABLE,
                warm if is_ours else None,
                lambda wanted: about_model(chat.name, wanted, settings),
                OpenQuestions(bridge, conversation, journal, served.is_staff),
                permissions,
            ),
            chat.name,
            signed_in,
        )


async def _model(stack: AsyncExitStack, screen: Screen, lines: Lines) -> Any:
    """Open the model; where Ollama does not have it and a person sits there, offer to pull it first."""
    try:
        async with Fetching(screen, "Loading the model") as progress:
            return await stack.enter_async_context(open_model(progress))
    except ModelMissing as missing:
        if not await offered_pull(missing, screen, lines):
            raise
    async with Fetching(screen, "Loading the model") as progress:
        return await stack.enter_async_context(open_model(progress))


def kept_permissions(
    conversation: Conversation, bridge: Bridge, who: str
) -> tuple[Permissions, Sequence[str]]:
    """Return what is done without asking, with what this person kept; and what is to be said of that."""
    keeper = Kept(state_folder() / "permissions.json", who)
    loaded = keeper.load({tool.name: hash_of(tool) for tool in bridge.tools})
    saved = tuple(grant for grant in loaded.grants if grant.server == bridge.label)
    for grant in saved:
        conversation.grants.give(grant)
    return Permissions(conversation.grants, keeper, saved), loaded.notices


def tool_box(bridge: Bridge) -> ToolBox:
    """Return what the screen must know of the server's tools."""
    return ToolBox.of(*map(_card, bridge.tools))


def _card(tool: Any) -> ToolCard:
    meta: dict[str, Any] = tool.meta or {}
    kept = meta.get(KEPT)
    return ToolCard(
        name=tool.name,
        title=tool.title or "",
        purpose=tool.description or "",
        asks=needs_approval(tool),
        checked=meta.get(PREVIEW) is True,
        kept=kept if isinstance(kept, str) else "",
    )


def _lines(screen: Screen) -> Lines:
    if sys.stdin is None:  # closed by whoever started us; its number may be another file's by now
        return PipedLines(os.open(os.devnull, os.O_RDONLY))
    if not sys.stdin.isatty():
        return PipedLines(sys.stdin.fileno())
    return PromptLines(state_folder() / "history", lambda text: screen.line(visible(text), "yellow"))
