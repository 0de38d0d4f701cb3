"""A server's form, filled in line by line.

Knows:    the order: each field, what will be sent, one last yes.
Does not: know what a line means in a field (form_fields.py), or send anything.
Rule:     nothing is sent without a last y. n at a field is no to all of it, but at one that asks y or n.
          What is typed here goes into no history.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from common.approval import ApprovalRequest
from terminal.answers import is_yes
from terminal.card import Row
from terminal.form_fields import FormField, NotAValue, form_fields

SEND = "Send this? [y/N] "
HOW = "n is no to all of it; Enter takes what stands in brackets, or leaves out what can be left out."


@dataclass(frozen=True)
class Paper:
    """Where a form is filled in.

    ask: one line, given the question. tell: shows a line. rows: shows rows. again: a line that fits nothing
    may be typed again; where it may not, as in a pipe, it is no to all.
    """

    ask: Callable[[str], Awaitable[str]]
    tell: Callable[[str], None]
    rows: Callable[[list[Row]], None]
    again: bool = True


async def filled_in(request: ApprovalRequest, paper: Paper) -> tuple[dict[str, Any] | None, str]:
    """Return what is to be sent, or None and the line that was no.

    Raises: EOFError, Interrupted.
    """
    fields = form_fields(request)
    if fields and paper.again:
        paper.tell(HOW)
    content: dict[str, Any] = {}
    for field in fields:
        for row in field.rows():
            paper.tell(row)
        typed, value = await _asked(field, paper)
        if typed is not None:
            return None, typed
        if value is not None:
            content[field.name] = value
    named = {field.name: field for field in fields}
    paper.rows([Row(f"{named[name].title}:", [named[name].told(value)]) for name, value in content.items()])
    line = await paper.ask(SEND)
    return (content, "") if is_yes(line) else (None, line)


async def _asked(field: FormField, paper: Paper) -> tuple[str | None, Any]:
    """Return the line that was no to all, if one was, and else the field's value."""
    while True:
        typed = await paper.ask(field.question)
        if field.kind != "boolean" and typed.strip().lower() in ("n", "no"):
            return typed, None
        try:
            return None, field.read(typed)
        except NotAValue as problem:
            paper.tell(f"  {problem}")
            if not paper.again:
                return typed, None
