"""The routing schema: which actions a model may choose from, as one JSON schema.

Knows:    offered function schemas, and which of their values the newest message names.
Does not: ask a model; know a tool's meaning.
Source:   llama.cpp turns the schema into a grammar: patterns and large lengths make it refuse, so they
          stay off the wire, and what comes back is validated against the full schema.
"""

import json
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, cast

import jsonschema

from common.tickets import TICKET
from model import prompts
from model.numbers import is_quantity, names_ticket
from model.replies import Schema
from model.transcript import mentioned

REPLY, ASK = "reply", "ask"
ASKED_FOR = "x-asked-for"
"""A function's own mark; False: the customer has not asked for it. No endpoint is sent it."""

SHOWN = "x-shown"
"""A function's own mark: for an argument, the values that the customer's words show."""

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

_HOLDS_A_WORD = frozenset({"keyword", "keywords", "label", "name", "tag", "term", "title", "word"})
"""Arguments that take a word of a thing's name: no question is looked up with them."""


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


def examples(tools: list[Schema]) -> list[tuple[str, Schema]]:
    """Return messages and the actions they lead to, in the words of the offered tools.

    What depends on the evidence comes last, so that the beginning of the prompt stays the same.
    """
    search = next((form for tool in tools if (form := _single(tool, evidence=False))), None)
    look_up = next((form for tool in tools if (form := _single(tool, evidence=True))), None)
    shown: list[tuple[str, Schema]] = []
    for said, kind, words in prompts.ROUTE_EXAMPLES:
        form = {"search": search, "look up": look_up}.get(kind)
        if form:
            shown.append((said, {"action": form[0], form[1]: words}))
        elif kind in (REPLY, ASK):
            shown.append((said, {"action": kind}))
    return shown


def needed(action: Action, tools: list[Schema]) -> set[str]:
    """Return the arguments that the function of an action cannot do without."""
    return {
        argument
        for tool in tools
        if name_of(tool) == action.name
        for argument in cast(list[str], parameters_of(tool).get("required", []))
    }


def needs_id(tool: Schema) -> bool:
    """Say whether a function cannot do without one of the ids that were named."""
    parameters = parameters_of(tool)
    taken = cast(dict[str, Schema], parameters.get("properties", {}))
    return any(_is_evidence(_values(taken.get(name, {}))) for name in parameters.get("required", []))


def held_by(tool: Schema, values: Collection[str]) -> set[str]:
    """Return what the arguments are about that take one of these values: "order" of an order_number."""
    taken = cast(dict[str, Schema], parameters_of(tool).get("properties", {}))
    return {
        argument.partition("_")[0]
        for argument, schema in taken.items()
        if set(_values(schema) or _values(schema.get("items") or {})) & set(values)
    }


def listings(tools: list[Schema]) -> list[tuple[str, Schema]]:
    """Return messages and the actions they lead to, for a server without rules to search.

    What the model would leave unused is shown by the tools' own words: those that need no argument are
    asked for by what they say of themselves, and by a value that they can be held to.
    """
    shown = [(said, {"action": word}) for said, word in prompts.ROUTE_TOOLS_EXAMPLES]
    for tool in tools:
        parameters = parameters_of(tool)
        if parameters.get("required") or ASKED_FOR in tool["function"]:
            continue
        said = str(tool["function"].get("description") or "").partition(".")[0].partition(",")[0].strip()
        shown.append((said.lower(), {"action": name_of(tool)}))
        for argument, schema in cast(dict[str, Schema], parameters.get("properties", {})).items():
            if _is_choice(_values(schema)):
                value = _values(schema)[-1]
                shown.append((f"{said.lower()}: {value}", {"action": name_of(tool), argument: value}))
    return shown


def choices(action: Action, tools: list[Schema]) -> dict[str, Schema]:
    """Return the arguments of a call that are a choice between described values.

    Values that the customer's words show leave no others; a single one is no choice any more.
    """
    return {
        argument: _narrowed(schema, tool["function"].get(SHOWN, {}).get(argument, []))
        for tool in tools
        if name_of(tool) == action.name
        for argument, schema in cast(dict[str, Schema], parameters_of(tool).get("properties", {})).items()
        if argument in action.arguments and schema.get("description") and _is_choice(_values(schema))
    }


def _narrowed(schema: Schema, shown: list[Any]) -> Schema:
    kept = [value for value in schema["enum"] if value in shown]
    return {**schema, "enum": kept} if kept else schema


def choice_schema(argument: str, schema: Schema) -> Schema:
    """Return the response_format that allows one of the argument's values."""
    form = {
        "type": "object",
        "properties": {argument: {"enum": schema["enum"]}},
        "required": [argument],
        "additionalProperties": False,
    }
    return {"type": "json_schema", "json_schema": {"name": "choice", "strict": True, "schema": form}}


def read_choice(text: str | None, argument: str, schema: Schema) -> Any:
    """Return the chosen value, None when the text holds none of the values."""
    try:
        value: Any = json.loads(text or "")[argument]
    except (ValueError, KeyError, TypeError):
        return None
    return value if value in schema["enum"] else None


def same_again(tools: list[Schema], last: str) -> Action | None:
    """Return the same look-up for the next value: it needs no choice, and no model."""
    for tool in tools:
        if name_of(tool) == last and (form := _single(tool, evidence=True)):
            return Action(last, {form[1]: parameters_of(tool)["properties"][form[1]]["enum"][0]})
    return None


def _single(tool: Schema, *, evidence: bool) -> tuple[str, str] | None:
    """Return the tool's name and its only argument, if that is a free text, or a value of the evidence."""
    properties = cast(dict[str, Schema], parameters_of(tool).get("properties", {}))
    if len(properties) != 1:
        return None
    ((argument, schema),) = properties.items()
    is_text = schema.get("type") == "string" and "enum" not in schema and ASKED_FOR not in tool["function"]
    is_text = is_text and argument not in _HOLDS_A_WORD
    fits = _is_evidence(_values(schema)) if evidence else is_text
    return (name_of(tool), argument) if fits else None


def concerned(tools: list[Schema], text: str) -> tuple[list[Schema], set[str]]:
    """Return the tools that take a value which the text names, and those values; all tools without one.

    A number that counts or measures something names nothing, and is not offered.
    """
    values: set[str] = set()
    for tool in tools:
        values |= mentioned(evidence(tool), text) | _tickets(tool, text)
    words = {word for tool in tools for word in held_by(tool, values)}
    quantities = {value for value in values if is_quantity(value, text, words)}
    if quantities:
        tools = [
            _held(tool, evidence(tool) - quantities)
            for tool in tools
            if not evidence(tool) or evidence(tool) - quantities
        ]
    named = values - quantities
    takers = [tool for tool in tools if evidence(tool) & named]
    return (takers or tools), named


def _tickets(tool: Schema, text: str) -> set[str]:
    """Return the values that the text names by the word for a ticket, where the tool takes one."""
    taken = cast(dict[str, Schema], parameters_of(tool).get("properties", {}))
    values = (value for name, schema in taken.items() if TICKET in name for value in _values(schema))
    return {value for value in values if names_ticket(value, text)}


def is_unasked(tool: Schema) -> bool:
    """Say whether the agent found that nothing in the customer's words leads to this tool."""
    return tool["function"].get(ASKED_FOR) is False


def searches(tools: list[Schema]) -> list[Schema]:
    """Return the tools whose only argument is a free text that may be a question."""
    return [tool for tool in tools if _single(tool, evidence=False)]


def word_searches(tools: list[Schema]) -> list[Schema]:
    """Return the tools whose only argument is a word of what is looked for."""
    return [
        tool
        for tool in tools
        if ASKED_FOR not in tool["function"]
        and list(parameters_of(tool).get("properties", {})) in [[name] for name in _HOLDS_A_WORD]
    ]


def is_desk(tools: list[Schema]) -> bool:
    """Say whether a server has rules to search, as a support desk has; of one without tools nobody knows."""
    return not tools or bool(searches(tools))


def without(tools: list[Schema], name: str) -> list[Schema]:
    """Return the tools but the one of this name."""
    return [tool for tool in tools if name_of(tool) != name]


def without_values(tools: list[Schema], values: set[str]) -> list[Schema]:
    """Return the tools, narrowed so that none takes one of these values."""
    if not values:
        return tools
    return [
        _held(tool, evidence(tool) - values)
        for tool in tools
        if not evidence(tool) or evidence(tool) - values
    ]


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


def fits(arguments: dict[str, Any], tool: Schema) -> bool:
    """Say whether a function takes these arguments."""
    return _valid(arguments, parameters_of(tool))


def _valid(arguments: dict[str, Any], schema: Schema) -> bool:
    validator: Any = jsonschema.Draft202012Validator(schema)
    return validator.is_valid(arguments)


def _held(tool: Schema, values: set[str]) -> Schema:
    parameters = parameters_of(tool)
    held = {key: _held_to(schema, values) for key, schema in parameters.get("properties", {}).items()}
    function = {**tool["function"], "parameters": {**parameters, "properties": held}}
    return {**tool, "function": function}


def _held_to(schema: Schema, values: set[str]) -> Schema:
    kept = [value for value in cast(list[Any], schema.get("enum") or []) if str(value) in values]
    if kept:
        return {**schema, "enum": kept}
    return {**schema, "items": _held_to(schema["items"], values)} if "items" in schema else schema


def _form(name: str, parameters: Schema) -> Schema:
    return {
        "type": "object",
        "properties": {"action": {"const": name}, **parameters.get("properties", {})},
        "required": ["action", *parameters.get("required", [])],
        "additionalProperties": False,
    }


def _values(schema: Schema) -> list[str]:
    return [str(value) for value in cast(list[Any], schema.get("enum") or [])]


def _is_choice(values: list[str]) -> bool:
    return len(values) > 1 and not _is_evidence(values)


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
