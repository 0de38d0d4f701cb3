"""Why a call was not made: what happened, for model and customer, and what the model should do now.

Knows:    the gates, and the customer's language.
Does not: decide anything.
Rule:     `message` can be read to a customer, in their language; it never blames an order number that was
          right. `next` is for the model and stays English. What only a model can use has `said=""`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from agent.said import said_in
from bridge import ToolResult, failure
from common.events import Gate
from common.phrases import noun, phrase
from common.text import visible
from guards.approval import Verdict
from guards.grounding import Ungrounded

_MAX_NOTE = 300
"""Characters of a person's reason that are passed on."""


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


def bad_arguments(reason: str, tool: str, *, language: str = "en") -> Refusal:
    """The arguments are no JSON object, or do not fit the tool's schema. reason: which, in English."""
    gate: Gate = "parse" if reason.startswith("The arguments") else "validation"
    told = phrase("incomplete", language)
    return Refusal(
        gate,
        "invalid_arguments",
        f"{told} {reason}" if language == "en" else told,
        f"{'' if language == 'en' else reason + ' '}"
        f"Call {tool} again with corrected arguments, or ask the customer for what is missing.",
        said="",
    )


def ungrounded(problems: Sequence[Ungrounded], *, language: str = "en") -> Refusal:
    """An id in the call came from nowhere."""
    first = problems[0]
    known = f" Known so far: {', '.join(first.known[:10])}." if first.known else ""
    detail = noun(first.noun, language)
    return Refusal(
        "grounding",
        "not_grounded",
        phrase("not_given", language, noun=detail, value=visible(first.value)),
        f"Use a {first.noun} exactly as the customer wrote it, or ask the customer for it.{known}",
        said=phrase("ask_detail", language, detail=detail),
    )


def no_function(argument: str, *, language: str = "en") -> Refusal:
    """A tool that calls functions by name was given none. argument: in which the name belongs."""
    return Refusal(
        "validation",
        "invalid_arguments",
        phrase("incomplete", language),
        f"Put the name of one function, as text, into the argument {visible(argument[:60])!r}.",
        said="",
    )


def not_described(function: str, *, language: str = "en") -> Refusal:
    """The server does not say, or not in a way that can be read, what a function takes."""
    return Refusal(
        "validation",
        "not_described",
        phrase("failed", language),
        f"The server gives no description of {visible(function[:60])!r} that could be checked, so it is not "
        "called. Do not try it again; say that this could not be done.",
    )


def not_asked_for(title: str, *, language: str = "en") -> Refusal:
    """Nothing in the customer's words leads to a call that changes something."""
    return Refusal(
        "permission",
        "not_asked_for",
        phrase("not_asked", language),
        f"The customer has not asked for this ({visible(title[:60])}). Answer what they asked; do not do this"
        " unless they ask for it.",
        said="",
    )


def denied(say: str, *, language: str = "en") -> Refusal:
    """The shop's own rules do not let the call be made. say: its words for it, if it has any."""
    return Refusal(
        "permission",
        "policy_denied",
        say or phrase("policy_denies", language),
        "Tell the customer that this is not done in this chat. Do not try again.",
    )


def not_permitted(
    verdict: Verdict, *, note: str | None = None, say: str = "", language: str = "en"
) -> Refusal:
    """A person said no, said nothing in time, or could not be asked.

    note: the person's reason for a no. say: the shop's words where only its staff may agree.
    """
    if verdict == "waiting":
        return Refusal(
            "permission",
            "approval_waiting",
            say or phrase("staff_asked", language),
            "Tell the customer that the staff have been asked and that nothing was changed yet. "
            "Do not ask again.",
        )
    if verdict in ("used", "void", "superseded", "cancelled"):
        return Refusal(
            "permission",
            f"approval_{verdict}",
            phrase(f"approval_{verdict}", language),
            "Tell the customer that nothing was changed and that they can ask for it again.",
        )
    if verdict == "expired":
        return Refusal(
            "permission",
            "approval_expired",
            phrase("expired", language),
            "Tell the customer that nothing was changed and that they can ask for it again.",
        )
    if verdict == "not_possible":
        return Refusal(
            "permission",
            "approval_not_possible",
            say or phrase("not_possible", language),
            "Tell the customer that this cannot be done here and that a member of staff has to do it. "
            "What they wrote was right: do not ask for another number.",
        )
    reason = f" {phrase('reason_given', language, note=quoted(note))}" if note and note.strip() else ""
    return Refusal(
        "permission",
        "approval_declined",
        f"{phrase('declined', language)}{reason}",
        "Tell the customer that it was not approved and nothing was changed. "
        "What they wrote was right: do not ask for another number, and do not try again.",
    )


def quoted(note: str) -> str:
    """Return a person's reason as one line in quotes: it is data, whoever reads it."""
    return f"“{visible(' '.join(note.split())[:_MAX_NOTE])}”."


def after_approval(refusal: Refusal, *, language: str = "en") -> Refusal:
    """A person agreed, and it failed all the same, or nobody knows what came of it."""
    known = refusal.code != "unknown_outcome"
    told = phrase("approved_failed" if known else "approved_unknown", language)
    return replace(refusal, message=f"{told} {refusal.message}")


def already_declined(*, language: str = "en") -> Refusal:
    """The same kind of request was declined earlier in this turn: nobody is asked twice."""
    return Refusal(
        "permission",
        "approval_declined",
        phrase("declined_before", language),
        "Tell the customer that it was not approved. Do not ask again in this turn.",
    )


def changed_since(tool: str) -> ToolResult:
    """The server has changed the tool between the decision and the call: the result in the call's place."""
    return failure(
        "tool_changed",
        f"Tool {tool!r} was not called: it is not what was decided on any more.",
        "Nothing was done. Say that this has to be asked for once more.",
    )


def repeated(tool: str, *, language: str = "en") -> Refusal:
    """The same call failed before in this turn."""
    return Refusal(
        "limit",
        "repeated_call",
        phrase("failed_before", language),
        f"Do not call {tool} like this again. Tell the customer what the first answer said.",
    )


def over_limit(what: str) -> Refusal:
    """The turn's budget is used up."""
    return Refusal("limit", "limit_reached", f"{what}; this one was not made.", "Answer the customer now.")


def too_many_calls(*, language: str = "en") -> Refusal:
    """The conversation has had its calls of this minute."""
    told = phrase("too_many_calls", language)
    return Refusal(
        "limit",
        "too_many_calls",
        told,
        "Call nothing more now. Tell the customer to ask again in a minute.",
        said=told,
    )


def too_many_open(*, language: str = "en") -> Refusal:
    """As many questions to people are open as may be."""
    told = phrase("too_many_open", language)
    return Refusal(
        "limit",
        "too_many_open",
        told,
        "Do not ask for this again. Tell the customer that earlier requests must be answered first.",
        said=told,
    )


def from_server(gate: Gate, result: Any, language: str) -> Refusal:
    """The server refused the call, or failed."""
    data = result.data
    message = str(data.get("message") or result.text or "The shop's system could not do this.")
    said = said_in(result, language)
    return Refusal(
        gate,
        str(data.get("error", "tool_error")),
        message if said == result.text else said,
        str(data.get("next", "Say what could not be done; do not repeat the same call.")),
    )
