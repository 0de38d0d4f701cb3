"""Which kinds of id a look-up gives that needs none itself.

Knows:    the output schema of a tool, and the marks in it.
Does not: call the tool.
"""

from typing import Any

from common.schema import Schema, branches, fields, inline, item_schema
from guards.kinds import kind_of, noun

_OF_NOTHING = "number"
"""What a bare `id` is called: nobody can be asked for it, so that nothing has to be listed for it."""

_DEEPEST = 6
"""Levels of a result that are looked at."""


def gives(tool: Any) -> list[str]:
    """Return the ids that the results of a tool without arguments name, in a customer's words."""
    if fields(inline(tool.input_schema)) or tool.output_schema is None:
        return []
    return list(dict.fromkeys(_named(inline(tool.output_schema), 0)))


def _named(schema: Schema, depth: int) -> list[str]:
    if depth > _DEEPEST:
        return []
    found: list[str] = []
    for branch in branches(schema):
        for name, value in fields(branch).items():
            kind = kind_of(name, value)
            if kind is None:
                found += _named(value, depth + 1)
            elif (said := noun(kind)) != _OF_NOTHING:
                found.append(said)
        if items := item_schema(branch):
            found += _named(items, depth + 1)
    return found
