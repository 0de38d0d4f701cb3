"""An operation's parameters and body as arguments, and how each is sent.

Knows:    OpenAPI's places and styles of parameters, and which of them a contract can say.
Does not: know names of functions, or responses.
Rule:     what signs a request in is the upstream's row, never an argument. What a contract cannot say is left
          out with a note where the operation works without it; else the operation is refused.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from contracts.openapi.described import Description, Operation, items, mapping
from contracts.openapi.keywords import NotSayable, Schema
from contracts.openapi.plain import plain, types_in
from contracts.openapi.schemas import Converter, marked
from contracts.openapi.words import free, line, singular, snake
from contracts.rules_secrets import is_reserved_header, names_a_credential

_WIRE = re.compile(r"[^\s&=#?%/\\\x00-\x20\x7f]{1,100}")
_JSON = re.compile(r"application/(?:[\w.+-]+\+)?json(?:\s*;.*)?", re.IGNORECASE)
_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
_IDEMPOTENCY = re.compile(r"(?:x-)?idempotency-key", re.IGNORECASE)


class Refused(Exception):
    """An operation that cannot be imported; the text says why."""


@dataclass
class Arguments:
    """What an operation takes. wire: each part of request as a contract says it."""

    description: Description
    operation: Operation
    signs_in: frozenset[str]
    converter: Converter
    properties: dict[str, Schema] = field(default_factory=dict[str, Schema])
    required: list[str] = field(default_factory=list[str])
    request: dict[str, Any] = field(default_factory=dict[str, Any])
    path: str = ""
    idempotency: str = ""

    def read(self) -> "Arguments":
        """Read all of them.  Raises: Refused, NotSayable."""
        self._path()
        for parameter in self.operation.parameters:
            self._parameter(parameter)
        self._body()
        return self

    # ------------------------------------------------------------ the path

    def _path(self) -> None:
        described = {
            str(each.get("name")): each for each in self.operation.parameters if each.get("in") == "path"
        }
        names = _PLACEHOLDER.findall(self.operation.path)
        if len(set(names)) < len(names):
            raise Refused("its path names a placeholder twice")
        sent: dict[str, str] = {}
        for name in names:
            parameter = described.pop(name, {})
            if not parameter:
                self.converter.note(f"The path's {line(name, 40)} is not described; it is taken as a text.")
            schema = self._scalar(parameter, line(name, 40))
            sent[name] = self._argument(name, schema, required=True, prefix="path_")
            self.properties[sent[name]] = self._id(sent[name], schema)
        for name in described:
            self.converter.note(f"The path has no place for {line(name, 40)}; it is left out.")
        path = _PLACEHOLDER.sub(lambda found: "{" + sent[found[1]] + "}", self.operation.path)
        self.path = path if path.startswith("/") else f"/{path}"

    def _id(self, argument: str, schema: Schema) -> Schema:
        """Mark the argument as an id where its name, or its place behind a plural, says that it is one."""
        before = self.operation.path.partition("{")[0].rstrip("/").rsplit("/", 1)[-1]
        at = self.operation.path.rpartition("/{")[0].rsplit("/", 1)[-1] if argument == "id" else before
        of = singular(snake(at))
        if argument in ("id", "code", "number", "slug", "token") or argument.endswith("_id"):
            kind = argument if argument.endswith("_id") else f"{of}_id"
            return marked(schema, kind[:41].strip("_")) if of or argument.endswith("_id") else schema
        return schema

    def _scalar(self, parameter: Mapping[str, Any], name: str) -> Schema:
        if parameter.get("style", "simple") != "simple" or "content" in parameter:
            raise Refused(f"its path holds {name} in a style that a contract cannot send")
        schema = plain(self._schema(parameter))
        if schema is None or {"array", "object"} & types_in(schema):
            raise Refused(f"its path holds a list or an object ({name})")
        return schema

    # ------------------------------------------------------------ parameters

    def _parameter(self, parameter: Mapping[str, Any]) -> None:
        name, place = parameter.get("name"), parameter.get("in")
        if "$ref" in parameter:
            raise Refused(f"a parameter of it is described elsewhere ({line(parameter['$ref'], 60)})")
        if place == "path":
            return
        required = parameter.get("required") is True
        if not isinstance(name, str):
            self._leave_out("a parameter without a name", required)
        elif place == "header":
            self._header(parameter, name, required=required)
        elif place == "query":
            self._query(parameter, name, required=required)
        elif name in self.signs_in:
            self.converter.note(f"{line(name, 40)} signs in: it is the upstream's business.")
        else:
            self._leave_out(f"the parameter {line(name, 40)} in {line(place, 20) or 'no place'}", required)

    def _leave_out(self, what: str, required: bool) -> None:
        if required:
            raise Refused(f"it needs {what}, which a contract cannot send")
        self.converter.note(f"Left out: {what}, which a contract cannot send.")

    def _header(self, parameter: Mapping[str, Any], name: str, *, required: bool) -> None:
        if name.lower() in self.signs_in:
            self.converter.note(f"The header {line(name, 40)} signs in: it is the upstream's business.")
        elif name.lower() in ("accept", "content-type"):
            self.converter.note(f"The header {line(name, 40)} is set by the engine.")
        elif _IDEMPOTENCY.fullmatch(name):
            self.idempotency = name
        elif is_reserved_header(name):
            self._leave_out(f"the header {line(name, 40)}", required)
        elif not re.fullmatch(r"[A-Za-z0-9-]{1,60}", name):
            self._leave_out("a header with an unusual name", required)
        else:
            schema = plain(self._schema(parameter))
            if schema is None or "content" in parameter or {"array", "object"} & types_in(schema):
                self._leave_out(f"the header {name} with a list or an object", required)
                return
            argument = self._argument(name, schema, required=required)
            self.request.setdefault("headers", {})[name] = argument

    def _query(self, parameter: Mapping[str, Any], name: str, *, required: bool) -> None:
        if name in self.signs_in:
            self.converter.note(f"{line(name, 40)} signs in: it is the upstream's business.")
            return
        schema = plain(self._schema(parameter))
        if schema is None or "content" in parameter or not _WIRE.fullmatch(name):
            self._leave_out(f"the parameter {line(name, 40)}", required)
            return
        if names_a_credential(name):
            self._leave_out(f"the credential {line(name, 40)}", required)
            return
        types = types_in(schema)
        if "object" in types:
            self._query_object(parameter, name, schema, required=required)
        elif "array" in types:
            self._query_list(parameter, name, schema, required=required)
        else:
            self.request.setdefault("query", {})[name] = self._argument(name, schema, required=required)

    def _query_list(self, parameter: Mapping[str, Any], name: str, schema: Schema, *, required: bool) -> None:
        style, explode = parameter.get("style", "form"), parameter.get("explode", True)
        inner = plain(dict(mapping(schema.get("items"))))
        if style != "form" or inner is None or {"array", "object"} & types_in(inner):
            self._leave_out(
                f"the parameter {line(name, 40)} (a list of the style {line(style, 20)})", required
            )
            return
        schema = {**schema, "type": "array", "items": inner}
        argument = self._argument(name.removesuffix("[]"), schema, required=required)
        if explode is False:
            how = {"from": argument, "style": "csv"}
        elif name.endswith("[]"):
            how = {"from": argument, "style": "bracket"}
        else:
            how = {"from": argument, "style": "repeat"}
        self.request.setdefault("query", {})[name.removesuffix("[]") if explode else name] = how

    def _query_object(
        self, parameter: Mapping[str, Any], name: str, schema: Schema, *, required: bool
    ) -> None:
        """Send each property of an object as a parameter of its own, as the style says."""
        deep = parameter.get("style") == "deepObject"
        whole = not deep and parameter.get("explode") is False  # a=x,1,y,2
        properties = mapping(schema.get("properties"))
        flat = {
            key: inner
            for key, value in properties.items()
            if (inner := plain(value)) and not {"array", "object"} & types_in(inner)
        }
        if whole or not flat or not (deep or parameter.get("style", "form") == "form"):
            self._leave_out(f"the parameter {line(name, 40)} (an object of that style)", required)
            return
        needed = set(items(schema.get("required"))) if required else set[Any]()
        if len(flat) < len(properties) or schema.get("additionalProperties"):
            self._leave_out(
                f"what of the parameter {line(name, 40)} is no plain property",
                bool(needed - set(flat)),
            )
        for key, value in flat.items():
            wire = f"{name}[{key}]" if deep else key
            if not _WIRE.fullmatch(wire):
                self._leave_out(f"the parameter {line(wire, 40)}", key in needed)
                continue
            argument = self._argument(f"{name}_{key}", value, required=key in needed)
            self.request.setdefault("query", {})[wire] = argument

    def _schema(self, parameter: Mapping[str, Any]) -> Schema:
        name = str(parameter.get("name", ""))
        schema = self.converter.shape(parameter.get("schema", {"type": "string"}), singular(snake(name)))
        said = line(parameter.get("description"), 200)
        return {**schema, "description": said} if said and "description" not in schema else schema

    # ------------------------------------------------------------ the body

    def _body(self) -> None:
        node = self.operation.said.get("requestBody")
        said = self.description.follow(node)
        if not said:
            if node:
                raise Refused("its body is described elsewhere")
            return
        required = said.get("required") is True
        content = mapping(said.get("content"))
        found = next((kind for kind in content if _JSON.fullmatch(kind)), None)
        if found is None:
            kinds = ", ".join(line(kind, 40) for kind in content) or "nothing"
            self._leave_out(f"a body of {kinds}", required or bool(content))
            return
        if self.operation.method in ("get", "head", "options", "trace"):
            self._leave_out(f"a body with {self.operation.method.upper()}", required)
            return
        if not found.lower().startswith("application/json"):
            self.converter.note(f"Its body is {line(found, 40)}; the engine sends application/json.")
        self._json_body(self.converter.shape(mapping(content[found]).get("schema", {})), required=required)

    def _json_body(self, schema: Schema, *, required: bool) -> None:
        properties = mapping(schema.get("properties"))
        closed = schema.get("additionalProperties") in (None, False)
        schema = self._without_pairs(schema)
        one_form = schema.get("type") in ("object", None) and not {"anyOf", "oneOf"} & set(schema)
        sayable = all(_WIRE.fullmatch(key) and "." not in key for key in properties)
        if properties and one_form and sayable and closed:
            if {"minProperties", "maxProperties"} & set(schema):
                self.converter.note("How many properties its body has is left to the upstream.")
            needed = set(items(schema.get("required")))
            self.request["body"] = {
                key: self._argument(key, value, required=key in needed, prefix="body_")
                for key, value in properties.items()
            }
            return
        if not schema:
            schema = {"type": "object"}
        argument = self._argument(
            "items" if schema.get("type") == "array" else "body", schema, required=required
        )
        self.request["body_is"] = argument

    def _without_pairs(self, schema: Schema) -> Schema:
        """Return a body without alternatives that only tell which of its own properties are required."""
        for key in ("anyOf", "oneOf"):
            branches = [mapping(each) for each in items(schema.get(key))]
            if branches and schema.get("properties") and all(set(each) <= {"required"} for each in branches):
                self.converter.note("Which properties must come together is left to the upstream.")
                schema = {name: value for name, value in schema.items() if name != key}
        return schema

    # ------------------------------------------------------------ names

    def _argument(self, name: str, schema: Schema, *, required: bool, prefix: str = "query_") -> str:
        """Declare an argument; return its name."""
        short = snake(name)[:60] or "argument"
        if short in self.properties:
            short = free(f"{prefix}{short}"[:60], self.properties)
        self.properties[short] = schema
        if required:
            self.required.append(short)
        return short


__all__ = ["Arguments", "NotSayable", "Refused"]
