"""The schemas a model is offered, narrowed by the evidence: it is not shown what it may not write.

Knows:    schemas and evidence.
Does not: stop a call; a model that is not held to its schema is stopped by guards/grounding.py.
Rule:     an id argument becomes an `enum` of what was named; a tool that cannot do without an id that
          nobody named is withheld; an optional id that nobody named is left out.
"""

from typing import Any, cast

from common.schema import Schema, fields, item_schema
from guards.grounding import Evidence, kind_of, noun

_MAX_VALUES = 40
"""Values of one enum; the newest are kept. Calls are checked against all of them."""


def narrow(schema: Schema, evidence: Evidence) -> tuple[Schema, list[str]]:
    """Return the schema for this moment of the conversation, and the kinds of id it cannot do without.

    The second is empty when the tool can be offered; its entries are in a customer's words.
    """
    missing: list[str] = []
    return _narrow(schema, evidence, missing, required=True), list(dict.fromkeys(missing))


def _narrow(schema: Schema, evidence: Evidence, missing: list[str], *, required: bool) -> Schema:
    properties = cast(Schema, schema.get("properties") or {})
    if not properties:
        items = item_schema(schema)
        if items and fields(items):
            return {**schema, "items": _narrow(items, evidence, missing, required=required)}
        return schema
    needed = set(cast(list[str], schema.get("required") or []))
    narrowed: Schema = {}
    for name, value in properties.items():
        must = required and name in needed
        new = _argument(name, cast(Schema, value), evidence, missing, must=must)
        if new is not None:
            narrowed[name] = new
    return {**schema, "properties": narrowed}


def _argument(
    name: str, schema: Schema, evidence: Evidence, missing: list[str], *, must: bool
) -> Schema | None:
    kind = kind_of(name, schema)
    if kind is None:
        return _narrow(schema, evidence, missing, required=must)
    items = item_schema(schema)
    values = list(evidence.allowed(kind, items or schema).values())[:_MAX_VALUES]
    if not values:
        if must:
            missing.append(noun(kind))
            return schema
        return None
    choice = _choice(items or schema, values)
    return {**schema, "items": choice} if items else choice


def _choice(schema: Schema, values: list[Any]) -> Schema:
    """Return the schema of one of the values; the rules that led to them are met already."""
    kept = {key: schema[key] for key in ("title", "description") if key in schema}
    return {
        **kept,
        "type": "integer" if all(isinstance(value, int) for value in values) else "string",
        "enum": values,
    }
