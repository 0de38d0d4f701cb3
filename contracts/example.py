"""Example arguments of a function: one value for each, which its schema lets through where that is easy.

Knows:    schemas of contracts.
Does not: know what makes sense in a shop.
"""

from typing import Any

from common.id_pattern import example_of
from contracts.contract import Function
from contracts.shapes import Shape

_BY_FORMAT = {
    "date": "2026-11-30",
    "date-time": "2026-11-30T12:00:00Z",
    "email": "name@example.com",
    "uri": "https://example.com/page",
    "uuid": "00000000-0000-4000-8000-000000000000",
}


def example_arguments(function: Function) -> dict[str, Any]:
    """Return a value for every argument."""
    return {name: value_for(shape, name) for name, shape in function.arguments.items()}


def value_for(shape: Shape, name: str = "value", depth: int = 0) -> Any:
    """Return one value. name: of what it is, which a text repeats."""
    said = shape.model_fields_set
    if "default" in said and shape.default is not None:
        return shape.default
    if "const" in said:
        return shape.const
    if shape.enum:
        return shape.enum[0]
    if branches := shape.any_of or shape.one_of:
        return value_for(branches[0], name, depth + 1)
    kind = shape.types[0] if shape.types else "string"
    match kind:
        case "integer" | "number":
            return _number(shape, whole=kind == "integer")
        case "boolean":
            return True
        case "null":
            return None
        case "array":
            item = value_for(shape.items, name, depth + 1) if shape.items and depth < 6 else name
            return [item] * max(1, shape.min_items or 1)
        case "object":
            fields = shape.properties or {} if depth < 6 else {}
            return {key: value_for(inner, key, depth + 1) for key, inner in fields.items()}
        case _:
            return _text(shape, name)


def _number(shape: Shape, *, whole: bool) -> int | float:
    least = shape.minimum
    if least is None and shape.exclusive_minimum is not None:
        least = shape.exclusive_minimum + 1
    value = least if least is not None else 1
    if shape.maximum is not None and value > shape.maximum:
        value = shape.maximum
    if shape.multiple_of:
        value = shape.multiple_of * max(1, round(value / shape.multiple_of))
    return int(value) if whole else value


def _text(shape: Shape, name: str) -> str:
    shown = example_of(shape.pattern) if shape.pattern else None
    text = shown or _BY_FORMAT.get(shape.format or "", f"a-{name.replace('_', '-')}")
    if shape.max_length is not None:
        text = text[: shape.max_length]
    return text.ljust(shape.min_length or 0, "x")
