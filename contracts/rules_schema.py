"""Rules on the schemas of a contract: each must be one that a value can meet, and that is cheap to try.

Knows:    one schema, wherever it stands.
Does not: know the function around it.   (rules_request.py, rules_result.py)
"""

import re
import warnings
from collections.abc import Iterator
from typing import Any

from common.pattern_cost import is_costly
from contracts.shapes import Shape
from contracts.yaml_text import Loc

Rules = Iterator[tuple[Loc, str, str]]
"""The way to the field, rule, remedy."""

_BOUNDS = (
    ("minLength", "maxLength", "min_length", "max_length"),
    ("minItems", "maxItems", "min_items", "max_items"),
    ("minProperties", "maxProperties", "min_properties", "max_properties"),
    ("minimum", "maximum", "minimum", "maximum"),
)

_PYTHON_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list, tuple),
    "object": (dict,),
    "null": (type(None),),
}


def broken_schema(shape: Shape, at: Loc) -> Rules:
    """Yield what is wrong with a schema and with every schema in it. at: the way to it."""
    if shape.pattern is not None:
        yield from _pattern(shape.pattern, (*at, "pattern"))
    yield from _bounds(shape, at)
    yield from _required(shape, at)
    yield from _values(shape, at)
    for step, inner in inner_schemas(shape):
        yield from broken_schema(inner, (*at, *step))


def inner_schemas(shape: Shape) -> Iterator[tuple[Loc, Shape]]:
    """Yield the schemas directly inside one, each with the way to it."""
    for name, inner in (shape.properties or {}).items():
        yield ("properties", name), inner
    if shape.items is not None:
        yield ("items",), shape.items
    if isinstance(shape.additional_properties, Shape):
        yield ("additionalProperties",), shape.additional_properties
    for key, branches in (("anyOf", shape.any_of), ("oneOf", shape.one_of)):
        for index, inner in enumerate(branches or ()):
            yield (key, index), inner


def _pattern(pattern: str, at: Loc) -> Rules:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # Python warns of a set in a set, which it will read otherwise
            re.compile(pattern)
    except (re.error, OverflowError, RecursionError, Warning):
        yield at, "This is no regular expression.", "Correct it."
        return
    if is_costly(pattern):
        yield at, "This pattern can take very long to try.", "Write a simpler one."


def _bounds(shape: Shape, at: Loc) -> Rules:
    for least_key, most_key, least_name, most_name in _BOUNDS:
        least, most = getattr(shape, least_name), getattr(shape, most_name)
        if least is not None and most is not None and least > most:
            yield (
                (*at, least_key),
                f"No value has both {least_key} {least} and {most_key} {most}.",
                "Correct one.",
            )


def _required(shape: Shape, at: Loc) -> Rules:
    if shape.properties is None:
        return
    for name in shape.required or ():
        if name not in shape.properties:
            yield (*at, "required"), f"{name} is required and not declared.", "Declare it under properties."


def _values(shape: Shape, at: Loc) -> Rules:
    """Yield the values in a schema that the schema itself does not let in."""
    said = shape.model_fields_set
    if "default" in said and not _fits(shape.default, shape):
        yield (*at, "default"), "The default is no value that this schema lets in.", "Correct one of them."
    if "const" in said and not _has_type(shape.const, shape):
        yield (*at, "const"), "The constant has another type than this schema.", "Correct one of them."
    if wrong := [value for value in shape.enum or () if not _has_type(value, shape)]:
        yield (
            (*at, "enum"),
            f"{len(wrong)} of the values have another type than this schema.",
            "Correct type, or the values.",
        )


def _has_type(value: Any, shape: Shape) -> bool:
    if not shape.types:
        return True
    if isinstance(value, bool):
        return "boolean" in shape.types
    return any(isinstance(value, _PYTHON_TYPES[name]) for name in shape.types)


def _fits(value: Any, shape: Shape) -> bool:
    if not _has_type(value, shape) or (shape.enum is not None and value not in shape.enum):
        return False
    if isinstance(value, str):
        return (shape.min_length or 0) <= len(value) <= (shape.max_length or len(value))
    if isinstance(value, int | float) and not isinstance(value, bool):
        least = value if shape.minimum is None else shape.minimum
        return least <= value <= (value if shape.maximum is None else shape.maximum)
    return True
