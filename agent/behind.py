"""What stands behind the tools of one turn that call functions by name: each function is asked about once.

Knows:    the session with the server, and which of its tools describes functions.
Does not: hold the rule of a gate.   (guards/behind.py)
Rule:     a description serves one turn: in the next the server may offer another. It is evidence for no id.
"""

from collections.abc import Mapping
from typing import Any

from agent import refusals
from agent.refusals import Refusal
from bridge import Limits
from common.schema import Schema, inline
from guards.approval import needs_approval
from guards.behind import Calls, Described, calls_of, described, function_in, seen_through, with_arguments

NAMES = "names"
"""The argument in which a tool that describes takes the names of functions."""


class Behind:
    """The functions that one turn has come across."""

    def __init__(self, bridge: Any, language: str) -> None:
        self._bridge = bridge
        self._language = language
        self._known: dict[tuple[str, str], Described] = {}

    async def function(self, tool: Any, arguments: Mapping[str, Any]) -> Described | Refusal | None:
        """Return the function that a call is of, or why it is not called; None where the tool calls none."""
        calls = calls_of(tool)
        if calls is None:
            return None
        name = function_in(calls, arguments)
        if not name:
            return refusals.no_function(calls.function, language=self._language)
        key = (calls.describe, name)
        if key not in self._known:
            found = await self._ask(calls, name)
            if isinstance(found, Refusal):
                return found
            self._known[key] = found
        return self._known[key]

    def as_called(
        self, tool: Any, schema: Schema, arguments: dict[str, Any]
    ) -> tuple[Schema, dict[str, Any]]:
        """Return the schema that a call must fit, and the call, as far as its function is known by now."""
        calls = calls_of(tool)
        found = self._known.get((calls.describe, function_in(calls, arguments))) if calls else None
        if calls is None or found is None:
            return schema, arguments
        return seen_through(schema, calls, found), with_arguments(calls, arguments)

    def describes(self, tool: str) -> bool:
        """Say whether a tool is the one by which another has its functions described."""
        return any(calls.describe == tool for each in self._bridge.tools if (calls := calls_of(each)))

    async def _ask(self, calls: Calls, name: str) -> Described | Refusal:
        asked = next((tool for tool in self._bridge.tools if tool.name == calls.describe), None)
        changed: Mapping[str, str] = getattr(self._bridge, "changed", None) or {}
        # Nobody is asked about the description, so it must be a tool that could be called without asking.
        if asked is None or needs_approval(asked) or calls.describe in changed or calls_of(asked):
            return refusals.not_described(name, language=self._language)
        result = await self._bridge.call(calls.describe, {NAMES: [name]})
        if result.is_error:
            return refusals.from_server("whitelist", result, self._language)
        limits: Limits = getattr(self._bridge, "limits", None) or Limits()
        found = described(name, result.data, limits.schema_bytes)
        return found or refusals.not_described(name, language=self._language)


def own_schema(tool: Any) -> Schema:
    """Return what a tool says that it returns."""
    return inline(tool.output_schema) if tool.output_schema else {}
