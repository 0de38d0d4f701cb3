"""Rules on a function's request: every argument reaches it once, and it can reach nothing else.

Knows:    one function: its path, parameters and mapping.
Does not: build a request.   (requesting.py, which trusts what passed here)
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from common.pattern_cost import is_costly
from contracts.broken import FUNCTIONS, Broken
from contracts.contract import Argument, Constant, Function, Mapped
from contracts.shapes import Shape
from contracts.yaml_text import Loc

_PLACEHOLDER = re.compile(r"\{([A-Za-z][A-Za-z0-9_]*)\}")
_PATH = re.compile(r"(?:/(?:[A-Za-z0-9._~!$'()*,;=:+-]|\{[A-Za-z][A-Za-z0-9_]*\})*)+")
_RESERVED_HEADER = re.compile(
    r"authorization|cookie2?|host|origin|referer|connection|upgrade|te|trailer|via|forwarded|expect|date|age"
    r"|accept-encoding|keep-alive|(?:content|transfer|proxy|sec|x-forwarded|x-http-method|x-method|x-original"
    r"|x-rewrite|access-control)-.*|.*(?:token|secret|password|credential|api-?key|signature|auth|session).*",
    re.IGNORECASE,
)
"""Headers that decide where a request goes or who sends it: none of a contract's business."""

_ADDRESS = re.compile(r"://|^//|\bwww\.|@")
_CREDENTIAL_NAME = re.compile(
    r"(?:access|api|auth|refresh|client)[_-]?(?:token|key|secret)|password|authorization", re.IGNORECASE
)


def placeholders(path: str) -> list[str]:
    """Return the names in braces of a path."""
    return _PLACEHOLDER.findall(path)


def broken_request(at: Loc, function: Function) -> Iterator[Broken]:
    """Yield what is wrong with a function's request. at: the way to the function."""
    for rule in (_path, _params, _mapping, _all_reach, _body, _headers, _constants):
        for where, said, remedy in rule(function):
            yield Broken(FUNCTIONS, (*at, *where), said, remedy)


Rules = Iterator[tuple[Loc, str, str]]
"""The way to the field, rule, remedy."""


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


def _mappings(function: Function) -> Iterator[tuple[str, Mapping[str, Mapped]]]:
    request = function.request
    yield "query", request.query
    yield "headers", request.headers
    if isinstance(request.body, dict):
        yield "body", request.body


def _path(function: Function) -> Rules:
    path = function.path
    if not _PATH.fullmatch(path) or "//" in path:
        yield (
            ("path",),
            "It must be a plain path below the upstream's address: no host, %, ?, #, @ or \\.",
            "Write it as in /orders/{order_id}; a query belongs into request.query.",
        )
    if any(part in (".", "..") for part in path.split("/")):
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
    for name in function.required:
        if name not in function.arguments:
            yield (
                ("params", "required"),
                f"{name} is required and not declared.",
                "Declare it under properties.",
            )
    for name in function.arguments:
        if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]{0,63}", name):
            yield (
                ("params", "properties", name),
                "An argument's name is letters, digits and _.",
                "Rename it here, and give the upstream's own name in request.",
            )
    if params.additional_properties not in (None, False):
        yield ("params",), "Arguments that are not declared would be let in.", "Remove additionalProperties."
    yield from patterns_of(params, ("params",))


def patterns_of(shape: Shape, at: Loc) -> Rules:
    """Yield the patterns of a schema that cannot be read, or can take for ever."""
    if shape.pattern is not None:
        try:
            re.compile(shape.pattern)
            if is_costly(shape.pattern):
                yield (*at, "pattern"), "This pattern can take very long to try.", "Write a simpler one."
        except (re.error, OverflowError, RecursionError):
            yield (*at, "pattern"), "This is no regular expression.", "Correct it."
    for name, inner in (shape.properties or {}).items():
        yield from patterns_of(inner, (*at, "properties", name))
    if shape.items is not None:
        yield from patterns_of(shape.items, (*at, "items"))
    if isinstance(shape.additional_properties, Shape):
        yield from patterns_of(shape.additional_properties, (*at, "additionalProperties"))
    for key, branches in (("anyOf", shape.any_of), ("oneOf", shape.one_of)):
        for index, inner in enumerate(branches or ()):
            yield from patterns_of(inner, (*at, key, index))


def _mapping(function: Function) -> Rules:
    request = function.request
    for part, mapping in _mappings(function):
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
    for name in names:
        if _RESERVED_HEADER.fullmatch(name):
            where: Loc = (
                ("request", "headers", name) if name in function.request.headers else ("idempotency",)
            )
            yield (
                where,
                f"The header {name} decides who sends a request or how it travels.",
                "Remove it: signing in is the upstream's row in the deployment's table.",
            )
    if len({name.lower() for name in names}) < len(names):
        yield ("request", "headers"), "A header stands here twice.", "Keep one of them."


def _constants(function: Function) -> Rules:
    for part, mapping in _mappings(function):
        for wire, value in mapping.items():
            where: Loc = ("request", part, wire)
            if isinstance(value, Constant):
                if isinstance(value.value, str) and _ADDRESS.search(value.value):
                    yield where, "A constant must not hold an address.", "Remove it."
                if _CREDENTIAL_NAME.search(wire):
                    yield (
                        where,
                        "A contract must not hold a credential.",
                        "Remove it; the deployment signs in.",
                    )
