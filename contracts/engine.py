"""The engine: one function of a contract, from its name and arguments to its result.

Knows:    the order: find, validate, resolve words, cache, build, send, project, clip.
Does not: know MCP, a client, or whose session it is: the principal is handed to it, never in arguments.
Order:    everything is checked before anything is sent; what a stage did is told, what did not run is not.
"""

import copy
from collections.abc import Awaitable, Mapping
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Any, TypeVar, cast
from uuid import uuid4

import httpx2

from contracts.caching import Results, key_of
from contracts.catalog import Catalog
from contracts.clipping import clipped
from contracts.confinement import url_of
from contracts.credentials import Credentials, Principal
from contracts.failures import CallFailed
from contracts.paging import Pages
from contracts.requesting import built
from contracts.resolving import resolved
from contracts.responding import at, data_of, failure_of, is_success, pagination_of
from contracts.sending import Clock, Sender, new_client, retry_after_s, without_cookies
from contracts.stages import OnStage, Stage, nobody
from contracts.task import Offered
from contracts.telling import ENGLISH, approval_told
from contracts.upstreams import Table, Upstream
from contracts.validating import filled, problems_of
from contracts.wire import Answer, Result

T = TypeVar("T")


@dataclass(frozen=True)
class Preview:
    """What a call would do. sentence: in English; said: by other language; line: as `POST HOST/PATH`."""

    sentence: str
    said: Mapping[str, str]
    line: str


@dataclass(frozen=True)
class Bounds:
    """What one call may take. result_chars: of its data as JSON; pages: of one fetch_all."""

    result_chars: int = 20_000
    pages: int = 20


class Engine:
    """Runs functions. Use it as `async with engine`, which opens and closes its connections."""

    def __init__(
        self,
        table: Table,
        credentials: Credentials,
        *,
        client: httpx2.AsyncClient | None = None,
        bounds: Bounds | None = None,
        clock: Clock | None = None,
    ) -> None:
        self.table = table
        clock = clock or Clock()
        self.bounds = bounds or Bounds()
        self._is_own = client is None
        self._client = without_cookies(client) if client else new_client()
        self.sender = Sender(self._client, credentials, clock)
        self.results = Results(clock.now)

    async def __aenter__(self) -> "Engine":
        if self._client.is_closed and self._is_own:  # it is good for one opening, and a server may have more
            self._client = self.sender.client = new_client()
        await self._client.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._client.__aexit__(kind, error, trace)

    async def call(
        self,
        catalog: Catalog,
        name: str,
        arguments: Mapping[str, Any],
        principal: Principal,
        on_stage: OnStage = nobody,
    ) -> Result:
        """Run one function.  Raises: CallFailed."""
        run = _Run(self, catalog, name, principal, on_stage)
        return await run.telling(run.once(arguments))

    async def fetch_all(
        self,
        catalog: Catalog,
        name: str,
        arguments: Mapping[str, Any],
        principal: Principal,
        on_stage: OnStage = nobody,
    ) -> Result:
        """Run a function over the upstream's pages, up to a bound, which is said.  Raises: CallFailed."""
        run = _Run(self, catalog, name, principal, on_stage)
        return await run.telling(run.every_page(arguments))

    async def preview(
        self,
        catalog: Catalog,
        name: str,
        arguments: Mapping[str, Any],
        principal: Principal,
        on_stage: OnStage = nobody,
    ) -> Preview:
        """Check everything and change nothing; return what would be done.  Raises: CallFailed."""
        run = _Run(self, catalog, name, principal, on_stage)
        return await run.telling(run.preview(arguments))

    def upstream_of(self, offered: Offered) -> Upstream:
        """Return the row of a function's upstream.  Raises: CallFailed (`not_runnable`)."""
        upstream = self.table.get(offered.upstream)
        if upstream is None:
            why = f"needs the upstream {offered.upstream}, which is not in the deployment's table"
        elif missing := [scope for scope in offered.contract.scopes if scope not in upstream.scopes]:
            why = f"asks for {', '.join(missing)}, which the table does not allow at {upstream.name}"
        else:
            return upstream
        raise CallFailed(
            "not_runnable",
            f"{offered.name} cannot run here: it {why}.",
            "Tell the user that this is not set up; staff can see why with `python -m contracts check`.",
        )


@dataclass(frozen=True)
class _Run:
    """One call. whole: its result is not cut, since it is searched and not shown."""

    engine: Engine
    catalog: Catalog
    name: str
    principal: Principal
    on_stage: OnStage
    whole: bool = False

    async def telling(self, work: Awaitable[T]) -> T:
        """Return what the work gives; tell a failure as a stage."""
        try:
            return await work
        except CallFailed as failure:
            # An unknown name is whatever a model wrote.
            known = self.name if self.name in self.catalog.functions else ""
            await self.on_stage(Stage("failed", known, failure.code))
            raise

    async def once(self, arguments: Mapping[str, Any]) -> Result:
        offered, upstream, ready = await self._ready(arguments)
        results = self.engine.results
        key = key_of(offered, upstream, self.principal, ready, "*" if self.whole else "")
        if (known := results.get(key)) is not None:
            await self._tell("cache_hit")
            return replace(known, data=copy.deepcopy(known.data), cached=True)
        since = results.changes
        answer = await self._ask(offered, upstream, ready)
        result = await self._projected(offered, answer)
        if offered.contract.cache:
            kept = replace(result, data=copy.deepcopy(result.data))
            results.put(key, kept, offered.contract.cache.ttl_s, since)
        return result

    async def every_page(self, arguments: Mapping[str, Any]) -> Result:
        offered, upstream, ready = await self._ready(arguments)
        pages = offered.contract.response.pagination
        if pages is None or offered.contract.effect != "read":
            raise CallFailed(
                "no_pages", f"{offered.name} has no pages.", "Call it without asking for all pages."
            )
        walk = Pages(pages, ready, self.engine.bounds.pages)
        while (page := walk.next_arguments()) is not None:
            answer = await self._ask(offered, upstream, page, walk.number)
            items: object = data_of(offered.contract, answer)
            sent: object = at(answer.data, offered.contract.response.data)
            count = len(cast(list[Any], sent)) if isinstance(sent, list) else 0
            walk.take(cast(list[Any], items) if isinstance(items, list) else [], count, answer.data)
        await self._tell("projected")
        whole = Result(walk.items, count=len(walk.items), pages=walk.number, clipped=walk.cut)
        return self._clipped(whole)

    async def preview(self, arguments: Mapping[str, Any]) -> Preview:
        offered, upstream, ready = await self._ready(arguments)
        outgoing = built(offered, ready)
        url = url_of(upstream, outgoing)
        await self._tell("built")
        said = approval_told(offered, arguments)
        others = {language: text for language, text in said.items() if language != ENGLISH}
        return Preview(said[ENGLISH], others, f"{outgoing.method} {url.host}{url.path}")

    async def _ready(self, arguments: Mapping[str, Any]) -> tuple[Offered, Upstream, dict[str, Any]]:
        """Return the function, its upstream and its arguments as they go into the request."""
        offered = self.catalog.functions.get(self.name)
        if offered is None:
            raise unknown_function()
        upstream = self.engine.upstream_of(offered)
        given = filled(offered, arguments)
        if problems := problems_of(offered, given):
            raise CallFailed(
                "invalid_arguments",
                f"The arguments do not fit: {'; '.join(problems)}.",
                "Correct them, or ask the user for what is missing, and call again.",
            )
        await self._tell("validated")
        ready = await resolved(offered, given, self._items_of)
        if ready != given:
            await self._tell("resolved")
        return offered, upstream, ready

    async def _items_of(self, name: str, arguments: Mapping[str, Any]) -> Any:
        """Return what a sibling returns, for a resolver."""
        run = replace(self, name=name, whole=True)
        return (await run.once(arguments)).data

    async def _ask(
        self, offered: Offered, upstream: Upstream, arguments: Mapping[str, Any], page: int = 0
    ) -> Answer:
        """Build and send; return a success.  Raises: CallFailed."""
        function = offered.contract
        outgoing = built(offered, arguments)
        await self._tell("built", page=page)
        reads = function.method in ("GET", "HEAD")
        if function.idempotency:
            outgoing = replace(
                outgoing, headers={**outgoing.headers, function.idempotency.header: uuid4().hex}
            )
        again = frozenset(status for status, failure in function.failures.items() if failure.retry)
        try:
            answer = await self.engine.sender.send(
                outgoing,
                upstream,
                self.principal,
                function=offered.name,
                repeat_on=again if reads or function.idempotency else None,
                on_stage=self.on_stage,
            )
        finally:
            if function.effect != "read":  # also after a failure: the change may have been made
                self.engine.results.forget(self.principal)
        if not is_success(function, answer):
            wait_s = retry_after_s(answer.headers, self.engine.sender.clock.today())
            raise failure_of(function, answer, wait_s)
        return answer

    async def _projected(self, offered: Offered, answer: Answer) -> Result:
        data: object = data_of(offered.contract, answer)
        await self._tell("projected")
        count = len(cast(list[Any], data)) if isinstance(data, list) else None
        return self._clipped(Result(data, count, pagination_of(offered.contract, answer)))

    def _clipped(self, result: Result) -> Result:
        return result if self.whole else clipped(result, self.engine.bounds.result_chars)

    async def _tell(self, name: Any, detail: str = "", page: int = 0) -> None:
        await self.on_stage(Stage(name, self.name, detail, page=page))


def unknown_function() -> CallFailed:
    """Return the failure of a name that is not there, or that is hidden: the two are told alike."""
    return CallFailed(
        "unknown_function",
        "There is no function of that name.",
        "Find the right name with `search`, or use one that is listed.",
    )
