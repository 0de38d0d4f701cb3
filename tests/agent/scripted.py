"""A model that says what its script says, a desk to sit it at, and what must hold of every history."""

import json
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest

from agent.settings import agent_settings
from agent_mcp import Conversation, Outcome, approve_none, run
from common.approval import Approval, ApprovalRequest
from common.events import Event, GateDecision, Token
from evals.hostile.case import calls as calls
from evals.hostile.case import says as says
from llm import Reply
from mcp_tools import Bridge, connect
from server import build_server

Step = Reply | Callable[[list[dict[str, Any]], list[dict[str, Any]]], Reply]


class Scripted:
    """Follows its script, then repeats its last step; remembers what it was shown."""

    def __init__(self, *steps: Step) -> None:
        self.steps = list(steps)
        self.messages: list[list[dict[str, Any]]] = []
        self.tools: list[list[dict[str, Any]]] = []

    async def __call__(self, messages: list[dict[str, Any]], tools: list[dict[str, Any]]) -> Reply:
        self.messages.append([dict(message) for message in messages])
        self.tools.append(tools)
        step = self.steps.pop(0) if len(self.steps) > 1 else self.steps[0]
        return step(messages, tools) if callable(step) else step

    def offered(self, round: int = 0) -> dict[str, Any]:
        """The parameters of the tools offered in a round, by name."""
        return {tool["function"]["name"]: tool["function"]["parameters"] for tool in self.tools[round]}

    def results(self, round: int = -1) -> list[dict[str, Any]]:
        """The results that the model was shown in a round, parsed."""
        return [
            json.loads(message["content"]) for message in self.messages[round] if message["role"] == "tool"
        ]


class Person:
    """Answers approvals as told, and remembers what was asked."""

    def __init__(self, *answers: bool) -> None:
        self.answers = list(answers)
        self.asked: list[ApprovalRequest] = []

    async def __call__(self, request: ApprovalRequest) -> Approval:
        self.asked.append(request)
        return Approval(request.digest, self.answers.pop(0), "test")


@dataclass
class Desk:
    """A conversation at an in-memory server, with everything that was sent to the server on record."""

    bridge: Bridge
    conversation: Conversation = field(default_factory=Conversation)
    sent: list[tuple[str, dict[str, Any]]] = field(default_factory=list[tuple[str, dict[str, Any]]])
    events: list[Event] = field(default_factory=list[Event])

    async def ask(self, question: str, model: Any, approver: Any = approve_none) -> Outcome:
        outcome = await run(
            question,
            model,
            approver,
            bridge=self.bridge,
            conversation=self.conversation,
            on_event=self.events.append,
        )
        assert_valid(self.conversation)
        return outcome

    @property
    def shown(self) -> str:
        """What the customer saw as it came, withdrawn versions included."""
        return "".join(event.text for event in self.events if isinstance(event, Token))

    def refused(self) -> list[str]:
        """The gates that stopped something, in order."""
        return [event.gate for event in self.events if isinstance(event, GateDecision) and not event.allowed]


@contextmanager
def settings(**values: object) -> Iterator[None]:
    """Let the agent's settings be these inside: `settings(calls_per_reply=2)`."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in values.items():
            patch.setenv(name.upper(), str(value))
        agent_settings.cache_clear()
        try:
            yield
        finally:
            agent_settings.cache_clear()


@asynccontextmanager
async def desk(target: Any = None) -> AsyncIterator[Desk]:
    """Sit at a server in this process: the shop's own unless another is given."""
    async with connect(target or build_server()) as bridge:
        at = Desk(bridge)
        through = bridge.call

        async def call(name: str, arguments: dict[str, Any]) -> Any:
            at.sent.append((name, arguments))
            return await through(name, arguments)

        bridge.call = call  # type: ignore[method-assign]
        yield at


def assert_valid(conversation: Conversation) -> None:
    """Every call has exactly one result, right after it, and the history ends with words to the customer."""
    waiting: list[str] = []
    for message in conversation.messages:
        if message["role"] == "tool":
            assert message["tool_call_id"] in waiting, message
            waiting.remove(message["tool_call_id"])
            continue
        assert not waiting, f"calls without a result: {waiting}"
        for call in message.get("tool_calls") or []:
            json.loads(call["function"]["arguments"])
            waiting.append(call["id"])
        assert len(waiting) == len(set(waiting))
    assert not waiting
    if conversation.messages:
        assert conversation.messages[-1]["role"] == "assistant"
        json.dumps(conversation.messages, ensure_ascii=False).encode("utf-8")
