"""A file from its first byte to its records: what it is, and what each of its rows or values gives.

Knows:    the order of the steps: encoding, form, parting, reading; which rows of a table belong together.
Does not: keep anything.   (gathering.py)
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path
from typing import Any, cast

from store.importing.fields import Fields, Options, Reading
from store.importing.guess import is_column, json_format, table_format
from store.importing.json_stream import JsonStream, Value
from store.importing.parts import JsonFormat, TableFormat
from store.importing.problems import FileRefused, Problem, shown, shown_name
from store.importing.reading import Source, look_at
from store.importing.tables import Row, Table, table_of
from store.money import MOST
from store.records import Record

_LOOKED_AT = 5
"""Values of a JSON file that are looked at before its form is said."""

MOST_ROWS = 10_000
"""Rows of one order, and those without a number below it: ten times as many as an order may have items."""

Watch = Callable[[int], None]


@dataclass(frozen=True)
class Taken:
    """What one value, or the rows of one order, gave: records, or what is wrong with it; raw is its text."""

    records: list[Record]
    problems: list[Problem]
    raw: str


@dataclass(frozen=True)
class Opened:
    """A file whose form is known. head: what a file of its rows has to begin with."""

    source: Source
    title: str
    head: str
    told: tuple[str, ...]
    reading: Reading
    take: Callable[[Watch], Iterator[Taken]]


def open_file(path: Path, options: Options, wanted: str | None = None, encoding: str | None = None) -> Opened:
    """Return a file ready to be taken.  Raises: FileRefused, here or while it is taken."""
    source = look_at(path, encoding)
    told = (source.told,) if source.told else ()
    reading = Reading(source.name, options)
    if source.kind == "json":
        return _opened_json(source, told, reading, wanted)
    table = table_of(source, is_column)
    chosen = table_format(table, wanted)
    if aside := [name for key, name in table.names.items() if key not in chosen.columns and name]:
        shown_names = ", ".join(map(shown_name, aside[:8])) + ("" if len(aside) <= 8 else ", …")
        told = (*told, f"{source.name}: columns that are not read: {shown_names}.")
    reading = replace(reading, day_order=table.day_order)
    return Opened(
        source,
        chosen.title,
        table.first,
        told,
        reading,
        lambda watch: _of_table(table, chosen, reading, watch),
    )


# ---------------------------------------------------------------- JSON


def _opened_json(source: Source, told: tuple[str, ...], reading: Reading, wanted: str | None) -> Opened:
    with source.open() as text:
        first = list(islice(JsonStream(text, source.name).values(), _LOOKED_AT))
    if not first:
        return Opened(
            source, "JSON", "", (*told, f"{source.name} holds no records."), reading, lambda _: iter(())
        )
    chosen = json_format(source.name, [(value.section, value.data) for value in first], wanted)
    return Opened(
        source, chosen.title, "", told, reading, lambda watch: _of_json(source, chosen, reading, watch)
    )


def _of_json(source: Source, chosen: JsonFormat, reading: Reading, watch: Watch) -> Iterator[Taken]:
    with source.open(watch) as text:
        for value in JsonStream(text, source.name).values():
            yield _of_value(value, chosen, reading)


def _of_value(value: Value, chosen: JsonFormat, reading: Reading) -> Taken:
    line = f"line {value.line}"
    place = f"{value.path} ({line})" if value.path else line
    problems: list[Problem] = []
    data: Any = value.data
    if not isinstance(data, dict):
        problems.append(Problem(reading.file, place, "", shown(data), "an object with named fields"))
        return Taken([], problems, value.raw)
    if value.twice is not None:
        problems.append(
            Problem(reading.file, place, shown_name(value.twice), "the key stands there twice", "it once")
        )
    fields = Fields(cast("dict[str, Any]", data), reading, problems, path=value.path, line=value.line)
    return _checked(chosen.read(value.section, fields), fields, value.raw)


def _checked(records: list[Record], fields: Fields, raw: str) -> Taken:
    """Return what was read, none of it where anything is wrong: also a sum that no single amount shows."""
    for record in records:
        for name, value in vars(record).items():
            if name.endswith("_minor") and value is not None and abs(value) > MOST:
                fields.beyond(name.removesuffix("_minor"), value, "a sum that a shop could charge")
    return Taken([] if fields.problems else records, fields.problems, raw)


# ---------------------------------------------------------------- CSV


def _of_table(table: Table, chosen: TableFormat, reading: Reading, watch: Watch) -> Iterator[Taken]:
    apart = _orders_whose_rows_stand_apart(table, chosen.number)
    group: list[Row] = []
    for row in chain(table.rows(watch), [None]):
        # A row that cannot be parted, or names no order, may be of the order above: both are taken, or none.
        if (
            row is not None
            and group
            and (not _number(row, chosen) or _number(row, chosen) == _key(group, chosen))
        ):
            group.append(row)
            continue
        if group:
            yield _of_rows(group, table, chosen, reading, apart)
        group = [row] if row is not None else []


def _of_rows(
    rows: list[Row], table: Table, chosen: TableFormat, reading: Reading, apart: frozenset[str]
) -> Taken:
    problems: list[Problem] = []
    column = table.names[chosen.number]
    for row in rows:
        place = f"line {row.line}"
        if row.broken:
            problems.append(Problem(reading.file, place, "", row.broken, "as many cells as columns"))
        elif not _number(row, chosen):
            problems.append(Problem(reading.file, place, column, "nothing", "the order number, in every row"))
    key = _key(rows, chosen)
    if key in apart:
        expected = "the rows of an order below one another; sort the file by this column"
        problems.append(
            Problem(reading.file, f"line {rows[0].line}", column, f"{shown(key)}, also elsewhere", expected)
        )
    raw = "".join(row.raw if row.raw.endswith(("\n", "\r")) else f"{row.raw}\n" for row in rows)
    if problems:
        return Taken([], problems, raw)
    fields = [Fields(row.cells, reading, problems, line=row.line, names=table.names) for row in rows]
    return _checked(chosen.read(fields), fields[0], raw)


def _orders_whose_rows_stand_apart(table: Table, number: str) -> frozenset[str]:
    """Read the file once for its order numbers alone: one that comes back later has rows in two places.

    Raises: FileRefused where so many rows belong together that they are no order, and would all be held.
    """
    runs: Counter[str] = Counter()
    last, length = "", 0
    for row in table.rows():
        found = row.cells.get(number, "").strip()
        if found and found != last:
            runs[found] += 1
            last, length = found, 0
        length += 1
        if length > MOST_ROWS:
            raise FileRefused(
                f"{table.source.name}, line {row.line}: more than {MOST_ROWS} rows of one order, or without "
                "an order number. Look at the lines above it, and export the file again."
            )
    return frozenset(key for key, count in runs.items() if count > 1)


def _key(rows: list[Row], chosen: TableFormat) -> str:
    return next(filter(None, (_number(row, chosen) for row in rows)), "")


def _number(row: Row, chosen: TableFormat) -> str:
    return row.cells.get(chosen.number, "").strip()
