"""What a run works with: agents, a model that counts, memory, a sandbox, folders.

Does not: use any of it.   (pipeline.py)
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from llm import CompleteFn, Completion, Reply
from workshop.memory import Memory
from workshop.orchestrator import Orchestrator
from workshop.records import Records
from workshop.sandbox import Sandbox

ANSWER_CHARS = 200_000
"""More of an answer is not handed on: no request here asks for a tenth of it."""


class Counted:
    """A model that counts what it is asked."""

    def __init__(self, complete: CompleteFn) -> None:
        self._complete = complete
        self.requests = 0
        self.tokens = (0, 0)

    async def __call__(self, asked: Completion) -> Reply:
        """Ask the model."""
        reply = await self._complete(asked)
        if reply.content is not None:
            reply = replace(reply, content=_sound(reply.content))
        self.requests += 1
        if reply.usage:
            asked_for, answered = self.tokens
            self.tokens = (asked_for + reply.usage.prompt_tokens, answered + reply.usage.completion_tokens)
        return reply


class Meter:
    """What a run takes, read in parts that add up."""

    def __init__(self, model: Counted, now: Callable[[], float] = time.monotonic) -> None:
        self._model = model
        self._now = now
        self._last = (now(), model.requests, model.tokens)

    def read(self) -> tuple[float, int, tuple[int, int]]:
        """Return the seconds, requests and tokens since it was read last."""
        (began, requests, (asked, answered)) = self._last
        self._last = (now, made, tokens) = (self._now(), self._model.requests, self._model.tokens)
        return now - began, made - requests, (tokens[0] - asked, tokens[1] - answered)


@dataclass(frozen=True)
class Bench:
    """What a run works with. projects: the folder that holds a folder for each project.

    sandbox: None has programs written and nothing run, so that nothing is tested.
    """

    orchestrator: Orchestrator
    model: Counted
    memory: Memory
    sandbox: Sandbox | None
    projects: Path
    records: Records


def _sound(text: str) -> str:
    """Return an answer as a message can hold it: not too long, and without halves of surrogate pairs."""
    return text[:ANSWER_CHARS].encode("utf-8", "replace").decode("utf-8")
