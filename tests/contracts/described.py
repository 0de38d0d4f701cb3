"""What an operation's description says of a built request, as openapi-core reads it; and values for one."""

import json
import re
from collections.abc import Mapping
from functools import cache
from typing import Any, cast
from urllib.parse import unquote

from openapi_core import Config, OpenAPI
from openapi_core.testing import MockRequest

from contracts.openapi import Imported, import_openapi
from contracts.reading import read_task
from contracts.requesting import built
from contracts.task import Offered


@cache
def drafts(text: bytes) -> tuple[Imported, dict[str, Offered]]:
    """Import a description and load what came of it: every draft must be a contract."""
    imported = import_openapi(text, upstream="shop")
    tasks = [read_task(name, files) for name, files in imported.tasks.items()]
    return imported, {each.name: each for task in tasks for each in task.functions}


def value_for(schema: Mapping[str, Any]) -> Any:
    """Return one value that a schema lets through, the simplest that comes to mind."""
    for key in ("anyOf", "oneOf"):
        if schema.get(key):
            return value_for(schema[key][0])
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return schema["enum"][0]
    kind = schema.get("type", "string")
    match kind if isinstance(kind, str) else kind[0]:
        case "integer" | "number":
            return max(1, schema.get("minimum", 1))
        case "boolean":
            return True
        case "array":
            return [value_for(schema.get("items", {}))] * max(1, schema.get("minItems", 1))
        case "object":
            return {name: value_for(inner) for name, inner in schema.get("properties", {}).items()}
        case "null":
            return None
        case _:
            return _text_for(schema)


def _text_for(schema: Mapping[str, Any]) -> str:
    by_format = {
        "date": "2026-11-02",
        "date-time": "2026-11-02T10:00:00Z",
        "email": "a@example.com",
        "uri": "https://example.com/a",
        "uuid": "123e4567-e89b-12d3-a456-426614174000",
    }
    plain = by_format.get(schema.get("format", ""), "abc").ljust(schema.get("minLength", 1), "c")
    fitting = (
        each for each in (plain, *by_format.values(), "1", "A1") if re.search(schema.get("pattern", ""), each)
    )
    return next(fitting, plain)


def request_of(
    offered: Offered, base: str, extra: Mapping[str, str], *, only_required: bool = False
) -> MockRequest:
    """Return the request that a function builds with a value for every argument, or for those it needs."""
    needed = offered.contract.required
    arguments = {
        name: value_for(shape)
        for name, shape in offered.params_schema["properties"].items()
        if name in needed or not only_required
    }
    sent = built(offered, arguments)
    host, _, prefix = base.partition("://")[2].partition("/")
    path = (f"/{prefix}" if prefix else "") + unquote(sent.path)
    query: dict[str, Any] = {}
    for name, value in sent.query:
        query.setdefault(name, []).append(value)
    args = {name: values if len(values) > 1 else values[0] for name, values in query.items()}
    return MockRequest(
        f"{base.partition('://')[0]}://{host}",
        sent.method.lower(),
        path,
        args=cast(Any, args),
        headers={**extra, **sent.headers},
        data=json.dumps(sent.body).encode() if sent.has_body else None,
        content_type="application/json",
    )


def problems(
    spec: Mapping[str, Any],
    offered: Offered,
    base: str,
    extra: Mapping[str, str],
    *,
    only_required: bool = False,
) -> str:
    """Return what a library that knows nothing of ours says of the request; empty where it fits."""
    try:
        spec_of(spec).validate_request(request_of(offered, base, extra, only_required=only_required))
    except Exception as error:  # noqa: BLE001  whatever it raises is a finding
        return f"{offered.name}: {error!r} {getattr(error, '__cause__', '')!r}"
    return ""


_read: dict[int, OpenAPI] = {}


def spec_of(spec: Mapping[str, Any]) -> OpenAPI:
    """Return the description as the library reads it, once."""
    # Not checked as a whole: a real description refers to schemas that it does not have.
    config = Config(spec_validator_cls=cast(Any, None))
    if id(spec) not in _read:
        _read[id(spec)] = OpenAPI.from_dict(cast(Any, spec), config=config)
    return _read[id(spec)]
