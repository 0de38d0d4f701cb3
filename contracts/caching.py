"""The cache of results: of reads that opted in, per principal, bounded.

Knows:    what a result depends on, and for how long it may be told again.
Does not: run anything.
Rule:     the key holds everything: the function, the digest of its contract, the upstream's row, the
          principal, every declared argument. Two principals never share, and a changed contract never
          answers from its predecessor. The verb decides, too: what does not read is never kept.
"""

import json
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

MOST_CHARS = 20_000_000
"""Characters of all that is kept, as JSON: a list in which words are looked up is kept whole."""

Key = tuple[str, str, str, str, str]


@dataclass
class Results:
    """What was kept, the latest used last. clock: seconds that only go forward."""

    clock: Callable[[], float]
    most: int = MOST_KEPT
    most_chars: int = MOST_CHARS
    changes: int = 0
    _chars: int = 0
    _kept: OrderedDict[Key, tuple[float, int, Result]] = field(
        default_factory=OrderedDict[Key, tuple[float, int, Result]]
    )

    def get(self, key: Key | None) -> Result | None:
        """Return what is kept and not too old."""
        found = self._kept.get(key) if key else None
        if key is None or found is None:
            return None
        until, _, result = found
        if self.clock() >= until:
            self._drop(key)
            return None
        self._kept.move_to_end(key)
        return result

    def put(self, key: Key | None, result: Result, ttl_s: float, since: int) -> None:
        """Keep a result; the one unused for longest makes room.

        since: `changes` before it was asked for: what was read while something changed may be of before.
        """
        if key is None or since != self.changes:
            return
        chars = len(json.dumps(result.data, ensure_ascii=False))
        self._drop(key)
        self._kept[key] = (self.clock() + ttl_s, chars, result)
        self._chars += chars
        while len(self._kept) > self.most or self._chars > self.most_chars:
            self._drop(next(iter(self._kept)))

    def forget(self, principal: Principal) -> None:
        """Drop what is kept for a principal, who has changed something or may have."""
        self.changes += 1
        for key in [key for key in self._kept if key[3] == principal.name]:
            self._drop(key)

    def _drop(self, key: Key) -> None:
        _, chars, _ = self._kept.pop(key, (0.0, 0, None))
        self._chars -= chars


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
