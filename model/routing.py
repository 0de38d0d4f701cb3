"""The routing schema: which actions a model may choose from, as one JSON schema.

Knows:    offered function schemas, and which of their values the newest message names.
Does not: ask a model; know a tool's meaning.
Source:   llama.cpp turns the schema into a grammar: patterns and large lengths make it refuse, so they
          stay off the wire, and what comes back is validated against the full schema.
"""

import json
from dataclasses import dataclass
from typing import Any, cast

import jsonschema

from model.replies import Schema
from model.transcript import mentioned

REPLY, ASK = "reply", "ask"
KEPT = (
    "type",
    "enum",
    "const",
    "properties",
    "required",
    "items",
    "anyOf",
    "minLength",
    "maxLength",
    "maxItems",
)
LONGEST_TEXT = 160


@dataclass(frozen=True)
class Action:
    """What the model chose: a tool with arguments, or one of the two words."""

    name: str
    arguments: dict[str, Any]


def name_of(tool: Schema) -> str:
    """Return the function's name."""
    return tool["function"]["name"]


def parameters_of(tool: Schema) -> Schema:
    """Return the function's parameter schema."""
    return tool["function"].get("parameters") or {"type": "object", "properties": {}}


def evidence(tool: Schema) -> set[str]:
    """Return the values that narrow the tool.

    An enum of ids is told from an enum of words by its digits: every id of the house has one.
    """
    found: set[str] = set()
    for schema in parameters_of(tool).get("properties", {}).values():
        values = _values(schema) or _values(schema.get("items") or {})
        if _is_evidence(values):
            found |= set(values)
    return found


def search_of(tools: list[Schema]) -> tuple[str, str] | None:
    """Return the tool that takes one free text and nothing else, and that argument; None without one."""
    for tool in tools:
        properties = parameters_of(tool).get("properties", {})
        for argument, schema in properties.items():
            if len(properties) == 1 and schema.get("type") == "string" and "enum" not in schema:
                return name_of(tool), argument
    return None


def concerned(tools: list[Schema], text: str) -> tuple[list[Schema], set[str]]:
    """Return the tools that take a value which the text names, and those values; all tools without one."""
    named: set[str] = set()
    for tool in tools:
        named |= mentioned(evidence(tool), text)
    takers = [tool for tool in tools if evidence(tool) & named]
    return (takers or tools), named


def held_to(tools: list[Schema], values: set[str]) -> list[Schema]:
    """Return the tools that take these values, narrowed to them."""
    return [_held(tool, values) for tool in tools if evidence(tool) & values]


def route_schema(tools: list[Schema], words: tuple[str, ...]) -> Schema:
    """Return the response_format that allows one of the tools, with its arguments, or one of the words."""
    forms = [_form(name_of(tool), _wire(parameters_of(tool))) for tool in tools]
    forms += [_form(word, {}) for word in words]
    return {
        "type": "json_schema",
        "json_schema": {"name": "action", "strict": True, "schema": {"anyOf": forms}},
    }


def read(text: str | None, tools: list[Schema], words: tuple[str, ...]) -> Action | None:
    """Return the action in the model's text, or None when it is not one of the offered."""
    try:
        value: Any = json.loads(text or "")
    except ValueError:
        return None
    if not isinstance(value, dict):
        return None
    arguments = cast(dict[str, Any], value)
    name = arguments.pop("action", None)
    if name in words:
        return Action(str(name), {})
    for tool in tools:
        if name_of(tool) == name and _valid(arguments, parameters_of(tool)):
            return Action(name_of(tool), arguments)
    return None


def _valid(arguments: dict[str, Any], schema: Schema) -> bool:
    validator: Any = jsonschema.Draft202012Validator(schema)
    return validator.is_valid(arguments)


def _held(tool: Schema, values: set[str]) -> Schema:
    parameters = parameters_of(tool)
    properties = {
        key: {**schema, "enum": [v for v in schema["enum"] if str(v) in values]}
        if any(str(v) in values for v in schema.get("enum") or [])
        else schema
        for key, schema in parameters.get("properties", {}).items()
    }
    function = {**tool["function"], "parameters": {**parameters, "properties": properties}}
    return {**tool, "function": function}


def _form(name: str, parameters: Schema) -> Schema:
    return {
        "type": "object",
        "properties": {"action": {"const": name}, **_ordered(parameters.get("properties", {}))},
        "required": ["action", *parameters.get("required", [])],
        "additionalProperties": False,
    }


def _ordered(properties: Schema) -> Schema:
    """Return the properties in the order in which they are to be written: values, free texts, choices.

    A model that has put the problem into words chooses the better category.
    """

    def place(item: tuple[str, Schema]) -> int:
        if "enum" not in item[1]:
            return 1
        return 0 if _is_evidence(_values(item[1])) else 2

    return dict(sorted(properties.items(), key=place))


def _values(schema: Schema) -> list[str]:
    return [str(value) for value in cast(list[Any], schema.get("enum") or [])]


def _is_evidence(values: list[str]) -> bool:
    return bool(values) and all(any(c.isdigit() for c in value) for value in values)


def _wire(schema: Schema) -> Schema:
    """Return the part of a schema that every grammar understands."""
    kept: Schema = {key: schema[key] for key in KEPT if key in schema}
    if "properties" in kept:
        kept["properties"] = {k: _wire(v) for k, v in kept["properties"].items()}
        kept["additionalProperties"] = False
    if isinstance(kept.get("items"), dict):
        kept["items"] = _wire(kept["items"])
    if "anyOf" in kept:
        kept["anyOf"] = [_wire(v) for v in kept["anyOf"]]
    if kept.get("type") == "string" and "enum" not in kept and "const" not in kept:
        kept["maxLength"] = min(int(kept.get("maxLength", LONGEST_TEXT)), LONGEST_TEXT)
    return kept
