"""Importing files: all of them are read first, then everything is written in one transaction.

Knows:    the two steps, and what is told of each.
Does not: know a format, or talk to anybody.   (store/commands/importing.py)
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from sqlalchemy import Connection, Engine, select

import store.schema as schema
from common.database import writing
from store.customers import CustomerWritten, write_customers
from store.importing.fields import Options
from store.importing.gathering import Gathered, Key, Ordered
from store.importing.problems import Problem
from store.importing.rejects import Rejects
from store.importing.taking import Opened, Watch, open_file
from store.records import ProductRecord
from store.rows import Written
from store.writing import write_orders, write_products

T = TypeVar("T")

MOST_PROBLEMS = 20
"""Problems that are told one by one; the others are counted."""
_BATCH = 500


@dataclass(frozen=True)
class Wanted:
    """Which files, and how they are to be read. format, encoding: None where they are to be found out.

    join_guests: whether an account gets the orders of guests who typed the address that it states as its own.
    """

    paths: Sequence[Path]
    options: Options = field(default_factory=Options)
    format: str | None = None
    encoding: str | None = None
    skip_bad: bool = False
    rejects: Path | None = None
    join_guests: bool = False


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
                _Writing(connection, gathered, report, wanted.join_guests).write(
                    lambda done: watch("Writing", done, len(gathered))
                )
                report.told += _two_numbers(connection)
    finally:
        gathered.close()
    return report


def _two_numbers(connection: Connection) -> list[str]:
    """Return a line on orders that are there under two numbers, where there are any."""
    one, other = schema.orders.alias(), schema.orders.alias()
    same = (one.c.source_id == other.c.source_id) & (one.c.id < other.c.id)
    twice = connection.execute(select(one.c.id, other.c.id).join_from(one, other, same)).all()
    if not twice:
        return []
    first, second = twice[0]
    count = f"{len(twice)} {'order is' if len(twice) == 1 else 'orders are'}"
    return [
        f"{count} there under two numbers, as {first} and {second}: another ORDER_ID_PATTERN was set before. "
        "Make the database anew: move it away, set the pattern, and import the files again."
    ]


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


@dataclass(frozen=True)
class _Writing:
    """What was gathered, on its way into the database."""

    connection: Connection
    gathered: Gathered
    report: Report
    join_guests: bool

    def write(self, watch: Watch) -> None:
        """Write everything, customers first: each order is somebody's who is there already."""
        ids = self._write_customers(watch)
        closed: list[str] = []
        for batch in _batches(self.gathered.others()):
            products = [each for each in batch if isinstance(each, ProductRecord)]
            orders = [each for each in batch if isinstance(each, Ordered)]
            _count(self.report, "products", write_products(self.connection, products))
            owners = [ids[each.buyer] if each.buyer else None for each in orders]
            done = write_orders(self.connection, [each.record for each in orders], owners)
            _count(self.report, "orders", [each.outcome for each in done])
            closed += [number for each in done for number in each.closed]
            watch(len(batch))
        if closed:
            self.report.told.append(
                f"Closed, since their order belongs to another customer now: {_first(closed)}. They "
                "stay with who opened them."
            )

    def _write_customers(self, watch: Watch) -> dict[Key, str]:
        ids: dict[Key, str] = {}
        written: list[CustomerWritten] = []
        for batch in _batches(self.gathered.customers()):
            records = [record for _, record in batch]
            done = write_customers(self.connection, records, join_guests=self.join_guests)
            _count(self.report, "customers", [each.outcome for each in done])
            written += [each for each in done if each.shares_email or each.beside]
            ids.update((key, each.id) for (key, _), each in zip(batch, done, strict=True))
            watch(len(batch))
        _tell_of_addresses(written, self.report)
        return ids


def _tell_of_addresses(written: Sequence[CustomerWritten], report: Report) -> None:
    if sharing := [each.id for each in written if each.shares_email]:
        report.told.append(
            f"{len(sharing)} customers have an e-mail address that another customer had first: "
            f"{_first(sharing)}. Each keeps their own orders; whoever signs in with that address is the "
            "other one; they need their id."
        )
    if beside := sum(each.beside for each in written):
        report.told.append(
            f"{beside} guests ordered with an e-mail address that an account has. Their orders stay apart "
            "from it, since anybody can type an address. If your shop has proven those of "
            "its accounts, --join-guests gives them to the account."
        )


def _first(names: Sequence[str]) -> str:
    return ", ".join(names[:5]) + (", …" if len(names) > 5 else "")


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
