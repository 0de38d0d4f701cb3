"""The agent's part of the trail: the events of `run`, as rows.

Knows:    which event is a decision, and before which ones the rows must be on disk.
Does not: decide anything; see what a call returned, except its code.
Rule:     what a gate let through waits for the next event that matters, to be written with it: a call that
          leaves, a person who is asked, a refusal, a result, a checked reply. A turn that is stopped in
          between leaves them to the next one, or to the end of the chat.
"""

import json
import threading
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import anyio
import anyio.to_thread

from common.approval import BY_GRANT, BY_POLICY, Approval
from common.database import DatabaseSettings
from common.events import (
    ApprovalAnswered,
    ApprovalAsked,
    Done,
    Event,
    GateDecision,
    ModelStarted,
    ReplyChecked,
    ToolRequested,
    ToolReturned,
    ToolStarted,
)
from common.settings import load
from journal.approvals import ApprovalsInSql
from journal.entry import SERVER_ASKED, Decision, Entry, Gate
from journal.served import Served
from journal.trail import Trail, open_trail


@dataclass
class _Call:
    arguments: Mapping[str, Any] | str
    exists: bool = False


class TurnJournal:
    """Keeps the decisions of one conversation's turns. Hand it to `agent_mcp.run` as its journal.

    approvals: keeps the open questions in the same database.
    """

    def __init__(self, trail: Trail, served: Served) -> None:
        self.approvals = ApprovalsInSql(trail, served)
        self._trail = trail
        self._served = served
        self._calls: dict[str, _Call] = {}
        self._waiting: list[Entry] = []
        self._lock = threading.Lock()

    async def record(self, event: Event) -> None:
        """Keep what an event decides.

        Raises: JournalFailed; the rows wait, and are written with the next.
        """
        entry = self._entry(event)
        if entry is not None:
            self._waiting.append(entry)
        if _must_be_kept_now(event):
            await anyio.to_thread.run_sync(self._flush)

    async def close(self) -> None:
        """Write what waits, and that the chat came to an orderly end.

        Raises: JournalFailed.
        """
        with anyio.CancelScope(shield=True):
            await anyio.to_thread.run_sync(self._flush)
            await anyio.to_thread.run_sync(self._trail.close)

    def _flush(self) -> None:
        with self._lock:
            lot = tuple(self._waiting)
            self._trail.record(*lot)
            del self._waiting[: len(lot)]

    def _entry(self, event: Event) -> Entry | None:
        match event:
            case ModelStarted(step=1):
                return self._told(
                    "input", "allowed"
                )  # it is asked only where the guardrail let the message in
            case ToolRequested(call_id=call_id, arguments=arguments):
                self._calls[call_id] = _Call(_parsed(arguments))
                return None
            case GateDecision():
                return self._gate(event)
            case ApprovalAsked(request=request):
                by = SERVER_ASKED if request.form else ""
                return self._told("permission", "asked", request.tool, request.arguments, by)
            case ApprovalAnswered(request=request, approval=approval, outcome=outcome):
                by = SERVER_ASKED if request.form else _unasked(approval)
                return self._told("permission", outcome, request.tool, request.arguments, by)
            case ToolStarted(tool=tool, arguments=arguments):
                return self._told("execute", "started", tool, arguments)
            case ToolReturned():
                return self._returned(event)
            case ReplyChecked(ok=ok, unverified=unverified):
                reason = "" if ok else "unverified" if unverified else "withdrawn"
                return self._told("output", "allowed" if ok else "refused", reason=reason)
            case Done():
                self._calls.clear()
                return None
            case _:
                return None

    def _gate(self, event: GateDecision) -> Entry:
        call = self._calls.get(event.call_id or "")
        if call and event.gate == "whitelist":
            call.exists = event.allowed
        return self._told(
            event.gate,
            "allowed" if event.allowed else "refused",
            # A name that is not on the list is whatever the model wrote.
            (event.tool or "") if call and call.exists else "",
            call.arguments if call else None,
            event.code,
        )

    def _returned(self, event: ToolReturned) -> Entry:
        code = event.data.get("error")
        reason = (code if isinstance(code, str) else "tool_error") if event.is_error else ""
        decision: Decision = "failed" if event.is_error else "done"
        return self._told("execute", decision, event.tool, event.arguments, reason)

    def _told(
        self,
        gate: Gate,
        decision: Decision,
        tool: str = "",
        arguments: Mapping[str, Any] | str | None = None,
        reason: str = "",
    ) -> Entry:
        return Entry(
            side="agent",
            gate=gate,
            decision=decision,
            tool=tool,
            arguments=arguments,
            reason=reason,
            at=datetime.now(UTC),
            session=self._served.session,
            role=self._served.role,
            customer_id=self._served.customer_id,
        )


@asynccontextmanager
async def journal_of_turns(served: Served) -> AsyncGenerator[TurnJournal | None]:
    """Open the trail of DATABASE_URL for one chat; None where the database is gone with the process.

    Raises: DatabaseUnusable, JournalUnusable, BadSettings; at the end JournalFailed.
    """
    trail = open_trail(load(DatabaseSettings).database_url)
    if not isinstance(trail, Trail):
        yield None
        return
    journal = TurnJournal(trail, served)
    try:
        yield journal
    finally:
        await journal.close()


def _must_be_kept_now(event: Event) -> bool:
    if isinstance(event, GateDecision):
        return not event.allowed
    return isinstance(
        event, ApprovalAsked | ApprovalAnswered | ToolStarted | ToolReturned | ReplyChecked | Done
    )


def _unasked(approval: Approval | None) -> str:
    """Return by what a yes was given without asking; who answered a question is not kept."""
    if approval is None:
        return ""
    by = str(approval.by)  # whatever an approver made of it
    if by == BY_POLICY:
        return "by_policy"
    return "by_grant" if by.startswith(BY_GRANT) else ""


def _parsed(arguments: str) -> Mapping[str, Any] | str:
    """Return the arguments as they are digested elsewhere: as an object where they are one."""
    try:
        parsed = json.loads(arguments)
    except (ValueError, RecursionError):
        return arguments
    return parsed if isinstance(parsed, dict) else arguments  # pyright: ignore[reportUnknownVariableType]
