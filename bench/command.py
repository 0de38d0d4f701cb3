"""How long `main.py --help` takes, against the help of a command that does nothing.

Why: a command that imports what only a chat needs makes everybody wait for its help.
"""

import subprocess
import sys
from time import perf_counter

import anyio

from bench.measure import Row, medians_ms
from common.settings import ROOT

RUNS = 9
WARM_UP = 1
MAX_RATIO = 1.5
"""What the imports of main.py itself may add."""

_HELP = [sys.executable, str(ROOT / "main.py"), "--help"]
_BARE = [sys.executable, "-c", "import click; click.command()(lambda: None)(['--help'])"]


async def _timed(command: list[str]) -> float:
    started = perf_counter()
    await anyio.run_process(command, stderr=subprocess.STDOUT, cwd=ROOT)
    return (perf_counter() - started) * 1000


async def help_rows(runs: int = RUNS) -> list[Row]:
    """Time both commands from their start to their end."""
    both = await medians_ms(lambda: _timed(_HELP), lambda: _timed(_BARE), runs=runs, warm_up=WARM_UP)
    return [Row("main.py --help", *both, MAX_RATIO, runs)]
