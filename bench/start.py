"""How long a server takes from its start until its tools are listed, ours against the bare one.

Does not: count the stop, which is the client waiting for a process to end.
"""

from time import perf_counter

from bench.calls import MAX_RATIO, bare_over_stdio
from bench.measure import Row, medians_ms
from mcp_tools import connect

RUNS = 9
WARM_UP = 1
"""The first start of each compiles and fills the file cache."""


async def _ours() -> float:
    started = perf_counter()
    async with connect() as bridge:
        ready = perf_counter()
        if not bridge.tools:
            raise RuntimeError("server.py listed no tool. Start it by hand: python server.py")
    return (ready - started) * 1000


async def _bare() -> float:
    started = perf_counter()
    async with bare_over_stdio() as client:
        await client.list_tools()
        ready = perf_counter()
    return (ready - started) * 1000


async def start_rows(runs: int = RUNS) -> list[Row]:
    """Time both servers from start to a listed tool."""
    both = await medians_ms(_ours, _bare, runs=runs, warm_up=WARM_UP)
    return [Row("start to ready, stdio", *both, MAX_RATIO, runs)]
