"""What the agent has observed when it says a reply: results of our server, or a raw record of another house.

Knows:    the sample of tau2's retail records, how to import it, and the demo shop on a fixed day.
Does not: know a reply.
Note:     the agent's own way: the structured result, the schema with its marks, the text and what is said.
"""

import json
import re
import tempfile
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from functools import cache
from pathlib import Path
from typing import Any

import mcp_tools
from agent.fallback import Seen
from agent.said import is_spoken, said_in
from common.language import LANGUAGES
from common.schema import inline
from common.settings import ROOT
from common.shop import load_shop
from evals.honesty.replies import Sources
from guards.output import Observed
from server import build_server
from serving import Caller
from store import Store, demo_store, utc_now
from store.database import store_in_memory
from store.importing import Options
from store.importing.importer import Wanted, import_files

TODAY = date(2026, 12, 2)
"""A Wednesday."""

SAMPLE = ROOT / "tests" / "data" / "order-formats" / "tau2_retail_sample.json"
STAFF = Caller("staff")
_OURS = re.compile(r"#?W(?=\d{7})")


def noon() -> datetime:
    """Return the moment at which the demo shop stands."""
    return datetime(TODAY.year, TODAY.month, TODAY.day, 12, tzinfo=UTC)


@cache
def sample() -> dict[str, dict[str, Any]]:
    """Return the records: orders, users and products by id."""
    return json.loads(SAMPLE.read_text(encoding="utf-8"))


def as_ours(text: str) -> str:
    """Return a text with order numbers as our server takes them by default: digits alone."""
    return _OURS.sub("", text)


def retail_store() -> Store:
    """Return a store into which the sample was imported."""
    store = store_in_memory(utc_now)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "retail.json"
        path.write_text(as_ours(SAMPLE.read_text(encoding="utf-8")), encoding="utf-8")
        report = import_files(Wanted([path], Options(currency="USD", shop_currency="USD")), store.engine)
    if report.is_refused:
        raise ValueError(f"the sample cannot be imported: {[str(each) for each in report.problems]}")
    return store


@dataclass
class Desk:
    """Open sessions with our server over both shops. texts: what each look-up returned, for the mutants."""

    bridges: dict[str, Any]
    results: dict[tuple[str, str, str], Any] = field(default_factory=dict[tuple[str, str, str], Any])

    async def observed(self, sources: Sources, language: str) -> tuple[Observed, list[Any]]:
        """Return what was observed, and the plain values that it was read from."""
        seen, plain = Observed(), list[Any]()
        seen.tell(load_shop().facts(), "EUR" if sources.view == "demo" else "USD")
        plain.append(load_shop().facts())
        if sources.heard:
            seen.hear(sources.heard)
            plain.append(sources.heard)
        if sources.view == "record":
            for record in _records(sources):
                seen.see(record, json.dumps(record))
                plain.append(record)
            return seen, plain
        for tool, arguments in _calls(sources):
            result = await self._result(sources.view, tool, arguments)
            schema = self._schema(sources.view, tool)
            said = said_in(result, language)
            seen.see(result.data, result.text, schema, said=said, spoken=is_spoken(result))
            plain += [result.data, result.text, said]
            if tool == "create_ticket":
                seen.act(tool, "Open a ticket")
        return seen, plain

    async def told(self, sources: Sources, language: str) -> list[Seen]:
        """Return the results as the agent keeps them for what it says without a model."""
        if sources.view == "record":
            return [Seen("look_up", True, record, json.dumps(record)) for record in _records(sources)]
        told: list[Seen] = []
        for tool, arguments in _calls(sources):
            result = await self._result(sources.view, tool, arguments)
            told.append(Seen(tool, True, result.data, said_in(result, language)))
        return told

    async def _result(self, view: str, tool: str, arguments: dict[str, Any]) -> Any:
        key = (view, tool, json.dumps(arguments))
        if key not in self.results:
            result = await self.bridges[view].call(tool, arguments)
            if result.is_error:
                raise ValueError(f"{tool} {arguments} of the {view} shop was refused: {result.text}")
            self.results[key] = result
        return self.results[key]

    def _schema(self, view: str, tool: str) -> dict[str, Any]:
        found = next(each for each in self.bridges[view].tools if each.name == tool)
        return inline(found.output_schema or {})

    async def own_sentences(self) -> list[tuple[str, str, Observed]]:
        """Return what our server says of every order of the demo: (language, text, what was seen)."""
        told: list[tuple[str, str, Observed]] = []
        ids = [order.id for order in demo_store(noon).orders(STAFF.reach, 1000)]
        for language in LANGUAGES:
            for id in ids:
                sources = Sources("demo", (id,))
                seen, _ = await self.observed(sources, language)
                result = await self._result("demo", "get_order_status", {"order_id": id})
                told.append((language, said_in(result, language), seen))
        return told


def _records(sources: Sources) -> list[dict[str, Any]]:
    kept = sample()
    return [
        *(kept["users"][id] for id in sources.users),
        *(kept["orders"][id] for id in sources.orders),
        *(kept["products"][id] for id in sources.products),
        *sources.also,
    ]


def _calls(sources: Sources) -> list[tuple[str, dict[str, Any]]]:
    calls = [("get_order_status", {"order_id": as_ours(id)}) for id in sources.orders]
    calls += [("search_policy", {"query": query}) for query in sources.policies]
    if sources.done == "create_ticket":
        ticket = {"order_id": sources.orders[0], "category": "damaged", "summary": "It came damaged."}
        calls.append(("create_ticket", ticket))
    return calls


@asynccontextmanager
async def desk() -> AsyncGenerator[Desk]:
    """Open both shops."""
    retail, demo = retail_store(), demo_store(noon)
    async with (
        mcp_tools.connect(build_server(retail, STAFF)) as over_retail,
        mcp_tools.connect(build_server(demo, STAFF, noon)) as over_demo,
    ):
        yield Desk({"retail": over_retail, "demo": over_demo})
