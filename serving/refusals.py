"""Refusals: the one shape in which a server says no.

Knows:    the three parts of a refusal, and how invalid arguments are put into words.
Does not: know any rule of a shop.
Shape:    is_error true; structured content `error` (code), `message` (what happened), `next` (what to
          say or do now); the text is the last two; `_meta` the same for the customer in other languages.
"""

import re
from collections.abc import Mapping
from typing import Any

from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import CallToolResult, TextContent
from pydantic import ValidationError

from common.id_pattern import as_in
from serving.said import ENGLISH, beside, told_of


class Refused(ToolError):
    """A tool's no. It reaches the client word for word, so it must not carry what the caller may not see.

    said: what the customer is told, in the languages other than English.
    noted: whether the audit trail is told of it. ran: whether what was asked for had begun, so that it failed
    rather than was refused, and something may have happened.
    """

    noted = True
    ran = False

    def __init__(self, code: str, message: str, next: str, *, said: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.next = next
        self.said = dict(said or {})

    def result(self) -> CallToolResult:
        """Return the refusal as it goes over the wire."""
        return CallToolResult(
            is_error=True,
            content=[TextContent(type="text", text=f"{self.message} {self.next}")],
            structured_content={"error": self.code, "message": self.message, "next": self.next},
            _meta=beside(self.said),
        )


def unknown_tool(known: list[str], next: str = "") -> Refused:
    """Refuse a tool that is not there. The name asked for is not repeated: a model wrote it.

    next: what to do instead of using a known one.
    """
    return Refused(
        "unknown_tool",
        "There is no tool of that name.",
        next or f"Use one of these tools: {', '.join(known)}.",
        said=told_of("invalid_arguments"),
    )


def invalid_arguments(error: ValidationError) -> Refused:
    """Refuse arguments that do not fit. Names the fields and the rules, never a value."""
    problems = error.errors(include_url=False, include_input=False)
    told = list(dict.fromkeys(_told(problem) for problem in problems[:_MOST_TOLD]))
    return Refused(
        "invalid_arguments",
        f"The arguments do not fit: {'; '.join(told)}.",
        "Correct them, or ask the customer for what is missing, and call the tool again.",
        said=told_of("invalid_arguments"),
    )


def too_many_arguments() -> Refused:
    """Refuse more arguments than any tool has, before each of them is looked at."""
    return Refused(
        "invalid_arguments",
        f"The arguments do not fit: there are more than {MOST_ARGUMENTS}.",
        "Correct them, or ask the customer for what is missing, and call the tool again.",
        said=told_of("invalid_arguments"),
    )


def crashed() -> Refused:
    """Refuse because something broke. Says nothing of the cause, which is in the server's log."""
    return Refused(
        "internal_error",
        "The shop's system failed and did not answer this request.",
        "Tell the customer that it did not work just now and that they can try again in a moment.",
        said=told_of("internal_error"),
    )


def not_signed_in() -> Refused:
    """Refuse a guest what only a customer may do."""
    return _house(
        "not_signed_in",
        "Tell the customer to sign in to the shop first. Questions about its rules can be answered without.",
    )


def not_allowed() -> Refused:
    """Refuse a role what the shop's access file does not list for it."""
    return _house("not_allowed", "Tell the customer that this cannot be done here.")


def too_many_lookups(*, noted: bool = True) -> Refused:
    """Refuse a call because there were too many of them. noted: whether the audit trail is told of it."""
    refusal = _house("too_many_lookups", "Tell the customer to wait a minute and to ask again.")
    refusal.noted = noted
    return refusal


def _house(code: str, next: str) -> Refused:
    told = told_of(code)
    others = {language: text for language, text in told.items() if language != ENGLISH}
    return Refused(code, told[ENGLISH], next, said=others)


MOST_ARGUMENTS = 64
"""Arguments that one call may have; no tool here has more than three."""

_MOST_TOLD = 5
"""Problems named in one refusal. More do not help a model, and a caller may send thousands of keys."""

_PLAIN_NAME = re.compile(r"[A-Za-z_]{1,40}")
"""Names that are repeated to the caller. Others could hold text, a number or an address."""

_RULES = {
    "missing": "is missing",
    "extra_forbidden": "is not an argument of this tool",
    "string_type": "must be a string",
    "string_unicode": "must be valid Unicode",
    "string_pattern_mismatch": "must match the pattern {pattern}",
    "string_too_short": "must have at least {min_length} characters",
    "string_too_long": "must have at most {max_length} characters",
    "literal_error": "must be one of {expected}",
    "value_error": "{error}",
}


def _told(problem: Any) -> str:
    name = ".".join(str(part) for part in problem["loc"]) or "the arguments"
    shown = name if _PLAIN_NAME.fullmatch(name) or not problem["loc"] else "an argument"
    rule = _RULES.get(problem["type"], f"must fit its schema (rule: {problem['type']})")
    context = problem.get("ctx", {})
    return f"{shown} {rule.format_map(context)}{as_in(context.get('pattern'))}"
