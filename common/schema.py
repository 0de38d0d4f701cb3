"""JSON Schema as a value: references resolved, marks found and removed.

Knows:    `$ref`, and our mark `x-grounding`.
Does not: validate.   (the callers, with jsonschema)
"""

from collections.abc import Iterator, Mapping
from typing import Any, cast

MARK = "x-grounding"
"""The schema keyword that names the kind of id an argument or a result field holds."""

Schema = dict[str, Any]

_BRANCHES = ("anyOf", "oneOf", "allOf")
_MAX_DEPTH = 24
"""Levels of a schema. A server's schema is input, and a tree that refers to itself never ends."""

_MAX_NODES = 5_000
"""Objects in one schema once its references are followed; larger ones are cut."""


def inline(schema: Mapping[str, Any]) -> Schema:
    """Return the schema with every local `$ref` replaced by what it refers to, and no `$defs`.

    A reference that is unknown, remote or nested too deep becomes the schema that accepts anything.
    """
    return cast(Schema, _Inliner(schema).expand(schema, 0))


class _Inliner:
    """One pass over one schema, with a budget: references can fan out without end."""

    def __init__(self, schema: Mapping[str, Any]) -> None:
        self._definitions = {
            f"#/{place}/{name}": value
            for place in ("$defs", "definitions")
            for name, value in cast(dict[str, Any], schema.get(place) or {}).items()
        }
        self._nodes_left = _MAX_NODES

    def expand(self, node: Any, depth: int) -> Any:
        if isinstance(node, list):
            return [self.expand(item, depth + 1) for item in cast(list[Any], node)]
        if not isinstance(node, Mapping):
            return node
        self._nodes_left -= 1
        if depth > _MAX_DEPTH or self._nodes_left < 0:
            return {}
        mapping = cast(Mapping[str, Any], node)
        if "$ref" in mapping:
            target = self._definitions.get(str(mapping["$ref"]), {})
            siblings = {key: value for key, value in mapping.items() if key != "$ref"}
            return self.expand({**target, **siblings}, depth + 1) if isinstance(target, Mapping) else {}
        return {
            key: self.expand(value, depth + 1)
            for key, value in mapping.items()
            if key not in ("$defs", "definitions")
        }


def without_marks(node: Any) -> Any:
    """Return a copy of a schema that carries none of our `x-` keywords: what a model endpoint may see."""
    if isinstance(node, list):
        return [without_marks(item) for item in cast(list[Any], node)]
    if isinstance(node, dict):
        return {
            key: without_marks(value)
            for key, value in cast(Schema, node).items()
            if isinstance(value, dict) or not key.startswith("x-")  # a property may be called x-something
        }
    return node


def branches(schema: Schema) -> Iterator[Schema]:
    """Yield the schema and every alternative inside it, at the same place of the value."""
    yield schema
    for keyword in _BRANCHES:
        for branch in cast(list[Any], schema.get(keyword) or []):
            if isinstance(branch, dict):
                yield from branches(cast(Schema, branch))


def fields(schema: Schema) -> dict[str, Schema]:
    """Return the properties that an object described by the schema may have, over all its branches."""
    found: dict[str, Schema] = {}
    for branch in branches(schema):
        for name, value in cast(Schema, branch.get("properties") or {}).items():
            if isinstance(value, dict):
                found.setdefault(name, cast(Schema, value))
    return found


def item_schema(schema: Schema) -> Schema:
    """Return the schema of a list's items, empty where none is given."""
    for branch in branches(schema):
        items = branch.get("items")
        if isinstance(items, dict):
            return cast(Schema, items)
    return {}


def mark_of(schema: Schema) -> str | None:
    """Return the kind of id that the schema says its value holds."""
    for branch in branches(schema):
        kind = branch.get(MARK)
        if isinstance(kind, str) and kind:
            return kind
    return None
