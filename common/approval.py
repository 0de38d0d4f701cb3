"""An approval: one question to a person about one exact call, and the answer.

Knows:    the two types, and the digest that ties the answer to what will run.
Does not: ask anybody, decide whether a call needs asking, or run it.   (guards/approval.py, agent_mcp.py)
"""

import hashlib
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

NOBODY = "nobody"
"""Approval.by when there was no person to ask: the call is not possible here, which is not a refusal."""


@dataclass(frozen=True)
class ApprovalRequest:
    """What a person is asked to agree to.

    arguments: exactly what will run.
    effect: what happens, in plain words of the server's own.
    reversible: True when the server says that the call only adds and destroys nothing. Otherwise nothing
    known can undo it, and the question must not be answered by habit.
    digest: covers id, tool, arguments and effect; see `digest_of`.
    expires_at: seconds since the epoch; an answer after it counts as no.
    description: what the tool is for, in the server's words.
    schema: the JSON Schema of the arguments, for whoever wants to change one.
    notice: why the change that a person made to the last request was not taken; else empty.
    """

    id: str
    tool: str
    title: str
    arguments: dict[str, Any]
    effect: str
    reversible: bool
    digest: str
    expires_at: float
    description: str = ""
    schema: dict[str, Any] = field(default_factory=dict[str, Any])
    notice: str = ""


@dataclass(frozen=True)
class Approval:
    """A person's answer. It counts only when its digest is the request's.

    note: the person's reason for a no; the model reads it.
    changed: with a no, the whole arguments as the person wants them: they pass the gates like the model's
    own, and a new request asks about them.
    """

    digest: str
    approved: bool
    by: str
    note: str | None = None
    changed: dict[str, Any] | None = None


Approver = Callable[[ApprovalRequest], Awaitable[Approval]]


def canonical(value: Any) -> str:
    """Return the one JSON text of a value: keys sorted, no spaces, nothing escaped that need not be."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def digest_of(id: str, tool: str, arguments: dict[str, Any], effect: str) -> str:
    """Return the sha256, in hex, of what was shown and will run."""
    shown = canonical([id, tool, arguments, effect])
    return hashlib.sha256(shown.encode("utf-8", "surrogatepass")).hexdigest()
