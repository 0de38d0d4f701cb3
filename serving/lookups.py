"""How many calls one person may make in a minute, so that ids cannot be tried one after the other.

Knows:    when each person called, over the last minute, and when they were last told that it was too often.
Does not: know what was asked for, or whether it was there: all calls count the same.
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
        self._noted: dict[str, float] = {}
        self._next_clearing = clock() + _MINUTE_S
        self._lock = Lock()

    def allow(self, who: str) -> bool:
        """Count one call, unless the person has had theirs for this minute."""
        if not self._per_minute:
            return True
        now = self._clock()
        with self._lock:
            self._clear(now)
            asked = self._asked[who]
            while asked and asked[0] <= now - _MINUTE_S:
                asked.popleft()
            if len(asked) >= self._per_minute:
                return False
            asked.append(now)
            return True

    def notes(self, who: str) -> bool:
        """Say whether that a call was one too many is to be noted: once a minute for each person.

        The limit would else bound what is looked up and not what is written down.
        """
        now = self._clock()
        with self._lock:
            self._clear(now)
            if self._noted.get(who, now - _MINUTE_S) > now - _MINUTE_S:
                return False
            self._noted[who] = now
            return True

    def _clear(self, now: float) -> None:
        if now < self._next_clearing:
            return
        since = now - _MINUTE_S
        kept = {who: asked for who, asked in self._asked.items() if asked and asked[-1] > since}
        self._asked = defaultdict(deque, kept)
        self._noted = {who: at for who, at in self._noted.items() if at > since}
        self._next_clearing = now + _MINUTE_S

    def __len__(self) -> int:
        """Return of how many people calls are kept."""
        return len(self._asked)
