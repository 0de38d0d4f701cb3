"""JSON Schema, checked in bounded work: the schema is a server's and the value a model's, and both are input.

Knows:    draft 2020-12 as jsonschema implements it, and which of its keywords can be made to run for ever.
Does not: look anything up: a reference that inline() left is answered by nothing, never by the network.
Rule:     a pattern is tried only where it is cheap. One that is not is left to the server, which checks its
          own rules (gate 3); the agent then knows a little less about the form of a value, never its source.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Protocol, cast

from jsonschema import Draft202012Validator, FormatChecker
from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend  # type: ignore[reportUnknownVariableType]

from common.approval import canonical
from common.pattern_cost import is_costly
from common.schema import Schema

_MAX_TRIED = 200
"""Characters of a text that a pattern is tried on."""


class Rules(Protocol):
    """What of a validator is used."""

    def is_valid(self, instance: Any) -> bool:
        """Say whether the value meets every rule."""
        ...

    def iter_errors(self, instance: Any) -> Iterator[ValidationError]:
        """Yield each rule that the value breaks."""
        ...


def rules_of(schema: Any) -> Rules:
    """Return the validator of a schema.  Raises: SchemaError."""
    _BoundedValidator.check_schema(schema, format_checker=FormatChecker(formats=()))
    return cast(Rules, _BoundedValidator(schema))


@lru_cache(maxsize=512)
def _compiled(pattern: str) -> re.Pattern[str] | None:
    """Return the pattern where it can be read."""
    try:
        return re.compile(pattern)
    except (re.error, OverflowError, RecursionError):
        return None


def _tried(pattern: str, text: str) -> re.Pattern[str] | None:
    """Return the pattern where it is cheap to try on the text."""
    return None if len(text) > _MAX_TRIED or is_costly(pattern, len(text)) else _compiled(pattern)


def _pattern(_: Any, pattern: str, instance: Any, __: Any) -> Iterator[ValidationError]:
    if not isinstance(instance, str):
        return
    tried = _tried(pattern, instance)
    if tried and not tried.search(instance):
        yield ValidationError(f"does not match {pattern!r}")


def _pattern_properties(validator: Any, patterns: Schema, instance: Any, _: Any) -> Iterator[ValidationError]:
    if not isinstance(instance, dict):
        return
    for pattern, rules in patterns.items():
        for name, value in cast(Schema, instance).items():
            tried = _tried(pattern, name)
            if tried and tried.search(name):
                yield from validator.descend(value, rules, path=name, schema_path=pattern)


def _additional_properties(
    validator: Any, rules: Any, instance: Any, schema: Schema
) -> Iterator[ValidationError]:
    if not isinstance(instance, dict) or schema.get("patternProperties"):
        return  # which names a pattern covers is for the server to say
    known = cast(Schema, schema.get("properties") or {})
    for name, value in cast(Schema, instance).items():
        if name in known:
            continue
        if rules is False:
            yield ValidationError("an argument is not one of the schema's own")
        else:
            yield from validator.descend(value, rules, path=name)


def _unique_items(_: Any, unique: bool, instance: Any, __: Any) -> Iterator[ValidationError]:
    if unique and isinstance(instance, list):
        entries = [canonical(item) for item in cast(list[Any], instance)]
        if len(set(entries)) < len(entries):
            yield ValidationError("has an entry twice")


def _left_to_the_server(*_: Any) -> Iterator[ValidationError]:
    return iter(())


_BoundedValidator: Any = cast(Any, extend)(
    Draft202012Validator,
    {
        "pattern": _pattern,
        "patternProperties": _pattern_properties,
        "additionalProperties": _additional_properties,
        "uniqueItems": _unique_items,
        "unevaluatedProperties": _left_to_the_server,
        "unevaluatedItems": _left_to_the_server,
        "$ref": _left_to_the_server,
        "$dynamicRef": _left_to_the_server,
    },
)
