"""A circuit breaker: after several failures in a row, an upstream is left alone for a while.

Knows:    counts and a clock.
Does not: know what a failure is, or send.   (sending.py)
States:   closed; open for `rest_s` after `most` failures in a row; then one call is let through, whose end
          closes it or opens it anew.
"""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass
class Breaker:
    """One upstream's. clock: seconds that only go forward."""

    most: int
    rest_s: float
    clock: Callable[[], float]
    _failures: int = 0
    _until: float = 0.0
    _trying: bool = False

    def allows(self) -> bool:
        """Say whether a call may be made; one that may must be followed by `succeeded` or `failed`."""
        if self._failures < self.most:
            return True
        if self.clock() < self._until or self._trying:
            return False
        self._trying = True
        return True

    @property
    def wait_s(self) -> float:
        """Return the seconds until one call is let through."""
        return max(0.0, self._until - self.clock()) if self._failures >= self.most else 0.0

    def succeeded(self) -> None:
        """Hear that the upstream answered."""
        self._failures, self._trying = 0, False

    def failed(self) -> None:
        """Hear that it did not answer, or that it answered that it cannot."""
        self._failures = min(self._failures + 1, self.most)
        self._trying = False
        if self._failures >= self.most:
            self._until = self.clock() + self.rest_s

    def left(self) -> None:
        """Hear that a call ended without telling anything of the upstream, such as by a cancel."""
        self._trying = False
