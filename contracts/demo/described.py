"""What openapi.yaml says of each operation, made into checks: a request that it does not describe is refused.

Knows:    parameters, bodies, scopes and operation ids as the file has them.
Does not: know what an operation does.   (api.py)
Why:      the description that others read and what is enforced cannot differ.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, cast

import yaml
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from starlette.requests import Request

from contracts.demo.refusing import Refusal, invalid, not_found

FILE = Path(__file__).with_name("openapi.yaml")

_METHODS = ("get", "post", "put", "patch", "delete")
_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]{0,17})")
_BOOLEANS = {"true": True, "false": False}


@dataclass(frozen=True)
class Parameter:
    """One parameter of an operation."""

    name: str
    place: str
    schema: Mapping[str, Any]

    def read(self, texts: list[str]) -> Any:
        """Return what was written as the declared type; a text that is no such value stays one."""
        if self.schema.get("type") == "array":
            return [_value(text, self.schema["items"]) for text in texts]
        return _value(texts[0], self.schema) if len(texts) == 1 else texts


@dataclass(frozen=True)
class Operation:
    """One operation. body: the schema of its body; None where it has none."""

    name: str
    method: str
    path: str
    scopes: frozenset[str]
    parameters: tuple[Parameter, ...]
    body: Mapping[str, Any] | None

    def arguments(self, request: Request) -> dict[str, Any]:
        """Return the parameters of a request by name, with defaults.  Raises: Refusal."""
        wrong: dict[str, list[str]] = {}
        found: dict[str, Any] = {}
        for parameter in self.parameters:
            texts = _texts(request, parameter)
            if not texts:
                if "default" in parameter.schema:
                    found[parameter.name] = parameter.schema["default"]
                continue
            value = parameter.read(texts)
            if said := list(_problems(parameter.schema, value)):
                wrong[parameter.name] = said
            found[parameter.name] = value
        known = {parameter.name for parameter in self.parameters if parameter.place == "query"}
        wrong |= {
            name[:100]: ["There is no such parameter."] for name in request.query_params if name not in known
        }
        if any(parameter.place == "path" and parameter.name in wrong for parameter in self.parameters):
            raise not_found()
        if wrong:
            raise invalid(wrong)
        return found

    def read_body(self, raw: bytes, content_type: str) -> dict[str, Any]:
        """Return the body.  Raises: Refusal."""
        if self.body is None:
            return {}
        if content_type.partition(";")[0].strip().lower() != "application/json":
            raise Refusal(415, "unsupported_media_type", "The body must be application/json.")
        try:
            value = json.loads(raw, parse_constant=_no_number)
            json.dumps(value, ensure_ascii=False).encode()  # half a character can be kept, and never be sent
        except (ValueError, RecursionError):
            raise Refusal(400, "invalid_json", "The body is no JSON.") from None
        wrong: dict[str, list[str]] = {}
        for error in _errors(self.body, value):
            wrong.setdefault(_field_of(error), []).append(_said(error))
        if wrong:
            raise invalid(wrong)
        return value


@cache
def document() -> dict[str, Any]:
    """Return openapi.yaml."""
    return cast(dict[str, Any], yaml.safe_load(FILE.read_text(encoding="utf-8")))


@cache
def operations() -> tuple[Operation, ...]:
    """Return the operations in the order of the file: a path without numbers stands before one with."""
    return tuple(_operations())


def _operations() -> Iterator[Operation]:
    for path, item in document()["paths"].items():
        for method in _METHODS:
            if method not in item:
                continue
            said = item[method]
            listed = [*item.get("parameters", ()), *said.get("parameters", ())]
            parameters = (_resolved(each) for each in listed)
            body = said.get("requestBody")
            yield Operation(
                said["operationId"],
                method.upper(),
                path,
                frozenset(said["security"][0]["merchant"]),
                tuple(Parameter(each["name"], each["in"], each["schema"]) for each in parameters),
                body and body["content"]["application/json"]["schema"],
            )


def _resolved(said: dict[str, Any]) -> dict[str, Any]:
    return document()["components"]["parameters"][said["$ref"].rpartition("/")[2]] if "$ref" in said else said


def _texts(request: Request, parameter: Parameter) -> list[str]:
    if parameter.place == "path":
        return [request.path_params[parameter.name]]
    if parameter.place == "header":
        return request.headers.getlist(parameter.name)
    return request.query_params.getlist(parameter.name)


def _value(text: str, schema: Mapping[str, Any]) -> Any:
    kind = schema.get("type")
    if kind == "integer" and _INTEGER.fullmatch(text):
        return int(text)
    return _BOOLEANS.get(text, text) if kind == "boolean" else text


def _no_number(_: str) -> float:
    raise ValueError


def _errors(schema: Mapping[str, Any], value: Any) -> Iterator[ValidationError]:
    whole = {**schema, "components": document()["components"]}
    yield from Draft202012Validator(whole).iter_errors(value)  # pyright: ignore[reportUnknownMemberType]


def _problems(schema: Mapping[str, Any], value: Any) -> Iterator[str]:
    for error in _errors(schema, value):
        yield _said(error)


def _field_of(error: ValidationError) -> str:
    """Return the field that an error is about; `body` where it is about all of them."""
    if error.validator == "required":
        required = cast(list[str], error.validator_value)
        present = cast(dict[str, Any], error.instance)
        return next((name for name in required if name not in present), "body")
    return str(error.absolute_path[0])[:100] if error.absolute_path else "body"


_SENTENCES = {
    "required": "This field is required.",
    "type": "This is not of the right type.",
    "enum": "This is none of the values that it can have.",
    "pattern": "This has not the right form.",
    "additionalProperties": "There is a field that is not known.",
    "minLength": "This is too short.",
    "maxLength": "This is too long.",
    "minimum": "This is too small.",
    "maximum": "This is too large.",
    "minProperties": "There must be at least one field.",
}


def _said(error: ValidationError) -> str:
    """Return a sentence that does not repeat the value."""
    return _SENTENCES.get(str(error.validator), "This is not valid.")
