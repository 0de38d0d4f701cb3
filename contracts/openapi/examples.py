"""A schema read off an example, where a description shows one and declares none.

Knows:    JSON values.
Does not: know which of an example's fields always come: none is called required.
"""

from collections.abc import Mapping
from typing import Any, cast

from contracts.openapi.keywords import Schema
from contracts.openapi.schemas import id_kind, marked
from contracts.openapi.words import singular, snake

_MOST_DEPTH = 8


def schema_of(value: Any, name: str = "", depth: int = 0) -> Schema:
    """Return what an example shows. name: of the thing that it is an example of."""
    if isinstance(value, bool):
        return {"type": "boolean"}
    if isinstance(value, int):
        return {"type": "integer"}
    if isinstance(value, float):
        return {"type": "number"}
    if isinstance(value, str):
        return {"type": "string"}
    if value is None or depth > _MOST_DEPTH:
        return {"type": ["string", "number", "boolean", "null"]}
    if isinstance(value, list):
        values = cast(list[Any], value)
        return {"type": "array", "items": schema_of(values[0], name, depth + 1) if values else {}}
    made: dict[str, Schema] = {}
    for key, inner in cast(Mapping[str, Any], value).items():
        schema = schema_of(inner, singular(snake(key)), depth + 1)
        kind = id_kind(key, name)
        made[key] = marked(schema, kind) if kind else schema
    return {"type": "object", "properties": made}
