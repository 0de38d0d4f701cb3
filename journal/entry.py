"""What a row tells: one decision of one gate, in words of closed sets.

Knows:    the words, and that a code which is not among them is not kept.
Does not: know hashes, or a database.   (chain.py, trail.py)
Why:      free text could hold anything, a customer's data too. So could the code of another house's server.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from common.events import Gate as TurnGate

Side = Literal["agent", "server", "shell"]
"""Who decided: the chat, the server, or a member of the staff in the shell (`python -m store`)."""

Gate = TurnGate | Literal["execute", "output", "journal"]
"""The gates of both sides; execute is the seventh, output checks the reply, journal is the trail itself."""

Decision = Literal[
    "allowed",  # a gate let the call, the message or the reply through
    "refused",  # or stopped it
    "asked",  # a person is being asked
    "approved",
    "declined",
    "changed",  # a no, with other arguments, about which is asked again
    "expired",
    "not_possible",  # nobody was there to be asked
    "waiting",  # the staff were asked, and may still answer
    "cancelled",  # the turn was stopped while the question was open
    "superseded",  # the customer wrote something else first
    "void",  # what was shown is not what would run any more
    "used",  # the question was answered before
    "unknown",  # a chat ended between a yes and what came of the call, and its person has been told
    "started",  # the call leaves for the tool
    "done",  # it came back, and it read
    "written",  # it came back, and it changed something
    "tried",  # a dry run came back
    "failed",  # it came back with an error
    "began",  # a writer's first row
    "ended",  # its last, where it came to an orderly end
]

SERVER_ASKED = "server_asked"
"""The reason of a question that a server asked in a call, and of its answer: no yes to the call itself."""

REASONS = frozenset(
    {
        SERVER_ASKED,
        # of the agent's gates
        "already_declined",
        "approval_cancelled",
        "approval_declined",
        "approval_expired",
        "approval_not_possible",
        "approval_not_proven",
        "approval_superseded",
        "approval_used",
        "approval_void",
        "approval_waiting",
        "by_grant",
        "by_policy",
        "empty_message",
        "instruction_attack",
        "invalid_arguments",
        "limit_reached",
        "message_too_long",
        "not_asked_for",
        "not_described",
        "not_grounded",
        "policy_denied",
        "repeated_call",
        "too_many_calls",
        "too_many_open",
        "too_many_tokens",
        "too_many_turns",
        "unknown_tool",
        "unverified",
        "withdrawn",
        # of the bridge
        "bad_arguments",
        "invalid_result",
        "needs_input",
        "no_answer",
        "server_gone",
        "server_error",
        "server_unavailable",
        "stopped",
        "timeout",
        "token_refused",
        "tool_changed",
        "tool_error",
        "tool_refused",
        "unknown_outcome",
        # of the server
        "internal_error",
        "invalid_token",
        "not_allowed",
        "not_signed_in",
        "nothing_to_refund",
        "outside_return_window",
        "too_many_lookups",
        "too_many_tickets",
        "too_many_hand_offs",
        "too_many_requests",
        "unknown_order",
        "unknown_ticket",
        "wrong_state",
        # of the server of contracts
        "answer_too_large",
        "answer_unexpected",
        "answer_unreadable",
        "bad_cursor",
        "needs_plan",
        "no_credential",
        "no_pages",
        "not_confined",
        "not_runnable",
        "unknown_function",
        "upstream_broke_off",
        "upstream_resting",
        "upstream_timeout",
        "upstream_unreachable",
        "word_not_known",
        *(f"status_{status}" for status in range(100, 600)),
    }
)

OTHER = "other"


@dataclass(frozen=True)
class Entry:
    """One decision, as whoever took it tells it to the trail.

    tool: the name of a tool that exists; else empty, for a model may write anything as a name.
    arguments: of the call, parsed, or the raw text where it is no JSON object. Only a digest is kept.
    reason: a code; one that is not in REASONS is kept as "other".
    session, customer_id: kept as digests. role: customer, staff, guest, or empty where it is not known.
    at: when it was decided, if that is not now.
    """

    side: Side
    gate: Gate
    decision: Decision
    tool: str = ""
    arguments: Mapping[str, Any] | str | None = None
    reason: str = ""
    session: str = ""
    role: str = ""
    customer_id: str = ""
    at: datetime | None = None


def kept_reason(code: str) -> str:
    """Return the code as it is kept."""
    return code if not code or code in REASONS else OTHER
