"""Open questions: each is kept before it is asked, answered once, and never runs late.

Knows:    what is kept of a question, and the one-way street of its states: asked, then started or settled.
Does not: ask, execute, or know a database.   (agent/permission.py, journal/approvals.py)
Rule:     `redeem` says yes to one caller, however many ask at once or after a crash. What was redeemed and
          has no outcome is a call of which nobody knows what came of it; it is never redeemed again.
"""

import threading
from dataclasses import dataclass, field, replace
from typing import Protocol

from common.approval import ApprovalRequest, Verdict


@dataclass(frozen=True)
class Pending:
    """One open question.

    tool_hash: of all that the tool said of itself when it was asked about; another hash, another tool.
    language: in which the customer was spoken to.
    started: the yes was used, and what came of the call was never told.
    asked_at: seconds since the epoch.
    """

    request: ApprovalRequest
    tool_hash: str = ""
    language: str = "en"
    started: bool = False
    asked_at: float = 0.0


class Approvals(Protocol):
    """The open questions of one session: those it asks, and those that an earlier one of the person left.

    Every method raises what its store raises; then nothing may be executed.
    """

    @property
    def durable(self) -> bool:
        """Say whether an open question outlives the process."""
        ...

    async def ask(self, pending: Pending) -> None:
        """Keep a question before anybody sees it; one that was kept before stays as it is."""
        ...

    async def redeem(self, digest: str, now: float) -> bool:
        """Use a yes: True for exactly one caller, and only while the question is open and not expired."""
        ...

    async def settle(self, digest: str, outcome: Verdict) -> bool:
        """Close a question without a yes; False where it was used or closed before, here or elsewhere."""
        ...

    async def finish(self, digest: str, outcome: Verdict = "approved") -> bool:
        """Close a question whose yes was used, now that it is known, or was told, what came of the call."""
        ...

    async def open(self, now: float) -> list[Pending]:
        """Return the questions that this session may still answer, oldest first, and those left started."""
        ...

    async def lapsed(self, now: float) -> list[Pending]:
        """Close the questions of this person that nobody answered in time, and return them, once."""
        ...

    async def count(self, now: float) -> int:
        """Return how many questions this person has open, those that wait for somebody else too."""
        ...


@dataclass
class ApprovalsInMemory:
    """The open questions of a session whose data are gone with the process."""

    durable: bool = False
    _open: dict[str, Pending] = field(default_factory=dict[str, Pending])
    _closed: set[str] = field(default_factory=set[str])
    _lock: threading.Lock = field(default_factory=threading.Lock)

    async def ask(self, pending: Pending) -> None:
        """Keep a question."""
        digest = pending.request.digest
        with self._lock:
            if digest not in self._closed:
                self._open.setdefault(digest, pending)

    async def redeem(self, digest: str, now: float) -> bool:
        """Use a yes, once."""
        with self._lock:
            pending = self._open.get(digest)
            if pending is None or pending.started or now >= pending.request.expires_at:
                return False
            self._open[digest] = replace(pending, started=True)
            return True

    async def settle(self, digest: str, outcome: Verdict) -> bool:
        """Close what was not used."""
        with self._lock:
            return self._close(digest, started=False) is not None

    async def finish(self, digest: str, outcome: Verdict = "approved") -> bool:
        """Close what was used."""
        with self._lock:
            return self._close(digest, started=True) is not None

    async def open(self, now: float) -> list[Pending]:
        """Return what is open and has not expired, and what was started."""
        with self._lock:
            return [each for each in self._open.values() if each.started or now < each.request.expires_at]

    async def lapsed(self, now: float) -> list[Pending]:
        """Close what has expired, and return it."""
        with self._lock:
            late = [digest for digest, each in self._open.items() if now >= each.request.expires_at]
            closed = [self._close(digest, started=False) for digest in late]
            return [pending for pending in closed if pending is not None]

    async def count(self, now: float) -> int:
        """Return how many are open."""
        with self._lock:
            return sum(not each.started and now < each.request.expires_at for each in self._open.values())

    def _close(self, digest: str, *, started: bool) -> Pending | None:
        pending = self._open.get(digest)
        if pending is None or pending.started is not started:
            return None
        self._closed.add(digest)
        return self._open.pop(digest)
