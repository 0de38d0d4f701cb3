"""Gate 4: an id may be used only if somebody who may name it named it.

Knows:    the arguments of a call, their schema, and the evidence.
Does not: gather the evidence (guards/evidence.py) or know orders.
Rule:     an argument marked `x-grounding: KIND` takes values typed by the customer that fit its schema,
          or returned in a result field with the same mark. Without a mark, an argument called `id`,
          `*_id(s)` or `*_number(s)`, at any depth, takes what was typed or stood in a field of that name.
          Ids are compared whole: 44710 is not 4471. Each is used in the form that the schema accepts: typed
          as W2611340, it is #W2611340 where the shop's numbers are written so.
          What a schema leaves open under an id argument is an id too.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, cast

from common.schema import Schema, field_schema, fields, item_schema, key_schema, mark_of
from guards.evidence import Evidence
from guards.id_forms import key, prefixes, written
from guards.kinds import Kind, kind_of, noun

__all__ = ["Evidence", "Ungrounded", "ground", "kind_of", "noun"]


@dataclass(frozen=True)
class Ungrounded:
    """An id in a call that nothing vouches for."""

    path: str
    kind: Kind
    value: str
    known: tuple[str, ...]

    @property
    def noun(self) -> str:
        """The kind in words: "order_id" is an order number to a customer."""
        return noun(self.kind)


def ground(
    arguments: dict[str, Any], schema: Schema, evidence: Evidence
) -> tuple[dict[str, Any], list[Ungrounded]]:
    """Return the arguments with every id in the form it was named in, and the ids nothing vouches for."""
    place = _Place(evidence, [])
    return cast(dict[str, Any], _ground(arguments, schema, None, place)), place.problems


@dataclass(frozen=True)
class _Place:
    """Where in the arguments we are, and what was found wrong so far."""

    evidence: Evidence
    problems: list[Ungrounded]
    path: str = ""

    def at(self, name: str) -> "_Place":
        return replace(self, path=f"{self.path}.{name}".strip("."))

    def item(self, index: int) -> "_Place":
        return replace(self, path=f"{self.path}[{index}]")


def _ground(value: Any, schema: Schema, kind: Kind | None, place: _Place) -> Any:
    """Return the value grounded. kind: what the argument around it holds, None when no id."""
    if isinstance(value, dict):
        return _ground_fields(cast(dict[str, Any], value), schema, mark_of(schema) or kind, place)
    if isinstance(value, list):
        items = item_schema(schema)
        inner = mark_of(items) or mark_of(schema) or kind
        return [
            _ground(item, items, inner, place.item(index))
            for index, item in enumerate(cast(list[Any], value))
        ]
    kind = mark_of(schema) or kind
    return value if kind is None or value is None else _ground_scalar(value, schema, kind, place)


def _ground_fields(value: dict[str, Any], schema: Schema, kind: Kind | None, place: _Place) -> dict[str, Any]:
    declared = fields(schema)
    keys = mark_of(key_schema(schema))
    grounded: dict[str, Any] = {}
    for name, item in value.items():
        inner = field_schema(schema, name)
        inherited = None if name in declared else kind
        if name not in declared and (keys or (kind and any(char.isdigit() for char in name))):
            _ground_scalar(name, key_schema(schema), keys or kind or "", place.at("a key"))
        grounded[name] = _ground(item, inner, kind_of(name, inner) or inherited, place.at(name))
    return grounded


def _ground_scalar(value: Any, schema: Schema, kind: Kind, place: _Place) -> Any:
    one = item_schema(schema) or schema
    allowed = place.evidence.allowed(kind, one)
    for spelling in _keys_of(value, one):
        if spelling in allowed:
            return allowed[spelling]
        other_case = [known for known in allowed if known.casefold() == spelling.casefold()]
        if len(other_case) == 1:
            return allowed[other_case[0]]
    known = tuple(str(item) for item in allowed.values())
    place.problems.append(Ungrounded(place.path, kind, str(value)[:60], known))
    return value


def _keys_of(value: Any, schema: Schema) -> Iterator[str]:
    """Yield what a written id may be compared by: as it stands, without spaces, with what all begin with."""
    if bare := key(written(value)):
        yield bare
        yield re.sub(r"\s+", "", bare)
        yield from (key(prefix + bare) for prefix in prefixes(schema))
