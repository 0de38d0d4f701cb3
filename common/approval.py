"""An approval: one question to a person about one exact call, and the answer.

Knows:    the two types, the digest that ties the answer to what will run, and what an answer can come to.
Does not: ask anybody, decide whether a call needs asking, or run it.   (guards/approval.py, agent/)
"""

import hashlib
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Literal

NOBODY = "nobody"
"""Approval.by when there was no person to ask: the call is not possible here, which is not a refusal."""

BY_GRANT = "your earlier yes to all"
"""How Approval.by begins where nobody was asked again."""

BY_POLICY = "the shop's own rules"
"""Approval.by where the shop's rules let a call be made unasked."""

Audience = Literal["person", "staff"]
"""Who may answer: the person at this end, or a member of the staff alone."""

Verdict = Literal[
    "approved",
    "declined",
    "changed",  # a no, with other arguments, about which is asked again
    "expired",  # nobody answered in time
    "not_possible",  # nobody is here who could answer
    "waiting",  # the staff have been asked, and may still answer
    "cancelled",  # the turn was stopped while the question was open
    "superseded",  # the customer wrote something else first
    "void",  # what was shown is not what would run any more
    "used",  # this question was answered before, here or elsewhere
    "unknown",  # its yes was used, and the chat ended before it was known what came of the call
]


@dataclass(frozen=True)
class ApprovalRequest:
    """What a person is asked to agree to.

    arguments: exactly what will run.
    effect: what happens, in plain words of the server's own.
    reversible: True when the server says that the call only adds and destroys nothing. Otherwise nothing
    known can undo it, and the question must not be answered by habit.
    digest: covers every field in SHOWN; see `digest_of`.
    expires_at: seconds since the epoch; an answer after it counts as no.
    asked_by: who asks, in words: the assistant of a chat, or a server.
    audience: who may answer.
    warnings: what is odd about the tool, in sentences.
    form: where a server asks for data, the JSON Schema of what it wants filled in; else empty.
    description: what the tool is for, in the server's words.
    schema: the JSON Schema of the arguments, for whoever wants to change one.
    always: what a yes to all calls of the kind would cover, in words; empty where there is no such yes.
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
    asked_by: str = ""
    audience: Audience = "person"
    warnings: tuple[str, ...] = ()
    form: dict[str, Any] = field(default_factory=dict[str, Any])
    description: str = ""
    schema: dict[str, Any] = field(default_factory=dict[str, Any])
    always: str = ""
    notice: str = ""


SHOWN = (
    *("id", "tool", "title", "arguments", "effect", "reversible", "expires_at"),
    *("asked_by", "audience", "warnings", "form"),
)
"""The fields that a digest covers: whoever changes one of them has asked another question."""


@dataclass(frozen=True)
class Approval:
    """A person's answer. It counts only when its digest is the request's.

    note: the person's reason for a no; the model reads it.
    changed: with a no, the whole arguments as the person wants them: they pass the gates like the model's
    own, and a new request asks about them.
    always: with a yes, that it covers the calls which `ApprovalRequest.always` describes, in this session.
    content: with a yes, what was filled into the form.
    """

    digest: str
    approved: bool
    by: str
    note: str | None = None
    changed: dict[str, Any] | None = None
    always: bool = False
    content: dict[str, Any] | None = None


Approver = Callable[[ApprovalRequest], Awaitable[Approval]]


def canonical(value: Any) -> str:
    """Return the one JSON text of a value: keys sorted, no spaces, nothing escaped that need not be."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def digest_of(request: ApprovalRequest) -> str:
    """Return the sha256, in hex, of what was shown and will run."""
    shown = canonical({name: getattr(request, name) for name in SHOWN})
    return hashlib.sha256(shown.encode("utf-8", "surrogatepass")).hexdigest()
