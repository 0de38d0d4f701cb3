"""Agents that say what a test tells them to: in place of processes, so that a run is the same every time."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from llm import Completion, Reply, Usage
from workshop.events import Event
from workshop.means import Bench, Counted
from workshop.memory import Memory
from workshop.messages import AgentResponse, FileWritten
from workshop.options import Options
from workshop.pipeline import Pipeline
from workshop.records import Records
from workshop.sandbox import Sandbox, find

SENTENCE = "Write a function double(n) that returns twice n. double(2) == 4"
RIGHT = "def double(n):\n    return 2 * n\n"
WRONG = "def double(n):\n    return n\n"
OTHERWISE = "def double(n):\n    return n * n\n"
"""Right for the one example, and for nothing else but 0."""


@dataclass
class StandIn:
    """Answers each request with the next thing listed for it; an exception is raised.

    builds, fixes: the files of each answer. asked: every request, as (agent, its type, its fields).
    """

    builds: list[Any] = field(default_factory=list)
    fixes: list[Any] = field(default_factory=list)
    specs: list[Any] = field(default_factory=list)
    tests: list[Any] = field(default_factory=list)
    asked: list[tuple[str, str, dict[str, Any]]] = field(default_factory=list)

    async def ask(self, agent: str, kind: type, seconds: float, *, on_part: Any = None, **fields: Any):
        name = kind.model_fields["type"].default
        self.asked.append((agent, name, fields))
        if name == "test_request" and not self.tests:
            from workshop.example_tests import written_tests

            return _response(tests=written_tests(fields["spec"].examples))
        listed = {
            "build_request": self.builds,
            "fix_request": self.fixes,
            "spec_request": self.specs,
            "test_request": self.tests,
        }[name]
        answer: Any = listed.pop(0) if listed else {}
        if isinstance(answer, Exception):
            raise answer
        if name == "spec_request":
            return _response(text=answer)
        if name == "test_request":
            return _response(tests=answer)
        for path, content in answer.items():
            if isinstance(content, Exception):
                raise content
            await on_part(FileWritten(id="1", path=path, content=content))
        return _response()

    def kinds(self) -> list[str]:
        return [kind for _, kind, _ in self.asked]


def _response(text: str = "", tests: Mapping[str, str] | None = None) -> AgentResponse:
    return AgentResponse(id="1", text=text, tests=dict(tests or {}))


async def _no_model(asked: Completion) -> Reply:
    return Reply("", usage=Usage(0, 0))


SANDBOX = find()


@dataclass
class Stage:
    """A pipeline with stand-ins. events: what happened in the last run."""

    folder: Path
    agents: StandIn
    sandbox: Sandbox | None = SANDBOX
    memory: Memory = field(default_factory=lambda: Memory(None))
    events: list[Event] = field(default_factory=list)

    def pipeline(self, **options: Any) -> Pipeline:
        self.events.clear()
        bench = Bench(
            self.agents,  # type: ignore[arg-type]
            Counted(_no_model),
            self.memory,
            self.sandbox,
            self.folder / "projects",
            Records(self.folder / "logs"),
        )
        chosen: dict[str, Any] = {"anew": 0, "opinions": 0} | options
        return Pipeline(bench, Options(**chosen), self._heard)

    async def _heard(self, event: Event) -> None:
        self.events.append(event)

    def of(self, kind: type) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]
