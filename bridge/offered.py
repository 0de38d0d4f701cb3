"""Why a tool of a server cannot be called now.

Knows:    the list of tools as it is, and the one on which whoever calls has decided.
Does not: decide whether a call should be made.   (guards/)
"""

from bridge.results import ToolResult, failure
from bridge.vetting import Listing


def not_offered(name: str, now: Listing, before: Listing) -> ToolResult | None:
    """Return why a call is not sent, or None. before: the list on which whoever calls has decided."""
    if name in now.tools:
        return _changed_since(name, now, before)
    if reason := now.refused.get(name):
        return failure("tool_refused", f"Tool {name!r} cannot be used: {reason}.", "Answer without it.")
    return failure(
        "unknown_tool",
        f"Unknown tool: {name[:64]!r}.",
        f"Use one of: {', '.join(now.tools) or 'none'}.",
    )


def _changed_since(name: str, now: Listing, before: Listing) -> ToolResult | None:
    is_same = name not in before.tools or before.tools[name] == now.tools[name]
    if is_same and now.changed.get(name) == before.changed.get(name):
        return None
    return failure(
        "tool_changed",
        f"Tool {name!r} was not called. {now.changed.get(name, '')}".strip(),
        "Nothing was done. Say that this has to be asked for once more.",
    )
