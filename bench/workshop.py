"""What a turn with an agent costs, the agent's work included, and that it does not grow with the dialogue.

Does not: ask a model. The agent is the echo, which answers at once.
Counted:  reading the newest lines, the request, the wires, the echo, the answer, remembering both lines.
"""

import sys
import tempfile
from pathlib import Path

from bench.measure import Row, median_ms, timed
from llm import Completion, Reply
from workshop.memory import Memory
from workshop.orchestrator import Orchestrator

TURNS = (10, 1_000, 10_000)
AIM_MS = 1.0
RUNS = 300
WARM_UP = 20
WINDOW_CHARS = 6_000
"""The dialogue that a window of 4,096 tokens has room for (workshop.options)."""

_SAID = "How many of the blue mugs are left, and when do the next ones come?"
_COMMAND = [sys.executable, "-m", "workshop.agents.echo"]


async def _no_model(asked: Completion) -> Reply:
    raise RuntimeError("The echo asked the model. Is workshop/agents/echo.py still an echo?")


async def workshop_rows(runs: int = RUNS) -> list[Row]:
    """Time a turn with the echo at dialogues of different lengths, each in a file of its own."""
    return [await _row(turns, runs) for turns in TURNS]


async def _row(turns: int, runs: int) -> Row:
    with tempfile.TemporaryDirectory() as folder:
        memory = Memory(Path(folder) / "memory.db")
        memory.append_all([("user", _SAID), ("assistant", f"1: {_SAID}")] * turns)
        try:
            return await _timed(memory, turns, runs)
        finally:
            memory.close()


async def _timed(memory: Memory, turns: int, runs: int) -> Row:
    async with Orchestrator(_no_model, memory) as orchestrator:
        await orchestrator.start_agent("echo", _COMMAND)

        async def turn() -> None:
            await orchestrator.say("echo", _SAID, 5, chars=WINDOW_CHARS)

        took = await median_ms(timed(turn), runs=runs, warm_up=WARM_UP)
    return Row(f"workshop: an echo after {turns:,} turns", took, None, AIM_MS, runs)
