"""An upstream in memory that remembers what reached it, and an engine that speaks to it."""

from collections.abc import Callable, Mapping
from typing import Any

import httpx2
from pydantic import SecretStr

from contracts.catalog import Catalog
from contracts.credentials import Credential, Principal
from contracts.engine import Bounds, Engine
from contracts.sending import Clock
from contracts.stages import Stage
from contracts.task import Offered, Task
from contracts.upstreams import Auth, Limits, Upstream
from tests.contracts.generated import task_of

SECRET = "s3cret-of-the-merchant"
BASE = "https://shop.example/admin/v2"
NORA, SAM = Principal("nora"), Principal("sam")

Handler = Callable[[httpx2.Request], httpx2.Response]


class Secrets:
    """One secret a principal; a renewed one where `renews` says so."""

    def __init__(self, *, renews: bool = False) -> None:
        self.renews = renews
        self.renewed = False

    async def resolve(self, principal: Principal, upstream: Upstream) -> Credential | None:
        mark = "-renewed" if self.renewed else ""
        return Credential("Authorization", SecretStr(f"Bearer {SECRET}-{principal.name}{mark}"))

    async def refused(self, principal: Principal, upstream: Upstream, credential: Credential) -> bool:
        self.renewed = self.renews
        return self.renews


class Shop:
    """The upstream. time: seconds, which sleeping passes."""

    def __init__(
        self,
        handler: Handler | None = None,
        *,
        limits: Limits | None = None,
        secrets: Secrets | None = None,
        bounds: Bounds | None = None,
    ) -> None:
        self.handler = handler or (lambda _: httpx2.Response(200, json={}))
        self.asked: list[httpx2.Request] = []
        self.slept: list[float] = []
        self.stages: list[Stage] = []
        self.time = 0.0
        scopes = ("a.read", "a.read_write")
        row = Upstream(
            name="shop",
            base_url=BASE,
            auth=Auth(kind="bearer", token="SHOP_TOKEN"),
            scopes=scopes,
            limits=limits or Limits(),
        )
        self.engine = Engine(
            {"shop": row},
            secrets or Secrets(),
            client=httpx2.AsyncClient(transport=httpx2.MockTransport(self._handle)),
            bounds=bounds,
            clock=Clock(now=lambda: self.time, sleep=self._sleep),
        )

    def _handle(self, request: httpx2.Request) -> httpx2.Response:
        self.asked.append(request)
        return self.handler(request)

    async def _sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.time += seconds

    async def hear(self, stage: Stage) -> None:
        self.stages.append(stage)

    async def call(
        self,
        what: Offered | Task,
        arguments: Mapping[str, Any] | None = None,
        principal: Principal = NORA,
        name: str = "",
    ) -> Any:
        task = what if isinstance(what, Task) else None
        catalog = Catalog((task,)) if task else _only(what)  # type: ignore[arg-type]
        wanted = name or next(iter(catalog.functions))
        return await self.engine.call(catalog, wanted, arguments or {}, principal, self.hear)

    @property
    def told(self) -> list[str]:
        """Return the stages by name."""
        return [stage.name for stage in self.stages]


def _only(offered: Offered) -> Catalog:
    task = task_of([function({})])
    return Catalog((Task(task.file, (offered,)),))


def function(more: Mapping[str, Any], name: str = "look") -> dict[str, Any]:
    """Return a function that looks something up, with what is given instead."""
    return {
        "name": name,
        "summary": "Look it up.",
        "when": "It is wanted.",
        "when_not": "It is not wanted.",
        "effect": "read",
        "method": "GET",
        "path": "/things",
        "response": {
            "fields": {
                "type": "object",
                "properties": {"id": {"type": "integer"}, "name": {"type": "string"}},
            }
        },
    } | dict(more)


def task(*said: Mapping[str, Any]) -> Task:
    """Return a task of functions that differ from looking something up."""
    return task_of([function(each, str(each.get("name", f"look{at or ''}"))) for at, each in enumerate(said)])


WRITE = {"effect": "write", "method": "POST", "approval": "Do it"}
