"""Serve one registry in this process and print what that took, as one JSON object.

Run: python -m bench.contracts_probe REGISTRY   (bench/contracts.py does, a fresh process for each size)
The SDK is imported before the clock starts: every server pays for that.
"""

import json
import resource
import statistics
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

import anyio
from mcp import Client

from bench.contracts_synthetic import files_of_task, name_of
from contracts.credentials import Principal
from contracts.engine import Engine
from contracts.env_credentials import EnvCredentials
from contracts.live import Live
from contracts.pinning import install
from contracts.profiles import Profile
from contracts.registry import Registry
from contracts.surface import Options, contract_server

QUERIES = ("refund invoice", "list hidden brands", "coupon", "change the status of a parcel", "shop review")
ROUNDS = 60


def probe(registry: Path) -> dict[str, float]:
    """Return milliseconds, megabytes and characters."""
    before_mb = _peak_mb()
    started = perf_counter()
    profiles = {"default": Profile(exposure="catalog", tasks="all")}
    live = Live(Registry(registry), profiles)
    me = Principal("bench")
    server = contract_server(live, Engine({}, EnvCredentials(me)), lambda: me, Options())
    prompt = anyio.run(_prompt, server)
    ready_ms = (perf_counter() - started) * 1000
    index_ms = _timed(lambda: live.view("default", "bench").index)
    index = live.view("default", "bench").index
    searches = [_timed(lambda query=query: index.search(query)) for query in QUERIES * ROUNDS]
    return {
        "ready_ms": ready_ms,
        "index_ms": index_ms,
        "search_ms": statistics.median(searches),
        "reload_ms": _reload(live, registry),
        "memory_mb": _peak_mb() - before_mb,
        "prompt_chars": prompt,
        "entries": len(index.search("", size=100_000).hits),
    }


async def _prompt(server: object) -> int:
    """Return the characters of all that a model reads before the first message: instructions and tools."""
    async with Client(server) as client:  # pyright: ignore[reportArgumentType]
        tools = (await client.list_tools()).tools
        said = [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in tools]
        return len(client.instructions or "") + len(json.dumps(said, ensure_ascii=False))


def _reload(live: Live, registry: Path) -> float:
    """Return how long it takes to serve a task that was changed, its words to be found included."""
    times: list[float] = []
    for changed in (True, False, True):
        install(registry, name_of(0), files_of_task(0, changed=changed), replace=True, by="bench")
        started = perf_counter()
        if not live.refresh():
            raise RuntimeError("the changed task was not noticed")
        live.view("default", "bench").index.search("keeps")
        times.append((perf_counter() - started) * 1000)
    return statistics.median(times)


def _timed(action: Callable[[], object]) -> float:
    started = perf_counter()
    action()
    return (perf_counter() - started) * 1000


def _peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    print(json.dumps(probe(Path(sys.argv[1]))))
