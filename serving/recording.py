"""The server's part of the audit trail: what became of each call, and that a change was about to be made.

Knows:    which gate a refusal is of.
Does not: see a result's data, or know a tool.   (journal/ keeps digests only)
Rule:     that a change starts is on disk before it starts; where it cannot be, the change is not made.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import Any

import anyio.to_thread

from common.database import CALL_WAIT_S
from journal import AnyTrail, Decision, Entry, Gate, NoTrail
from serving.identity import Caller
from serving.refusals import Refused

_GATES: dict[str, Gate] = {
    "unknown_function": "whitelist",
    "unknown_tool": "whitelist",
    "invalid_arguments": "validation",
    "not_signed_in": "permission",
    "not_allowed": "permission",
    "too_many_lookups": "limit",
}
"""The gate of a refusal's code; the codes of a tool's own rules are preconditions."""


@dataclass(frozen=True)
class Call:
    """A call as the trail is told of it. tool: empty where there is none of that name."""

    tool: str
    arguments: Mapping[str, Any]
    session: str = ""


@dataclass(frozen=True)
class Recorder:
    """Tells the trail. session: names this process, for a call that names no conversation."""

    trail: AnyTrail
    who: Callable[[], Caller]
    session: str = ""

    async def refused(self, call: Call, refusal: Refused) -> None:
        """Tell that a call was refused.  Raises: JournalFailed."""
        if not refusal.noted:
            return
        if refusal.ran or refusal.code == "internal_error":
            await self.told(call, "failed", "execute", refusal.code)
        else:
            await self.told(call, "refused", _GATES.get(refusal.code, "precondition"), refusal.code)

    async def told(self, call: Call, decision: Decision, gate: Gate = "execute", reason: str = "") -> None:
        """Tell what was decided about a call.  Raises: JournalFailed."""
        if isinstance(self.trail, NoTrail):
            return
        caller = self.who()
        entry = Entry(
            side="server",
            gate=gate,
            decision=decision,
            tool=call.tool,
            arguments=call.arguments,
            reason=reason,
            session=call.session or self.session,
            role=caller.role,
            customer_id=caller.customer_id,
        )
        # From here on, so that calls which wait for a thread too do not each wait anew.
        until = monotonic() + CALL_WAIT_S
        await anyio.to_thread.run_sync(partial(self.trail.record, entry, until=until))
