"""The picture of the data model shows the tables as they are."""

import re
from collections.abc import Iterator

from sqlalchemy import Boolean, Column, Date, Double, Integer

from common.settings import ROOT
from store.migrate import every_table
from store.schema import Utc
from tests.house.markdown import fences

PAGE = ROOT / "docs" / "data-model.md"
KINDS = {Boolean: "boolean", Date: "date", Double: "seconds", Integer: "integer", Utc: "moment"}


def picture() -> str:
    (drawn,) = [each.text for each in fences(PAGE.read_text(encoding="utf-8")) if each.language == "mermaid"]
    return drawn


def shown(column: Column[object]) -> str:
    kind = next((told for kind, told in KINDS.items() if isinstance(column.type, kind)), "text")
    marks = [mark for mark, holds in (("PK", column.primary_key), ("FK", bool(column.foreign_keys))) if holds]
    return f"{kind} {column.name} {', '.join(marks)}".rstrip()


def references() -> Iterator[tuple[str, str]]:
    for table in every_table().sorted_tables:
        for key in table.foreign_keys:
            yield key.column.table.name, table.name


def test_each_table_is_drawn_with_each_of_its_columns():
    drawn = {
        name: [line.strip() for line in body.strip().splitlines()]
        for name, body in re.findall(r"^  (\w+) \{\n(.*?)^  \}", picture(), re.M | re.S)
    }
    assert drawn == {table.name: list(map(shown, table.columns)) for table in every_table().sorted_tables}


def test_each_reference_is_drawn():
    drawn = re.findall(r'^  (\w+) \|\|--o\{ (\w+) : "', picture(), re.M)
    assert sorted(drawn) == sorted(references())


def test_each_table_has_its_line_below_the_picture():
    below = PAGE.read_text(encoding="utf-8").split("\n```\n")[1]
    told = {name for row in re.findall(r"^\|(.*?)\|", below, re.M) for name in re.findall(r"`(\w+)`", row)}
    assert told == set(every_table().tables)
