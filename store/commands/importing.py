"""`python -m store import`: a shop's orders, customers and products, into the database of DATABASE_URL.

Knows:    the command line, and how it is told what came of it.
Does not: read a file or write a row.   (store/importing/)
"""

import sys
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from datetime import UTC, tzinfo
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import click

from common.database import (
    DatabaseSettings,
    is_in_memory,
    open_engine,
    require_schema,
    revision_of,
)
from common.order_ids import OrderIdSettings
from common.settings import load
from common.shop import load_shop
from store.commands.opened import opened
from store.commands.recorded import recorded
from store.importing import NAMES, FileRefused, Options, Progress, Report, Wanted, import_files, unwatched
from store.migrate import migrate

_KINDS = ("orders", "customers", "products")


class _Zone(click.ParamType[tzinfo]):
    name = "zone"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tzinfo:
        if str(value).upper() == "UTC":
            return UTC  # also where the machine has no list of zones
        try:
            return ZoneInfo(str(value))
        except (ValueError, OSError, ZoneInfoNotFoundError):  # a folder of zones is an OSError
            self.fail(f"{value!r} is no time zone. Write one such as Europe/Berlin.", param, ctx)


@click.command("import")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path), metavar="PATH…")
@click.option("--format", "form", type=click.Choice(NAMES), help="The files' form, where the guess is wrong.")
@click.option(
    "--strict/--skip-bad",
    "strict",
    default=True,
    help="With a bad row import nothing (the default), or import the rest and write the bad rows to a file.",
)
@click.option(
    "--rejects", type=click.Path(path_type=Path), metavar="FILE", help="Where --skip-bad writes them."
)
@click.option("--encoding", metavar="NAME", help="The files' encoding, such as cp1251.")
@click.option("--timezone", "zone", type=_Zone(), default="UTC", help="The zone of times that name none.")
@click.option(
    "--dates", type=click.Choice(["dmy", "mdy"]), help="Which comes first in dates such as 03/04/2026."
)
@click.option(
    "--currency", metavar="CODE", help="The currency of files that name none; else that of SHOP_FILE."
)
@click.option(
    "--completed",
    type=click.Choice(["shipped", "delivered"]),
    default="shipped",
    help="What WooCommerce's status completed stands for.",
)
@click.option(
    "--join-guests",
    "join_guests",
    is_flag=True,
    help="Give accounts the guest orders of their own address; only if your shop has proven those addresses.",
)
@click.option("--demo", is_flag=True, help="Import the demo shop instead of files.")
def command(paths: tuple[Path, ...], strict: bool, demo: bool, **typed: Any) -> int:
    """Read a shop's orders, customers and products from files: its own JSON or CSV, Shopify's, WooCommerce's.

    Example: python -m store import orders_export.csv

    The form is found out and told. Importing a file again changes nothing; a changed one brings the database
    up to date. docs/import.md shows the forms, and what each status stands for.
    """
    if demo == bool(paths):
        raise click.UsageError("Name the files to import, or --demo for the demo shop; one of the two.")
    if typed["rejects"] and (strict or len(paths) > 1):
        raise click.UsageError("--rejects is for --skip-bad and one file. Import the files one by one.")
    url = load(DatabaseSettings).database_url
    options = _options(typed)
    _prepare(url)
    if demo:
        return _import_demo()
    wanted = Wanted(
        paths, options, typed["form"], typed["encoding"], not strict, typed["rejects"], typed["join_guests"]
    )
    engine = open_engine(url)
    try:
        files = [path.name for path in paths]
        with _progress() as watch, recorded(engine, "import", files=files):
            report = import_files(wanted, engine, watch)
    except FileRefused as refused:
        click.echo(f"{refused}\nNothing was imported.", err=True)
        return 1
    finally:
        engine.dispose()
    return _told(report)


def _options(typed: dict[str, Any]) -> Options:
    currency = typed["currency"].upper() if typed["currency"] else None
    if currency and not (len(currency) == 3 and currency.isascii() and currency.isalpha()):
        raise click.UsageError("--currency takes three letters, such as EUR.")
    return Options(
        pattern=load(OrderIdSettings).order_id_pattern,
        currency=currency,
        shop_currency=load_shop().currency,
        timezone=typed["zone"],
        dates=typed["dates"],
        completed=typed["completed"],
    )


def _prepare(url: str) -> None:
    """See that there is a database that lasts, with its tables.  Raises: DatabaseUnusable."""
    if is_in_memory(url):
        raise click.UsageError(
            "DATABASE_URL is sqlite://, a database in memory: what is imported would be gone at once. Set it "
            "to a file, as in DATABASE_URL=sqlite:///shop.db, or to a Postgres, and import again."
        )
    engine = open_engine(url)
    try:
        if revision_of(engine) is None:
            migrate(url)
        require_schema(engine)
    finally:
        engine.dispose()


def _import_demo() -> int:
    from store.database import utc_now
    from store.demo import fill_with_demo
    from store.model import Reach

    with opened() as store:
        if store.orders(Reach(everybody=True), 1) or store.policies():
            told = "The database holds a shop already. Name an empty one in DATABASE_URL for the demo."
            click.echo(told, err=True)
            return 1
        fill_with_demo(store, utc_now().date())
    click.echo("The demo shop is in the database, with its dates as of today; its policies too.")
    return 0


# ---------------------------------------------------------------- telling


def _told(report: Report) -> int:
    for name, title in report.forms:
        click.echo(f"{name}: read as {title}.", err=True)
    for told in report.told:
        click.echo(told, err=True)
    for problem in report.problems:
        click.echo(str(problem), err=True)
    if report.bad:
        more = "" if len(report.problems) < 20 else " The first 20 problems are shown."
        click.echo(f"{_counted(report.bad, 'record')} cannot be imported.{more}", err=True)
    if report.is_refused:
        click.echo(
            "Nothing was imported. Mend the files, or import the rest with --skip-bad, which writes these to "
            "a file of their own.",
            err=True,
        )
        return 1
    for path in report.rejects:
        click.echo(f"They are in {path}: mend them there and import that file.", err=True)
    for kind in _KINDS:
        if kind in report.written:
            click.echo(_line(kind, report.written[kind]))
    if not report.written:
        click.echo("Nothing to import.")
    return 0


def _line(kind: str, counts: Counter[Any]) -> str:
    return f"{kind}: {counts['new']} new, {counts['changed']} changed, {counts['same']} same"


def _counted(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


@contextmanager
def _progress() -> Generator[Progress]:
    """Show how far each step has come, on a terminal; elsewhere nothing."""
    if not sys.stderr.isatty():
        yield unwatched
        return
    shown: dict[str, Any] = {}

    def watch(step: str, done: int, size: int) -> None:
        if step not in shown:
            end(shown)
            shown[step] = click.progressbar(length=size, label=step, file=sys.stderr)
            shown[step].__enter__()
        shown[step].update(done)

    try:
        yield watch
    finally:
        end(shown)


def end(shown: dict[str, Any]) -> None:
    """End the bars that are shown."""
    for bar in shown.values():
        bar.__exit__(None, None, None)
    shown.clear()
