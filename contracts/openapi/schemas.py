"""Schemas of a description as the schemas of a contract.

Knows:    what of JSON Schema and of OpenAPI's own keywords a contract can say (contracts/shapes.py).
Does not: know operations.
Rule:     references are followed, and a circle is cut where it closes; what a contract cannot say becomes a
          note, never silence. In a request a keyword that is left out makes the schema wider, and the
          upstream still checks; in a response what is not declared does not pass.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from common.pattern_cost import is_costly
from common.rules import rules_of
from contracts.openapi.described import Description, items, mapping
from contracts.openapi.words import line, singular, snake

Direction = Literal["request", "response"]

_MOST_DEPTH: dict[Direction, int] = {"request": 12, "response": 5}
_MOST_NODES: dict[Direction, int] = {"request": 1_200, "response": 250}
"""A response of more fields is no answer; whoever reviews the draft keeps what is told."""
_KEPT = (
    "minLength",
    "maxLength",
    "minimum",
    "maximum",
    "multipleOf",
    "minItems",
    "maxItems",
    "uniqueItems",
    "minProperties",
    "maxProperties",
)
_LEFT_OUT = (
    "not",
    "if",
    "then",
    "else",
    "patternProperties",
    "propertyNames",
    "dependentRequired",
    "dependentSchemas",
    "prefixItems",
    "contains",
    "unevaluatedProperties",
    "unevaluatedItems",
    "$dynamicRef",
)
_TYPES = frozenset({"string", "integer", "number", "boolean", "array", "object", "null"})

Schema = dict[str, Any]


class NotSayable(Exception):
    """A schema that a contract cannot say; the text says why."""


@dataclass
class Converter:
    """Makes schemas of one operation. notes: what was left out, each once."""

    description: Description
    direction: Direction
    notes: list[str] = field(default_factory=list[str])
    _nodes: int = 0

    def shape(self, schema: Any, name: str = "", refs: tuple[str, ...] = (), depth: int = 0) -> Schema:
        """Return the schema of a contract.

        name: what it describes, by which an id is known.  Raises: NotSayable.
        """
        self._nodes += 1
        if depth > _MOST_DEPTH[self.direction] or self._nodes > _MOST_NODES[self.direction]:
            self.note("A schema is larger than a contract holds; its inner parts are left out.")
            return {}
        if isinstance(schema, bool):
            return {}
        found = mapping(schema)
        while isinstance(reference := found.get("$ref"), str):
            if reference in refs:
                self.note(f"{_last(reference)} contains itself; it is left out inside itself.")
                return {}
            refs = (*refs, reference)
            target = self.description.at(reference)
            if not isinstance(target, dict):
                self.note(f"The reference to {_last(reference)} leads nowhere here; it is left out.")
                return {}
            siblings = {key: value for key, value in found.items() if key != "$ref"}
            found = {**mapping(target), **siblings}
        return self._made(self._joined(found, refs), name, refs, depth)

    def note(self, text: str) -> None:
        """Keep a note once."""
        if text not in self.notes:
            self.notes.append(text)

    def _joined(self, schema: Mapping[str, Any], refs: tuple[str, ...]) -> Mapping[str, Any]:
        """Return a schema with its allOf merged into it."""
        parts = items(schema.get("allOf"))
        if not parts:
            return schema
        made: dict[str, Any] = {}
        for part in (*parts, {key: value for key, value in schema.items() if key != "allOf"}):
            whole, seen = mapping(part), set(refs)
            while isinstance(reference := whole.get("$ref"), str):
                if reference in seen:
                    self.note(f"{_last(reference)} contains itself; it is left out inside itself.")
                    whole = {}
                    break
                seen.add(reference)
                rest = {key: value for key, value in whole.items() if key != "$ref"}
                whole = {**mapping(self.description.at(reference)), **rest}
            _merge(made, self._joined(whole, (*refs, *sorted(seen - set(refs)))), self.note)
        return made

    def _made(self, schema: Mapping[str, Any], name: str, refs: tuple[str, ...], depth: int) -> Schema:
        types = _types_of(schema)
        made: Schema = {}
        if types:
            made["type"] = types[0] if len(types) == 1 else types
        if said := line(schema.get("description"), 200):
            made["description"] = said
        self._values(schema, types, made)
        made |= {key: schema[key] for key in _KEPT if _is_number_or_flag(schema.get(key), key)}
        _exclusive(schema, made)
        self._pattern(schema, made)
        if isinstance(shown := schema.get("format"), str) and len(shown) <= 40:
            made["format"] = shown
        for key in ("anyOf", "oneOf"):
            branches = [self.shape(each, name, refs, depth + 1) for each in items(schema.get(key))[:50]]
            if branches := [each for each in branches if each or self.direction == "request"]:
                made[key] = branches
        if "array" in types or "items" in schema:
            made["items"] = self.shape(schema.get("items", {}), name, refs, depth + 1)
        self._object(schema, made, name, refs, depth)
        for key in _LEFT_OUT:
            if key in schema:
                self.note(f"The keyword {key} is left to the upstream.")
        return made

    def _object(
        self, schema: Mapping[str, Any], made: Schema, name: str, refs: tuple[str, ...], depth: int
    ) -> None:
        properties = mapping(schema.get("properties"))
        hidden = "readOnly" if self.direction == "request" else "writeOnly"
        kept: dict[str, Any] = {}
        for key, value in properties.items():
            if self.description.follow(value).get(hidden) is True:
                continue
            inner = self.shape(value, singular(snake(key)), refs, depth + 1)
            if kind := id_kind(key, name):
                inner = marked(inner, kind)
            kept[key] = inner
        if kept or "properties" in schema:
            made["properties"] = kept
        if required := [key for key in items(schema.get("required")) if key in kept]:
            made["required"] = list(dict.fromkeys(required))
        extra = schema.get("additionalProperties")
        if isinstance(extra, dict) and extra:
            made["additionalProperties"] = self.shape(extra, name, refs, depth + 1)
        elif isinstance(extra, bool) or extra == {}:
            made["additionalProperties"] = True if extra == {} else extra

    def _values(self, schema: Mapping[str, Any], types: list[str], made: Schema) -> None:
        if isinstance(schema.get("enum"), list) and schema["enum"]:
            values = list(schema["enum"])
            if "null" in types and None not in values:
                values.append(None)
            if len(values) > 1_000:
                raise NotSayable(f"an argument has {len(values)} values to choose from, and 1000 are allowed")
            made["enum"] = values
        if "const" in schema:
            made["const"] = schema["const"]
        default = schema.get("default")
        if default is not None and self.direction == "request" and not isinstance(default, dict | list):
            bare = {key: value for key, value in schema.items() if key in ("enum", *_KEPT)}
            typed = {**bare, "type": types} if types else bare
            if rules_of(typed).is_valid(default):
                made["default"] = default
            else:
                self.note("A default that does not fit its own schema is left out.")

    def _pattern(self, schema: Mapping[str, Any], made: Schema) -> None:
        pattern = schema.get("pattern")
        if not isinstance(pattern, str):
            return
        try:
            re.compile(pattern)
        except (re.error, OverflowError, RecursionError):
            self.note("A pattern of another dialect is left to the upstream.")
            return
        if len(pattern) > 500 or is_costly(pattern):
            self.note("A pattern that can take very long is left to the upstream.")
        else:
            made["pattern"] = pattern


def _last(reference: str) -> str:
    return line(reference.rsplit("/", 1)[-1], 60) or "something"


def _types_of(schema: Mapping[str, Any]) -> list[str]:
    said = schema.get("type")
    types = [said] if isinstance(said, str) else [each for each in items(said) if isinstance(each, str)]
    types = [each for each in types if each in _TYPES]
    if not types and "properties" in schema:
        types = ["object"]
    if not types and "items" in schema:
        types = ["array"]
    if types and schema.get("nullable") is True and "null" not in types:
        types.append("null")
    return list(dict.fromkeys(types))


def _is_number_or_flag(value: Any, key: str) -> bool:
    if key == "uniqueItems":
        return isinstance(value, bool)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return (
        value > 0
        if key == "multipleOf"
        else value >= 0
        if key[:3] in ("min", "max")
        and key[3:]
        in (
            "Length",
            "Items",
            "Properties",
        )
        else True
    )


def _exclusive(schema: Mapping[str, Any], made: Schema) -> None:
    """OpenAPI 3.0 says true beside the bound, 3.1 says the bound itself."""
    for key, bound in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
        said = schema.get(key)
        if said is True and bound in made:
            made[key] = made.pop(bound)
        elif isinstance(said, int | float) and not isinstance(said, bool):
            made[key] = said


def _merge(made: dict[str, Any], part: Mapping[str, Any], note: Callable[[str], None]) -> None:
    for key, value in part.items():
        if key == "properties":
            made["properties"] = {**mapping(made.get("properties")), **mapping(value)}
        elif key == "required":
            made["required"] = [*items(made.get("required")), *items(value)]
        elif (
            key in made and made[key] != value and key not in ("description", "title", "example", "examples")
        ):
            if key == "type":
                raise NotSayable("parts of an allOf have different types")
            note(f"Parts of an allOf differ in {key}; the last one counts.")
            made[key] = value
        else:
            made[key] = value


# ---------------------------------------------------------------- ids


def id_kind(key: str, name: str) -> str | None:
    """Return the kind of id that a property holds. name: of the thing it is a property of."""
    plain = snake(key)
    if plain == "id":
        return f"{name}_id"[:41] if name else None
    if plain.endswith("_id") and len(plain) <= 41:
        return plain
    if plain.endswith("_ids") and len(plain) <= 42:
        return plain[:-1]
    return None


def marked(schema: Schema, kind: str) -> Schema:
    """Return the schema of an id, or of a list of them, with its mark."""
    if "items" in schema:
        return {**schema, "items": marked(schema["items"], kind)} if schema["items"] else schema
    types = schema.get("type")
    scalar = {types} if isinstance(types, str) else set(types or ())
    return {**schema, "x-grounding": kind} if scalar & {"string", "integer", "number"} else schema
