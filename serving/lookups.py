"""How many records one person may ask for in a minute, so that ids cannot be tried one after the other.

Knows:    when each person asked, over the last minute.
Does not: know what was asked for, or whether it was there: both count the same.
"""

import time
from collections import defaultdict, deque
from collections.abc import Callable
from threading import Lock

_MINUTE_S = 60.0


class Lookups:
    """A limit for each person. per_minute: 0 is no limit."""

    def __init__(self, per_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_minute = per_minute
        self._clock = clock
        self._asked: defaultdict[str, deque[float]] = defaultdict(deque)
        self._next_clearing = clock() + _MINUTE_S
        self._lock = Lock()

    def allow(self, who: str) -> bool:
        """Count one look-up, unless the person has had theirs for this minute."""
        if not self._per_minute:
            return True
        now = self._clock()
        with self._lock:
            if now >= self._next_clearing:
                self._asked = defaultdict(deque, self._recent(now))
                self._next_clearing = now + _MINUTE_S
            asked = self._asked[who]
            while asked and asked[0] <= now - _MINUTE_S:
                asked.popleft()
            if len(asked) >= self._per_minute:
                return False
            asked.append(now)
            return True

    def _recent(self, now: float) -> dict[str, deque[float]]:
        return {who: asked for who, asked in self._asked.items() if asked and asked[-1] > now - _MINUTE_S}

    def __len__(self) -> int:
        """Return of how many people look-ups are kept."""
        return len(self._asked)
