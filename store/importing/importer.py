"""Importing files: all of them are read first, then everything is written in one transaction.

Knows:    the two steps, and what is told of each.
Does not: know a format, or talk to anybody.   (store/commands/importing.py)
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from sqlalchemy import Connection, Engine

from common.database import writing
from store.importing.fields import Options
from store.importing.gathering import Gathered, Key, Ordered
from store.importing.problems import Problem
from store.importing.rejects import Rejects
from store.importing.taking import Opened, Watch, open_file
from store.records import ProductRecord
from store.writing import Written, write_customers, write_orders, write_products

T = TypeVar("T")

MOST_PROBLEMS = 20
"""Problems that are told one by one; the others are counted."""
_BATCH = 500


@dataclass(frozen=True)
class Wanted:
    """Which files, and how they are to be read. format, encoding: None where they are to be found out."""

    paths: Sequence[Path]
    options: Options = field(default_factory=Options)
    format: str | None = None
    encoding: str | None = None
    skip_bad: bool = False
    rejects: Path | None = None


@dataclass
class Report:
    """What came of it."""

    forms: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    told: list[str] = field(default_factory=list[str])
    problems: list[Problem] = field(default_factory=list[Problem])
    bad: int = 0
    rejects: list[Path] = field(default_factory=list[Path])
    written: dict[str, Counter[Written]] = field(default_factory=dict[str, "Counter[Written]"])

    @property
    def is_refused(self) -> bool:
        """Say whether nothing was written, since a row was bad."""
        return self.bad > 0 and not self.rejects


Progress = Callable[[str, int, int], None]
"""Is told the step, by how much it has come on, and how much it is in all."""


def unwatched(step: str, done: int, size: int) -> None:
    """Show no progress."""


def import_files(wanted: Wanted, engine: Engine, watch: Progress = unwatched) -> Report:
    """Read the files and write what they hold, or, where a row is bad and is not to be skipped, nothing.

    Raises: FileRefused where a file cannot be read at all; nothing was written then.
    """
    report = Report()
    gathered = Gathered()
    try:
        for path in wanted.paths:
            opened = open_file(path, wanted.options, wanted.format, wanted.encoding)
            report.forms.append((opened.source.name, opened.title))
            report.told += opened.told
            step, size = f"Reading {opened.source.name}", opened.source.size
            _gather(
                opened, wanted, gathered, report, lambda done, step=step, size=size: watch(step, done, size)
            )
        _tell_of_twice(gathered, report)
        if not report.is_refused:
            with writing(engine) as connection:
                _write(connection, gathered, report, lambda done: watch("Writing", done, len(gathered)))
    finally:
        gathered.close()
    return report


def _gather(opened: Opened, wanted: Wanted, gathered: Gathered, report: Report, watch: Watch) -> None:
    rejects = Rejects(opened.source, opened.head, wanted.rejects)
    try:
        for taken in opened.take(watch):
            for record in taken.records:
                gathered.add(record, opened.source.name)
            if taken.problems:
                report.bad += 1
                report.problems += taken.problems[: MOST_PROBLEMS - len(report.problems)]
                if wanted.skip_bad:
                    rejects.add(taken.raw)
    finally:
        rejects.close()
    if rejects.is_made:
        report.rejects.append(rejects.path)
    report.told += [
        f"{opened.source.name}: left out: {what}: {count}." for what, count in opened.reading.left_out.items()
    ]


def _tell_of_twice(gathered: Gathered, report: Report) -> None:
    if not gathered.twice:
        return
    files = [(order_id, list(dict.fromkeys(names))) for order_id, names in gathered.twice.items()]
    shown = ", ".join(f"{order_id} ({', then '.join(names[-2:])})" for order_id, names in files[:5])
    more = f" and {len(files) - 5} more" if len(files) > 5 else ""
    report.told.append(f"Given more than once, and taken as it came last: {shown}{more}.")


# ---------------------------------------------------------------- writing


def _write(connection: Connection, gathered: Gathered, report: Report, watch: Watch) -> None:
    ids = _write_customers(connection, gathered, report, watch)
    for batch in _batches(gathered.others()):
        products = [each for each in batch if isinstance(each, ProductRecord)]
        orders = [each for each in batch if isinstance(each, Ordered)]
        _count(report, "products", write_products(connection, products))
        owners = [ids[each.buyer] if each.buyer else None for each in orders]
        _count(report, "orders", write_orders(connection, [each.record for each in orders], owners))
        watch(len(batch))


def _write_customers(
    connection: Connection, gathered: Gathered, report: Report, watch: Watch
) -> dict[Key, str]:
    ids: dict[Key, str] = {}
    sharing: list[str] = []
    for batch in _batches(gathered.customers()):
        done = write_customers(connection, [record for _, record in batch])
        _count(report, "customers", [each.outcome for each in done])
        sharing += [each.id for each in done if each.shares_email]
        ids.update((key, each.id) for (key, _), each in zip(batch, done, strict=True))
        watch(len(batch))
    if sharing:
        shown = ", ".join(sharing[:5]) + (", …" if len(sharing) > 5 else "")
        report.told.append(
            f"{len(sharing)} customers have an e-mail address that another customer had first: {shown}. Each "
            "keeps their own orders; whoever signs in with that address is the other one; they need their id."
        )
    return ids


def _count(report: Report, kind: str, outcomes: Sequence[Written]) -> None:
    if outcomes:
        report.written.setdefault(kind, Counter()).update(outcomes)


def _batches(things: Iterator[T]) -> Iterator[list[T]]:
    batch: list[T] = []
    for thing in things:
        batch.append(thing)
        if len(batch) == _BATCH:
            yield batch
            batch = []
    if batch:
        yield batch
