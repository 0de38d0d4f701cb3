"""Why a call was not made: what happened, for model and customer, and what the model should do now.

Knows:    the gates.
Does not: decide anything.
Rule:     `message` can be read to a customer; it never blames an order number that was right.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from common.events import Gate
from common.text import visible
from guards.approval import Verdict
from guards.grounding import Ungrounded


@dataclass(frozen=True)
class Refusal:
    """A call that a gate stopped.

    said: what the customer is told when the model finds no words; None means the message itself.
    """

    gate: Gate
    code: str
    message: str
    next: str
    said: str | None = None

    def as_result(self) -> dict[str, str]:
        """Return what the model is answered."""
        return {"error": self.code, "message": self.message, "next": self.next}


def unknown_tool(name: str, offered: Sequence[str]) -> Refusal:
    """The model asked for a tool that is not there."""
    return Refusal(
        "whitelist",
        "unknown_tool",
        f"There is no tool {visible(name[:60])!r}; nothing was done.",
        f"Use one of: {', '.join(offered)}." if offered else "Answer without a tool.",
        said="",
    )


def bad_arguments(reason: str, tool: str) -> Refusal:
    """The arguments are no JSON object, or do not fit the tool's schema."""
    gate: Gate = "parse" if reason.startswith("The arguments") else "validation"
    return Refusal(
        gate,
        "invalid_arguments",
        f"The request was not complete, so nothing was done. {reason}",
        f"Call {tool} again with corrected arguments, or ask the customer for what is missing.",
        said="",
    )


def ungrounded(problems: Sequence[Ungrounded]) -> Refusal:
    """An id in the call came from nowhere."""
    first = problems[0]
    known = f" Known so far: {', '.join(first.known[:10])}." if first.known else ""
    return Refusal(
        "grounding",
        "not_grounded",
        f"No {first.noun} {visible(first.value)!r} was given in this conversation, so nothing was looked up.",
        f"Use a {first.noun} exactly as the customer wrote it, or ask the customer for it.{known}",
        said=f"Please tell me the {first.noun} that you mean.",
    )


def not_permitted(verdict: Verdict) -> Refusal:
    """A person said no, said nothing in time, or could not be asked."""
    if verdict == "expired":
        return Refusal(
            "permission",
            "approval_expired",
            "Nobody approved this request in time, so nothing was done.",
            "Tell the customer that nothing was changed and that they can ask for it again.",
        )
    if verdict == "not_possible":
        return Refusal(
            "permission",
            "approval_not_possible",
            "This needs a person's approval and nobody can give it here, so nothing was done.",
            "Tell the customer that this cannot be done here and that a member of staff has to do it. "
            "What they wrote was right: do not ask for another number.",
        )
    return Refusal(
        "permission",
        "approval_declined",
        "The request was declined, so nothing was changed.",
        "Tell the customer that it was not approved and nothing was changed. "
        "What they wrote was right: do not ask for another number, and do not try again.",
    )


def after_approval(refusal: Refusal) -> Refusal:
    """A person agreed, and it failed all the same, or nobody knows what came of it."""
    known = refusal.code != "unknown_outcome"
    told = "It was approved, but could not be done." if known else "It was approved."
    return replace(refusal, message=f"{told} {refusal.message}")


def already_declined() -> Refusal:
    """The same kind of request was declined earlier in this turn: nobody is asked twice."""
    return Refusal(
        "permission",
        "approval_declined",
        "A request of this kind was declined a moment ago, so nothing was changed.",
        "Tell the customer that it was not approved. Do not ask again in this turn.",
    )


def repeated(tool: str) -> Refusal:
    """The same call failed before in this turn."""
    return Refusal(
        "limit",
        "repeated_call",
        f"The same request to {tool} has failed before and was not sent again.",
        "Tell the customer what the first answer said.",
    )


def over_limit(what: str) -> Refusal:
    """The turn's budget is used up."""
    return Refusal("limit", "limit_reached", f"{what}; this one was not made.", "Answer the customer now.")
