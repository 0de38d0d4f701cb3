"""Which values belong to which order, ticket or item, so that two orders' facts are not swapped.

Knows:    the ids of the records of results, and the amounts, dates and codes that stand in each.
Does not: know a value's kind beyond that, or whether it was seen at all.   (guards/observed.py)
Rule:     after an id, up to the next, a sentence speaks of that id; ids with nothing between are spoken of
          together. A value of another record, and of none of these, does not belong there.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING

from guards.reading import Value

if TYPE_CHECKING:
    from guards.values import Read

Owners = tuple[tuple[str, ...], ...]
"""The ids of each record that a value stands in, the outermost first; a record may have several ids."""

_MAX_RECORDS = 400
"""Records that are kept, the newest; the oldest are forgotten, and then nothing is held against them."""


@dataclass
class Records:
    """What belongs to what.

    kept: by id all values of its record. direct: those that stand in no record inside of it. inside: by id
    the records that it stands in. apart: the values that stood apart from any.
    """

    kept: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    direct: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    inside: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    apart: set[str] = field(default_factory=set[str])

    def take(self, seen: "Read", owners: Owners | None) -> None:
        """Take the values of a text. owners: the records that it stands in; None where it says itself."""
        if owners is None:
            for ids, values in self._spoken_of(seen):
                self._keep((ids,), values)
        else:
            self._keep(owners, seen.values)
        for old in list(self.kept)[:-_MAX_RECORDS]:
            for kept in (self.kept, self.direct, self.inside):
                kept.pop(old, None)

    def _keep(self, owners: Owners, values: Iterable[Value]) -> None:
        keys = {key for value in values for key in _keys(value)}
        if not any(owners):
            self.apart |= keys
        outer: set[str] = set()
        for ids in owners:
            for id in ids:
                self.kept[id] = self.kept.pop(id, set()) | keys
                self.inside.setdefault(id, set()).update(outer)
            outer |= set(ids)
        for id in owners[-1] if owners else ():
            self.direct.setdefault(id, set()).update(keys)

    def strangers(self, seen: "Read") -> Iterator[tuple[Value, str]]:
        """Yield each value that belongs to another record than the one it is said of, and that one's id."""
        if len(self.kept) < 2:
            return
        for ids, values in self._spoken_of(seen):
            own = self._of(ids)
            for value in values if ids else ():
                keys = set(_keys(value))
                if keys and not keys & own and any(keys & others for others in self.kept.values()):
                    yield value, ids[0]

    def days(self) -> list[set[str]]:
        """Return the whole dates of each record, and those apart from any."""
        return [{key for key in keys if _DAY.fullmatch(key)} for keys in (*self.kept.values(), self.apart)]

    def _of(self, ids: tuple[str, ...]) -> set[str]:
        """Return what may be said of these ids: their records, and what is said of those they stand in."""
        outer = {each for id in ids for each in self.inside.get(id, ())}
        return set[str]().union(
            self.apart, *(self.kept.get(id, ()) for id in ids), *(self.direct.get(id, ()) for id in outer)
        )

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


_DAY = re.compile(r"\d{4}-\d\d-\d\d")


def _day_keys(value: Value) -> Iterator[str]:
    """Yield a date with its year, and without."""
    for reading in value.readings:
        if isinstance(reading, tuple) and len(reading) == 3:
            year, month, day = reading
            yield f"{month}-{day}"
            if year is not None:
                yield f"{year:04d}-{month:02d}-{day:02d}"


def _written(value: Value) -> list[str]:
    return [str(reading).removeprefix("#").casefold() for reading in value.readings]


def _keys(value: Value) -> list[str]:
    """Return what a value is compared by: amounts, whole dates and codes are a record's own."""
    if value.kind == "amount":
        return [f"{abs(reading):f}" for reading in value.readings if isinstance(reading, Decimal)]
    if value.kind == "date":
        return list(_day_keys(value))
    if value.kind == "code" or (value.kind == "number" and value.digits >= 6):
        return _written(value)
    return []
