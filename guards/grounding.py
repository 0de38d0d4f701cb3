"""Gate 4: an id may be used only if somebody who may name it named it.

Knows:    what the customer typed, and which structured result fields carried which kind of id.
Does not: know orders, or look at text inside results: text is data, and data names nothing.
Rule:     an argument marked `x-grounding: KIND` takes values typed by the customer that fit its schema,
          or returned in a result field with the same mark. Without a mark, an argument called `id`,
          `*_id(s)` or `*_number(s)`, at any depth, takes what was typed or stood in a field of that name.
          Ids are compared whole: 44710 is not 4471. Each is used in the form that the schema accepts: typed
          as W2611340, it is #W2611340 where the shop's numbers are written so.
          What a schema leaves open under an id argument is an id too.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, cast

from jsonschema.exceptions import SchemaError

from common.approval import canonical
from common.id_pattern import prefix_of
from common.order_ids import form_that_fits, key_of
from common.schema import (
    Schema,
    branches,
    certain_mark_of,
    field_schema,
    fields,
    item_schema,
    key_schema,
    mark_of,
)
from common.text import fold
from guards.call import validator
from guards.mentions import is_plain, mentions

Kind = str
"""The mark, or "name:FIELD" for an id known only by its argument's name."""

_ID_NAME = re.compile(r"(?i:ids?|.+[_-](?:ids?|numbers?))$|.*[a-z](?:Ids?|IDs?|Numbers?)$")
"""Argument names that hold an id where a server marks nothing; camel case too."""

_MAX_ID = 100
"""Characters of one id."""

_MAX_DEPTH = 64
"""Levels of a result that are looked at; what lies deeper is no evidence."""

_MAX_TYPED = 2_000
"""Typed pieces that are kept, the newest; a conversation by hand holds some dozens."""


@dataclass
class Evidence:
    """What has been named so far in one conversation, newest last."""

    typed: dict[str, None] = field(default_factory=dict[str, None])
    seen: dict[Kind, dict[str, Any]] = field(default_factory=dict[Kind, dict[str, Any]])

    def hear(self, text: str) -> None:
        """Take the ids that the customer's message may hold."""
        for token in mentions(text):
            self.typed.pop(token, None)
            self.typed[token] = None
        for token in list(self.typed)[:-_MAX_TYPED]:
            del self.typed[token]

    def see(self, data: dict[str, Any], output_schema: Schema) -> None:
        """Take the ids of a structured result: by mark, and by the name of the field."""
        for name, value, mark in _scalars(data, output_schema, "", None):
            kinds = [f"name:{_singular(name)}"] if _ID_NAME.match(fold(name)) else []
            kinds += [mark] if mark else []
            for kind in kinds:
                known = self.seen.setdefault(kind, {})
                known.pop(_key(value), None)
                known[_key(value)] = value

    def allowed(self, kind: Kind, schema: Schema) -> dict[str, Any]:
        """Return the values that an argument of this kind may hold, by the key they are compared with.

        Each in a form that the argument's schema accepts. Newest first: what was typed last stands before
        what was typed or returned earlier.
        """
        values: dict[str, Any] = {}
        rules = _value_rules(schema)
        typed = (_typed_form(piece, kind, schema, rules) for piece in reversed(self.typed))
        seen = (_fitting(value, rules) for value in reversed(self.seen.get(kind, {}).values()))
        for form in (*typed, *seen):
            if form is not None:
                values.setdefault(_key(form), form)
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
    words = re.sub(r"[_-]?(ids?|numbers?)$", "", bare).replace("_", " ").replace("-", " ").strip()
    return f"{words} number".strip()


def kind_of(name: str, schema: Schema) -> Kind | None:
    """Return the kind of id that an argument holds, or None when it holds no id."""
    mark = mark_of(schema) or mark_of(item_schema(schema))
    if mark:
        return mark
    return f"name:{_singular(name)}" if _ID_NAME.match(fold(name)) else None


def ground(
    arguments: dict[str, Any], schema: Schema, evidence: Evidence
) -> tuple[dict[str, Any], list[Ungrounded]]:
    """Return the arguments with every id in the form it was named in, and the ids nothing vouches for."""
    place = _Place(evidence, [])
    return cast(dict[str, Any], _ground(arguments, schema, None, place)), place.problems


@dataclass(frozen=True)
class _Place:
    """Where in the arguments we are, and what was found wrong so far."""

    evidence: Evidence
    problems: list[Ungrounded]
    path: str = ""

    def at(self, name: str) -> "_Place":
        return replace(self, path=f"{self.path}.{name}".strip("."))

    def item(self, index: int) -> "_Place":
        return replace(self, path=f"{self.path}[{index}]")


def _ground(value: Any, schema: Schema, kind: Kind | None, place: _Place) -> Any:
    """Return the value grounded. kind: what the argument around it holds, None when no id."""
    if isinstance(value, dict):
        return _ground_fields(cast(dict[str, Any], value), schema, mark_of(schema) or kind, place)
    if isinstance(value, list):
        items = item_schema(schema)
        inner = mark_of(items) or mark_of(schema) or kind
        return [
            _ground(item, items, inner, place.item(index))
            for index, item in enumerate(cast(list[Any], value))
        ]
    kind = mark_of(schema) or kind
    return value if kind is None or value is None else _ground_scalar(value, schema, kind, place)


def _ground_fields(value: dict[str, Any], schema: Schema, kind: Kind | None, place: _Place) -> dict[str, Any]:
    declared = fields(schema)
    keys = mark_of(key_schema(schema))
    grounded: dict[str, Any] = {}
    for name, item in value.items():
        inner = field_schema(schema, name)
        inherited = None if name in declared else kind
        if name not in declared and (keys or (kind and any(char.isdigit() for char in name))):
            _ground_scalar(name, key_schema(schema), keys or kind or "", place.at("a key"))
        grounded[name] = _ground(item, inner, kind_of(name, inner) or inherited, place.at(name))
    return grounded


def _ground_scalar(value: Any, schema: Schema, kind: Kind, place: _Place) -> Any:
    one = item_schema(schema) or schema
    allowed = place.evidence.allowed(kind, one)
    for key in _keys_of(value, one):
        if key in allowed:
            return allowed[key]
        other_case = [known for known in allowed if known.casefold() == key.casefold()]
        if len(other_case) == 1:
            return allowed[other_case[0]]
    known = tuple(str(item) for item in allowed.values())
    place.problems.append(Ungrounded(place.path, kind, str(value)[:60], known))
    return value


def _keys_of(value: Any, schema: Schema) -> Iterator[str]:
    """Yield what a written id may be compared by: as it stands, without spaces, with what all begin with."""
    written = "" if isinstance(value, bool) else _written(value)
    if key := _key(written):
        yield key
        yield re.sub(r"\s+", "", key)
        yield from (_key(prefix + key) for prefix in _prefixes(schema))


def _written(value: object) -> str:
    """Return an id as text; what is too long for one, or is no text and no whole number, is none."""
    if isinstance(value, int) and abs(value) < 10**_MAX_ID:
        return str(value)
    return value if isinstance(value, str) and len(value) <= _MAX_ID else ""


def _typed_form(piece: str, kind: Kind, schema: Schema, rules: str) -> Any:
    """Return the id of this kind that a typed piece is, else None."""
    called, _, bare = piece.rpartition(" ")
    if not called:
        return _fitting(piece, rules) if is_plain(piece) or '"pattern"' in rules else None
    wanted = noun(kind)
    if not wanted.startswith(called):
        return _fitting(bare, rules) if wanted == noun("id") else None
    forms = (_fitting(prefix + bare, rules) for prefix in ("", *_prefixes(schema)))
    return next((form for form in forms if form is not None), None)


def _prefixes(schema: Schema) -> list[str]:
    """Return what every id begins with, where the schema's pattern says it: a number lacks only that."""
    patterns = (branch.get("pattern") for branch in branches(schema))
    return [prefix for pattern in patterns if isinstance(pattern, str) and (prefix := prefix_of(pattern))]


@lru_cache(maxsize=8_192, typed=True)
def _fitting(named: str | int, schema_text: str) -> Any:
    """Return the form of an id that the argument's schema accepts, else None.

    An ordinary word is no id, unless the schema's own pattern says so. An unreadable schema accepts none.
    """
    try:
        accepts = cast(Callable[[object], bool], validator(schema_text).is_valid)
    except SchemaError:
        return None
    written = str(named)
    if '"pattern"' not in schema_text and not any(char.isdigit() for char in written):
        return None
    if isinstance(named, int) and accepts(named):
        return named
    form = form_that_fits(written, accepts)
    if form is not None:
        return form
    number = _key(written)
    return int(number) if re.fullmatch(r"0|[1-9][0-9]{0,17}", number) and accepts(int(number)) else None


def _value_rules(schema: Schema) -> str:
    """Return, as JSON text, the rules that a single value of an id argument must meet."""
    rules = {key: value for key, value in schema.items() if key not in ("title", "description", "default")}
    if not any("type" in branch for branch in branches(rules)):
        rules["type"] = ["string", "integer"]
    return canonical(rules)


def _scalars(
    value: Any, schema: Schema, name: str, mark: str | None, depth: int = 0
) -> Iterator[tuple[str, Any, str | None]]:
    """Yield (field name, value, mark) of every id-like scalar of a structured result.

    mark: of the list around the value. A mark counts only where every alternative of the schema carries it.
    """
    if depth > _MAX_DEPTH:
        return
    if isinstance(value, dict):
        keys = certain_mark_of(key_schema(schema))
        for key, item in cast(dict[str, Any], value).items():
            if keys:
                yield "", key, keys
            yield from _scalars(item, field_schema(schema, key), key, None, depth + 1)
    elif isinstance(value, list):
        inner = certain_mark_of(schema) or mark
        for item in cast(list[Any], value):
            yield from _scalars(item, item_schema(schema), name, inner, depth + 1)
    elif isinstance(value, str | int) and not isinstance(value, bool) and _written(value):
        yield name, value, certain_mark_of(schema) or mark


def _singular(name: str) -> str:
    snake = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", fold(name)).replace("-", "_").lower()
    return re.sub(r"(id|number)s$", r"\1", snake)


def _key(value: Any) -> str:
    return key_of(str(value))
