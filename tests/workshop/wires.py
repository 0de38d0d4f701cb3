"""Agents as short programs that say what a test wants on the wire, right or wrong."""

import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import anyio

from llm import Completion, Reply, Usage
from workshop.memory import Memory
from workshop.messages import AgentResponse, UserInput
from workshop.orchestrator import Orchestrator

PRELUDE = """
import json, os, sys, time
def requests():
    for line in sys.stdin.buffer:
        message = json.loads(line)
        if message["type"] == "shutdown":
            return
        if message["type"] not in ("model_reply", "model_failed"):
            yield message
def raw(data):
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()
def say(type, **fields):
    raw(json.dumps({"type": type, **fields}).encode() + b"\\n")
def answer(message, text=None):
    say("agent_response", id=message["id"], text=message["text"] if text is None else text)
"""

ECHO = [sys.executable, "-m", "workshop.agents.echo"]


def program(body: str) -> list[str]:
    """Return the command of an agent with this body; the prelude is there for it."""
    return [sys.executable, "-S", "-c", PRELUDE + body]


def kitted(body: str) -> list[str]:
    """Return the command of an agent that stands on the kit."""
    return [sys.executable, "-c", f"from workshop.agents.kit import ModelSilent, serve\n{body}"]


async def no_model(asked: Completion) -> Reply:
    raise AssertionError("the model was asked")


@dataclass
class Told:
    """Collects what is told beside the protocol."""

    lines: list[str] = field(default_factory=list)
    more: anyio.Event = field(default_factory=anyio.Event)

    async def __call__(self, line: str) -> None:
        self.lines.append(line)
        self.more.set()
        self.more = anyio.Event()

    async def until(self, part: str) -> str:
        while True:
            for line in self.lines:
                if part in line:
                    return line
            await self.more.wait()

    def __contains__(self, part: str) -> bool:
        return any(part in line for line in self.lines)


def orchestrator(
    told: Told | None = None, complete: Callable[[Completion], Awaitable[Reply]] = no_model
) -> Orchestrator:
    return Orchestrator(complete, Memory(None), on_stderr=told or Told())


async def ask(core: Orchestrator, text: str, seconds: float = 8, **more: Any) -> AgentResponse:
    return await core.ask("a", UserInput, seconds, text=text, **more)


def reply(text: str) -> Reply:
    return Reply(text, usage=Usage(1, 1))
