"""One task in one way: a single answer, or a whole run of the pipeline with its agents.

Knows:    that a single shot is the developer's own question without what the loop adds.
Does not: compare.   (table.py)
"""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

from evals.workshop.judge import holds
from evals.workshop.results import Result
from evals.workshop.tasks import Task
from llm import CompleteFn, Completion
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
from workshop.sandbox import Sandbox, find


@asynccontextmanager
async def bench(complete: CompleteFn, sandbox: Sandbox, folder: Path) -> AsyncGenerator[Bench]:
    """Give a bench with the three agents running."""
    memory = Memory(None)
    model = Counted(complete)
    async with Orchestrator(model, memory) as orchestrator:
        for name, command in AGENTS.items():
            await orchestrator.start_agent(name, command)
        yield Bench(orchestrator, model, memory, sandbox, folder / "projects", Records(folder / "logs"))


async def single(task: Task, way: str, at: Bench) -> Result:
    """Ask once, and judge what comes."""
    before = _spent(at)
    messages = [{"role": "system", "content": WRITE}, {"role": "user", "content": asked(task.sentence)}]
    reply = await at.model(Completion(messages, max_tokens=FILE_TOKENS))
    files = {"solution.py": code_of(reply.content or "", "solution.py")}
    return await _judged(Result(way, task.id, attempts=1), task, files, at, before)


def asked(sentence: str) -> str:
    """Return the question of a single shot."""
    return f"Task: {sentence}\n\nWrite solution.py."


async def looped(task: Task, way: str, at: Bench, options: Options) -> Result:
    """Run the whole chain, and judge what is left on disk."""
    before = _spent(at)
    account = await Pipeline(at, options).run(task.sentence)
    files = Project(at.projects / account.name).files() if account.name else {}
    played = Result(
        way,
        task.id,
        claim=account.outcome,
        attempts=account.attempts,
        agreeing=account.agreeing,
        compared=account.compared,
    )
    return await _judged(played, task, files, at, before)


Spent = tuple[int, int, int]
"""Requests, and tokens of prompts and of answers."""


def _spent(at: Bench) -> Spent:
    prompts, answers = at.model.tokens
    return at.model.requests, prompts, answers


async def _judged(played: Result, task: Task, files: dict[str, str], at: Bench, before: Spent) -> Result:
    sandbox = at.sandbox or find()
    every = await holds(sandbox, files, task.asserts, task.imports)
    seen = every.right or (await holds(sandbox, files, task.asserts[:1], task.imports)).right
    requests, prompts, answers = (now - then for now, then in zip(_spent(at), before, strict=True))
    return replace(
        played,
        right=every.right,
        seen=seen,
        requests=requests,
        prompt_tokens=prompts,
        answer_tokens=answers,
        problem=every.problem,
    )
