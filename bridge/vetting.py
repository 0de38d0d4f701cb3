"""What a server lists is input: which of its tools are taken, and what is odd about them.

Knows:    MCP tools as listed.
Does not: talk to a server, or decide whether a call may run.   (bridge/connection.py, guards/)
Rule:     two tools of one name are both refused, since nobody can say which one was meant; text that
          a reader could not see is written out, so that what the model reads is what a person reads.
          A tool that is not what it was when the session began is another tool: it is offered, and marked as
          changed for the rest of the session, also where it changes back or comes again.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, cast

from mcp_types import Tool

from common.approval import canonical
from common.text import unsafe_characters, visible

_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}", re.ASCII)
"""What OpenAI-compatible endpoints accept as a function name."""

_MAX_TEXT = 4_000
"""Characters of one description; longer ones are cut, for they are paid for on every request."""


_GONE = "the server took it away during the session"
_SO = ", so every call of it is asked about."


@dataclass(frozen=True)
class Listing:
    """The tools that are taken, the names that are refused with the reason, and what to tell a person.

    prints: of each tool that was ever taken, the hash of what it said of itself at first.
    changed: what is odd about those that are not what they were, a sentence each; a name stays in it.
    """

    tools: dict[str, Tool] = field(default_factory=dict[str, Tool])
    refused: dict[str, str] = field(default_factory=dict[str, str])
    notices: tuple[str, ...] = ()
    prints: dict[str, str] = field(default_factory=dict[str, str])
    changed: dict[str, str] = field(default_factory=dict[str, str])


def vet(listed: Iterable[Tool]) -> Listing:
    """Return what may be offered of a server's list."""
    tools = list(listed)
    counts = Counter(tool.name for tool in tools)
    taken: dict[str, Tool] = {}
    refused: dict[str, str] = {}
    notices: list[str] = []
    for tool in tools:
        reason = _why_refused(tool, counts[tool.name])
        if reason:
            if tool.name not in refused:
                notices.append(f"Tool {visible(tool.name)!r} is not offered: {reason}.")
            refused[tool.name] = reason
            continue
        clean, odd = _clean(tool)
        if odd:
            notices.append(f"Tool {tool.name!r} was listed with {odd}; the model is shown the escaped text.")
        taken[tool.name] = clean
    prints = {tool.name: fingerprint(tool) for tool in tools if tool.name in taken}
    return Listing(taken, refused, tuple(notices), prints)


def compare(before: Listing, now: Listing) -> Listing:
    """Return the list as it is now, held against the one before it; what was refused stays refused."""
    refused = {name: why for name, why in before.refused.items() if why != _GONE} | now.refused
    tools = {name: tool for name, tool in now.tools.items() if name not in refused}
    gone = [name for name in before.tools if name not in now.tools and name not in refused]
    odd = {name: why for name in tools if (why := _oddity(name, before, now))}
    changed = before.changed | odd
    said = [f"Tool {name!r} cannot be used any more: {_GONE}." for name in gone]
    said += [f"Tool {name!r}: {why}" for name, why in odd.items() if name not in before.changed]
    return Listing(
        tools,
        refused | dict.fromkeys(gone, _GONE),
        (*now.notices, *said),
        now.prints | before.prints,
        changed,
    )


def _oddity(name: str, before: Listing, now: Listing) -> str | None:
    """Return what became of a tool during the session, in a sentence; None where it is what it was."""
    if name not in before.prints:
        return f"The server added it during the session{_SO}"
    if before.prints[name] != now.prints[name]:
        return f"The server changed what it says of it during the session{_SO}"
    if name not in before.tools:
        return f"The server took it away during the session and brought it back{_SO}"
    return None


def fingerprint(tool: Tool) -> str:
    """Return the sha256 of all that a tool says of itself."""
    said = tool.model_dump(by_alias=True, exclude_none=True, mode="json")
    return hashlib.sha256(canonical(said).encode("utf-8", "surrogatepass")).hexdigest()


def _why_refused(tool: Tool, count: int) -> str | None:
    if count > 1:
        return f"the server lists {count} tools of this name"
    if not _NAME.fullmatch(tool.name):
        return "its name is not 1 to 64 letters, digits, '_' or '-'"
    return None


def _clean(tool: Tool) -> tuple[Tool, str]:
    """Return the tool with readable text only, and what was odd about it."""
    odd: list[str] = []
    update: dict[str, Any] = {
        "title": _readable(tool.title, odd),
        "description": _readable(tool.description, odd),
        "input_schema": _readable(tool.input_schema, odd),
    }
    if tool.annotations and tool.annotations.title:
        title = _readable(tool.annotations.title, odd)
        update["annotations"] = tool.annotations.model_copy(update={"title": title})
    return (tool.model_copy(update=update), "; ".join(dict.fromkeys(odd))) if odd else (tool, "")


def _readable(value: Any, odd: list[str]) -> Any:
    if isinstance(value, str):
        lines = [_line(line, odd) for line in value.replace("\r\n", "\n").split("\n")]
        text = "\n".join(lines)
        if len(text) > _MAX_TEXT:
            odd.append(f"a text of {len(text)} characters, cut to {_MAX_TEXT}")
            text = text[:_MAX_TEXT] + "…"
        return text
    if isinstance(value, list):
        return [_readable(item, odd) for item in cast(list[Any], value)]
    if isinstance(value, dict):
        return {
            _readable(key, odd): _readable(item, odd) for key, item in cast(dict[str, Any], value).items()
        }
    return value


def _line(line: str, odd: list[str]) -> str:
    unsafe = [name for name in unsafe_characters(line) if name != "U+0009"]
    if unsafe:
        odd.append(f"characters that cannot be seen ({', '.join(unsafe)})")
        return visible(line)
    return line
