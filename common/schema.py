"""JSON Schema as a value: references resolved, marks found and removed.

Knows:    `$ref`, our marks `x-grounding` and `x-voice`, and every place where a schema describes a part of
          a value.
Does not: validate.   (the callers, with jsonschema)
Rule:     a schema comes from a server and may be anything that JSON can hold; what is no schema says nothing.
"""

from collections.abc import Iterator, Mapping
from typing import Any, cast

MARK = "x-grounding"
"""The schema keyword that names the kind of id an argument or a result field holds."""

VOICE = "x-voice"
"""The schema keyword for whose words a result field holds: the "shop"'s, "others", or what was "asked"."""

Schema = dict[str, Any]

_ALTERNATIVES = ("anyOf", "oneOf", "allOf")
_CONDITIONS = ("if", "then", "else")
_OTHER_FIELDS = ("additionalProperties", "unevaluatedProperties")
_ITEMS = ("items", "additionalItems", "unevaluatedItems", "contains")

_MAX_DEPTH = 24
"""Levels of a schema. A server's schema is input, and a tree that refers to itself never ends."""

_MAX_NODES = 5_000
"""Objects and lists in one schema once its references are followed; larger ones are cut."""


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
            for name, value in mapping(schema.get(place)).items()
        }
        self._nodes_left = _MAX_NODES

    def expand(self, node: Any, depth: int, *, names: bool = False) -> Any:
        """Return the node with its references followed. names: its keys are property names, not keywords."""
        if not isinstance(node, Mapping | list):
            return node
        self._nodes_left -= 1
        if depth > _MAX_DEPTH or self._nodes_left < 0:
            return {}
        if isinstance(node, list):
            return [self.expand(item, depth + 1) for item in cast(list[Any], node)]
        mapping = cast(Mapping[str, Any], node)
        if not names and isinstance(mapping.get("$ref"), str):
            target = self._definitions.get(mapping["$ref"], {})
            siblings = {key: value for key, value in mapping.items() if key != "$ref"}
            return self.expand({**target, **siblings}, depth + 1) if isinstance(target, Mapping) else {}
        return {
            key: self.expand(value, depth + 1, names=not names and key in ("properties", "patternProperties"))
            for key, value in mapping.items()
            if names or key not in ("$defs", "definitions", "$dynamicRef", "$id", "$schema")
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


def branches(schema: object) -> Iterator[Schema]:
    """Yield the schema and every alternative inside it, at the same place of the value."""
    if not isinstance(schema, dict):
        return
    here = cast(Schema, schema)
    yield here
    for keyword in _ALTERNATIVES:
        for branch in _list(here.get(keyword)):
            yield from branches(branch)
    for keyword in _CONDITIONS:
        yield from branches(here.get(keyword))
    for branch in mapping(here.get("dependentSchemas")).values():
        yield from branches(branch)


def fields(schema: object) -> dict[str, Schema]:
    """Return the properties that an object described by the schema may have, over all its branches.

    A property that two branches describe is described by both.
    """
    found: dict[str, list[Schema]] = {}
    for branch in branches(schema):
        for name, value in mapping(branch.get("properties")).items():
            if isinstance(value, dict):
                found.setdefault(name, []).append(cast(Schema, value))
    return {name: _either(described) for name, described in found.items()}


def field_schema(schema: object, name: str) -> Schema:
    """Return the schema of one field, declared by its name, by a pattern or as one of the rest."""
    declared = fields(schema).get(name)
    return rest_schema(schema) if declared is None else declared


def rest_schema(schema: object) -> Schema:
    """Return the schema of the fields that are not declared by their name, empty where none is given."""
    found: list[Schema] = []
    for branch in branches(schema):
        # Which pattern a name fits is not tried: a pattern is the server's, and may take for ever.
        found += _schemas(mapping(branch.get("patternProperties")).values())
        found += _schemas(branch.get(keyword) for keyword in _OTHER_FIELDS)
    return _either(found)


def key_schema(schema: object) -> Schema:
    """Return the schema of an object's keys, empty where none is given."""
    return _either(_schemas(branch.get("propertyNames") for branch in branches(schema)))


def item_schema(schema: object) -> Schema:
    """Return the schema of a list's items, empty where none is given."""
    found: list[Schema] = []
    for branch in branches(schema):
        found += _schemas(_list(branch.get("prefixItems")))
        found += _schemas(branch.get(keyword) for keyword in _ITEMS)
    return _either(found)


def mark_of(schema: object) -> str | None:
    """Return the kind of id that the schema says its value holds."""
    for branch in branches(schema):
        kind = branch.get(MARK)
        if isinstance(kind, str) and kind:
            return kind
    return None


def certain_mark_of(schema: object) -> str | None:
    """Return the mark that the value carries whichever alternative it takes; null says nothing either way."""
    if not isinstance(schema, dict):
        return None
    here = cast(Schema, schema)
    own = here.get(MARK)
    if isinstance(own, str) and own:
        return own
    for keyword in ("anyOf", "oneOf"):
        described = [branch for branch in _schemas(_list(here.get(keyword))) if branch.get("type") != "null"]
        marks = {certain_mark_of(branch) for branch in described}
        if len(marks) == 1 and None not in marks:
            return marks.pop()
    together = (certain_mark_of(branch) for branch in _list(here.get("allOf")))
    return next((mark for mark in together if mark), None)


def required(schema: Schema) -> set[str]:
    """Return the names that an object must have."""
    return {name for name in _list(schema.get("required")) if isinstance(name, str)}


def types_of(schema: object) -> set[str]:
    """Return the JSON types that the schema or one of its alternatives names."""
    found: set[str] = set()
    for branch in branches(schema):
        named = branch.get("type")
        found.update(name for name in (_list(named) or [named]) if isinstance(name, str))
    return found


def _either(described: list[Schema]) -> Schema:
    if len(described) < 2:
        return described[0] if described else {}
    return {"anyOf": described}


def _schemas(values: Any) -> list[Schema]:
    return [cast(Schema, value) for value in values if isinstance(value, dict)]


def mapping(value: object) -> dict[str, Any]:
    """Return the value when it is a mapping, else an empty one."""
    return cast(dict[str, Any], value) if isinstance(value, dict) else {}


def _list(value: object) -> list[Any]:
    return cast(list[Any], value) if isinstance(value, list) else []
