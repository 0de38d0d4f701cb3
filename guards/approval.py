"""Gate 6: which calls a person must agree to, and what an answer is worth.

Knows:    annotations, requests, answers, the clock it is given.
Does not: ask anybody (the approver does) or run anything (agent_mcp.py does).
Rule:     no annotation, a contradiction, no answer, a late answer, an error: each means no.
"""

import json
import uuid
from typing import Any, Literal, Protocol

from common.approval import NOBODY, Approval, ApprovalRequest, canonical, digest_of
from common.schema import mapping

Verdict = Literal["approved", "declined", "changed", "expired", "not_possible"]


class _Hints(Protocol):
    @property
    def read_only_hint(self) -> bool | None: ...
    @property
    def destructive_hint(self) -> bool | None: ...


class _Tool(Protocol):
    @property
    def annotations(self) -> Any: ...


def needs_approval(tool: _Tool) -> bool:
    """Say whether a person must agree before the tool is called.

    False only for a tool that says it reads and does not say it destroys; a hint is the server's word,
    so what must never happen is stopped by the server itself.
    """
    hints: _Hints | None = getattr(tool, "annotations", None)
    if hints is None:
        return True
    return not (hints.read_only_hint is True and hints.destructive_hint is not True)


def request_for(
    tool: Any, arguments: dict[str, Any], effect: str, now: float, ttl_s: float
) -> ApprovalRequest:
    """Return the question about one exact call; ttl_s is how long an answer to it counts, in seconds."""
    id = uuid.uuid4().hex
    hints = tool.annotations
    return ApprovalRequest(
        id=id,
        tool=tool.name,
        title=(hints.title if hints else None) or tool.title or tool.name,
        arguments=json.loads(canonical(arguments)),
        effect=effect,
        reversible=bool(hints and hints.destructive_hint is False),
        digest=digest_of(id, tool.name, arguments, effect),
        expires_at=now + ttl_s,
        description=(getattr(tool, "description", None) or "").strip(),
        schema=mapping(getattr(tool, "input_schema", None)),
    )


def judge(request: ApprovalRequest, approval: object, now: float) -> Verdict:
    """Return what an answer comes to. Only a yes, in time, to this very request is a yes."""
    if now >= request.expires_at:
        return "expired"
    if not isinstance(approval, Approval):
        return "not_possible"
    if approval.by == NOBODY and approval.approved is not True:
        return "not_possible"
    shown = digest_of(request.id, request.tool, request.arguments, request.effect)
    if approval.approved is True and approval.digest == request.digest == shown:
        return "approved"
    if approval.approved is False and approval.changed is not None and approval.digest == request.digest:
        return "changed"
    return "declined"


async def approve_none(request: ApprovalRequest) -> Approval:
    """Answer no to everything, as nobody: the default where no person can be asked."""
    return Approval(request.digest, False, NOBODY, "There is nobody here to ask.")


async def approve_all(request: ApprovalRequest) -> Approval:
    """Answer yes to everything: for tests and measurements, never for a chat."""
    return Approval(request.digest, True, "approve_all")
