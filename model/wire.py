r"""Messages and tools as an endpoint may have them.

Knows:    what endpoints refuse or leave out: empty content, broken arguments in history, rules of a schema.
Does not: send anything.   (endpoint.py)
Source:   Ollama drops pattern, lengths and limits of a parameter before the model sees them, so they are
          said in its description too; llama.cpp cannot make a grammar of a pattern with \d or without
          anchors, nor of a length of 2000 and more, so these stay off the wire. What comes back is validated
          against the whole schema.
"""

import json
from typing import Any, cast

from model.replies import Message, Schema

LONGEST_LENGTH = 1_999


def sendable(message: Message, *, empty_content: bool) -> Message:
    """Return the message with arguments that are a JSON object, and content beside calls as it is wanted.

    empty_content: an empty text stands beside calls; else the key is left out. Some endpoints refuse null,
    some refuse a missing key, and an empty text leads some models to write their calls as text.
    """
    calls = message.get("tool_calls")
    if not calls:
        return {**message, "content": message.get("content") or ""}
    sent = {key: value for key, value in message.items() if key != "content"}
    content = message.get("content") or ("" if empty_content else None)
    if content is not None:
        sent["content"] = content
    return {**sent, "tool_calls": [_readable(call) for call in calls]}


def _readable(call: dict[str, Any]) -> dict[str, Any]:
    """Return the call with arguments that can be read: broken ones make llama.cpp refuse every later turn."""
    function = cast(dict[str, Any], call.get("function") or {})
    arguments: Any = function.get("arguments")
    try:
        value: Any = json.loads(arguments) if isinstance(arguments, str) else arguments
    except ValueError:
        value = None
    if isinstance(arguments, str) and isinstance(value, dict):
        return call
    text = json.dumps(value, ensure_ascii=False) if isinstance(value, dict) else "{}"
    return {**call, "function": {**function, "arguments": text}}


def offered(tool: Schema) -> Schema:
    """Return the function schema with its rules in words and without what some endpoint cannot take."""
    function = {key: value for key, value in tool["function"].items() if not key.startswith("x-")}
    if isinstance(function.get("parameters"), dict):
        function["parameters"] = _worded(function["parameters"])
    return {**tool, "function": function}


def _worded(schema: Schema) -> Schema:
    kept = {key: value for key, value in schema.items() if _fits_a_grammar(key, value)}
    for key in ("properties", "$defs"):
        if isinstance(kept.get(key), dict):
            parts = cast(dict[str, Any], kept[key])
            kept[key] = {name: _worded_part(part) for name, part in parts.items()}
    if isinstance(kept.get("items"), dict):
        kept["items"] = _worded_part(kept["items"])
    for key in ("anyOf", "oneOf", "allOf"):
        if isinstance(kept.get(key), list):
            kept[key] = [_worded_part(part) for part in cast(list[Any], kept[key])]
    return kept


def _worded_part(schema: Any) -> Any:
    if not isinstance(schema, dict):
        return schema
    part = cast(Schema, schema)
    said = [str(part["description"]).strip()] if part.get("description") else []
    rules = _rules(part)
    worded = _worded(part)
    if said or rules:
        worded["description"] = " ".join([*said, *([f"({', '.join(rules)})"] if rules else [])])
    return worded


def _fits_a_grammar(key: str, value: Any) -> bool:
    if key == "pattern":
        return isinstance(value, str) and value.startswith("^") and value.endswith("$") and "\\" not in value
    if key in ("maxLength", "minLength"):
        return isinstance(value, int) and value <= LONGEST_LENGTH
    return True


RULES = (
    ("const", "always {}"),
    ("pattern", "matches {}"),
    ("minLength", "at least {} characters"),
    ("maxLength", "at most {} characters"),
    ("minimum", "at least {}"),
    ("exclusiveMinimum", "more than {}"),
    ("maximum", "at most {}"),
    ("exclusiveMaximum", "less than {}"),
    ("multipleOf", "a multiple of {}"),
    ("minItems", "at least {} entries"),
    ("maxItems", "at most {} entries"),
    ("format", "in the form of a {}"),
    ("default", "{} when left out"),
)


def _rules(schema: Schema) -> list[str]:
    """Return the rules that some endpoint drops, in words; those of an enum are clear without."""
    if "enum" in schema:
        return []
    return [words.format(_shown(schema[key])) for key, words in RULES if schema.get(key) is not None]


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
