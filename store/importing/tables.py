"""The rows of a CSV file: its separator, its header, and the rows that belong together.

Knows:    CSV with quotes, line breaks inside them, and any of four separators, also after Excel's `sep=`.
Does not: know what a column means.   (guess.py and the formats)
"""

import csv
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TextIO

from store.importing.problems import FileRefused, shown_name
from store.importing.reading import Source
from store.importing.values import DayOrder, order_shown

SEPARATORS = ",;\t|"

LONGEST_ROW = 1 << 18
"""Characters of a row: a quarter of a million, of which an export's longest have some thousands."""


@dataclass(frozen=True)
class Row:
    """A row: the line it begins in, its cells by column, and its text. broken: why it could not be parted."""

    line: int
    cells: dict[str, str]
    raw: str
    broken: str | None = None


@dataclass(frozen=True)
class Table:
    """A CSV file whose header is known. names: column as compared -> as written; first: the header's text."""

    source: Source
    separator: str
    names: dict[str, str]
    first: str
    _orders: dict[str, DayOrder | None] = field(default_factory=dict[str, "DayOrder | None"])

    def rows(self, watch: Callable[[int], None] = lambda _: None) -> Iterator[Row]:
        """Yield the rows below the header; an empty line is none."""
        columns = list(self.names)
        with self.source.open(watch) as text:
            lines = _Lines(text, self.source.name)
            reader = csv.reader(lines, delimiter=self.separator, strict=True)
            _header(reader, lines)
            while (row := _next(reader, lines, columns)) is not None:
                if row.raw.strip() and (row.broken or any(row.cells.values())):
                    yield row

    def day_order(self, column: str) -> DayOrder | None:
        """Return the order of day and month that the dates of a column prove; the file is read."""
        if column not in self._orders:
            columns = {column, *(name for name in self.names if re.search(r"\b(?:at|on|date)$", name))}
            proven: dict[str, set[DayOrder]] = {name: set() for name in columns}
            for row in self.rows():
                for name in columns:
                    if order := order_shown(row.cells.get(name, "")):
                        proven[name].add(order)
            for name, orders in proven.items():
                self._orders[name] = orders.pop() if len(orders) == 1 else None
        return self._orders[column]


class _Lines:
    """The lines of a file, of which those since the last look are kept."""

    def __init__(self, text: TextIO, file: str) -> None:
        self._text = text
        self._file = file
        self._kept: list[str] = []
        self._room = LONGEST_ROW
        self.count = 0

    def __iter__(self) -> "_Lines":
        return self

    def __next__(self) -> str:
        line = self._text.readline(self._room + 1)
        if not line:
            raise StopIteration
        self.count += 1
        self._room -= len(line)
        if self._room < 0:
            raise self.too_long(self.count - len(self._kept))
        self._kept.append(line)
        return line

    def taken(self) -> str:
        """Return the text of the lines since the last call."""
        kept, self._kept = "".join(self._kept), []
        self._room = LONGEST_ROW
        return kept

    def too_long(self, line: int) -> FileRefused:
        """Return what to say of a row that goes on and on: what comes after it cannot be told from it."""
        return FileRefused(
            f"{self._file}, line {line}: a row or a cell that does not end. Is a quote opened there and "
            "never closed? Mend it, or export the file again."
        )

    def put_back(self, text: str) -> None:
        """Keep text that was taken for the next call."""
        self._kept.append(text)


def table_of(source: Source, is_known: Callable[[str], bool]) -> Table:
    """Return the table, parted by the separator that gives the most columns of known names.

    Raises: FileRefused where the header cannot be read or names a column twice.
    """

    def rank(separator: str) -> tuple[int, int]:
        keys = list(map(column_key, headers[separator][0]))
        return sum(map(is_known, keys)), len(keys)

    headers = {separator: _columns(source, separator) for separator in SEPARATORS}
    separator = max(SEPARATORS, key=rank)
    written, first = headers[separator]
    names: dict[str, str] = {}
    for index, name in enumerate(written):
        key = column_key(name) or f"column {index + 1}"
        if key in names:
            raise FileRefused(
                f"{source.name} has the column '{shown_name(name.strip())}' twice in its first line. "
                "Remove one."
            )
        names[key] = name.strip()
    return Table(source, separator, names, first)


def column_key(name: str) -> str:
    """Return a column's name as it is compared: case, spaces and underscores aside."""
    return " ".join(re.sub(r"[\s_]+", " ", name.strip().lstrip("\ufeff")).split()).casefold()


def _columns(source: Source, separator: str) -> tuple[list[str], str]:
    with source.open() as text:
        lines = _Lines(text, source.name)
        try:
            names = _header(csv.reader(lines, delimiter=separator, strict=True), lines)
        except csv.Error:
            return [], ""
        return names, lines.taken()


def _header(reader: Iterator[list[str]], lines: _Lines) -> list[str]:
    """Return the first row that is neither empty nor Excel's word on the separator."""
    for cells in reader:
        text = lines.taken()
        if text.strip() and not re.fullmatch(r'"?sep=.?"?\s*', text.lstrip("\ufeff"), re.I):
            lines.put_back(text)
            while cells and not cells[-1].strip():
                cells.pop()
            return cells
    return []


def _next(reader: Iterator[list[str]], lines: _Lines, columns: Sequence[str]) -> Row | None:
    lines.taken()
    line = lines.count + 1
    try:
        cells = next(reader)
    except StopIteration:
        return None
    except csv.Error as error:
        if "limit" in str(error):
            raise lines.too_long(line) from None
        return Row(line, {}, lines.taken(), _why(str(error)))
    surplus = [cell for cell in cells[len(columns) :] if cell.strip()]
    if surplus:
        told = f"{len(cells)} cells where the first line has {len(columns)} columns"
        return Row(line, {}, lines.taken(), told)
    return Row(line, dict(zip(columns, cells, strict=False)), lines.taken())


def _why(error: str) -> str:
    if "end of data" in error:
        return "a quote that is opened and not closed"
    return "a text after a closing quote"
