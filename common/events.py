"""The one stream of what happens in a turn.

`agent_mcp.run` emits these in order; the terminal, the browser, the audit trail and the tests read them.
Text that reaches `Token` has passed the output check; text that failed it is in no event.
"""

from dataclasses import asdict, dataclass, field
from typing import Any, ClassVar, Literal

from common.approval import Approval, ApprovalRequest, Verdict

Gate = Literal[
    "input", "whitelist", "parse", "validation", "grounding", "precondition", "permission", "limit"
]


@dataclass(frozen=True)
class Event:
    """One thing that happened. `type` is its name on the wire."""

    type: ClassVar[str] = "event"

    def as_dict(self) -> dict[str, Any]:
        """Return the event as plain data, ready for JSON."""
        return {"type": self.type, **asdict(self)}


@dataclass(frozen=True)
class ModelStarted(Event):
    """The model was asked; step counts from 1 within the turn."""

    type: ClassVar[str] = "model_started"
    step: int


@dataclass(frozen=True)
class Token(Event):
    """A checked piece of the reply: a whole sentence or list line with its white space."""

    type: ClassVar[str] = "token"
    text: str


@dataclass(frozen=True)
class ToolRequested(Event):
    """The model asked for a call; arguments is the raw text it wrote."""

    type: ClassVar[str] = "tool_requested"
    call_id: str
    tool: str
    arguments: str


@dataclass(frozen=True)
class GateDecision(Event):
    """A gate let something through or stopped it; reason is empty when it let it through.

    code: the reason as one word of a closed set, for the audit trail: the reason itself may hold anything.
    """

    type: ClassVar[str] = "gate_decision"
    gate: Gate
    allowed: bool
    reason: str = ""
    call_id: str | None = None
    tool: str | None = None
    code: str = ""


@dataclass(frozen=True)
class ApprovalAsked(Event):
    """A person is being asked; the turn waits."""

    type: ClassVar[str] = "approval_asked"
    request: ApprovalRequest


@dataclass(frozen=True)
class ApprovalAnswered(Event):
    """The answer, and what it came to; changed: another request follows.

    It also tells of a yes that was given before, of which nobody was asked again.
    """

    type: ClassVar[str] = "approval_answered"
    request: ApprovalRequest
    approval: Approval | None
    outcome: Verdict


@dataclass(frozen=True)
class ToolStarted(Event):
    """The call left for the server, with these arguments.

    approval: the digest of the approval under which it runs; empty where none was needed.
    """

    type: ClassVar[str] = "tool_started"
    call_id: str
    tool: str
    arguments: dict[str, Any]
    approval: str = ""


@dataclass(frozen=True)
class ToolReturned(Event):
    """The server's answer to a call that was executed; seconds is wall time."""

    type: ClassVar[str] = "tool_result"
    call_id: str
    tool: str
    arguments: dict[str, Any]
    is_error: bool
    data: dict[str, Any]
    text: str
    seconds: float


@dataclass(frozen=True)
class ReplyChecked(Event):
    """The output check's verdict on one version of the reply.

    ok False means: what was shown of this version is withdrawn and another version follows.
    unverified names what nothing observed supports.
    """

    type: ClassVar[str] = "reply_checked"
    ok: bool
    unverified: tuple[str, ...] = ()


@dataclass(frozen=True)
class Done(Event):
    """The turn is over; reply is what the customer was told."""

    type: ClassVar[str] = "done"
    reply: str
    meta: dict[str, Any] = field(default_factory=dict[str, Any])
