"""One task in one way: a single answer, or a whole run of the pipeline with its agents.

Knows:    that a single shot is the developer's own question without what the loop adds.
Does not: compare.   (table.py)
"""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from evals.workshop.judge import holds
from evals.workshop.replies import Asked, Kept
from evals.workshop.results import Result
from evals.workshop.tasks import Task
from llm import Completion
from workshop.agents.developer import FILE_TOKENS, WRITE
from workshop.chain import AGENTS
from workshop.code import code_of
from workshop.means import Bench, Counted
from workshop.memory import Memory
from workshop.options import Options
from workshop.orchestrator import Orchestrator
from workshop.pipeline import Pipeline
from workshop.project import Project
from workshop.records import Records
from workshop.sandbox import Sandbox


@dataclass(frozen=True)
class Player:
    """A bench, and the model as it is asked for this bench alone."""

    bench: Bench
    model: Asked
    sandbox: Sandbox


@asynccontextmanager
async def player(kept: Kept, sandbox: Sandbox, folder: Path) -> AsyncGenerator[Player]:
    """Give a player with the three agents running."""
    memory = Memory(None)
    asked = Asked(kept)
    model = Counted(asked)
    async with Orchestrator(model, memory) as orchestrator:
        for name, command in AGENTS.items():
            await orchestrator.start_agent(name, command)
        bench = Bench(orchestrator, model, memory, sandbox, folder / "projects", Records(folder / "logs"))
        yield Player(bench, asked, sandbox)


async def played(task: Task, way: str, at: Player, options: Options | None) -> Result:
    """Play one task in one way.

    Raises: ModelError when the model failed in it; WorkshopError.
    """
    at.model.failed = None
    result = await (single(task, way, at) if options is None else looped(task, way, at, options))
    if at.model.failed is not None:
        raise at.model.failed
    return result


async def single(task: Task, way: str, at: Player) -> Result:
    """Ask once, and judge what comes."""
    before = _spent(at)
    messages = [{"role": "system", "content": WRITE}, {"role": "user", "content": asked(task.sentence)}]
    reply = await at.bench.model(Completion(messages, max_tokens=FILE_TOKENS))
    files = {"solution.py": code_of(reply.content or "", "solution.py")}
    return await _judged(Result(way, task.id, attempts=1), task, files, at, before)


def asked(sentence: str) -> str:
    """Return the question of a single shot."""
    return f"Task: {sentence}\n\nWrite solution.py."


async def looped(task: Task, way: str, at: Player, options: Options) -> Result:
    """Run the whole chain, and judge what is left on disk."""
    before = _spent(at)
    account = await Pipeline(at.bench, options).run(task.sentence)
    files = Project(at.bench.projects / account.name).files() if account.name else {}
    result = Result(
        way,
        task.id,
        claim=account.outcome,
        attempts=account.attempts,
        agreeing=account.agreeing,
        compared=account.compared,
    )
    return await _judged(result, task, files, at, before)


Spent = tuple[int, int, int, float]
"""Requests, tokens of prompts and of answers, and seconds of the model."""


def _spent(at: Player) -> Spent:
    prompts, answers = at.bench.model.tokens
    return at.bench.model.requests, prompts, answers, at.model.seconds


async def _judged(result: Result, task: Task, files: dict[str, str], at: Player, before: Spent) -> Result:
    every = await holds(at.sandbox, files, task.asserts, task.imports)
    seen = every.right or (await holds(at.sandbox, files, task.asserts[:1], task.imports)).right
    spent = [now - then for now, then in zip(_spent(at), before, strict=True)]
    return replace(
        result,
        right=every.right,
        seen=seen,
        requests=int(spent[0]),
        prompt_tokens=int(spent[1]),
        answer_tokens=int(spent[2]),
        seconds=spent[3],
        problem=every.problem,
    )
