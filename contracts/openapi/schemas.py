"""Schemas of a description as the schemas of a contract: references, objects, lists and alternatives.

Knows:    what of JSON Schema and of OpenAPI's own keywords a contract can say (contracts/shapes.py).
Does not: know operations, or the keywords of plain values.   (keywords.py)
Rule:     references are followed, and a circle is cut where it closes; what a contract cannot say becomes a
          note, never silence. In a request a keyword that is left out makes the schema wider, and the
          upstream still checks; in a response what is not declared does not pass.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from contracts.openapi.described import Description, items, mapping
from contracts.openapi.keywords import NotSayable, Schema, add_keywords, merge, types_of
from contracts.openapi.words import line, singular, snake
from contracts.rules_secrets import names_a_credential

Direction = Literal["request", "response"]

_MOST_DEPTH: dict[Direction, int] = {"request": 12, "response": 5}
_MOST_NODES: dict[Direction, int] = {"request": 300, "response": 250}
"""A response of more fields is no answer; whoever reviews the draft keeps what is told."""
_MOST_JOINS = 2_000
"""Parts of allOf: each can name two that name two, and so on."""
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
    "minContains",
    "maxContains",
    "contentEncoding",
    "contentMediaType",
    "contentSchema",
    "discriminator",
    "$dynamicRef",
)
_MOST_BRANCHES = 50


@dataclass
class Converter:
    """Makes schemas of one operation. notes: what was left out, each once."""

    description: Description
    direction: Direction
    notes: list[str] = field(default_factory=list[str])
    _nodes: int = 0
    _joins: int = 0
    _left_out: int = 0

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
        self._left_out += 1
        if text not in self.notes:
            self.notes.append(text)

    def _joined(self, schema: Mapping[str, Any], refs: tuple[str, ...]) -> Mapping[str, Any]:
        """Return a schema with its allOf merged into it."""
        parts = items(schema.get("allOf"))
        if not parts:
            return schema
        self._joins += 1 + len(parts)
        if self._joins > _MOST_JOINS:
            self.note("A schema is larger than a contract holds; its inner parts are left out.")
            return {key: value for key, value in schema.items() if key != "allOf"}
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
                target = self.description.at(reference)
                if not isinstance(target, dict):
                    self.note(f"The reference to {_last(reference)} leads nowhere here; it is left out.")
                whole = {**mapping(target), **rest}
            merge(made, self._joined(whole, (*refs, *sorted(seen - set(refs)))), self.note)
        return made

    def _made(self, schema: Mapping[str, Any], name: str, refs: tuple[str, ...], depth: int) -> Schema:
        made: Schema = {}
        if types := types_of(schema):
            made["type"] = types[0] if len(types) == 1 else types
        if said := line(schema.get("description"), 200):
            made["description"] = said
        add_keywords(schema, made, self.note, default=self.direction == "request")
        for key in ("anyOf", "oneOf"):
            self._branches(key, items(schema.get(key)), made, (name, refs, depth + 1))
        if "array" in types or "items" in schema:
            made["items"] = self.shape(schema.get("items", {}), name, refs, depth + 1)
        self._object(schema, made, name, refs, depth)
        for key in _LEFT_OUT:
            if key in schema:
                self.note(f"The keyword {key} is left to the upstream.")
        return made

    def _branches(
        self, key: str, said: list[Any], made: Schema, inside: tuple[str, tuple[str, ...], int]
    ) -> None:
        """Add the alternatives of a schema. inside: as shape() takes it for each of them."""
        if len(said) > _MOST_BRANCHES:
            self.note(f"One of {len(said)} alternatives: that is left to the upstream.")
            return
        before = self._left_out
        branches = [self.shape(each, *inside) for each in said]
        if self.direction == "response":
            branches = [each for each in branches if each]
        # What was left out of two alternatives may have been all that told them apart.
        wider = key == "oneOf" and (self._left_out > before or {} in branches)
        if branches:
            made[key if not wider or "anyOf" in made else "anyOf"] = branches

    def _object(
        self, schema: Mapping[str, Any], made: Schema, name: str, refs: tuple[str, ...], depth: int
    ) -> None:
        properties = mapping(schema.get("properties"))
        hidden = "readOnly" if self.direction == "request" else "writeOnly"
        kept: dict[str, Any] = {}
        for key, value in properties.items():
            if self._has(value, hidden):
                continue
            if names_a_credential(key):
                self._credential(key, required=key in items(schema.get("required")))
                continue
            inner = self.shape(value, singular(snake(key)), refs, depth + 1)
            if kind := id_kind(key, name):
                inner = marked(inner, kind)
            kept[key] = inner
        if kept or "properties" in schema:
            made["properties"] = kept
        named = [key for key in items(schema.get("required")) if isinstance(key, str)]
        if required := [key for key in named if key in kept or "properties" not in made]:
            made["required"] = list(dict.fromkeys(required))
        if unknown := [line(key, 40) for key in named if properties and key not in properties]:
            self.note(f"Required, and not described: {', '.join(unknown[:10])}.")
        self._rest(schema.get("additionalProperties"), made, (name, refs, depth + 1))

    def _rest(self, extra: Any, made: Schema, inside: tuple[str, tuple[str, ...], int]) -> None:
        """Add what an object may hold beside its properties. inside: as shape() takes it."""
        if isinstance(extra, dict) and (inner := self.shape(extra, *inside)):
            made["additionalProperties"] = inner
        elif self.direction == "response" and extra not in (None, False):
            self.note("Fields that are not declared do not pass: additionalProperties is left out.")
        elif isinstance(extra, dict | bool):
            made["additionalProperties"] = extra is not False

    def _has(self, value: Any, flag: str) -> bool:
        """Say whether a property is flagged, itself, where it refers to, or in a part of its allOf."""
        own, whole = mapping(value), self.description.follow(value)
        parts = (self.description.follow(each) for each in items(whole.get("allOf")))
        return any(each.get(flag) is True for each in (own, whole, *parts))

    def _credential(self, key: str, *, required: bool) -> None:
        """Keep a credential from models, which neither send one nor are shown one."""
        shown = line(key, 40)
        if required and self.direction == "request":
            raise NotSayable(f"it needs {shown}, which is the name of a credential")
        self.note(f"{shown} is the name of a credential; it is left out.")


def _last(reference: str) -> str:
    return line(reference.rsplit("/", 1)[-1], 60) or "something"


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
