"""Gate 2 and the client's half of gate 3: the raw text of a call becomes arguments, or a reason.

Knows:    JSON, and the tool's schema.
Does not: know where a value came from (guards/grounding.py) or run anything.
Repairs:  only what the schema makes unambiguous: a whole number where text is asked, a text of digits where
          a whole number is asked. What is repaired here is what a person is shown and what runs.
"""

import json
import math
import re
from functools import lru_cache
from typing import Any, cast

from jsonschema.exceptions import SchemaError, ValidationError

from common.approval import canonical
from common.id_pattern import as_in
from common.rules import Rules, rules_of
from common.schema import Schema, field_schema, item_schema, types_of

MAX_RAW = 65_536
"""Characters of one call's argument text; a support call needs a few hundred."""

_MAX_DEPTH = 32
"""Levels of one call's arguments; what walks them later does so by recursion."""

_INTEGER = re.compile(r"-?(0|[1-9][0-9]{0,17})")


class BadCall(Exception):
    """The call cannot be made as it was written; the text says what is wrong, without the value."""


def parse(raw: object) -> dict[str, Any]:
    """Return the arguments that the text holds.

    Raises: BadCall for anything but one JSON object of Unicode text and finite numbers with no key twice.
    """
    if not isinstance(raw, str):
        raise BadCall("The arguments are not text.")
    if len(raw) > MAX_RAW:
        raise BadCall(f"The arguments take {len(raw)} characters; {MAX_RAW} are allowed.")
    if not raw.strip():
        return {}
    try:
        value = json.loads(raw, object_pairs_hook=_unique, parse_constant=_not_finite)
    except RecursionError:
        raise BadCall(_TOO_DEEP) from None
    except ValueError:
        raise BadCall("The arguments are not JSON.") from None
    if not isinstance(value, dict):
        raise BadCall("The arguments are JSON, but not an object.")
    arguments = cast(dict[str, Any], value)
    _check_parts(arguments)
    return arguments


_TOO_DEEP = f"The arguments are nested more than {_MAX_DEPTH} levels deep."


def _check_parts(value: object) -> None:
    """Check depth, numbers and text of everything inside a value, level by level.  Raises: BadCall."""
    level: list[object] = [value]
    for _ in range(_MAX_DEPTH):
        level = [part for whole in level for part in _parts(whole)]
        if not level:
            return
    raise BadCall(_TOO_DEEP)


def _parts(value: object) -> list[object]:
    if isinstance(value, dict):
        pairs = cast(dict[str, object], value)
        return [*pairs, *pairs.values()]
    if isinstance(value, list):
        return cast(list[object], value)
    if isinstance(value, float) and not math.isfinite(value):
        _not_finite("")  # 1e999 is a number to JSON
    if isinstance(value, str) and any("\ud800" <= char <= "\udfff" for char in value):
        raise BadCall("The arguments hold text that is not Unicode.")
    return []


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise BadCall("The arguments name a key twice, so nobody can say which value was meant.")
    return value


def _not_finite(_: str) -> Any:
    raise BadCall("The arguments hold a number that is not finite.")


def repair(value: Any, schema: Schema) -> Any:
    """Return the value with whole numbers and texts of digits in the type that the schema asks for."""
    if isinstance(value, dict):
        pairs = cast(dict[str, Any], value)
        return {name: repair(item, field_schema(schema, name)) for name, item in pairs.items()}
    if isinstance(value, list):
        items = item_schema(schema)
        return [repair(item, items) for item in cast(list[Any], value)]
    types = types_of(schema)
    if type(value) is int and "string" in types and not types & {"integer", "number"}:
        return str(value)
    if isinstance(value, str) and "integer" in types and "string" not in types and _INTEGER.fullmatch(value):
        return int(value)
    return value


def validate(arguments: dict[str, Any], schema: Schema) -> None:
    """Check the arguments against the tool's own schema.

    Raises: BadCall naming the field and the rule of the first thing that is wrong.
    """
    try:
        errors = sorted(validator(canonical(schema)).iter_errors(arguments), key=_depth)  # type: ignore[reportUnknownMemberType]
    except (SchemaError, RecursionError) as problem:
        raise BadCall(
            "The tool's own schema cannot be read, so no call can be checked against it."
        ) from problem
    if errors:
        raise BadCall(_sentence(errors[0]))


def _depth(error: ValidationError) -> int:
    return len(error.absolute_path)


@lru_cache(maxsize=256)
def validator(schema: str) -> Rules:
    """Return the validator of a schema given as JSON text.  Raises: SchemaError."""
    return rules_of(json.loads(schema))


def _sentence(error: ValidationError) -> str:
    place = ".".join(str(part) for part in error.absolute_path)[:80] or "The arguments"
    rule, limit = str(error.validator), cast(Any, error.validator_value)
    if rule == "required":
        given = cast(dict[str, Any], error.instance)
        missing = [name for name in cast(list[str], limit) if name not in given]
        return f"Missing: {', '.join(missing)}."
    if rule == "additionalProperties":
        known = sorted(cast(dict[str, Any], cast(Schema, error.schema).get("properties") or {}))
        return f"An argument is not one of the tool's own. It takes: {', '.join(known) or 'none'}."
    words = {
        "type": f"must be of type {limit}",
        "enum": f"must be one of {limit}",
        "const": f"must be {limit}",
        "pattern": f"must match {limit}{as_in(limit)}",
        "minLength": f"must have at least {limit} characters",
        "maxLength": f"must have at most {limit} characters",
        "minimum": f"must be at least {limit}",
        "maximum": f"must be at most {limit}",
        "minItems": f"must have at least {limit} entries",
        "maxItems": f"must have at most {limit} entries",
        "minProperties": f"must hold at least {limit} values",
        "maxProperties": f"must hold at most {limit} values",
    }
    return f"{place} {words.get(rule, f'must keep the rule {rule!r}')}."
