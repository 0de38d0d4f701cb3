"""The keywords of one schema that bear on its values: types, choices, bounds, patterns, allOf.

Knows:    what OpenAPI 3.0 and 3.1 say differently, and which values of a keyword make no sense.
Does not: follow references or go into properties.   (schemas.py)
Rule:     what is left out is told.
"""

import math
import re
from collections.abc import Callable, Mapping
from typing import Any

from common.pattern_cost import is_costly
from common.rules import rules_of
from contracts.openapi.described import items, mapping
from contracts.openapi.words import line
from contracts.rules_secrets import may_be_sent

_BOUNDS = (
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
_PAIRS = tuple((f"min{of}", f"max{of}") for of in ("Length", "Items", "Properties", "imum"))
_SAID_ONLY = frozenset(
    {"description", "title", "example", "examples", "nullable", "xml", "externalDocs", "deprecated"}
)
_PYTHON: dict[str, type | tuple[type, ...]] = {
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "array": list,
    "object": dict,
    "null": type(None),
}

Schema = dict[str, Any]
Note = Callable[[str], None]


class NotSayable(Exception):
    """A schema that a contract cannot say; the text says why."""


def types_of(schema: Mapping[str, Any]) -> list[str]:
    """Return the types that a schema names or shows, null among them where it is nullable."""
    said = schema.get("type")
    types = [said] if isinstance(said, str) else [each for each in items(said) if isinstance(each, str)]
    types = [each for each in types if each in _PYTHON]
    if not types and "properties" in schema:
        types = ["object"]
    if not types and "items" in schema:
        types = ["array"]
    if types and schema.get("nullable") is True and "null" not in types:
        types.append("null")
    return list(dict.fromkeys(types))


def add_keywords(schema: Mapping[str, Any], made: Schema, note: Note, *, default: bool) -> None:
    """Add to made what a schema says of values. default: whether its default is wanted."""
    types = types_of(schema)
    _choices(schema, types, made, note)
    _bounds(schema, made, note)
    _pattern(schema, made, note)
    if default and schema.get("default") is not None:
        _default(schema["default"], types, made, note)
    if isinstance(form := schema.get("format"), str) and len(form) <= 40:
        made["format"] = form
    elif form is not None:
        note("A format of more than 40 characters is left to the upstream.")


def _choices(schema: Mapping[str, Any], types: list[str], made: Schema, note: Note) -> None:
    values = list(items(schema.get("enum")))
    if values and "null" in types and None not in values:
        values.append(None)
    fitting = [value for value in values if _has_type(value, types)]
    if len(fitting) < len(values):
        note("Values to choose from that have another type than their schema are left out.")
    if len(fitting) > 1_000:
        note(f"A choice of {len(fitting)} values is left to the upstream; 1000 can be said.")
    elif fitting:
        made["enum"] = fitting
    if "const" in schema and _has_type(schema["const"], types):
        made["const"] = schema["const"]
    elif "const" in schema:
        note("A constant that has another type than its schema is left out.")


def _default(value: Any, types: list[str], made: Schema, note: Note) -> None:
    bare = {key: made[key] for key in ("enum", *_BOUNDS) if key in made}
    if isinstance(value, dict | list):
        note("A default that is a list or an object is left to the upstream.")
    elif isinstance(value, str) and not may_be_sent(value):
        note("A default that is an address, or looks like a secret, is left to the upstream.")
    elif not rules_of({**bare, "type": types} if types else bare).is_valid(value):
        note("A default that does not fit its own schema is left out.")
    else:
        made["default"] = value


def _bounds(schema: Mapping[str, Any], made: Schema, note: Note) -> None:
    for key in _BOUNDS:
        if _is_bound(schema.get(key), key):
            made[key] = schema[key]
        elif schema.get(key) is not None:
            note(f"The value of {key} is none that it can have; it is left out.")
    for key, bound in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
        said = schema.get(key)  # OpenAPI 3.0 says true beside the bound, 3.1 says the bound itself
        if said is True and bound in made:
            made[key] = made.pop(bound)
        elif isinstance(said, int | float) and not isinstance(said, bool):
            made[key] = said
    for least, most in _PAIRS:
        if made.get(least, -math.inf) > made.get(most, math.inf):
            note(f"No value has both its {least} and its {most}; they are left out.")
            del made[least], made[most]


def _is_bound(value: Any, key: str) -> bool:
    if key == "uniqueItems":
        return isinstance(value, bool)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    if key == "multipleOf":
        return value > 0
    return key in ("minimum", "maximum") or (isinstance(value, int) and value >= 0)


def _pattern(schema: Mapping[str, Any], made: Schema, note: Note) -> None:
    pattern = schema.get("pattern")
    if not isinstance(pattern, str):
        return
    try:
        re.compile(pattern)
    except (re.error, OverflowError, RecursionError):
        note("A pattern of another dialect is left to the upstream.")
        return
    if len(pattern) > 500 or is_costly(pattern):
        note("A pattern that can take very long is left to the upstream.")
    else:
        made["pattern"] = pattern


def _has_type(value: Any, types: list[str]) -> bool:
    if isinstance(value, bool):
        return not types or "boolean" in types
    return not types or any(isinstance(value, _PYTHON[name]) for name in types)


def merge(made: dict[str, Any], part: Mapping[str, Any], note: Note) -> None:
    """Merge a part of an allOf into what its other parts say.  Raises: NotSayable."""
    for key, value in part.items():
        if key == "properties":
            made["properties"] = _both(mapping(made.get("properties")), mapping(value))
        elif key == "required":
            made["required"] = [*items(made.get("required")), *items(value)]
        elif key == "type" and made.get("type", value) != value:
            made["type"] = _common_types(made["type"], value)
        elif key in made and made[key] != value and key not in _SAID_ONLY:
            note(f"Parts of an allOf differ in {line(key, 40)}; the last one counts.")
            made[key] = value
        else:
            made[key] = value


def _both(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """Return the properties of two parts; one that both have must be what both say."""
    shared = {
        key: {"allOf": [one[key], other[key]]} for key in one if key in other and one[key] != other[key]
    }
    return {**one, **other, **shared}


def _common_types(one: Any, other: Any) -> list[str]:
    """Return the types that two parts of an allOf allow. Every integer is a number."""
    had, said = ({each} if isinstance(each, str) else set(map(str, items(each))) for each in (one, other))
    common = had & said
    if ("number" in had and "integer" in said) or ("integer" in had and "number" in said):
        common = (common - {"number"}) | {"integer"}
    if not common:
        raise NotSayable("parts of an allOf have different types")
    return sorted(common)
