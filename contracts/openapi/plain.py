"""The schema of a value that stands in a path, a query or a header: a text, a number, or a list of them.

Knows:    what alternatives and null mean where a value is written as text.
Does not: know where the value stands.
Rule:     null cannot be written, so it is no value there. Of a value or a list of them the list is taken:
          a list of one is written as the value is.
"""

from typing import Any

from contracts.openapi.keywords import Schema

_NESTED = frozenset({"array", "object"})


def types_in(schema: Schema) -> set[str]:
    """Return the types that a schema names, without those of its alternatives."""
    said = schema.get("type", [])
    return {said} if isinstance(said, str) else set(said)


def plain(schema: Schema) -> Schema | None:
    """Return the schema for a value that is written as text; None where no text can say it."""
    made = _without_null(schema)
    for key in ("anyOf", "oneOf"):
        if key in made:
            branches = [each for branch in made.pop(key) if (each := plain(branch)) and not _is_null(branch)]
            if not branches:
                return None
            made |= _of(key, branches)
    if not _says_something(made):
        return {**made, "type": "string"}
    return made


def _of(key: str, branches: list[Schema]) -> dict[str, Any]:
    listed = next((each for each in branches if _NESTED & types_in(each)), None)
    if len(branches) == 1 or listed:
        return listed or branches[0]
    return {key: branches}


def _is_null(schema: Schema) -> bool:
    return types_in(schema) == {"null"}


def _without_null(schema: Schema) -> Schema:
    made = dict(schema)
    types = [each for each in _listed(made.get("type")) if each != "null"]
    if types:
        made["type"] = types[0] if len(types) == 1 else types
    if "enum" in made and (values := [each for each in made["enum"] if each is not None]):
        made["enum"] = values
    return made


def _listed(said: Any) -> list[str]:
    return [said] if isinstance(said, str) else list(said or ())


def _says_something(schema: Schema) -> bool:
    return bool({"type", "enum", "const", "anyOf", "oneOf"} & set(schema))
