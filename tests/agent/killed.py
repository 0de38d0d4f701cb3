"""Chats in processes of their own, killed -9 while they ask, after a yes, or after the call.

Knows:    how far a chat goes before it waits to be killed, and how to have many redeem one yes at once.
Does not: import pytest; what runs in a child is here.
"""

import multiprocessing
import time
from pathlib import Path
from typing import Any, Literal

import anyio

from common.approval import Approval, ApprovalRequest
from common.database import open_engine
from journal import Trail
from journal.approvals import ApprovalsInSql
from tests.agent.left import MIRA, REFUND, WANTED, Chat, Till, chat
from tests.agent.scripted import Scripted, calls, says
from tests.journal.writers import KEY

ANSWERED_WITHIN_S = 60
"""A bound for a machine that is busy, not a promise."""

Moment = Literal["asking", "used", "called"]

_context = multiprocessing.get_context("forkserver")
_context.set_forkserver_preload(["tests.agent.killed", "psycopg", "sqlalchemy.dialects.postgresql.psycopg"])


class OnDisk(list[tuple[str, float]]):
    """What a server has done, also in a file: whoever is killed leaves it."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self._file = file

    def append(self, done: tuple[str, float], /) -> None:
        super().append(done)
        with self._file.open("a") as file:
            file.write(f"{done}\n")


def killed_at(moment: Moment, url: str, done: Path) -> str:
    """Hold a chat that asks for a refund, kill it then, and return the digest of what it asked."""
    reader, writer = _context.Pipe(duplex=False)
    process = _context.Process(target=_hold, args=(moment, url, done, writer), daemon=True)
    process.start()
    writer.close()
    assert reader.poll(ANSWERED_WITHIN_S), "the chat did not come so far"
    digest: str = reader.recv()
    process.kill()
    process.join()
    reader.close()
    return digest


def _hold(moment: Moment, url: str, done: Path, tell: Any) -> None:
    anyio.run(_held, moment, url, done, tell)


async def _held(moment: Moment, url: str, done: Path, tell: Any) -> None:
    async with chat(Till(OnDisk(done)), url) as one:

        async def answers(request: ApprovalRequest) -> Approval:
            if moment == "asking":
                await _wait_for_death(tell, request.digest)
            return Approval(request.digest, True, "test")

        _wait_at_the_call(one, moment, tell)
        await one.ask(WANTED, Scripted(calls(("refund", REFUND)), says("Done.")), answers)


def _wait_at_the_call(one: Chat, moment: Moment, tell: Any) -> None:
    through = one.bridge.call

    async def call(name: str, arguments: dict[str, Any]) -> Any:
        if moment == "used":
            await _wait_for_death(tell, one.shown()[0].digest)
        result = await through(name, arguments)
        await _wait_for_death(tell, one.shown()[0].digest)
        return result

    one.bridge.call = call  # type: ignore[method-assign]


async def _wait_for_death(tell: Any, digest: str) -> None:
    tell.send(digest)
    await anyio.sleep_forever()


def redeemed_at_once(url: str, digest: str, processes: int) -> list[bool]:
    """Have so many processes use one yes at the same moment; return what each was told."""
    barrier = _context.Barrier(processes)
    pipes = [_context.Pipe(duplex=False) for _ in range(processes)]
    for _, answer in pipes:
        _context.Process(target=_redeem, args=(url, digest, barrier, answer), daemon=True).start()
        answer.close()
    told: list[bool] = []
    for reader, _ in pipes:
        assert reader.poll(ANSWERED_WITHIN_S), "a process did not answer"
        told.append(reader.recv())
        reader.close()
    return told


def _redeem(url: str, digest: str, barrier: Any, answer: Any) -> None:
    engine = open_engine(url)
    approvals = ApprovalsInSql(Trail(engine, KEY), MIRA)
    barrier.wait(ANSWERED_WITHIN_S)
    answer.send(anyio.run(approvals.redeem, digest, time.time()))
    engine.dispose()
