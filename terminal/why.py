"""Why a call is asked about: what it is for, what the customer said, where each argument came from.

Knows:    the request, the customer's messages, whether the server was asked beforehand.
Does not: judge any of it: the gates have.   (guards/)
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from common.approval import ApprovalRequest
from common.schema import Schema, field_schema, inline
from common.text import fold, visible
from guards.kinds import Kind, kind_of
from terminal.card import Row
from terminal.words import shortened, written

_MAX_SAID = 300
_MAX_VALUE = 60

_CHECKED = "the server was asked first, and its rules allow exactly this call."
_UNCHECKED = "this server cannot be asked first; it checks its rules when the call runs."


@dataclass(frozen=True)
class Talked:
    """What is known of the conversation around a call.

    heard: the customer's messages so far, oldest first. checked: the tools whose calls the server was asked
    about beforehand. changed: arguments that the person at this end has set, as (tool, name).
    named: who named an id of a kind, in words; empty where that is not known.
    """

    heard: Sequence[str] = ()
    checked: frozenset[str] = frozenset()
    changed: dict[tuple[str, str], Any] = field(default_factory=dict[tuple[str, str], Any])
    named: Callable[[Kind, Any, Schema], str] = lambda kind, value, schema: ""

    def remember(self, request: ApprovalRequest, arguments: dict[str, Any]) -> None:
        """Take note of what a person has set."""
        for name, value in arguments.items():
            if request.arguments.get(name) != value:
                self.changed[request.tool, name] = value

    def origin(self, tool: str, name: str, value: Any, schema: Schema) -> str:
        """Return where an argument came from, as far as the conversation shows it."""
        if (tool, name) in self.changed and self.changed[tool, name] == value:
            return "set by you"
        kind = kind_of(name, schema)
        if kind and (told := self.named(kind, value, schema)):
            return told
        text = written(value)
        if self.heard and _stands_in(text, self.heard[-1]):
            return "in the customer's message"
        if any(_stands_in(text, message) for message in self.heard):
            return "in an earlier message of the customer"
        if kind:
            return "from an earlier result of the shop's system"
        return "chosen by the assistant" if "enum" in schema else "written by the model"


def why_rows(request: ApprovalRequest, talked: Talked) -> list[Row]:
    """Return the rows of the answer to w."""
    purpose = " ".join(request.description.split("\n\n", 1)[0].split()) or request.title or request.tool
    rows = [Row("For:", [visible(purpose)])]
    if talked.heard:
        rows.append(Row("Said:", [shortened(talked.heard[-1], _MAX_SAID)]))
    schema = inline(request.schema)
    for name, value in request.arguments.items():
        source = talked.origin(request.tool, name, value, field_schema(schema, name))
        rows.append(Row(f"{visible(name)}:", [f"{shortened(written(value), _MAX_VALUE)} · {source}"]))
    return [*rows, Row("Rules:", [_CHECKED if request.tool in talked.checked else _UNCHECKED])]


def _stands_in(written: str, message: str) -> bool:
    word = re.escape(fold(written).casefold())
    return bool(word) and re.search(rf"(?<!\w){word}(?!\w)", fold(message).casefold()) is not None
