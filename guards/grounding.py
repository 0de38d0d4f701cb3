"""Gate 4: an id may be used only if somebody who may name it named it.

Knows:    what the customer typed, and which structured result fields carried which kind of id.
Does not: know orders, or look at text inside results: text is data, and data names nothing.
Rule:     an argument marked `x-grounding: KIND` takes values typed by the customer that fit its schema,
          or returned in a result field with the same mark. Without a mark, an argument called `id`,
          `*_id(s)` or `*_number(s)`, at any depth, takes what was typed or stood in a field of that name.
          Ids are compared whole: 44710 is not 4471.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, cast

from common.approval import canonical
from common.schema import Schema, branches, fields, item_schema, mark_of
from common.text import fold
from guards.call import validator

Kind = str
"""The mark, or "name:FIELD" for an id known only by its argument's name."""

_ID_NAME = re.compile(r"ids?$|.+_(?:ids?|numbers?)$|.*[a-z](?:Ids?|IDs?|Numbers?)$")
"""Argument names that hold an id where a server marks nothing; camel case too."""

_NOT_AN_ID = re.compile(
    r"""
      https?://\S+ | [^\s@]{1,64}@[^\s@]{1,255}\b                       # links, mail addresses
    | \b\d{4}-\d{2}-\d{2}\b | \b\d{1,2}[/.]\d{1,2}[/.]\d{2,4}\b         # dates
    | \b\d{1,2}:\d{2}\b                                                # times
    | (?:[$€£¥₹]|\b(?:USD|EUR|GBP|INR|Rs\.?))\s?\d[\d.,]*              # prices
    | \b\d[\d.,]*\s?(?:[$€£¥₹%]|(?:USD|EUR|GBP|INR|dollars?|euros?|pounds?|rupees?|percent)\b)
    | \b\d{1,3}(?:,\d{3})+(?:\.\d+)?\b | \b\d+\.\d{1,2}\b(?!\.\d)      # numbers as money is written
    """,
    re.VERBOSE | re.IGNORECASE,
)

_COUNTED = re.compile(
    r"(?<![#\w])(?P<count>\d+)\s*(?:x|×|pcs|pieces?|items?|units?|(?:business|working)\s+days?|days?|weeks?"
    r"|months?|years?|hours?|minutes?|times)\b"
    r"|\b(?:in|since|until|year)\s+(?P<year>(?:19|20)\d\d)\b",
    re.IGNORECASE,
)

_CALLED_ID = re.compile(r"(?:order|number|no|nr|id|#)[\s.:#]*$", re.IGNORECASE)
"""Words before a number that make it an id whatever follows."""

_TOKEN = re.compile(r"#?[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*", re.ASCII)

_GLUED = re.compile(r"(?:order|no|nr|id)(\d+)", re.IGNORECASE | re.ASCII)
"""`order4471`: the word and the number with no space between."""

_SPACED = re.compile(r"(?<![\w#.,-])\d{1,3}(?: \d{1,3})+(?![\w.,-]*\d)", re.ASCII)
"""`44 71`: one number in groups, as people read it aloud."""


@dataclass
class Evidence:
    """What has been named so far in one conversation, newest last."""

    typed: dict[str, None] = field(default_factory=dict[str, None])
    seen: dict[Kind, dict[str, Any]] = field(default_factory=dict[Kind, dict[str, Any]])
    newest: tuple[str, ...] = ()

    def hear(self, text: str) -> None:
        """Take the ids that the customer's message may hold."""
        tokens = list(dict.fromkeys(_tokens(fold(text))))
        self.newest = tuple(tokens)
        for token in tokens:
            self.typed.pop(token, None)
            self.typed[token] = None

    def see(self, data: dict[str, Any], output_schema: Schema) -> None:
        """Take the ids of a structured result: by mark, and by the name of the field."""
        for name, value, mark in _scalars(data, output_schema, ""):
            kinds = [f"name:{_singular(name)}"] if _ID_NAME.match(name) else []
            kinds += [mark] if mark else []
            for kind in kinds:
                self.seen.setdefault(kind, {})[_key(value)] = value

    def allowed(self, kind: Kind, schema: Schema) -> dict[str, Any]:
        """Return the values that an argument of this kind may hold, by the key they are compared with.

        Newest first: what was typed last stands before what was typed or returned earlier.
        """
        values: dict[str, Any] = {}
        rules = _value_rules(schema)
        for token in reversed(self.typed):
            form = _fitting(token, rules)
            if form is not None:
                values.setdefault(_key(form), form)
        for key, value in reversed(self.seen.get(kind, {}).items()):
            values.setdefault(key, value)
        return values


@dataclass(frozen=True)
class Ungrounded:
    """An id in a call that nothing vouches for."""

    path: str
    kind: Kind
    value: str
    known: tuple[str, ...]

    @property
    def noun(self) -> str:
        """The kind in words: "order_id" is an order number to a customer."""
        return noun(self.kind)


def noun(kind: Kind) -> str:
    """Return a kind of id in a customer's words."""
    bare = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", kind.removeprefix("name:")).lower()
    words = re.sub(r"_?(ids?|numbers?)$", "", bare).replace("_", " ").replace("-", " ").strip()
    return f"{words} number".strip()


def kind_of(name: str, schema: Schema) -> Kind | None:
    """Return the kind of id that an argument holds, or None when it holds no id."""
    mark = mark_of(schema) or mark_of(item_schema(schema))
    if mark:
        return mark
    return f"name:{_singular(name)}" if _ID_NAME.match(name) else None


def ground(
    arguments: dict[str, Any], schema: Schema, evidence: Evidence
) -> tuple[dict[str, Any], list[Ungrounded]]:
    """Return the arguments with every id in the form it was named in, and the ids nothing vouches for."""
    problems: list[Ungrounded] = []
    grounded = _ground(arguments, schema, evidence, "", problems)
    return cast(dict[str, Any], grounded), problems


def _ground(value: Any, schema: Schema, evidence: Evidence, path: str, problems: list[Ungrounded]) -> Any:
    if isinstance(value, dict):
        known = fields(schema)
        return {
            name: _ground_field(
                name, item, known.get(name, {}), (evidence, f"{path}.{name}".strip("."), problems)
            )
            for name, item in cast(dict[str, Any], value).items()
        }
    if isinstance(value, list):
        items = item_schema(schema)
        return [
            _ground(item, items, evidence, f"{path}[{index}]", problems)
            for index, item in enumerate(cast(list[Any], value))
        ]
    return value


def _ground_field(name: str, value: Any, schema: Schema, at: tuple[Evidence, str, list[Ungrounded]]) -> Any:
    evidence, path, problems = at
    kind = kind_of(name, schema)
    if kind is None or value is None or isinstance(value, dict):
        return _ground(value, schema, evidence, path, problems)
    if isinstance(value, list):
        items = item_schema(schema)
        return [
            _ground_field(name, item, items or schema, (evidence, f"{path}[{index}]", problems))
            for index, item in enumerate(cast(list[Any], value))
        ]
    allowed = evidence.allowed(kind, item_schema(schema) or schema)
    if not isinstance(value, bool):
        for form in _forms(fold(str(value))):
            if _key(form) in allowed:
                return allowed[_key(form)]
    known = tuple(str(item) for item in allowed.values())
    problems.append(Ungrounded(path, kind, str(value)[:60], known))
    return value


def _tokens(text: str) -> Iterator[str]:
    """Yield the pieces of a folded message that may be ids: whole words, less prices, dates and counts."""
    text = _NOT_AN_ID.sub(" ; ", text)
    text = _COUNTED.sub(lambda match: match[0] if _CALLED_ID.search(text, 0, match.start()) else " ; ", text)
    for match in _SPACED.finditer(text):
        yield match[0].replace(" ", "")
    for match in _TOKEN.finditer(text):
        yield match[0]
        glued = _GLUED.fullmatch(match[0])
        if glued:
            yield glued[1]


def _forms(token: str) -> Iterator[str]:
    """Yield the ways an id may have been written, as it stands first."""
    bare = token.strip()
    for form in (bare, bare.removeprefix("#").strip(), "#" + bare.removeprefix("#").strip()):
        yield form
        if form.upper() != form:
            yield form.upper()
    if " " in bare:
        yield re.sub(r"\s+", "", bare.removeprefix("#"))


@lru_cache(maxsize=8_192)
def _fitting(token: str, schema_text: str) -> Any:
    """Return the first form of a typed token that the argument's schema accepts, else None.

    An ordinary word is no id, unless the schema's own pattern says so.
    """
    accepts = validator(schema_text).is_valid  # type: ignore[reportUnknownMemberType]
    if '"pattern"' not in schema_text and not any(char.isdigit() for char in token):
        return None
    for form in _forms(token):
        if accepts(form):
            return form
        if form.isdecimal() and len(form) < 19 and accepts(int(form)):
            return int(form)
    return None


def _value_rules(schema: Schema) -> str:
    """Return, as JSON text, the rules that a single value of an id argument must meet."""
    rules = {
        key: value for key, value in schema.items() if key not in ("enum", "title", "description", "default")
    }
    if not any("type" in branch for branch in branches(rules)):
        rules["type"] = ["string", "integer"]
    return canonical(rules)


def _scalars(value: Any, schema: Schema, name: str) -> Iterator[tuple[str, Any, str | None]]:
    """Yield (field name, value, mark) of every id-like scalar of a structured result."""
    if isinstance(value, dict):
        known = fields(schema)
        for key, item in cast(dict[str, Any], value).items():
            yield from _scalars(item, known.get(key, {}), key)
    elif isinstance(value, list):
        items = item_schema(schema)
        for item in cast(list[Any], value):
            yield from _scalars(item, items or ({} if not mark_of(schema) else schema), name)
    elif isinstance(value, str | int) and not isinstance(value, bool) and len(str(value)) <= 100:
        yield name, value, mark_of(schema)


def _singular(name: str) -> str:
    snake = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()
    return re.sub(r"(id|number)s$", r"\1", snake)


def _key(value: Any) -> str:
    """Return what ids are compared by: one spelling of digits, no `#`, no white space around, case ignored."""
    return fold(str(value)).strip().removeprefix("#").strip().casefold()
