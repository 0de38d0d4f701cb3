"""Signatures: a function of a contract as Python's own words, exact and short, and a view's data as a schema.

Knows:    how a schema becomes a type: Literal, TypedDict, list, a union.
Does not: run anything: the text is for a model or a person to read, and is valid Python.
Rule:     the same contract gives the same text. What a type cannot say, such as a limit, the docstring says.
Left out: `from __future__` and imports: Literal, Any, TypedDict and NotRequired are typing's.
"""

import keyword
import re
import textwrap
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from common.text import one_line
from contracts.contract import Said
from contracts.shapes import Shape, TypeName
from contracts.task import Offered, OfferedView

_PLAIN: dict[TypeName, str] = {
    "string": "str",
    "integer": "int",
    "number": "float",
    "boolean": "bool",
    "null": "None",
}

_KINDS: dict[type[object], str] = {
    float: "float",
    int: "float",
    str: "str",
    bool: "bool",
    type(None): "None",
}

_NO_NAME = re.compile(r"[^0-9A-Za-z_]")


def signature(offered: Offered) -> str:
    """Return the function as Python: the types that it names, then itself with a docstring."""
    types = _Types(_camel(offered.name))
    names = _parameters(offered)
    contract = offered.contract
    parts = [
        f"{names[name]}: {types.of(shape, name)}" if name in contract.required
        else f"{names[name]}: {_or_none(types.of(shape, name))} = None"
        for name, shape in _required_first(offered)
    ]  # fmt: skip
    returned = types.of(contract.response.fields, "result", optional=True)
    star = "*, " if parts else ""
    head = f"async def {offered.name}({star}{', '.join(parts)}) -> {returned}:"
    return "\n\n".join([*types.classes, f"{head}\n{_docstring(offered, names)}\n    ..."])


def view_schema(view: OfferedView) -> dict[str, Any]:
    """Return the JSON Schema of the data that a view shows."""
    return {"type": "object", **view.contract.data.schema_dict()}


def _required_first(offered: Offered) -> list[tuple[str, Shape]]:
    required = offered.contract.required
    return sorted(offered.contract.arguments.items(), key=lambda item: item[0] not in required)


def _parameters(offered: Offered) -> dict[str, str]:
    """Return argument -> the parameter's name: its own, unless Python keeps that for itself."""
    taken = set(offered.contract.arguments)
    return {name: _parameter(name, taken) for name in offered.contract.arguments}


def _is_plain(name: str) -> bool:
    """Say whether Python takes it as a name and keeps it as it is."""
    named = name.isascii() and name.isidentifier() and not keyword.iskeyword(name)
    return named and not name.startswith("__")


def _parameter(name: str, taken: set[str]) -> str:
    if _is_plain(name):
        return name
    plain = _NO_NAME.sub("_", name)
    plain = plain if plain.isidentifier() else f"_{plain}"
    while plain in taken or keyword.iskeyword(plain):
        plain += "_"
    taken.add(plain)
    return plain


@dataclass
class _Types:
    """The types of one function. classes: the TypedDicts, in the order in which they are needed."""

    prefix: str
    classes: list[str] = field(default_factory=list[str])
    _taken: set[str] = field(default_factory=set[str])

    def of(self, shape: Shape, name: str, *, optional: bool = False) -> str:
        """Return the type of a schema. optional: every field may be left out, as in an answer."""
        if "const" in shape.model_fields_set:
            return _literal([shape.const]) or "Any"
        if shape.enum:
            return _literal(shape.enum) or "Any"
        if parts := shape.any_of or shape.one_of:
            return _union(self.of(part, name, optional=optional) for part in parts)
        types = shape.types or _implied(shape)
        return _union(self._plain(each, shape, name, optional) for each in types) if types else "Any"

    def _plain(self, kind: TypeName, shape: Shape, name: str, optional: bool) -> str:
        if kind == "array":
            items = shape.items
            return f"list[{self.of(items, f'{name}_item', optional=optional) if items else 'Any'}]"
        if kind == "object":
            return self._object(shape, name, optional)
        return _PLAIN[kind]

    def _object(self, shape: Shape, name: str, optional: bool) -> str:
        if not shape.properties:
            others = shape.additional_properties
            value = (
                self.of(others, f"{name}_value", optional=optional) if isinstance(others, Shape) else "Any"
            )
            return f"dict[str, {value}]"
        fields = {key: self._field(key, part, shape, optional) for key, part in shape.properties.items()}
        title = self._title(name)
        self.classes.append(_class(title, fields))
        return title

    def _field(self, key: str, part: Shape, whole: Shape, optional: bool) -> str:
        told = self.of(part, key, optional=optional)
        return told if optional or key in (whole.required or ()) else f"NotRequired[{told}]"

    def _title(self, name: str) -> str:
        wanted = self.prefix + _camel(name)
        title, number = wanted, 2
        while title in self._taken:
            title, number = f"{wanted}{number}", number + 1
        self._taken.add(title)
        return title


def _implied(shape: Shape) -> tuple[TypeName, ...]:
    if shape.properties is not None:
        return ("object",)
    return ("array",) if shape.items is not None else ()


def _class(title: str, fields: Mapping[str, str]) -> str:
    if all(map(_is_plain, fields)):
        return "\n".join(
            [f"class {title}(TypedDict):", *(f"    {key}: {told}" for key, told in fields.items())]
        )
    inside = ", ".join(f"{key!r}: {told}" for key, told in fields.items())
    return f"{title} = TypedDict({title!r}, {{{inside}}})"


def _camel(name: str) -> str:
    """Return a class's name of a name, of its plain letters and digits alone."""
    return "".join(part[:1].upper() + part[1:] for part in re.split(r"[^0-9A-Za-z]+", name))


def _literal(values: Iterable[Any]) -> str | None:
    """Return the closed set of values, or their types where Python's Literal cannot hold one of them."""
    values = list(values)
    if all(value is None or isinstance(value, str | int) for value in values):
        return f"Literal[{', '.join(map(_value, values))}]"
    return _union(_KINDS.get(cast(type[object], type(value)), "Any") for value in values)


def _value(value: Any) -> str:
    """Return a value as Python writes it, with double quotes where that needs no escape."""
    shown = ascii(value) if isinstance(value, str) and not value.isprintable() else repr(value)
    return f'"{value}"' if isinstance(value, str) and shown == f"'{value}'" and '"' not in value else shown


def _union(parts: Iterable[str]) -> str:
    kept = list(dict.fromkeys(part for told in parts for part in _split(told)))
    if "Any" in kept:
        return "Any"
    return " | ".join(
        [*(each for each in kept if each != "None"), *(each for each in kept if each == "None")]
    )


def _split(told: str) -> list[str]:
    """Return the parts of a type that may be `T | None`: a union inside brackets stays whole."""
    return [told.removesuffix(" | None"), "None"] if told.endswith(" | None") else [told]


def _or_none(told: str) -> str:
    return told if told == "Any" else _union([told, "None"])


def _docstring(offered: Offered, names: Mapping[str, str]) -> str:
    contract = offered.contract
    lines = [
        contract.summary,
        "",
        f"Use it when: {contract.when}",
        f"Not for: {contract.when_not}",
        f"Effect: {contract.effect}{_scopes(offered)}.",
    ]
    if contract.approval is not None:
        lines.append(f"Asks the person first: {_english(contract.approval)}")
    if contract.response.pagination:
        lines.append(f"Returns one page; {contract.response.pagination.argument} says which.")
    told = [_argument(name, names[name], shape) for name, shape in _required_first(offered)]
    if any(told):
        lines += ["", *filter(None, told)]
    text = "\n".join(map(_safe, lines))
    return textwrap.indent(f'"""{text}\n"""', "    ")


def _scopes(offered: Offered) -> str:
    return f"; scopes: {', '.join(offered.contract.scopes)}" if offered.contract.scopes else ""


def _english(said: Said) -> str:
    return said if isinstance(said, str) else said.get("en", next(iter(said.values())))


def _safe(line: str) -> str:
    """Return the line as it can stand in a docstring."""
    return one_line(line).replace("\\", "\\\\").replace('"""', '\\"\\"\\"')


def _argument(name: str, parameter: str, shape: Shape) -> str:
    """Return what is said about an argument; nothing where its type says all."""
    named = "" if name == parameter else f"sent as {name!r}"
    said = "; ".join(filter(None, [named, one_line(shape.description or "").rstrip("."), *_limits(shape)]))
    return f"{parameter}: {said}." if said else ""


def _limits(shape: Shape) -> Iterable[str]:
    yield _between(shape.minimum, shape.maximum)
    yield _between(shape.exclusive_minimum, shape.exclusive_maximum, "above {}", "below {}")
    yield _between(shape.min_length or None, shape.max_length, unit=" characters")
    yield _between(shape.min_items or None, shape.max_items, unit=" items")
    for value, told in (
        (shape.multiple_of, "a multiple of {}"),
        (shape.pattern, "matches {}"),
        (shape.format, "a {}"),
    ):
        if value is not None:
            yield told.format(value)
    if shape.default is not None:
        yield f"left out, it is {_value(shape.default)}"
    if shape.items is not None:
        yield from (f"each {told}" for told in _limits(shape.items) if told)


def _between(least: Any, most: Any, over: str = "at least {}", to: str = "at most {}", unit: str = "") -> str:
    told = [form.format(value) for form, value in ((over, least), (to, most)) if value is not None]
    return " and ".join(told) + unit if told else ""
