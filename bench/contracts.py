"""What tools as data cost, with the figures of the systems that had them before beside ours.

Knows:    the work, the reference's figure for it, and the aim.
Does not: serve or generate (contracts_probe.py, contracts_synthetic.py).
Note:     the reference's figures are its author's, on other machines. What is compared in one run are the
          sizes, and the engine with the same request by httpx2 alone.
"""

import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import anyio
import httpx2
from pydantic import SecretStr

from bench.contracts_synthetic import write_tasks
from bench.measure import aligned, medians_ms, timed
from common.settings import ROOT
from contracts.credentials import Credential, Principal
from contracts.demo.api import Grant, Surroundings
from contracts.demo.running import demo_shop
from contracts.engine import Engine
from contracts.pinning import build
from contracts.registry import Registry
from contracts.upstreams import Upstream
from contracts.upstreams_file import load_upstreams

SIZES = (1, 100, 1_000)
RUNS = 300
CHARS_A_TOKEN = 4
"""An estimate, the same that the reference's budget is counted by."""


@dataclass(frozen=True)
class Line:
    """One work. aim: what ours must not exceed."""

    work: str
    reference: str
    ours: float
    aim: float
    unit: str = "ms"

    @property
    def cells(self) -> tuple[str, ...]:
        """Return what the table shows of it."""
        verdict = "ok" if self.ours <= self.aim else "missed"
        return (
            self.work,
            self.reference,
            f"{self.ours:.2f} {self.unit}".strip(),
            f"<= {self.aim:g} {self.unit}".strip(),
            verdict,
        )


def contracts_tables(runs: int = RUNS) -> str:
    """Measure everything; return the two tables. Not within an event loop: it runs one of its own."""
    found = {size: _probe(size) for size in SIZES}
    uncached, cached_ms = anyio.run(_reads, runs)
    small, large = found[1], found[100]
    tokens = large["prompt_chars"] / CHARS_A_TOKEN
    grown = (large["prompt_chars"] - small["prompt_chars"]) / CHARS_A_TOKEN
    lines = [
        Line("server ready, 100 tasks, SDK imported", "~ 7 s", large["ready_ms"], 1_000),
        Line("reload after one task changed", "300 ms", large["reload_ms"], 30),
        Line(f"search over {large['entries']:.0f} entries", "~ 3 ms", large["search_ms"], 0.3),
        Line("fixed prompt, 100 tasks", "2,050 tokens", tokens, 1_500, "tokens"),
        Line("fixed prompt, growth from 1 task", "250 tokens", grown, 0, "tokens"),
        Line("uncached read, over bare httpx2", "761 ms", uncached, 1.5, "times"),
        Line("cached read in the engine", "1.8 ms", cached_ms, 0.2),
    ]
    return f"{_figures(lines)}\n\n{_growth(found)}"


def _figures(lines: list[Line]) -> str:
    return aligned([("", "reference", "ours", "aim", ""), *(line.cells for line in lines)])


def _growth(found: dict[int, dict[str, float]]) -> str:
    """Return how each figure grows with the tasks."""
    names = {
        "ready_ms": "server ready, ms",
        "index_ms": "index made, ms",
        "reload_ms": "reload, ms",
        "search_ms": "search, ms",
        "memory_mb": "memory, MB",
        "prompt_chars": "fixed prompt, characters",
        "entries": "entries that are found",
    }
    rows = [
        (told, *(f"{found[size][name]:,.2f}".removesuffix(".00") for size in SIZES))
        for name, told in names.items()
    ]
    return aligned([("", *(f"{size:,} tasks" if size > 1 else "1 task" for size in SIZES)), *rows])


def _probe(size: int) -> dict[str, float]:
    with tempfile.TemporaryDirectory(prefix="shopkart-contracts-") as folder:
        tasks, registry = Path(folder) / "tasks", Path(folder) / "registry"
        write_tasks(tasks, size)
        build(tasks, registry)
        done = subprocess.run(
            [sys.executable, "-m", "bench.contracts_probe", str(registry)],
            cwd=ROOT,
            capture_output=True,
            check=False,
            text=True,
        )
        if done.returncode:
            raise RuntimeError(f"the probe of {size} tasks failed: {done.stderr[-2_000:]}")
        return json.loads(done.stdout)


class _Token:
    """The demo shop's own token."""

    def __init__(self, token: str) -> None:
        self._token = token

    async def resolve(self, principal: Principal, upstream: Upstream) -> Credential:
        return Credential("Authorization", SecretStr(f"Bearer {self._token}"))

    async def refused(self, principal: Principal, upstream: Upstream, credential: Credential) -> bool:
        return False


async def _reads(runs: int) -> tuple[float, float]:
    """Return the ratio of an uncached read to bare httpx2, and the milliseconds of a cached one."""
    catalog = Registry(ROOT / "registry").load().catalog
    me = Principal("bench")
    with demo_shop(grants={"bench": Grant()}, surroundings=Surroundings(per_minute=10**9)) as (url, token):
        table = {
            name: row.model_copy(update={"base_url": url})
            for name, row in load_upstreams(ROOT / "upstreams.yaml").items()
        }
        async with Engine(table, _Token(token)) as engine, httpx2.AsyncClient() as client:
            headers = {"authorization": f"Bearer {token}"}

            def ours() -> Awaitable[object]:
                return engine.call(catalog, "orders_list", {}, me)

            async def bare() -> object:
                return (await client.get(f"{url}/orders", headers=headers)).json()

            one, other = await medians_ms(timed(ours), timed(bare), runs=runs, warm_up=20)
            return one / other, await _cached_ms(lambda: engine.call(catalog, "categories_list", {}, me))


async def _cached_ms(read: Callable[[], Awaitable[object]]) -> float:
    await read()
    times: list[float] = []
    for _ in range(1_000):
        started = perf_counter()
        await read()
        times.append((perf_counter() - started) * 1000)
    return statistics.median(times)
