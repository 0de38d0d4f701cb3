"""The words of these tests: contracts, an upstream that answers from a table, and a server on both.

Knows:    two small tasks, pets and stock; the server over memory and over HTTP in this process.
Does not: open a port, or read the tasks that are shipped.
"""

from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult, TextContent
from pydantic import SecretStr

from contracts.catalog import Catalog
from contracts.credentials import Credential, Principal
from contracts.engine import Engine
from contracts.live import Live
from contracts.problems import Problem
from contracts.profiles import Profile
from contracts.reading import read_task
from contracts.surface import ContractServer, Options, contract_server
from contracts.task import Task
from contracts.upstreams import Upstream
from serving.http import http_app
from serving.listening import place_of
from serving.tokens import Tokens

HERE = "http://127.0.0.1:8000"
BOUND_S = 5
SHOP = Principal("shop")
ERAS = ("auto", "legacy")

TABLE = {
    "shop": Upstream(
        name="shop",
        base_url="https://shop.example/v1",
        scopes=("pets.read_write", "stock.read_write", "birds.read_write"),
    )
}

_HEAD = "name: {name}\ntitle: The {name}\nsummary: All about the {name}.\nupstream: shop\n"

_FUNCTIONS = """
functions:
  - name: list
    summary: List the {name}.
    when: The user asks which {name} there are.
    when_not: For one of them, use {name}_get.
    effect: read
    method: GET
    path: /{name}
    params:
      type: object
      properties:
        page: {{type: integer, minimum: 1, maximum: 100, description: The page of the list}}
    request: {{query: {{page: page}}}}
    response:
      data: data
      fields:
        type: array
        items:
          type: object
          properties:
            id: {{type: integer, x-grounding: {name}_id}}
            name: {{type: string}}
      pagination: {{kind: page, argument: page, more: pages, kept: pages}}
      told:
        some: {{en: "There are {{count}} {name}: {{items}}.", ar: "العدد {{count}}: {{items}}."}}
        each: {{en: "{{name}} (number {{id}})", ar: "{{name}}"}}
        none: {{en: "There are no {name}.", ar: "لا شيء."}}
  - name: get
    summary: Look up one of the {name}.
    when: The user names one of the {name} by its number.
    when_not: For several, use {name}_list.
    effect: read
    method: GET
    path: /{name}/{{id}}
    params:
      type: object
      properties:
        id: {{type: integer, minimum: 1, maximum: 99999, description: Its number, x-grounding: {name}_id}}
      required: [id]
    response:
      data: data
      fields:
        type: object
        properties:
          id: {{type: integer, x-grounding: {name}_id}}
          name: {{type: string}}
      told: {{one: "Number {{id}} is {{name}}."}}
    cache: {{ttl_s: 60}}
    failures:
      404: {{say: "There is none of that number.", next: "Ask the user for another number."}}
  - name: add
    summary: Add one to the {name}.
    when: The user asks to add one to the {name}.
    when_not: To look something up, use {name}_list.
    effect: write
    scopes: ["{name}.read_write"]
    method: POST
    path: /{name}
    params:
      type: object
      properties:
        name: {{type: string, minLength: 1, maxLength: 50, description: What it is called}}
      required: [name]
    request: {{body: {{name: name}}}}
    response:
      data: data
      fields:
        type: object
        properties:
          id: {{type: integer, x-grounding: {name}_id}}
          name: {{type: string}}
      told: {{one: "Number {{id}} was added."}}
    approval: "Add {{name}} to the {name}."
    asked_for: {{en: [add, new]}}
  - name: drop
    summary: Remove one of the {name} for good.
    when: The user asks to remove one of the {name}.
    when_not: To look something up, use {name}_get.
    effect: destructive
    scopes: ["{name}.read_write"]
    method: DELETE
    path: /{name}/{{id}}
    params:
      type: object
      properties:
        id: {{type: integer, minimum: 1, maximum: 99999, description: Its number, x-grounding: {name}_id}}
      required: [id]
    response:
      fields: {{type: object, properties: {{done: {{type: boolean}}}}}}
      told: {{one: "It is gone."}}
    approval: "Remove number {{id}} of the {name} for good."
"""

_PROMPT = """---
title: Count the {name}
summary: Says how to count the {name}.
arguments: {{colour: Which ones to count, place: Where they are}}
---
Count the {name} that are {{colour}} in {{place}}.
"""

_SKILL = """---
name: keeping-{name}
description: How the {name} are kept.
---
Keep the {name} dry.
"""

_VIEWS = """
views:
  - name: board
    summary: A board of the {name}.
    data: {{type: object, properties: {{title: {{type: string}}}}}}
"""


def files(name: str, *, functions: str = _FUNCTIONS) -> dict[str, bytes]:
    """Return the files of a task."""
    texts = {
        "task.yaml": _HEAD,
        "functions.yaml": functions,
        "views.yaml": _VIEWS,
        "prompts/count.md": _PROMPT,
        f"skills/keeping-{name}/SKILL.md": _SKILL,
    }
    return {path: text.format(name=name).encode() for path, text in texts.items()}


def task(name: str) -> Task:
    return read_task(name, files(name))


def catalog(*names: str, approved: bool = True) -> Catalog:
    return Catalog(tuple(task(name) for name in sorted(names)), approved, "a test")


@dataclass
class Held:
    """A source whose contracts a test changes. failing: what it raises instead."""

    catalog: Catalog
    problems: tuple[Problem, ...] = ()
    failing: Exception | None = None
    _new: bool = False

    def put(self, *names: str) -> None:
        """Hold other tasks from now on."""
        self.catalog, self._new = catalog(*names, approved=self.catalog.approved), True

    def fail(self, error: Exception | None) -> None:
        self.failing, self._new = error, True

    def changed(self) -> bool:
        return self._new

    def load(self) -> "Held":
        if self.failing:
            raise self.failing
        self._new = False
        return self


@dataclass
class Shop:
    """The upstream: it answers by method and path, and keeps what it was asked."""

    answers: dict[str, tuple[int, Any]] = field(default_factory=dict[str, tuple[int, Any]])
    asked: list[httpx2.Request] = field(default_factory=list[httpx2.Request])

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        self.asked.append(request)
        line = f"{request.method} {request.url.path.removeprefix('/v1')}"
        status, body = self.answers.get(line, self._usual(request))
        return httpx2.Response(status, json=body)

    def _usual(self, request: httpx2.Request) -> tuple[int, Any]:
        # The owner by name: a shop that repeats the token itself is not passed on.
        whose = request.headers.get("authorization", "nobody").removeprefix("Bearer key-of-")
        match request.method:
            case "GET" if request.url.path.rsplit("/", 1)[-1].isdigit():
                return 200, {"data": {"id": 1, "name": f"one of {whose}", "secret": "s"}}
            case "GET":
                page = int(request.url.params.get("page", "1"))
                return 200, {"pages": 3, "data": [{"id": page, "name": f"of {whose}", "secret": "s"}]}
            case "POST":
                return 201, {"data": {"id": 9, "name": "new"}}
            case _:
                return 200, {"done": True}

    @property
    def lines(self) -> list[str]:
        return [f"{each.method} {each.url.path}" for each in self.asked]


@dataclass(frozen=True)
class Keys:
    """Credentials that show the shop who asks."""

    async def resolve(self, principal: Principal, upstream: Upstream) -> Credential | None:
        return Credential("Authorization", SecretStr(f"Bearer key-of-{principal.name}"))

    async def refused(self, principal: Principal, upstream: Upstream, credential: Credential) -> bool:
        return False


PROFILES = {
    "default": Profile(exposure="tools", tasks="all"),
    "pets": Profile(exposure="tools", tasks=("pets",)),
    "catalog": Profile(exposure="catalog", tasks="all"),
    "petsearch": Profile(exposure="catalog", tasks=("pets",)),
    "alices": Profile(exposure="tools", tasks="all", principals=("alice",)),
}


@dataclass
class Desk:
    """A server with what stands behind it."""

    source: Held
    shop: Shop
    live: Live
    server: ContractServer


def desk(
    *names: str,
    approved: bool = True,
    profile: str = "default",
    who: Callable[[], Principal | None] = lambda: SHOP,
    profiles: Mapping[str, Profile] = PROFILES,
    **options: Any,
) -> Desk:
    """Return a server of the tasks; pets and stock where none are named."""
    source, shop = Held(catalog(*(names or ("pets", "stock")), approved=approved)), Shop()
    live = Live(source, profiles)
    client = httpx2.AsyncClient(transport=httpx2.MockTransport(shop))
    engine = Engine(TABLE, Keys(), client=client)
    server = contract_server(live, engine, who, Options(profile=profile, **options))
    return Desk(source, shop, live, server)


@asynccontextmanager
async def serving(served: Desk, tokens: Tokens | None = None) -> AsyncGenerator[httpx2.ASGITransport]:
    """Serve in this process; yields what HTTP clients send their requests to."""
    app = http_app(served.server, tokens, place_of("127.0.0.1", 8000))
    async with app.router.lifespan_context(app):
        yield httpx2.ASGITransport(app)


@asynccontextmanager
async def session(
    to: httpx2.ASGITransport, query: str = "", mode: str = "auto", bearer: str = ""
) -> AsyncGenerator[Client]:
    """Yield an MCP client over HTTP. query: of the URL, as `?profile=pets`."""
    shown = {"Authorization": f"Bearer {bearer}"} if bearer else {}
    async with (
        httpx2.AsyncClient(transport=to, headers=shown) as http,
        Client(
            streamable_http_client(f"{HERE}/mcp{query}", http_client=http),
            mode=mode,
            read_timeout_seconds=BOUND_S,
        ) as client,
    ):
        yield client


def text(result: CallToolResult) -> str:
    first = result.content[0]
    assert isinstance(first, TextContent)
    return first.text


def data(result: CallToolResult) -> dict[str, Any]:
    assert result.structured_content is not None
    return result.structured_content
