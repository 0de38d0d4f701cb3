"""Gate 6: which calls a person must agree to, and what an answer is worth.

Knows:    annotations, requests, answers, the clock it is given.
Does not: ask anybody (the approver does) or run anything (agent_mcp.py does).
Rule:     no annotation, a contradiction, no answer, a late answer, an error: each means no.
"""

import json
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from common.approval import NOBODY, Approval, ApprovalRequest, Audience, Verdict, canonical, digest_of
from common.schema import mapping
from guards.servers import mismatch

__all__ = [
    "Question",
    "Verdict",
    "approve_all",
    "approve_none",
    "judge",
    "needs_approval",
    "request_for",
    "sealed",
]


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

    False only for a tool that says it reads, does not say it destroys, and is not called like one that
    changes something; a hint is the server's word, so what must never happen is stopped by the server itself.
    """
    hints: _Hints | None = getattr(tool, "annotations", None)
    if hints is None:
        return True
    says_it_reads = hints.read_only_hint is True and hints.destructive_hint is not True
    return not says_it_reads or mismatch(tool) is not None


@dataclass(frozen=True)
class Question:
    """What is asked about a call, beyond the tool and the arguments.

    effect: in the server's words. asked_by: who asks, in words. warnings: what is odd about the tool.
    always: what a yes to all calls of the kind would cover; empty where there is none.
    """

    effect: str
    asked_by: str = ""
    audience: Audience = "person"
    warnings: Sequence[str] = ()
    always: str = ""
    notice: str = ""


def request_for(
    tool: Any, arguments: dict[str, Any], asked: Question, now: float, ttl_s: float
) -> ApprovalRequest:
    """Return the question about one exact call; ttl_s is how long an answer to it counts, in seconds."""
    hints = getattr(tool, "annotations", None)
    return sealed(
        ApprovalRequest(
            id=uuid.uuid4().hex,
            tool=tool.name,
            title=(hints.title if hints else None) or tool.title or tool.name,
            arguments=json.loads(canonical(arguments)),
            effect=asked.effect,
            reversible=is_reversible(tool),
            digest="",
            expires_at=now + ttl_s,
            asked_by=asked.asked_by,
            audience=asked.audience,
            warnings=tuple(asked.warnings),
            description=(getattr(tool, "description", None) or "").strip(),
            schema=mapping(getattr(tool, "input_schema", None)),
            always=asked.always,
            notice=asked.notice,
        )
    )


def is_reversible(tool: _Tool) -> bool:
    """Say whether the server says of the tool that it only adds, and its name does not deny it."""
    hints: _Hints | None = getattr(tool, "annotations", None)
    return hints is not None and hints.destructive_hint is False and mismatch(tool) is None


def sealed(request: ApprovalRequest) -> ApprovalRequest:
    """Return the request with the digest of what it shows."""
    return replace(request, digest=digest_of(request))


def judge(request: ApprovalRequest, approval: object, now: float) -> Verdict:
    """Return what an answer comes to. Only a yes, in time, to this very request is a yes."""
    if now >= request.expires_at:
        return "expired"
    if not isinstance(approval, Approval):
        return "not_possible"
    if approval.by == NOBODY and approval.approved is not True:
        return "not_possible"
    if approval.approved is True and approval.digest == request.digest == digest_of(request):
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
