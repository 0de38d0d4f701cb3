"""What was named in a conversation: every id with its kind, who named it, where and when.

Knows:    what the customer typed, what a person set on a card, and which structured result fields carried
          which kind of id.
Does not: know orders, or look at text inside results: text is data, and data names nothing.
Rule:     a result names an id by a field with the mark, or by the name of a field. A name counts where the
          output schema declares the field; where the schema says of no field that it is an id, each counts.
          What one server has returned is no evidence at another.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, cast

from common.schema import Schema, certain_mark_of, fields, item_schema, key_schema, rest_schema
from guards.id_forms import fitting, key, typed_form, value_rules, written
from guards.kinds import Kind, kind_by_name, kind_of
from guards.mentions import mentions

By = Literal["customer", "staff", "result"]
"""Who named a value: the customer, a person of the staff or at the approval card, or a tool's result."""

_MAX_DEPTH = 64
"""Levels of a result that are looked at; what lies deeper is no evidence."""

_MAX_TYPED = 2_000
"""Typed pieces that are kept, the newest; a conversation by hand holds some dozens."""

_MAX_SEEN = 2_000
"""Values of one kind that are kept, the newest."""

_MAX_KINDS = 200
"""Kinds that are kept, those named last: a server may return fields of ever new names."""

_MAX_PATH = 120
"""Characters of a field's path."""

_AGO = ("", "one message", "two messages", "three messages", "four messages", "five messages", "six messages")


@dataclass(frozen=True)
class Origin:
    """Who named a value, and when.

    turn: the customer's messages up to then. server, tool, path: of the result's field, as in
    `orders[].order_id`; of a value that a person set on a card, path is the argument's.
    """

    by: By
    turn: int = 0
    server: str = ""
    tool: str = ""
    path: str = ""

    def told(self, turn: int) -> str:
        """Return it in words for a person. turn: how many messages the customer has sent by now."""
        ago = turn - self.turn
        when = f", {_AGO[ago] if ago < len(_AGO) else f'{ago} messages'} ago" if ago > 0 else ""
        if self.by == "result":
            return f"from {self.tool or 'a result'}{when}"
        if self.path:
            return f"set by a person at an approval{when}"
        return f"typed by the {self.by}{when}" if when else f"in the {self.by}'s message"

    def __deepcopy__(self, memo: dict[int, Any]) -> "Origin":
        """Return itself: it never changes, and a conversation is copied at every turn."""
        return self


@dataclass(frozen=True)
class Named:
    """A value of some kind, as it was returned or set."""

    value: str | int
    origin: Origin

    def __deepcopy__(self, memo: dict[int, Any]) -> "Named":
        """Return itself."""
        return self


@dataclass
class Evidence:
    """What has been named so far in one conversation, newest last.

    turn: the customer's messages so far. server: the one that is spoken with now.
    """

    typed: dict[str, Origin] = field(default_factory=dict[str, Origin])
    seen: dict[Kind, dict[str, Named]] = field(default_factory=dict[Kind, dict[str, Named]])
    turn: int = 0
    server: str = ""

    def hear(self, text: str, by: Literal["customer", "staff"] = "customer") -> None:
        """Take the ids that a message may hold."""
        self.turn += 1
        origin = Origin(by, self.turn)
        for token in mentions(text):
            self.typed.pop(token, None)
            self.typed[token] = origin
        for token in list(self.typed)[:-_MAX_TYPED]:
            del self.typed[token]

    def see(
        self, data: dict[str, Any], output_schema: Schema, tool: str = "", *, declared_only: bool = False
    ) -> None:
        """Take the ids of a tool's structured result: by mark, and by the name of the field.

        declared_only: a field counts only where the schema declares it, whatever else the schema says.
        """
        by_name = not declared_only and not _declares_ids(output_schema)
        origins: dict[str, Origin] = {}
        for found in _ids(data, _Spot(output_schema, by_name)):
            path = found.path[:_MAX_PATH]
            origin = origins.setdefault(path, Origin("result", self.turn, self.server, tool, path))
            self._name(found.kind, Named(found.value, origin))

    def set_by_person(self, kind: Kind, value: str | int, argument: str) -> None:
        """Take an id that a person has written into a call that they were asked about."""
        if written(value):
            self._name(kind, Named(value, Origin("staff", self.turn, path=argument[:_MAX_PATH])))

    def allowed(self, kind: Kind, schema: Schema) -> dict[str, Any]:
        """Return the values that an argument of this kind may hold, by the key they are compared with.

        Each in a form that the argument's schema accepts. Newest first: what was typed last stands before
        what was typed or returned earlier.
        """
        values: dict[str, Any] = {}
        for form, _ in self._named(kind, schema):
            values.setdefault(key(form), form)
        return values

    def origin(self, kind: Kind, value: Any, schema: Schema | None = None) -> Origin | None:
        """Return who named an id of this kind: whoever typed it before any result; None where nobody did."""
        wanted = key(value)
        named = self._named(kind, schema or {})
        return next((origin for form, origin in named if key(form) == wanted), None)

    def _named(self, kind: Kind, schema: Schema) -> Iterator[tuple[Any, Origin]]:
        rules = value_rules(schema)
        for piece, origin in reversed(self.typed.items()):
            if (form := typed_form(piece, kind, schema, rules)) is not None:
                yield form, origin
        for named in reversed(self.seen.get(kind, {}).values()):
            is_here = named.origin.by != "result" or named.origin.server == self.server
            if is_here and (form := fitting(named.value, rules)) is not None:
                yield form, named.origin

    def _name(self, kind: Kind, named: Named) -> None:
        known = self.seen.pop(kind, {})
        self.seen[kind] = known
        known.pop(key(named.value), None)
        known[key(named.value)] = named
        if len(known) > _MAX_SEEN:
            del known[next(iter(known))]
        if len(self.seen) > _MAX_KINDS:
            del self.seen[next(iter(self.seen))]


@dataclass(frozen=True)
class _Found:
    kind: Kind
    value: str | int
    path: str


@dataclass(frozen=True)
class _Spot:
    """A place in a result.

    by_name: each field's name counts, declared or not. name: of the field, empty where it does not count.
    mark: of the list around the value.
    """

    schema: Schema
    by_name: bool
    name: str = ""
    mark: str | None = None
    path: str = ""
    depth: int = 0

    def field(self, name: str, declared: Schema | None, rest: Schema) -> "_Spot":
        counts = self.by_name or declared is not None
        path = f"{self.path}.{name}".strip(".")
        schema = rest if declared is None else declared
        return _Spot(schema, self.by_name, name if counts else "", None, path, self.depth + 1)

    def item(self) -> "_Spot":
        mark = certain_mark_of(self.schema) or self.mark
        schema = item_schema(self.schema)
        return _Spot(schema, self.by_name, self.name, mark, f"{self.path}[]", self.depth + 1)


def _ids(value: Any, spot: _Spot) -> Iterator[_Found]:
    """Yield every id of a structured result; a mark counts only where every alternative carries it."""
    if spot.depth > _MAX_DEPTH:
        return
    if isinstance(value, dict):
        keys = certain_mark_of(key_schema(spot.schema))
        declared, rest = fields(spot.schema), rest_schema(spot.schema)
        for name, item in cast(dict[str, Any], value).items():
            if keys and written(name):
                yield _Found(keys, name, f"{spot.path} (a key)".strip())
            yield from _ids(item, spot.field(name, declared.get(name), rest))
    elif isinstance(value, list):
        inner = spot.item()
        for item in cast(list[Any], value):
            yield from _ids(item, inner)
    elif written(value):
        kinds = (kind_by_name(spot.name), certain_mark_of(spot.schema) or spot.mark)
        yield from (_Found(kind, value, spot.path) for kind in kinds if kind)


def _declares_ids(schema: Schema) -> bool:
    """Say whether an output schema tells of any field that it holds an id: then it is taken at its word."""
    if certain_mark_of(schema) or certain_mark_of(key_schema(schema)):
        return True
    declared = fields(schema)
    if any(kind_of(name, inner) for name, inner in declared.items()):
        return True
    rest = (item_schema(schema), rest_schema(schema), *declared.values())
    return any(_declares_ids(inner) for inner in rest if inner)
