"""The model's replies, kept: the same request is asked once, so ways that share a step share its answer.

Knows:    that a request is its messages, schema, limit, temperature and seed, to one model.
Does not: know what is asked.
Why:      the ways are compared on the same first answers, and a run that was stopped goes on where it was.
"""

import hashlib
import json
import sqlite3
import time
from dataclasses import asdict
from pathlib import Path

from llm import CompleteFn, Completion, ModelError, Reply, Usage


class Kept:
    """A model whose replies are kept in a file. fresh: how many were asked for now."""

    def __init__(self, complete: CompleteFn, model: str, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._complete = complete
        self._model = model
        self._kept = sqlite3.connect(path, isolation_level=None)
        self._kept.execute(
            "create table if not exists replies "
            "(request text primary key, content text, prompt integer, answer integer, seconds real)"
        )
        self.fresh = 0

    async def reply(self, asked: Completion) -> tuple[Reply, float]:
        """Return the reply that is kept, or ask for it; beside it the seconds that it took then.

        Raises: ModelError.
        """
        key = hashlib.sha256(json.dumps([self._model, asdict(asked)], sort_keys=True).encode()).hexdigest()
        row = self._kept.execute(
            "select content, prompt, answer, seconds from replies where request = ?", (key,)
        ).fetchone()
        if row is not None:
            return Reply(row[0], usage=Usage(row[1], row[2])), row[3]
        began = time.monotonic()
        reply = await self._complete(asked)
        usage = reply.usage or Usage(0, 0)
        took = time.monotonic() - began
        values = (key, reply.content or "", usage.prompt_tokens, usage.completion_tokens, took)
        self._kept.execute("insert or replace into replies values (?, ?, ?, ?, ?)", values)
        self.fresh += 1
        return reply, took

    def close(self) -> None:
        """Close the file."""
        self._kept.close()


class Asked:
    """A model as one player asks it.

    seconds: what the replies so far took. failed: what it last raised; that task says nothing of the way.
    """

    def __init__(self, kept: Kept) -> None:
        self._kept = kept
        self.seconds = 0.0
        self.failed: ModelError | None = None

    async def __call__(self, asked: Completion) -> Reply:
        """Ask it."""
        try:
            reply, took = await self._kept.reply(asked)
        except ModelError as error:
            self.failed = error
            raise
        self.seconds += took
        return reply
