"""A call that a model wrote as text, read back from it, or nothing.

Knows:    the shapes in which small models write calls, whatever stands around them.
Does not: guess: the name must be offered, the arguments must fit its schema, no key may stand twice, and
          every JSON object of the text must be such a call, or none of them is one.
Never:    a text that the customer or a result had written first; a reply that makes up a result.
"""

import json
import re
import secrets
from collections.abc import Collection, Iterator
from typing import Any, cast

from jsonschema.exceptions import SchemaError

from common.rules import rules_of
from common.text import fold
from model.leaks import without_thoughts
from model.replies import Message, Schema, ToolCall

NAME_KEYS = ("name", "tool_name", "tool", "function")
ARGUMENT_KEYS = ("arguments", "parameters", "args", "input")
WRAPPERS = ("function", "tool_call", "function_call", "tool_calls")
BESIDE = {"id", "type", "index"}
"""Keys that say nothing about a call. Any other makes the object something else: a tool's description."""

INVENTED = re.compile(r"</?tool_(?:response|results?)\b|\[/?TOOL_RESULTS|^[ \t]*Observation:", re.MULTILINE)
"""A result that the model wrote itself; nothing in such a reply is believed."""

DOUBLED = re.compile(r'\{\{\s*"')
WORDS_BETWEEN = r"(?i:json|args|arguments|parameters|input|action input|[0-9]+)\b"
AFTER_NAME = re.compile(
    rf'(?:"?\s*>)?(?:[^\w{{}}"<>]|<[|\uff5c][^|\uff5c]{{1,40}}[|\uff5c]>|<(?![|\uff5c])|>|{WORDS_BETWEEN})*'
)
"""What may stand between a name and the object of its arguments."""

CUT_HEAD = r'\{{\s*"(?:{keys})"\s*:\s*"(?P<name>{names})"\s*,\s*"(?:{arguments})"\s*:\s*\Z'
TAGGED = re.compile(r"<function=([\w.-]+)>((?:(?!<function=).)*?)</function>", re.DOTALL)
TAGGED_ARGUMENT = re.compile(r"<parameter=([\w.-]+)>\n?(.*?)\n?</parameter>", re.DOTALL)

MOST_TEXT = 20_000
MOST_OBJECTS = 64
"""Bounds of the work: a reply of the size that is asked for holds far less."""

Call = tuple[str, dict[str, Any]]


class _NoCall(Exception):
    """The text is no call, or not clearly one."""


def recovered(text: str, tools: list[Schema], messages: Collection[Message] = ()) -> tuple[ToolCall, ...]:
    """Return the calls that the text is, or nothing.

    tools: as they were offered. messages: the conversation; what it says is not the model's own.
    """
    schemas = {tool["function"]["name"]: _parameters(tool) for tool in tools}
    if not schemas or len(text) > MOST_TEXT:
        return ()
    body = without_thoughts(text)
    if INVENTED.search(body):
        return ()
    try:
        calls = _calls(_single_braces(body), schemas)
        for name, arguments in calls:
            _check(arguments, schemas[name])
            if _is_quoted(name, arguments, messages):
                return ()
    except _NoCall:
        return ()
    return tuple(
        ToolCall(f"call_{secrets.token_hex(4)}", name, json.dumps(arguments, ensure_ascii=False))
        for name, arguments in calls
    )


def _parameters(tool: Schema) -> Schema:
    return tool["function"].get("parameters") or {"type": "object"}


def _calls(text: str, schemas: dict[str, Schema]) -> list[Call]:
    """Return every call of the text in order.  Raises: _NoCall when an object in it is none."""
    tagged = TAGGED.findall(text)
    if any("<parameter=" in body or not body.strip() for _, body in tagged):
        return [_tagged(name, body, schemas) for name, body in tagged]
    calls: list[Call] = []
    end = 0
    for start, value, next_start in _objects(text):
        name = _name_before(text[end:start], schemas)
        calls += [(name, value)] if name else _read(value, schemas)
        end = next_start
    return calls


def _objects(text: str) -> Iterator[tuple[int, dict[str, Any], int]]:
    """Yield each whole JSON object with where it begins and ends; what is cut off is passed over."""
    position = 0
    for _ in range(MOST_OBJECTS):
        start = text.find("{", position)
        if start < 0:
            return
        try:
            value, position = DECODER.raw_decode(text, start)
        except (json.JSONDecodeError, RecursionError):
            position = start + 1
        else:
            yield start, value, position
    raise _NoCall


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise _NoCall  # nobody can say which value was meant
    return value


def _not_finite(_: str) -> Any:
    raise _NoCall


# strict=False: models write line breaks into a text as they are.
DECODER = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_not_finite, strict=False)


def _read(value: dict[str, Any], names: Collection[str]) -> list[Call]:
    """Return the calls that one object is.  Raises: _NoCall."""
    keys = [key for key in value if key not in BESIDE]
    if len(keys) == 1 and keys[0] in WRAPPERS and isinstance(value[keys[0]], dict | list):
        inner = value[keys[0]]
        parts = cast(list[Any], inner if isinstance(inner, list) else [inner])
        return [call for part in parts for call in _read(_object(part), names)]
    if len(keys) == 1 and keys[0] in names:
        return [(keys[0], _arguments(value[keys[0]]))]
    named = [key for key in keys if key in NAME_KEYS and isinstance(value[key], str)]
    given = [key for key in keys if key in ARGUMENT_KEYS]
    if len(named) != 1 or len(given) > 1 or len(keys) != len(named) + len(given):
        raise _NoCall
    if value[named[0]] not in names:
        raise _NoCall
    return [(value[named[0]], _arguments(value[given[0]] if given else None))]


def _arguments(value: Any) -> dict[str, Any]:
    """Return the object of arguments; it may be missing, or be written as a text."""
    if value is None or value == "":
        return {}
    if isinstance(value, str):
        try:
            value = DECODER.decode(value)
        except (json.JSONDecodeError, RecursionError):
            raise _NoCall from None
    return _object(value)


def _object(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise _NoCall
    return cast(dict[str, Any], value)


def _name_before(text: str, names: Collection[str]) -> str:
    """Return the offered name that stands right before an object and makes it arguments, "" without one."""
    either = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    cut = CUT_HEAD.format(keys="|".join(NAME_KEYS), names=either, arguments="|".join(ARGUMENT_KEYS))
    if match := re.search(cut, text):
        return match.group("name")
    for match in re.finditer(rf"(?<![\w-])(?:{either})(?![\w-])", text):
        if AFTER_NAME.fullmatch(text, match.end()):
            return match.group()
    return ""


def _tagged(name: str, body: str, schemas: dict[str, Schema]) -> Call:
    """Return a call written in tags, each value in the type of its argument."""
    if name not in schemas:
        raise _NoCall
    written = TAGGED_ARGUMENT.findall(body)
    if TAGGED_ARGUMENT.sub("", body).strip() or len(dict(written)) != len(written):
        raise _NoCall
    properties = cast(dict[str, Schema], schemas[name].get("properties") or {})
    return name, {key: _typed(value, properties.get(key) or {}) for key, value in written}


def _typed(text: str, schema: Schema) -> Any:
    if schema.get("type", "string") == "string":
        return text
    try:
        return DECODER.decode(text)
    except (json.JSONDecodeError, RecursionError):
        raise _NoCall from None


def _single_braces(text: str) -> str:
    """Return the text without the doubling of braces that one model's template shows it."""
    return text.replace("{{", "{").replace("}}", "}") if DOUBLED.search(text) else text


def _check(arguments: dict[str, Any], schema: Schema) -> None:
    """Check the arguments against the offered schema.  Raises: _NoCall."""
    try:
        if not rules_of(schema).is_valid(arguments):
            raise _NoCall
    except (SchemaError, RecursionError):
        raise _NoCall from None


def _is_quoted(name: str, arguments: dict[str, Any], messages: Collection[Message]) -> bool:
    """Tell whether a customer's message or a result holds this call: its name and each argument's value."""
    parts = [_squeezed(key + json.dumps(value, ensure_ascii=False)) for key, value in arguments.items()]
    for message in messages:
        content = message.get("content")
        if message.get("role") not in ("user", "tool") or not isinstance(content, str):
            continue
        for text in (content, _unescaped(content)):
            if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", fold(text)):
                squeezed = _squeezed(text)
                if all(part in squeezed for part in parts):
                    return True
    return False


def _squeezed(text: str) -> str:
    """Return the letters and digits alone, so that quotes, escapes and spaces make no difference."""
    return "".join(char for char in fold(text).casefold() if char.isalnum())


def _unescaped(text: str) -> str:
    r"""Return a result's JSON with its escapes written out, as in `\u00e9` or `\n`; other text as it is."""
    try:
        return "\n".join(_texts(json.loads(text)))
    except (ValueError, RecursionError):
        return text


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, part in cast(dict[str, Any], value).items():
            yield key
            yield from _texts(part)
    elif isinstance(value, list):
        for part in cast(list[Any], value):
            yield from _texts(part)
    else:
        yield str(value)
