"""Rules on a function's request: every argument reaches it once, and it can reach nothing else.

Knows:    one function: its path, parameters and mapping.
Does not: build a request.   (requesting.py, which trusts what passed here)
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from contracts.broken import FUNCTIONS, Broken
from contracts.contract import Argument, Constant, Function, Mapped
from contracts.rules_schema import Rules, broken_schema
from contracts.rules_secrets import broken_secrets, mappings
from contracts.shapes import Shape
from contracts.yaml_text import Loc

_PLACEHOLDER = re.compile(r"\{([A-Za-z][A-Za-z0-9_]*)\}")
_PATH = re.compile(r"(?:/(?:[A-Za-z0-9._~!$'()*,;=:+-]|\{[A-Za-z][A-Za-z0-9_]*\})*)+")


def placeholders(path: str) -> list[str]:
    """Return the names in braces of a path."""
    return _PLACEHOLDER.findall(path)


def broken_request(at: Loc, function: Function) -> Iterator[Broken]:
    """Yield what is wrong with a function's request. at: the way to the function."""
    for rule in (_path, _params, _mapping, _all_reach, _body, _headers, _forms, broken_secrets):
        for where, said, remedy in rule(function):
            yield Broken(FUNCTIONS, (*at, *where), said, remedy)


def mapped_sources(mapping: Mapping[str, Any]) -> Iterator[str]:
    """Yield the arguments that a mapping reads."""
    for value in mapping.values():
        if isinstance(value, str):
            yield value
        elif isinstance(value, Argument):
            yield value.source


def reads(function: Function) -> Counter[str]:
    """Return how often the request reads each argument, path and body among them."""
    request = function.request
    path = [request.path.get(name, name) for name in placeholders(function.path)]
    found = Counter([*path, *mapped_sources(request.query), *mapped_sources(request.headers)])
    if isinstance(request.body, dict):
        found.update(mapped_sources(request.body))
    if request.body_is:
        found.update([request.body_is])
    if request.body == "passthrough":
        found.update(name for name in function.arguments if name not in found)
    return found


def _path(function: Function) -> Rules:
    path = function.path
    if not _PATH.fullmatch(path) or "//" in path:
        yield (
            ("path",),
            "It must be a plain path below the upstream's address: no host, %, ?, #, @ or \\.",
            "Write it as in /orders/{order_id}; a query belongs into request.query.",
        )
    # What a semicolon begins, some servers cut off.
    if any(part.partition(";")[0] in (".", "..") for part in path.split("/")):
        yield ("path",), "It leads upwards (. or ..).", "Write the whole path."
    names = placeholders(path)
    if len(set(names)) < len(names):
        yield ("path",), "A placeholder stands in it twice.", "Name each one differently."
    for name in function.request.path:
        if name not in names:
            yield ("request", "path", name), f"The path has no {{{name}}}.", "Correct the name or remove it."
    for name in names:
        source = function.request.path.get(name, name)
        if source not in function.arguments:
            yield (
                ("path",),
                f"{{{name}}} reads the argument {source}, which is not declared.",
                f"Declare {source} under params, or map it: request: {{path: {{{name}: ARGUMENT}}}}.",
            )
        elif source not in function.required and "default" not in _said(function.arguments[source]):
            yield (
                ("path",),
                f"{{{name}}} needs {source}, which may be left out.",
                f"Add {source} to params.required.",
            )


def _said(shape: Shape) -> set[str]:
    return set(shape.model_fields_set)


def _params(function: Function) -> Rules:
    params = function.params
    if params.types != ("object",):
        yield ("params",), "The arguments must be an object.", "Write type: object."
    for name in function.arguments:
        if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]{0,63}", name):
            yield (
                ("params", "properties", name),
                "An argument's name is letters, digits and _.",
                "Rename it here, and give the upstream's own name in request.",
            )
    if params.additional_properties not in (None, False):
        yield ("params",), "Arguments that are not declared would be let in.", "Remove additionalProperties."
    yield from broken_schema(params, ("params",))


def _mapping(function: Function) -> Rules:
    request = function.request
    for part, mapping in mappings(function):
        for wire, value in mapping.items():
            if isinstance(value, Constant):
                continue
            source = value if isinstance(value, str) else value.source
            if source not in function.arguments:
                yield (
                    ("request", part, wire),
                    f"It reads the argument {source}, which is not declared.",
                    f"Declare {source} under params, or correct the name.",
                )
    if request.body_is and request.body_is not in function.arguments:
        yield ("request", "body_is"), f"{request.body_is} is no argument.", "Declare it under params."


def _all_reach(function: Function) -> Rules:
    counted = reads(function)
    for name in function.arguments:
        if counted[name] == 0:
            yield (
                ("params", "properties", name),
                f"The argument {name} reaches no part of the request.",
                "Map it under request (path, query, headers or body), or remove it.",
            )
        elif counted[name] > 1:
            yield (
                ("params", "properties", name),
                f"The argument {name} is sent {counted[name]} times.",
                "Send it at one place.",
            )


def _body(function: Function) -> Rules:
    request = function.request
    has_body = request.body != "none" or request.body_is is not None
    if has_body and function.method in ("GET", "HEAD"):
        yield ("request",), f"{function.method} has no body.", "Move the arguments to request.query."
    if request.body_is and request.body != "none":
        yield ("request", "body_is"), "body and body_is cannot stand together.", "Keep one of them."
    if isinstance(request.body, dict):
        names = sorted(request.body)
        for name in names:
            if inside := [other for other in names if other.startswith(f"{name}.")]:
                yield (
                    ("request", "body", name),
                    f"{name} is a value here and an object for {inside[0]}.",
                    "Keep one of them.",
                )
            if any(part == "" for part in name.split(".")):
                yield ("request", "body", name), "A part between its dots is empty.", "Correct the name."


def _headers(function: Function) -> Rules:
    names = [*function.request.headers, *([function.idempotency.header] if function.idempotency else [])]
    if len({name.lower() for name in names}) < len(names):
        yield ("request", "headers"), "A header stands here twice.", "Keep one of them."


_PLAIN = frozenset({"string", "integer", "number", "boolean"})


def _forms(function: Function) -> Rules:
    """Yield the arguments whose values cannot be written where they are sent."""
    for name in placeholders(function.path):
        source = function.request.path.get(name, name)
        if source in function.arguments and not types_of(function.arguments[source]) <= _PLAIN:
            yield (
                ("params", "properties", source),
                f"{source} stands in the path, and its value may be no text or number.",
                "Write its type: string or integer.",
            )
    for part, mapping in mappings(function):
        for wire, value in mapping.items():
            source = value.source if isinstance(value, Argument) else value
            if isinstance(source, str) and source in function.arguments:
                where: Loc = ("request", part, wire)
                yield from _form(where, part, function.arguments[source], value)


def _form(where: Loc, part: str, shape: Shape, value: Mapped) -> Rules:
    types = types_of(shape) - {"null"}
    item_types = types_of(shape.items) if shape.items else set[str]()
    if part == "headers" and not types <= _PLAIN:
        yield where, "A header holds a text or a number.", "Write its type, or send it elsewhere."
    if part == "query" and not (types <= _PLAIN | {"array"} and item_types <= _PLAIN | {"null"}):
        yield (
            where,
            "A query holds texts, numbers, and lists of them.",
            "Write its type, or send it in the body.",
        )
    if not isinstance(value, Argument):
        return
    if "style" in value.model_fields_set and (part != "query" or "array" not in types):
        yield where, "style is for a list in a query.", "Remove style."
    if value.items is not None:
        yield from _renames(where, part, shape, value.items)


def _renames(where: Loc, part: str, shape: Shape, items: Mapping[str, str]) -> Rules:
    inner = shape.items if "array" in shape.types else shape
    declared = (inner.properties or {}) if inner else {}
    if part != "body" or not declared:
        yield where, "items renames the keys of declared objects in a body.", "Remove items."
        return
    if unknown := [name for name in items if name not in declared]:
        yield where, f"items names {', '.join(unknown)}, which is not declared.", "Correct the names."
    sent = [items.get(name, name) for name in declared]
    if len(set(sent)) < len(sent):
        yield where, "Two keys would be sent under one name.", "Give each its own."


def types_of(shape: Shape) -> set[str]:
    """Return the types that a value may have, those of its alternatives too; `any` where one says nothing."""
    branches = shape.any_of or shape.one_of
    if shape.types:
        return set(shape.types)
    if branches:
        return {name for branch in branches for name in types_of(branch)}
    values = [*(shape.enum or ()), *([shape.const] if "const" in shape.model_fields_set else [])]
    return {_type_name(value) for value in values} or {"any"}


def _type_name(value: Any) -> str:
    for kind, name in ((bool, "boolean"), (str, "string"), (int, "integer"), (float, "number")):
        if isinstance(value, kind):
            return name
    return "null" if value is None else "any"
