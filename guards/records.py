"""Which values belong to which order, ticket or item, so that two orders' facts are not swapped.

Knows:    the ids of the records of results, and the amounts, dates and codes that stand in each.
Does not: know a value's kind beyond that, or whether it was seen at all.   (guards/observed.py)
Rule:     after an id, up to the next, a sentence speaks of that id; ids with nothing between are spoken of
          together. A value of another record, and of none of these, does not belong there.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING

from guards.reading import Value

if TYPE_CHECKING:
    from guards.values import Read

_MAX_RECORDS = 400
"""Records that are kept, the newest; the oldest are forgotten, and then nothing is held against them."""


@dataclass
class Records:
    """By id the values of its record, and the values that stood apart from any."""

    kept: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    apart: set[str] = field(default_factory=set[str])

    def take(self, seen: "Read", owners: tuple[str, ...] | None) -> None:
        """Take the values of a text. owners: the ids of the record that it is of; None where it says itself."""
        groups = self._spoken_of(seen) if owners is None else [(owners, list(seen.values))]
        for ids, values in groups:
            keys = {key for value in values for key in _keys(value)}
            if not ids:
                self.apart |= keys
            for id in ids:
                self.kept[id] = self.kept.pop(id, set()) | keys
        for old in list(self.kept)[:-_MAX_RECORDS]:
            del self.kept[old]

    def strangers(self, seen: "Read") -> Iterator[tuple[Value, str]]:
        """Yield each value that belongs to another record than the one it is said of, and that one's id."""
        if len(self.kept) < 2:
            return
        for ids, values in self._spoken_of(seen):
            own = set[str]().union(self.apart, *(self.kept[id] for id in ids))
            for value in values if ids else ():
                keys = set(_keys(value))
                if keys and not keys & own and any(keys & others for others in self.kept.values()):
                    yield value, ids[0]

    def _spoken_of(self, seen: "Read") -> list[tuple[tuple[str, ...], list[Value]]]:
        """Return the values of a text in groups, each with the ids that it speaks of."""
        groups: list[tuple[tuple[str, ...], list[Value]]] = []
        ids: tuple[str, ...] = ()
        values: list[Value] = []
        for value in seen.values:
            id = self._id(value)
            if id is None:
                values.append(value)
            elif ids and values and any(_keys(each) for each in values):
                groups.append((ids, values))
                ids, values = (id,), []
            else:
                ids += (id,)
        return [*groups, (ids, values)]

    def _id(self, value: Value) -> str | None:
        if value.kind not in ("number", "code"):
            return None
        return next((id for id in _written(value) if id in self.kept), None)


def _written(value: Value) -> list[str]:
    return [str(reading).removeprefix("#").casefold() for reading in value.readings]


def _keys(value: Value) -> list[str]:
    """Return what a value is compared by: amounts, whole dates and codes are a record's own."""
    if value.kind == "amount":
        return [f"{abs(reading):f}" for reading in value.readings if isinstance(reading, Decimal)]
    if value.kind == "date":
        return [f"{reading[1]}-{reading[2]}" for reading in value.readings if isinstance(reading, tuple) and len(reading) == 3]
    if value.kind == "code" or (value.kind == "number" and value.digits >= 6):
        return _written(value)
    return []
