"""A function as a module that stands alone: readable, and it sends the same request as the engine.

Knows:    the mapping of a contract, as requesting.py does.
Does not: run the module, or write a secret into it: it reads the setting's name from the environment.
Rule:     the same contract and row of the table make the same bytes.
"""

import pprint
from collections.abc import Iterator
from typing import Any

from contracts.contract import Argument, Constant, Function, Mapped
from contracts.requesting import elsewhere_than_the_body
from contracts.rules_request import placeholders
from contracts.task import Offered
from contracts.upstreams import Upstream

_HEAD = '''# ruff: noqa: E501
"""{name}: {summary}

Ejected from a contract (generation {generation}).
It stands alone: it needs httpx2 and jsonschema, and the token in the environment variable named below.
"""

{imports}

import httpx2
from jsonschema import Draft202012Validator

BASE_URL = {base_url!r}
TOKEN_VARIABLE = {token!r}
EFFECT = {effect!r}
SCHEMA: dict[str, Any] = {schema}
DEFAULTS: dict[str, Any] = {defaults}


def build(arguments: dict[str, Any]) -> httpx2.Request:
    """Return the request, without the token. Raises: jsonschema.ValidationError, ValueError."""
    given = {{**DEFAULTS, **arguments}}
    Draft202012Validator(SCHEMA).validate(given)
{steps}


def call(arguments: dict[str, Any]) -> Any:
    """Send the request with the token; return the JSON of the answer. Raises: httpx2.HTTPStatusError."""
    request = build(arguments)
{signing}    with httpx2.Client(follow_redirects=False, trust_env=False) as client:
        answer = client.send(request)
    answer.raise_for_status()
    return answer.json() if answer.content else None
{helpers}

if __name__ == "__main__":
    given = json.loads(sys.argv[1] if len(sys.argv) > 1 else "{{}}")
    print(json.dumps(call(given), ensure_ascii=False, indent=2))
'''

_TEXT = '''

def text_of(value: Any) -> str:
    """Return a value as it is written in a path, a query or a header."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, str | int | float):
        raise ValueError("a list or an object cannot stand here")
    return str(int(value) if isinstance(value, float) and value.is_integer() else value)
'''

_SEGMENT = '''

def segment(value: Any) -> str:
    """Return a value as one part of a path. Raises: ValueError for one that would lead elsewhere."""
    text = text_of(value)
    for form in (text, unicodedata.normalize("NFKC", text)):
        dots = not form.partition(";")[0].replace(".", "").strip()
        if dots or any(char in "/\\\\?#%@\\x7f" or char < " " for char in form):
            raise ValueError("this cannot stand in a path")
    return quote(text, safe="")
'''

_CSV = '''

def commas(values: list[Any]) -> str:
    """Return a list with commas. Raises: ValueError for an item that holds one."""
    texts = [text_of(value) for value in values if value is not None]
    if any("," in text for text in texts):
        raise ValueError("an item holds a comma")
    return ",".join(texts)
'''

_PUT = '''

def put(body: dict[str, Any], path: str, value: Any) -> None:
    """Put a value at a path with dots."""
    *outer, last = path.split(".")
    for part in outer:
        body = body.setdefault(part, {})
    body[last] = value
'''

_RENAMED = '''

def renamed(value: Any, names: dict[str, str]) -> Any:
    """Return an object, or a list of them, with its keys as the upstream names them."""
    if isinstance(value, list):
        return [renamed(item, names) for item in value]
    return {names.get(key, key): item for key, item in value.items()} if isinstance(value, dict) else value
'''


def ejected(offered: Offered, upstream: Upstream) -> str:
    """Return the module."""
    function = offered.contract
    steps = "\n".join(f"    {line}" for line in _steps(function))
    arguments = function.arguments.items()
    defaults = {name: shape.default for name, shape in arguments if "default" in shape.model_fields_set}
    return _HEAD.format(
        name=offered.name,
        summary=function.summary.replace("\\", "\\\\").replace('"', '\\"'),
        generation=offered.generation,
        base_url=upstream.base_url,
        token=upstream.auth.token or "TOKEN",
        effect=function.effect,
        schema=_literal(offered.params_schema),
        defaults=_literal(defaults),
        imports="\n".join(_imports(steps, upstream)),
        steps=steps,
        signing=_signing(upstream),
        helpers="".join(_helpers(steps)),
    )


def _imports(steps: str, upstream: Upstream) -> Iterator[str]:
    yield "import json"
    if upstream.auth.kind != "none" or "os." in steps:
        yield "import os"
    yield "import sys"
    if "segment(" in steps:
        yield "import unicodedata"
    yield "from typing import Any"
    if "segment(" in steps:
        yield "from urllib.parse import quote"


def _literal(value: Any) -> str:
    return pprint.pformat(value, width=100, sort_dicts=False)


def _signing(upstream: Upstream) -> str:
    if upstream.auth.kind == "none":
        return ""
    shown = "os.environ[TOKEN_VARIABLE]"
    value = shown if upstream.auth.kind == "api_key" else f'f"Bearer {{{shown}}}"'
    return f"    request.headers[{upstream.auth.header!r}] = {value}\n"


def _helpers(steps: str) -> Iterator[str]:
    if "segment(" in steps or "text_of(" in steps or "commas(" in steps:
        yield _TEXT
    for call, text in (("segment(", _SEGMENT), ("commas(", _CSV), ("put(", _PUT), ("renamed(", _RENAMED)):
        if call in steps:
            yield text


def _steps(function: Function) -> Iterator[str]:
    yield from _path(function)
    yield "query: list[tuple[str, str]] = []"
    for wire, mapped in function.request.query.items():
        yield from _query(wire, mapped)
    yield 'headers: dict[str, str] = {"accept": "application/json"}'
    for wire, mapped in function.request.headers.items():
        yield from _given(mapped, f"headers[{wire!r}] = text_of({{}})")
    if function.idempotency:
        yield f"headers[{function.idempotency.header!r}] = os.urandom(16).hex()"
    body = list(_body(function))
    yield from body
    content = ", json=body" if body else ""
    if function.request.body_is is not None:
        content = f", json=body if {function.request.body_is!r} in given else None"
    made = f"{function.method!r}, BASE_URL + path, params=query or None, headers=headers"
    yield f"return httpx2.Request({made}{content})"


def _path(function: Function) -> Iterator[str]:
    path = function.path.replace("{", "{{").replace("}", "}}")
    for name in placeholders(function.path):
        source = function.request.path.get(name, name)
        path = path.replace("{{" + name + "}}", "{segment(given[" + repr(source) + "])}", 1)
    yield f'path = f"{path}"' if "{" in path else f'path = "{path}"'


def _source(mapped: Mapped) -> str:
    return mapped if isinstance(mapped, str) else mapped.source if isinstance(mapped, Argument) else ""


def _given(mapped: Mapped, line: str) -> Iterator[str]:
    """Yield a line for a value: a constant's always, an argument's where it is given."""
    if isinstance(mapped, Constant):
        yield line.format(repr(mapped.value))
        return
    source = _source(mapped)
    yield f"if given.get({source!r}) is not None:"
    yield f"    {line.format(f'given[{source!r}]')}"


def _query(wire: str, mapped: Mapped) -> Iterator[str]:
    style = mapped.style if isinstance(mapped, Argument) else "repeat"
    source = _source(mapped)
    if isinstance(mapped, Constant):
        yield f"query.append(({wire!r}, text_of({mapped.value!r})))"
        return
    value = f"given[{source!r}]"
    listed = f"text_of(item)) for item in {value} if item is not None"
    lines = {
        "csv": f"query += [({wire!r}, commas({value}))] if {value} else []",
        "single": f"query += [({wire!r}, text_of(item)) for item in {value}[-1:]]",
        "bracket": f"query += [({wire + '[]'!r}, {listed}]",
        "repeat": f"query += [({wire!r}, {listed}]",
    }
    yield f"if isinstance(given.get({source!r}), list):"
    yield f"    {lines[style]}"
    yield f"elif given.get({source!r}) is not None:"
    yield f"    query.append(({wire!r}, text_of({value})))"


def _body(function: Function) -> Iterator[str]:
    request = function.request
    if request.body_is is not None:
        yield f"body = given.get({request.body_is!r})"
    elif request.body == "passthrough":
        elsewhere = sorted(elsewhere_than_the_body(function))
        yield f"body = {{name: value for name, value in given.items() if name not in {elsewhere!r}}}"
    elif isinstance(request.body, dict):
        yield "body: dict[str, Any] = {}"
        for wire, mapped in request.body.items():
            if isinstance(mapped, Constant):
                yield f"put(body, {wire!r}, {mapped.value!r})"
                continue
            source = _source(mapped)
            value = f"given[{source!r}]"
            if isinstance(mapped, Argument) and mapped.items:
                value = f"renamed({value}, {dict(mapped.items)!r})"
            yield f"if {source!r} in given:"
            yield f"    put(body, {wire!r}, {value})"
