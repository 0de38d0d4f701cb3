"""Put a chat together: the model, the server, the agent, the screen.

Knows:    in which order they are opened, and which failure of theirs gets which exit code.
Does not: know what any of them does.   (llm.py, mcp_tools.py, agent_mcp.py, session.py)
"""

import os
import sys
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from agent_mcp import Conversation, Outcome, needs_approval, run
from common.approval import Approver
from common.events import Event
from common.settings import BadSettings
from llm import open_model
from mcp_tools import Bridge, ConnectError, connect
from model.errors import ModelError
from terminal.download import Download
from terminal.lines import Lines, PipedLines
from terminal.prompt import PromptLines
from terminal.screen import Screen
from terminal.session import Agent, Exit, Session
from terminal.turn import ToolBox

UNREACHABLE = (ModelError, ConnectError)


@dataclass(frozen=True)
class Wishes:
    """What the command line asks for; server as `mcp_tools.connect` takes it."""

    question: str | None = None
    server: str | list[str] | None = None
    verbose: bool = False


async def talk(wishes: Wishes) -> Exit:
    """Hold the chat that the command line asks for, and return how it ended."""
    screen = Screen(Console(stderr=True), sys.stdout)
    try:
        async with _agent(wishes, screen) as (agent, model):
            lines = _lines(screen)
            session = Session(agent, screen, lines, verbose=wishes.verbose)
            if wishes.question:
                return await session.once(wishes.question)
            if lines.interactive:
                screen.line(f"ShopKart support · {model} · /help lists the commands · Ctrl-D leaves", "dim")
            return await session.chat()
    except BadSettings as error:
        screen.line(str(error), "red")
        return Exit.USAGE
    except UNREACHABLE as error:
        screen.line(str(error), "red")
        return Exit.UNREACHABLE


@asynccontextmanager
async def _agent(wishes: Wishes, screen: Screen) -> AsyncGenerator[tuple[Agent, str], None]:
    """Open the server, which is quick to fail, then the model; yield the agent and the model's name."""
    download = Download(screen.console)
    async with connect(wishes.server) as bridge, open_model(download) as chat:
        download.close()
        conversation = Conversation()

        async def turn(message: str, approver: Approver, on_event: Callable[[Event], None]) -> Outcome:
            return await run(
                message, chat, approver, bridge=bridge, conversation=conversation, on_event=on_event
            )

        yield Agent(turn, tool_box(bridge), bridge.notices, UNREACHABLE), chat.name


def tool_box(bridge: Bridge) -> ToolBox:
    """Return what the screen must know of the server's tools."""
    return ToolBox(
        titles={tool.name: tool.title for tool in bridge.tools if tool.title},
        reading=frozenset(tool.name for tool in bridge.tools if not needs_approval(tool)),
    )


def _lines(screen: Screen) -> Lines:
    if sys.stdin is None:  # closed by whoever started us; its number may be another file's by now
        return PipedLines(os.open(os.devnull, os.O_RDONLY))
    if not sys.stdin.isatty():
        return PipedLines(sys.stdin.fileno())
    return PromptLines(
        Path.home() / ".local" / "state" / "shopkart" / "history", lambda text: screen.line(text, "yellow")
    )
