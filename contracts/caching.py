"""The cache of results: of reads that opted in, per principal, bounded.

Knows:    what a result depends on, and for how long it may be told again.
Does not: run anything.
Rule:     the key holds everything: the function, the digest of its contract, the upstream's row, the
          principal, every declared argument. Two principals never share, and a changed contract never
          answers from its predecessor. The verb decides, too: what does not read is never kept.
"""

from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from common.approval import canonical
from contracts.credentials import Principal
from contracts.task import Offered
from contracts.upstreams import Upstream
from contracts.wire import Result

MOST_KEPT = 2_000

Key = tuple[str, str, str, str, str]


@dataclass
class Results:
    """What was kept, the latest used last. clock: seconds that only go forward."""

    clock: Callable[[], float]
    most: int = MOST_KEPT
    _kept: OrderedDict[Key, tuple[float, Result]] = field(
        default_factory=OrderedDict[Key, tuple[float, Result]]
    )

    def get(self, key: Key | None) -> Result | None:
        """Return what is kept and not too old."""
        found = self._kept.get(key) if key else None
        if key is None or found is None:
            return None
        until, result = found
        if self.clock() >= until:
            del self._kept[key]
            return None
        self._kept.move_to_end(key)
        return result

    def put(self, key: Key | None, result: Result, ttl_s: float) -> None:
        """Keep a result; the one unused for longest makes room."""
        if key is None:
            return
        self._kept[key] = (self.clock() + ttl_s, result)
        self._kept.move_to_end(key)
        while len(self._kept) > self.most:
            self._kept.popitem(last=False)

    def forget(self, principal: Principal) -> None:
        """Drop what is kept for a principal, who has changed something."""
        for key in [key for key in self._kept if key[3] == principal.name]:
            del self._kept[key]


def key_of(
    offered: Offered, upstream: Upstream, principal: Principal, arguments: Mapping[str, Any], what: str = ""
) -> Key | None:
    """Return the key of a call; None where its result is not kept. what: tells a page from all of them."""
    function = offered.contract
    if function.cache is None or function.effect != "read" or function.method not in ("GET", "HEAD"):
        return None
    names = function.cache.keys or tuple(function.arguments)
    said = canonical({name: arguments[name] for name in names if name in arguments})
    return (offered.name + what, offered.generation, upstream.model_dump_json(), principal.name, said)
