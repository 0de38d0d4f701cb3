"""The API's limits: how many requests a merchant may make in a minute, and which answers are given again.

Knows:    counts, times, keys and answers that were given.
Does not: know any route.
"""

import math
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

from contracts.demo.refusing import Refusal

_MINUTE_S = 60.0

_MOST_KEYS = 10_000
"""Answers kept to be given again; the oldest go first."""


@dataclass
class Allowance:
    """How many requests each merchant has left in this minute. clock: seconds, never backwards."""

    per_minute: int
    clock: Callable[[], float]
    _windows: dict[str, tuple[float, int]] = field(default_factory=dict[str, tuple[float, int]])

    def take(self, merchant: str) -> dict[str, str]:
        """Count one request; returns the headers that tell of the limit.

        Raises: Refusal (429) with `Retry-After` where the minute is used up.
        """
        now = self.clock()
        begun, made = self._windows.get(merchant, (now, 0))
        if now - begun >= _MINUTE_S:
            begun, made = now, 0
        left = self.per_minute - made - 1
        said = {"X-RateLimit-Limit": str(self.per_minute), "X-RateLimit-Remaining": str(max(left, 0))}
        if left < 0:
            wait = math.ceil(begun + _MINUTE_S - now)
            raise Refusal(
                429,
                "too_many_requests",
                f"That is more than {self.per_minute} requests in a minute.",
                headers={**said, "Retry-After": str(wait)},
            )
        self._windows[merchant] = (begun, made + 1)
        return said


@dataclass(frozen=True)
class Given:
    """An answer that was given to a request. asked: the request, but for its key."""

    asked: tuple[str, str, bytes]
    status: int
    body: bytes


@dataclass
class Repeats:
    """The answers to changes that carried a key."""

    _given: OrderedDict[tuple[str, str], Given] = field(default_factory=OrderedDict[tuple[str, str], Given])

    def before(self, merchant: str, key: str, asked: tuple[str, str, bytes]) -> Given | None:
        """Return the answer that the same request got under this key; None where the key is new.

        Raises: Refusal (409) where another request had the key.
        """
        given = self._given.get((merchant, key))
        if given is not None and given.asked != asked:
            raise Refusal(
                409, "idempotency_key_reused", "This Idempotency-Key was sent with another request."
            )
        return given

    def keep(self, merchant: str, key: str, given: Given) -> None:
        """Keep an answer."""
        self._given[(merchant, key)] = given
        if len(self._given) > _MOST_KEYS:
            self._given.popitem(last=False)
