"""What the commands share: the store of DATABASE_URL, the question before what cannot be undone, and tables.

Does not: know any command.
"""

import json
import shutil
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn

import click

from common.database import DatabaseSettings, DatabaseUnusable, is_in_memory, open_engine, shown
from common.settings import load
from common.text import visible
from store.database import Store, open_store
from store.demo import demo_store

as_json = click.option("--json", "as_json", is_flag=True, help="Answer with one JSON object.")
for_good = click.option("--for-good", is_flag=True, help="Do not ask, though it cannot be undone.")


def database_url() -> str:
    """Return DATABASE_URL.

    Raises: DatabaseUnusable when it is a database in memory, in which no command finds anything.
    """
    url = load(DatabaseSettings).database_url
    if is_in_memory(url):
        raise DatabaseUnusable(
            "DATABASE_URL is sqlite://: the demo shop, which each server has in its own memory. For data "
            "that last, set DATABASE_URL=sqlite:///shop.db or to a Postgres, and run: python -m store migrate"
        )
    return url


@contextmanager
def opened(*, or_demo: bool = False) -> Generator[Store]:
    """Open the store of DATABASE_URL.

    or_demo: whether a new demo shop is as good, where the database is one in memory.
    Raises: DatabaseUnusable.
    """
    in_memory = is_in_memory(load(DatabaseSettings).database_url)
    store = demo_store() if in_memory and or_demo else open_store(database_url())
    try:
        yield store
    finally:
        store.engine.dispose()


def where() -> str:
    """Return the database as it may be named."""
    return shown(open_engine(load(DatabaseSettings).database_url).url)


def make_sure(question: str, for_good: bool) -> None:
    """Ask before what cannot be undone; end with code 3 on a no, and where nobody can be asked."""
    if for_good:
        return
    if not sys.stdin.isatty():
        refuse(f"{question} Nothing was done: there is no terminal to ask at. Add --for-good to say yes.")
    if not click.confirm(question, err=True):
        refuse("Nothing was done.")


def refuse(told: str) -> NoReturn:
    """End with code 3, refused."""
    click.echo(told, err=True)
    click.get_current_context().exit(3)


def fail(told: str) -> NoReturn:
    """End with code 1, failed."""
    click.echo(told, err=True)
    click.get_current_context().exit(1)


def print_json(schema: str, content: dict[str, Any]) -> None:
    """Print one object that says what it is."""
    click.echo(json.dumps({"schema": schema, **content}, ensure_ascii=False, indent=2))


def print_table(heading: Sequence[str], rows: Sequence[Sequence[str | None]]) -> None:
    """Print rows under a heading; on a terminal what is too long is cut, elsewhere cells are parted by tabs.

    What a customer wrote is data: a control character in it is written out, and moves no cursor.
    """
    cells = [tuple(visible(cell or "") for cell in row) for row in (heading, *rows)]
    if not sys.stdout.isatty():
        for row in cells:
            click.echo("\t".join(row))
        return
    widths = [max(len(row[column]) for row in cells) for column in range(len(heading))]
    room = shutil.get_terminal_size().columns
    for row in cells:
        line = "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        click.echo(line[:room])
