"""One function on a demo shop of its own: a read is run, a change is previewed.

Knows:    how the engine is put on the demo, and what of a call is told.
Does not: read files or print.   (contracts/commands/call.py)
Rule:     no upstream but the demo is asked, and the demo is gone afterwards. A function of another upstream
          fails as one that has no credential.
"""

import secrets
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

import httpx2
from pydantic import SecretStr

from contracts.catalog import Catalog
from contracts.credentials import Principal
from contracts.demo.api import BASE, Grant, demo_app
from contracts.demo.standing_in import DEMO_UPSTREAM, DemoCredentials, NoCredentials, on_demo
from contracts.engine import Engine
from contracts.failures import CallFailed
from contracts.task import Offered, Task
from contracts.telling import ENGLISH
from contracts.telling import told as sentences_of
from contracts.upstreams import Table

_OWN = Principal("demo")


async def called(
    tasks: Mapping[str, Task], table: Table, name: str, arguments: Mapping[str, Any]
) -> dict[str, Any]:
    """Return what came of a call, as JSON values: `ok`, and the result, the preview, or the failure."""
    catalog = Catalog(tuple(tasks.values()), approved=False)
    offered = catalog.functions.get(name)
    said: dict[str, Any] = {"name": name, "arguments": dict(arguments), "upstream": "demo shop"}
    try:
        if offered is None:
            raise _unknown(name, catalog)
        if offered.upstream != DEMO_UPSTREAM:
            raise _elsewhere(offered)
        async with _engine(table) as engine:
            return said | {"ok": True} | await _done(engine, catalog, offered, arguments)
    except CallFailed as failure:
        return said | {"ok": False, "failure": _failure(failure)}


def _engine(table: Table) -> Engine:
    """Return an engine whose only upstream is a demo shop in this process; no port is opened for it."""
    token = secrets.token_urlsafe(24)
    client = httpx2.AsyncClient(transport=httpx2.ASGITransport(demo_app({token: Grant()})), trust_env=False)
    row = on_demo(table, f"http://127.0.0.1{BASE}")[DEMO_UPSTREAM]
    credentials = DemoCredentials(NoCredentials(), _OWN, SecretStr(f"Bearer {token}"))
    return Engine({DEMO_UPSTREAM: row}, credentials, client=client)


async def _done(
    engine: Engine, catalog: Catalog, offered: Offered, arguments: Mapping[str, Any]
) -> dict[str, Any]:
    effect = offered.contract.effect
    if effect != "read":
        preview = await engine.preview(catalog, offered.name, arguments, _OWN)
        request = f"{offered.contract.method} /{preview.line.partition('/')[2]}"
        return {"effect": effect, "made": False, "preview": preview.sentence, "request": request}
    result = await engine.call(catalog, offered.name, arguments, _OWN)
    return {
        "effect": effect,
        "data": result.data,
        "count": result.count,
        "clipped": result.clipped,
        "told": sentences_of(offered, result)[ENGLISH],
    }


def _unknown(name: str, catalog: Catalog) -> CallFailed:
    near = get_close_matches(name, catalog.functions, n=5) or sorted(catalog.functions)[:10]
    return CallFailed(
        "unknown_function", f"There is no function {name!r}.", f"Did you mean: {', '.join(near) or 'none'}?"
    )


def _elsewhere(offered: Offered) -> CallFailed:
    return CallFailed(
        "no_demo",
        f"{offered.name} is of the upstream {offered.upstream}, which the demo shop does not stand in for.",
        f"Only functions of the upstream {DEMO_UPSTREAM} can be called here.",
    )


def _failure(failure: CallFailed) -> dict[str, Any]:
    return {
        "code": failure.code,
        "message": failure.message,
        "next": failure.next,
        "status": failure.status,
        "fields": failure.fields,
    }
