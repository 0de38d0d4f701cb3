"""A function and its arguments as a request: what is written where, and nothing else.

Knows:    the mapping of a contract, and how values are written in paths, queries, headers and bodies.
Does not: check arguments against their schema (validating.py), know an upstream, or send.
Rule:     a value stays inside the place it was declared for. What could change where a request goes (a
          slash in a path, a line break in a header) is refused, not encoded: an upstream may decode it again.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any, cast
from urllib.parse import quote

from contracts.contract import Argument, ArrayStyle, Constant, Function, Mapped
from contracts.failures import CallFailed
from contracts.rules_request import mapped_sources, placeholders
from contracts.task import Offered
from contracts.wire import Outgoing

_NOT_IN_A_PATH = re.compile(r"[\x00-\x1f\x7f/\\?#%@]|^[\s.]*(?:;|$)")
"""What could lead elsewhere; dots before a semicolon, too, which some servers cut off."""

_HEADER_VALUE = re.compile(r"[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?")
_SURROGATE = re.compile(r"[\ud800-\udfff]")


def built(offered: Offered, arguments: Mapping[str, Any]) -> Outgoing:
    """Return the request of a call.

    arguments: validated, defaults filled in and words resolved; None counts as left out of a query, a header
    and a mapped body.
    Raises: CallFailed (`invalid_arguments`) for a value that cannot stand where it belongs.
    """
    function = offered.contract
    request = function.request
    body, has_body = _body(function, arguments)
    return Outgoing(
        method=function.method,
        path=_path(function, arguments),
        query=tuple(_query(request.query, arguments)),
        headers={
            name: _header(name, value)
            for name, mapped in request.headers.items()
            if (value := _value(mapped, arguments)) is not None
        },
        body=body,
        has_body=has_body,
    )


def _refused(name: str, why: str) -> CallFailed:
    return CallFailed(
        "invalid_arguments",
        f"The arguments do not fit: {name} {why}.",
        "Correct it, or ask the user for what is missing, and call again.",
    )


def _value(mapped: Mapped, arguments: Mapping[str, Any]) -> Any:
    if isinstance(mapped, Constant):
        return mapped.value
    return arguments.get(mapped if isinstance(mapped, str) else mapped.source)


def _text(name: str, value: Any) -> str:
    """Return a scalar as it is written in a path, a query or a header."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, str | int | float):
        raise _refused(name, "must be a plain value, no list or object")
    if isinstance(value, float) and value.is_integer():
        value = int(value)  # JSON Schema takes 5.0 for an integer, and an address of /orders/5.0 is another
    text = str(value)
    if _SURROGATE.search(text):
        raise _refused(name, "must be valid Unicode")
    return text


def _path(function: Function, arguments: Mapping[str, Any]) -> str:
    path = function.path
    for name in placeholders(path):
        source = function.request.path.get(name, name)
        text = _text(source, arguments.get(source))
        # The compatible form, too: a wide slash is a slash to a server that composes what it reads.
        if any(_NOT_IN_A_PATH.search(form) for form in (text, unicodedata.normalize("NFKC", text))):
            raise _refused(source, "must be no empty text, no dots alone, and hold none of / \\ ? # % @")
        path = path.replace("{" + name + "}", quote(text, safe=""), 1)
    return path


def _query(mapping: Mapping[str, Mapped], arguments: Mapping[str, Any]) -> Iterable[tuple[str, str]]:
    for wire, mapped in mapping.items():
        value = _value(mapped, arguments)
        if isinstance(value, list):
            style: ArrayStyle = mapped.style if isinstance(mapped, Argument) else "repeat"
            yield from _listed(
                wire, [_text(wire, item) for item in cast(list[Any], value) if item is not None], style
            )
        elif value is not None:
            yield wire, _text(wire, value)


def _listed(wire: str, items: list[str], style: ArrayStyle) -> Iterable[tuple[str, str]]:
    if style == "csv":
        if any("," in item for item in items):
            raise _refused(wire, "must hold no comma in an item: commas part the items")
        yield from [(wire, ",".join(items))] if items else []
    elif style == "single":
        yield from [(wire, item) for item in items[-1:]]
    else:
        yield from [(f"{wire}[]" if style == "bracket" else wire, item) for item in items]


def _header(name: str, value: Any) -> str:
    text = _text(name, value)
    if not _HEADER_VALUE.fullmatch(text) or len(text) > 1_000:
        raise _refused(name, "must be one line of plain letters, digits and signs")
    return text


def elsewhere_than_the_body(function: Function) -> set[str]:
    """Return the arguments that stand in the path, the query or the headers."""
    request = function.request
    return {
        *(request.path.get(name, name) for name in placeholders(function.path)),
        *mapped_sources(request.query),
        *mapped_sources(request.headers),
    }


def _body(function: Function, arguments: Mapping[str, Any]) -> tuple[Any, bool]:
    request = function.request
    if request.body_is is not None:
        return arguments.get(request.body_is), request.body_is in arguments
    if request.body == "none":
        return None, False
    if request.body == "passthrough":
        elsewhere = elsewhere_than_the_body(function)
        return {name: value for name, value in arguments.items() if name not in elsewhere}, True
    made: dict[str, Any] = {}
    for wire, mapped in request.body.items():
        if isinstance(mapped, Constant):
            _put(made, wire, mapped.value)
        elif (source := mapped if isinstance(mapped, str) else mapped.source) in arguments:
            items = mapped.items if isinstance(mapped, Argument) else None
            _put(made, wire, _renamed(arguments[source], items))
    return made, True


def _put(made: dict[str, Any], wire: str, value: Any) -> None:
    *outer, last = wire.split(".")
    for part in outer:
        made = made.setdefault(part, {})
    made[last] = value


def _renamed(value: Any, names: Mapping[str, str] | None) -> Any:
    """Return a list of objects, or one, with its keys as the upstream names them."""
    if names is None:
        return value
    if isinstance(value, list):
        return [_renamed(item, names) for item in cast(list[Any], value)]
    if isinstance(value, dict):
        return {names.get(key, key): item for key, item in cast(dict[str, Any], value).items()}
    return value
