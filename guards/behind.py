"""The function behind a call: what a tool that calls others by name is about to run, as far as gates go.

Knows:    the mark by which a tool says that it calls functions, and the descriptions of those functions.
Does not: ask a server for a description.   (agent/behind.py)
Agreed:   `_meta["shopkart/calls"]` of a tool is {"function": ARGUMENT, "arguments": ARGUMENT, "describe":
          TOOL}: the first argument holds a function's name, the second what it takes, and the tool says of
          functions what they take and return.
Rule:     what a function takes counts for its arguments as a tool's own schema does. A function that is not
          described, or not in a way that can be read, is not called. Every server is believed: what it says
          here it could say of a listed tool as well, and what the names of arguments show stays checked.
Limit:    arguments of which the schema is not known beforehand cannot be narrowed to what was named; they are
          checked before the call alone.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from common.approval import canonical
from common.schema import Schema, inline, mapping, required

CALLS = "shopkart/calls"

DATA = "data"
"""The field of a result that holds what the function returned."""

_LONGEST_NAME = 200


@dataclass(frozen=True)
class Calls:
    """How a tool calls functions: two arguments and a tool by name; empty where they cannot be read."""

    function: str
    arguments: str
    describe: str


@dataclass(frozen=True)
class Described:
    """A function as its server describes it. takes, returns: schemas, their references followed."""

    name: str
    effect: str
    takes: Schema
    returns: Schema

    @property
    def reads(self) -> bool:
        """Say whether it is said only to read; whatever else is said, or nothing, means that it changes."""
        return self.effect == "read"


def calls_of(tool: Any) -> Calls | None:
    """Return how a tool calls functions, None where it says nothing of that."""
    meta: object = getattr(tool, "meta", None)
    if CALLS not in mapping(meta):
        return None
    said = mapping(mapping(meta)[CALLS])
    function, arguments, describe = (_text(said.get(key)) for key in ("function", "arguments", "describe"))
    return Calls(function, arguments, describe)


def function_in(calls: Calls, arguments: Mapping[str, Any]) -> str:
    """Return the name of the function that a call is of; empty where it holds none."""
    name: object = arguments.get(calls.function) if calls.function else None
    return name if isinstance(name, str) and len(name) <= _LONGEST_NAME else ""


def described(function: str, data: Mapping[str, Any], most: int) -> Described | None:
    """Return a function out of the data of a description; None where it cannot be read.

    most: characters of each schema.
    """
    found = [each for each in map(mapping, _items(data.get("functions"))) if each.get("name") == function]
    if len(found) != 1:
        return None
    takes, returns = found[0].get("input_schema"), found[0].get("output_schema")
    if not isinstance(takes, dict) or not isinstance(returns, dict | None):
        return None
    schemas = cast(Schema, takes), cast(Schema, returns or {})
    if any(len(canonical(schema)) > most for schema in schemas):
        return None
    return Described(function, _text(found[0].get("effect")), *map(inline, schemas))


def seen_through(schema: Schema, calls: Calls, function: Described) -> Schema:
    """Return the schema of a call of this function: the tool's own, with what the function takes in it."""
    inner = {**function.takes, "type": "object"}
    return {
        **schema,
        "properties": {**mapping(schema.get("properties")), calls.arguments: inner},
        "required": sorted({*required(schema), calls.function, calls.arguments}),
    }


def with_arguments(calls: Calls, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return a call that says what it hands the function, be it nothing."""
    return {calls.arguments: {}, **arguments}


def result_of(function: Described) -> Schema:
    """Return the schema of what comes back from the function."""
    return {"type": "object", "properties": {DATA: function.returns}}


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _items(value: object) -> list[Any]:
    return cast(list[Any], value) if isinstance(value, list) else []
