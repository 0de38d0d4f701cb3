"""A conversation as Markdown, for people.

Knows:    the OpenAI form of a history.
Does not: write a file (files.py), or know the form that can be loaded again.   (agent/saved.py)
Rule:     what anybody wrote is quoted, so that no text can pass for a heading or another speaker.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from terminal.words import printable

TITLE = "# A conversation with the shop's support"


def markdown(messages: Sequence[Mapping[str, Any]]) -> str:
    """Return the conversation: who said what, which tool was called with what, and what it returned."""
    parts = [TITLE]
    for message in messages:
        parts += _said(message)
    return "\n\n".join(parts) + "\n"


def _said(message: Mapping[str, Any]) -> Iterator[str]:
    role, content = message["role"], message["content"]
    if role == "user":
        yield from ("**You**", _quoted(content))
    elif role == "tool":
        yield from (f"**Tool result** of {_code(message['name'])}", _quoted(_fenced(content)))
    else:
        if content.strip():
            yield from ("**Assistant**", _quoted(content))
        for call in message.get("tool_calls") or ():
            function = call["function"]
            yield f"**Tool call** {_code(function['name'] + ' ' + function['arguments'])}"


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in printable(text).split("\n"))


def _fenced(content: str) -> str:
    try:
        shown = json.dumps(json.loads(content), ensure_ascii=False, indent=2)
    except ValueError:
        shown = content
    fence = _fence(shown, 3)
    return f"{fence}\n{shown}\n{fence}"


def _code(text: str) -> str:
    """Return the text as code on one line, whatever backticks are in it."""
    line = printable(text.replace("\n", " "))
    fence = _fence(line, 1)
    space = " " if "`" in line else ""
    return f"{fence}{space}{line}{space}{fence}"


def _fence(text: str, least: int) -> str:
    longest = max(map(len, re.findall(r"`+", text)), default=0)
    return "`" * max(least, longest + 1)
