"""Open questions: each is kept before it is asked, answered once, and never runs late.

Knows:    what is kept of a question, and the one-way street of its states: asked, then used or settled.
Does not: ask, execute, or know a database.   (agent/permission.py, journal/approvals.py)
Rule:     `redeem` says yes to one caller, however many ask at once or after a crash. What was redeemed and
          has no outcome is a call of which nobody knows what came of it; it is never redeemed again.
"""

import threading
from dataclasses import dataclass, field
from typing import Protocol

from common.approval import ApprovalRequest, Verdict


@dataclass(frozen=True)
class Pending:
    """One open question.

    tool_hash: of all that the tool said of itself when it was asked about; another hash, another tool.
    language: in which the customer was spoken to.
    started: the yes was used, and what came of the call was never told.
    """

    request: ApprovalRequest
    tool_hash: str = ""
    language: str = "en"
    started: bool = False


class Approvals(Protocol):
    """The open questions of one session: those it asks, and those that an earlier one of the person left.

    Every method raises what its store raises; then nothing may be executed.
    """

    @property
    def durable(self) -> bool:
        """Say whether an open question outlives the process."""
        ...

    async def ask(self, pending: Pending) -> None:
        """Keep a question before anybody sees it."""
        ...

    async def redeem(self, digest: str, now: float) -> bool:
        """Use a yes: True for exactly one caller, and only while the question is open and not expired."""
        ...

    async def settle(self, digest: str, outcome: Verdict) -> bool:
        """Close a question with what it came to; False where it was closed before.

        Of one that was redeemed: the call has come back, and its outcome is known.
        """
        ...

    async def open(self, now: float) -> list[Pending]:
        """Return the questions that this session may still answer, oldest first, and those left started."""
        ...


@dataclass
class ApprovalsInMemory:
    """The open questions of a session whose data are gone with the process."""

    durable: bool = False
    _open: dict[str, Pending] = field(default_factory=dict[str, Pending])
    _started: set[str] = field(default_factory=set[str])
    _lock: threading.Lock = field(default_factory=threading.Lock)

    async def ask(self, pending: Pending) -> None:
        """Keep a question."""
        with self._lock:
            self._open[pending.request.digest] = pending

    async def redeem(self, digest: str, now: float) -> bool:
        """Use a yes, once."""
        with self._lock:
            pending = self._open.get(digest)
            if pending is None or now >= pending.request.expires_at:
                return False
            del self._open[digest]
            self._started.add(digest)
            return True

    async def settle(self, digest: str, outcome: Verdict) -> bool:
        """Close a question."""
        with self._lock:
            found = digest in self._open or digest in self._started
            self._open.pop(digest, None)
            self._started.discard(digest)
            return found

    async def open(self, now: float) -> list[Pending]:
        """Return what is open and has not expired."""
        with self._lock:
            return [pending for pending in self._open.values() if now < pending.request.expires_at]
