"""The schemas a model is offered, narrowed by the evidence: it is not shown what it may not write.

Knows:    schemas and evidence.
Does not: stop a call; a model that is not held to its schema is stopped by guards/grounding.py.
Rule:     an id argument becomes an `enum` of what was named; a tool that cannot do without an id that
          nobody named is withheld; an optional id that nobody named is left out.
"""

from typing import Any, cast

from common.id_pattern import example_of
from common.phrases import with_example
from common.schema import Schema, branches, fields, item_schema, required, types_of
from guards.evidence import Evidence
from guards.kinds import Kind, kind_of, noun

_MAX_VALUES = 40
"""Values of one enum; the newest are kept. Calls are checked against all of them."""


_NULL: Schema = {"type": "null"}
"""The schema of an id that may be null and that nobody named."""


def narrow(schema: Schema, evidence: Evidence) -> tuple[Schema, list[str]]:
    """Return the schema for this moment of the conversation, and the kinds of id it cannot do without.

    The second is empty when the tool can be offered; its entries are in a customer's words.
    """
    missing: list[str] = []
    return _narrow(schema, evidence, missing), list(dict.fromkeys(missing))


def _narrow(schema: Schema, evidence: Evidence, missing: list[str]) -> Schema:
    """Return the schema of an object or a list, narrowed; missing grows by the ids it cannot do without."""
    properties = schema.get("properties")
    if not isinstance(properties, dict) or not properties:
        items = schema.get("items")
        if isinstance(items, dict) and fields(cast(Schema, items)):
            return {**schema, "items": _narrow(cast(Schema, items), evidence, missing)}
        return schema
    needed = required(schema)
    narrowed: dict[str, Any] = {}
    for name, value in cast(dict[str, Any], properties).items():
        if not isinstance(value, dict):
            narrowed[name] = value
            continue
        lacks: list[str] = []
        new = _argument(name, cast(Schema, value), evidence, lacks)
        if lacks and name in needed:
            narrowed[name] = value
            missing += lacks
        elif not lacks and (new != _NULL or name in needed):
            narrowed[name] = new
    return {**schema, "properties": narrowed}


def _argument(name: str, schema: Schema, evidence: Evidence, lacks: list[str]) -> Schema:
    """Return one argument's schema, narrowed; lacks gets the id that it cannot be written without."""
    kind = kind_of(name, schema)
    if kind is None or fields(schema) or fields(item_schema(schema)):
        return _narrow(schema, evidence, lacks)
    items, types = item_schema(schema), types_of(schema)
    is_list = bool(items) or "array" in types
    one = items if is_list else schema
    values = list(evidence.allowed(kind, one).values())[:_MAX_VALUES]
    if values:
        choice = _choice(one, values, nullable=not is_list and "null" in types)
        return {**_without_alternatives(schema), "type": "array", "items": choice} if is_list else choice
    if "null" in types:
        return _NULL
    lacks.append(_detail(kind, one))
    return schema


def _detail(kind: Kind, schema: Schema) -> str:
    """Return what is lacking in a customer's words; with an example, unless it is a plain number."""
    examples = (example_of(str(branch.get("pattern"))) for branch in branches(schema) if "pattern" in branch)
    example = next((shown for shown in examples if shown and not shown.isdigit()), None)
    return with_example(noun(kind), example) if example else noun(kind)


def _without_alternatives(schema: Schema) -> Schema:
    dropped = ("anyOf", "oneOf", "allOf", "prefixItems")
    return {key: value for key, value in schema.items() if key not in dropped}


def _choice(schema: Schema, values: list[Any], *, nullable: bool) -> Schema:
    """Return the schema of one of the values; the rules that led to them are met already."""
    kept = {key: schema[key] for key in ("title", "description") if key in schema}
    types = ["integer"] * any(isinstance(value, int) for value in values)
    types += ["string"] * any(isinstance(value, str) for value in values)
    types += ["null"] * nullable
    return {
        **kept,
        "type": types[0] if len(types) == 1 else types,
        "enum": [*values, None] if nullable else values,
    }
