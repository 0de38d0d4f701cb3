"""Functions of contracts by the thousand: whatever the rules let through, for laws that hold of all.

Knows:    every way in which an argument reaches a request, and values that fit its schema.
Does not: break a rule: what is made here is read by reading.py as a partner's file is.
"""

import json
from collections.abc import Mapping
from typing import Any

from hypothesis import assume
from hypothesis import strategies as st

from contracts.problems import BadContracts
from contracts.reading import read_task
from contracts.task import Offered, Task

NAMES = st.sampled_from(
    ["id", "name", "from", "class", "list", "str", "status", "page", "A1", "None", "self", "url", "client"]
)
_WORDS = st.text(st.sampled_from("abcÄéشन '\"\\{}%&=+/#?;,.:\t\u2028"), min_size=1, max_size=12)
_KEYS = st.sampled_from(["id", "name", "class", "a-b", "X", "price_minor", "def"])


def _scalars() -> st.SearchStrategy[dict[str, Any]]:
    return st.one_of(
        st.just({"type": "string"}),
        st.just({"type": "string", "maxLength": 20}),
        st.just({"type": "integer", "minimum": -5, "maximum": 10_000}),
        st.just({"type": "number", "minimum": 0, "maximum": 9}),
        st.just({"type": "boolean"}),
        st.lists(_WORDS, min_size=1, max_size=3, unique=True).map(
            lambda values: {"type": "string", "enum": values}
        ),
    )


def _bodies() -> st.SearchStrategy[dict[str, Any]]:
    objects = st.dictionaries(_KEYS, _scalars(), min_size=1, max_size=3).map(
        lambda fields: {"type": "object", "properties": fields}
    )
    return st.one_of(_scalars(), objects, objects.map(lambda items: {"type": "array", "items": items}))


def value_of(shape: Mapping[str, Any]) -> st.SearchStrategy[Any]:
    """Return values that fit one of the schemas that are made here."""
    if "enum" in shape:
        return st.sampled_from(shape["enum"])
    match shape["type"]:
        case "string":
            return _WORDS
        case "integer":
            return st.integers(-5, 10_000).filter(lambda n: n >= shape.get("minimum", n))
        case "number":
            return st.floats(0, 9, allow_nan=False)
        case "boolean":
            return st.booleans()
        case "array":
            return st.lists(value_of(shape["items"]), max_size=3)
        case _:
            fields = {key: value_of(part) for key, part in shape["properties"].items()}
            return st.fixed_dictionaries({}, optional=fields)


@st.composite
def functions(draw: st.DrawFn) -> tuple[Offered, dict[str, Any]]:
    """Return a function of any form, and arguments that fit it."""
    method = draw(st.sampled_from(["GET", "POST", "PUT", "PATCH", "DELETE"]))
    names = draw(st.lists(NAMES, max_size=5, unique=True))
    wires = {name: f"{name}X" if draw(st.booleans()) else name for name in names}
    request: dict[str, Any] = {"path": {}, "query": {}, "headers": {}}
    properties: dict[str, Any] = {}
    required: list[str] = []
    path = "/things"
    body: dict[str, Any] = {}
    for name in names:
        has_body = method in ("POST", "PUT", "PATCH")
        place = draw(st.sampled_from(["path", "query", "list", "header", *(["body"] if has_body else [])]))
        match place:
            case "path":
                path += "/{" + wires[name] + "}"
                properties[name] = draw(
                    st.sampled_from([{"type": "integer", "minimum": 1}, {"type": "boolean"}])
                )
                required.append(name)
                request["path"][wires[name]] = name
            case "list":
                properties[name] = {"type": "array", "items": draw(_scalars())}
                style = draw(st.sampled_from(["single", "bracket", "repeat", "csv"]))
                request["query"][wires[name]] = {"from": name, "style": style}
            case "header":
                properties[name] = {"type": "string", "enum": ["a b", "c", 'd"e']}
                request["headers"][f"X-{wires[name]}"] = name
            case "body":
                properties[name] = draw(_bodies())
                body[f"deep.{wires[name]}" if draw(st.booleans()) else wires[name]] = name
            case _:
                properties[name] = draw(_scalars())
                request["query"][wires[name]] = name
    if draw(st.booleans()):
        request["query"]["constant"] = {"value": draw(st.sampled_from([True, 3, "a b", 1.5]))}
    if body:
        request["body"] = body
    effect = {"GET": "read", "DELETE": "destructive"}.get(method, "write")
    said: dict[str, Any] = {
        "name": "do_it",
        "summary": draw(st.sampled_from(["Do it.", 'Say """ and \\ too.', "افعلها."])),
        "when": "It is wanted.",
        "when_not": "It is not wanted.",
        "effect": effect,
        "method": method,
        "path": path,
        "params": {"type": "object", "properties": properties, "required": required},
        "request": {key: value for key, value in request.items() if value},
        "response": {"fields": draw(_bodies())},
    }
    if effect != "read":
        said["approval"] = "Do it"
        if draw(st.booleans()):
            said["idempotency"] = {}
    offered = task_of([said]).functions[0]
    needed = {name: value_of(properties[name]) for name in required}
    free = {name: value_of(shape) for name, shape in properties.items() if name not in required}
    return offered, draw(st.fixed_dictionaries(needed, optional=free))


def task_of(said: list[dict[str, Any]]) -> Task:
    """Return the task of some functions, as it is read from its files."""
    files = {
        "task.yaml": b"name: things\ntitle: Things\nsummary: All of the things.\nupstream: shop\n",
        "functions.yaml": json.dumps({"functions": said}).encode(),
    }
    try:
        return read_task("things", files)
    except BadContracts:
        assume(False)
        raise
