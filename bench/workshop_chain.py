"""The whole chain with a model that answers at once: two files, one of them mended once.

Knows:    the sentence, what the scripted model says, and what must come of it.
Does not: measure the model: what is left is the agents, the sandbox, pytest, git and the memory.
Reference: 1.3 to 1.6 s for the same work, its author's system on a machine with two cores.
"""

import tempfile
from pathlib import Path
from time import perf_counter

from bench.measure import Row, median_ms
from llm import Completion, Reply, Usage
from workshop.options import Options
from workshop.sandbox import find
from workshop.settings import WorkshopSettings
from workshop.workshop import opened

RUNS = 5
WARM_UP = 1
AIM_MS = 1_600.0

SENTENCE = (
    "Write a program with prices.py, which has total(prices), and main.py, which prints the total of its "
    "arguments. total([1, 2]) == 3, python main.py 1 2 prints 3"
)
SPEC = (
    '{"title": "Till", "description": "Adds prices.", "requirements": ["adds prices"], "modules": [], '
    '"tech_stack": ["Python"], "files": [{"path": "prices.py", "description": "total(prices)"}, '
    '{"path": "main.py", "description": "prints the total"}], "examples": []}'
)
MAIN = "import sys\nfrom prices import total\n\nprint(total([int(word) for word in sys.argv[1:]]))\n"


class Scripted:
    """A model that knows the one program, and gets it wrong at first."""

    @property
    def name(self) -> str:
        """Return what it is."""
        return "a script"

    @property
    def context(self) -> int:
        """Return a window that holds all of it."""
        return 4_096

    async def complete(self, asked: Completion) -> Reply:
        """Answer by what is asked for."""
        question = str(asked.messages[-1]["content"])
        if asked.schema is not None:
            text = SPEC
        elif "Write the corrected" in question:
            text = "def total(prices):\n    return sum(prices)\n"
        else:
            text = (
                MAIN
                if question.rstrip().endswith("prints the total")
                else "def total(prices):\n    return 0\n"
            )
        return Reply(f"```python\n{text}```" if asked.schema is None else text, usage=Usage(1, 1))

    async def models(self) -> frozenset[str]:
        """Have no list."""
        return frozenset()


async def _nobody(line: str) -> None:
    """Let an agent's stderr go."""


async def chain_rows(runs: int = RUNS) -> list[Row]:
    """Time a run from the sentence to the account, the agents started before."""
    with tempfile.TemporaryDirectory() as folder:
        settings = WorkshopSettings(workshop_folder=Path(folder))
        options = Options(anew=0, opinions=0)
        async with opened(settings, Scripted(), find(), on_stderr=_nobody, options=options) as workshop:

            async def once() -> float:
                started = perf_counter()
                account = await workshop.run_pipeline(SENTENCE)
                if account.outcome != "done" or account.attempts != 2:
                    raise RuntimeError(f"The scripted chain ended otherwise: {account}")
                return (perf_counter() - started) * 1000

            took = await median_ms(once, runs=runs, warm_up=WARM_UP)
    return [Row("workshop: two files, one fix, no model", took, None, AIM_MS, runs)]
