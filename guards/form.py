"""A form that a server asks a person to fill in: what of it can be shown, and what may be sent back.

Knows:    the restricted JSON Schema of MCP's elicitation: flat, of texts, numbers, yes or no, and choices.
Does not: show it, ask, or know who asks.   (agent/elicitation.py, the approver)
Rule:     what cannot be shown whole is not asked. Of a schema only the rules that a person is shown remain;
          the server checks its own once more. Titles are written out; names and choices must need no
          writing out, for they are sent back as they are.
Source:   MCP 2025-11-25 and 2026-07-28, PrimitiveSchemaDefinition.
"""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, cast
from urllib.parse import urlsplit

from common.approval import canonical
from common.schema import Schema, mapping
from common.text import unsafe_characters, visible
from guards.call import BadCall, parse, validate

MAX_MESSAGE = 2_000
"""Characters of a question; a person reads it to the end."""

_MAX_SCHEMA = 40_000
"""Characters of a form's schema as JSON: 20 fields, one of them a choice of every country, take 15,000."""

_MAX_FIELDS = 20
_MAX_CHOICES = 300
_MAX_WORDS = 300
"""Characters of a title, a description, a name, a choice or a default."""

_MAX_HOST = 100

_TEXT_RULES = ("minLength", "maxLength")
_NUMBER_RULES = ("minimum", "maximum")
_LIST_RULES = ("minItems", "maxItems")


class BadForm(Exception):
    """The question cannot be put to a person; the text says why, without what it asks."""


def words(text: str) -> str:
    """Return what a server says as one line, with what cannot be seen written out."""
    return visible(" ".join(text.split()))


def message_of(text: str) -> str:
    """Return the question as a person may read it.  Raises: BadForm."""
    if len(text) > MAX_MESSAGE:
        raise BadForm(f"the question has {len(text)} characters; {MAX_MESSAGE} are shown")
    return words(text)


def form_of(schema: Mapping[str, Any]) -> Schema:
    """Return the form that a schema describes, with nothing in it that is not shown.  Raises: BadForm."""
    try:
        size = len(canonical(schema))
    except (TypeError, ValueError, RecursionError):
        raise BadForm("the form is not JSON") from None
    if size > _MAX_SCHEMA:
        raise BadForm(f"the form has {size} characters; {_MAX_SCHEMA} are read")
    fields, needed = schema.get("properties"), schema.get("required", [])
    if schema.get("type") != "object" or not isinstance(fields, dict):
        raise BadForm("the form is no object with fields")
    found = {_plain(name): _field(rules) for name, rules in cast(dict[str, Any], fields).items()}
    if len(found) > _MAX_FIELDS:
        raise BadForm(f"the form has {len(found)} fields; {_MAX_FIELDS} are shown")
    called = [str(rules.get("title") or name).casefold() for name, rules in found.items()]
    if len(set(called)) < len(called):
        raise BadForm("the titles of the form do not tell its fields apart")
    if not isinstance(needed, list) or not all(name in found for name in _texts(cast(object, needed))):
        raise BadForm("the form needs a field that it does not have")
    return {"type": "object", "properties": found, "required": needed, "additionalProperties": False}


def host_of(url: str) -> str:
    """Return whose page an address is, in letters that pass for no others; it is named, never opened."""
    try:
        host = urlsplit(url).hostname or ""
        named = host.encode("idna").decode("ascii")
    except ValueError:  # UnicodeError is one
        named = ""
    return named[:_MAX_HOST] if named and not unsafe_characters(named) else "?"


def agreed(form: Schema) -> dict[str, Any] | None:
    """Return what a plain yes fills in: nothing, or the one thing that is asked; None where more is asked.

    A default would be filled in by the server behind a plain yes, so a form with one must be filled in.
    """
    fields = cast(dict[str, Schema], form["properties"])
    needed: list[str] = form["required"]
    if not fields:
        return {}
    if len(needed) != 1 or fields[needed[0]]["type"] != "boolean":
        return None
    if any("default" in rules for name, rules in fields.items() if name != needed[0]):
        return None
    return {needed[0]: True}


def filled(form: Schema, content: object) -> dict[str, Any]:
    """Return what was filled in, where it fits the form.

    Raises: BadCall, with a sentence for whoever filled it in that does not repeat what they wrote.
    """
    try:
        given = parse(canonical(content))
    except (BadCall, TypeError, ValueError, RecursionError):
        raise BadCall("What was filled in cannot be sent.") from None
    fields = cast(dict[str, Schema], form["properties"])
    if not given.keys() <= fields.keys():
        raise BadCall("Something was filled in that the form does not ask for.")
    validate(given, form)
    for name, value in given.items():
        kind = _FORMATS.get(fields[name].get("format", ""))
        if kind and not kind.fits(value):
            raise BadCall(f"{name} must be {kind.words}.")
    return given


def _field(rules: object) -> Schema:
    """Return one field's rules, those that are shown."""
    given = mapping(rules)
    kind = given.get("type")
    if not isinstance(kind, str) or kind not in _KINDS:
        raise BadForm("a field of the form is neither a text, a number, a yes or no, nor a choice")
    found: Schema = {"type": kind}
    for key in ("title", "description"):
        if given.get(key):
            found[key] = words(_short(given[key]))
    found |= _KINDS[kind](given)
    if given.get("default") is not None:
        found["default"] = _default(given["default"], found)
    return found


def _default(value: object, rules: Schema) -> Any:
    for text in _texts(cast(object, value)) if isinstance(value, list) else [value]:
        if isinstance(text, str):
            _plain(text)
    form: Schema = {"type": "object", "properties": {"it": rules}, "required": ["it"]}
    try:
        return filled(form, {"it": cast(Any, value)})["it"]
    except BadCall:
        raise BadForm("a default of the form does not fit its own field") from None


def _text(given: Schema) -> Schema:
    if "enum" in given or "oneOf" in given:
        return _choices(given, "oneOf")
    if any(key in given for key in ("anyOf", "allOf", "const")):
        raise BadForm("a field of the form has rules that cannot be shown")
    kept = _counts(given, _TEXT_RULES)
    return kept | ({"format": given["format"]} if str(given.get("format")) in _FORMATS else {})


def _number(given: Schema) -> Schema:
    return {key: given[key] for key in _NUMBER_RULES if _is_number(given.get(key))}


def _list(given: Schema) -> Schema:
    choices = _choices(mapping(given.get("items")), "anyOf")
    return {"items": {"type": "string"} | choices, "uniqueItems": True} | _counts(given, _LIST_RULES)


def _choices(given: Schema, titled: str) -> Schema:
    """Return a choice as `enum`, and `enumNames` where its values have titles."""
    pairs = given.get(titled)
    if pairs is not None:
        described = [mapping(pair) for pair in cast(list[object], pairs)] if isinstance(pairs, list) else []
        values: Any = [pair.get("const") for pair in described]
        names: Any = [pair.get("title", pair.get("const")) for pair in described]
    else:
        values, names = given.get("enum"), given.get("enumNames")
    if not isinstance(values, list) or not 0 < len(cast(list[object], values)) <= _MAX_CHOICES:
        raise BadForm(f"a choice of the form has nothing to choose from, or more than {_MAX_CHOICES}")
    kept = [_plain(value) for value in cast(list[object], values)]
    if len(set(kept)) < len(kept):
        raise BadForm("a choice of the form has a value twice")
    if names is None:
        return {"enum": kept}
    told = [words(_short(name)) for name in _texts(names)]
    if len(told) != len(kept) or len(set(told)) < len(told):
        raise BadForm("the titles of a choice do not tell its values apart")
    return {"enum": kept, "enumNames": told}


_KINDS: dict[str, Callable[[Schema], Schema]] = {
    "string": _text,
    "number": _number,
    "integer": _number,
    "boolean": lambda _: {},
    "array": _list,
}


def _counts(given: Schema, keys: tuple[str, ...]) -> Schema:
    return {key: given[key] for key in keys if type(given.get(key)) is int and given[key] >= 0}


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _texts(value: object) -> list[str]:
    """Return a list of texts.  Raises: BadForm for anything else."""
    if not isinstance(value, list) or not all(isinstance(each, str) for each in cast(list[object], value)):
        raise BadForm("a part of the form that must be a list of texts is none")
    return cast(list[str], value)


def _short(value: object) -> str:
    if not isinstance(value, str) or len(value) > _MAX_WORDS:
        raise BadForm(f"a text of the form is none, or has more than {_MAX_WORDS} characters")
    return value


def _plain(value: object) -> str:
    """Return a text that reads as it is sent."""
    text = _short(value)
    if not text.strip() or unsafe_characters(text):
        raise BadForm("a name or a value of the form cannot be seen whole")
    return text


def _is_mail_address(value: str) -> bool:
    return re.fullmatch(r"[^@\s]+@[^@\s]+", value) is not None


def _is_page(value: str) -> bool:
    try:
        parts = urlsplit(value)
    except ValueError:
        return False
    return bool(parts.scheme and (parts.netloc or parts.path)) and not any(char.isspace() for char in value)


def _is_day(value: str) -> bool:
    return re.fullmatch(r"\d{4}-\d{2}-\d{2}", value, re.ASCII) is not None and _reads(date, value)


def _is_moment(value: str) -> bool:
    return re.match(r"\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}", value, re.ASCII) is not None and _reads(
        datetime, value
    )


def _reads(kind: type[date], value: str) -> bool:
    try:
        kind.fromisoformat(value)
    except ValueError:
        return False
    return True


@dataclass(frozen=True)
class _Format:
    fits: Callable[[str], bool]
    words: str


_FORMATS = {
    "email": _Format(_is_mail_address, "an e-mail address, such as name@example.com"),
    "uri": _Format(_is_page, "the address of a page, such as https://example.com/"),
    "date": _Format(_is_day, "a date, such as 2026-07-28"),
    "date-time": _Format(_is_moment, "a date with a time, such as 2026-07-28T09:30:00Z"),
}
