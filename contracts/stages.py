"""What happens to one call, stage by stage, as one typed stream.

Knows:    the stages and what may be told of each: names, counts, codes; never a value, a secret or a body.
Does not: send them anywhere.   (surface.py makes MCP messages of them, tracing.py spans)
Rule:     a stage that did not run is not told: a result from the cache was not sent for.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Literal

Name = Literal["resolved", "validated", "cache_hit", "built", "sent", "received", "projected", "failed"]


@dataclass(frozen=True)
class Stage:
    """One stage of one call.

    detail: as `GET api.salla.dev/admin/v2/categories` of what was sent (no query), a status of what was
    received, a code of what failed. attempt: from 1, of what was sent more than once. page: of fetch_all.
    """

    name: Name
    function: str
    detail: str = ""
    attempt: int = 1
    page: int = 0


OnStage = Callable[[Stage], Awaitable[None]]


async def nobody(_: Stage) -> None:
    """Hear of a stage and do nothing."""
