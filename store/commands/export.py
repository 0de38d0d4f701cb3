"""`python -m store export tickets`: the tickets for a spreadsheet or another program."""

import csv
import json
import sys

import click

from store.commands.opened import opened
from store.commands.plain import cell, plain
from store.whole import Row, read_whole_tickets

_COLUMNS = (
    "id",
    "status",
    "category",
    "order_id",
    "customer_id",
    "opened_at",
    "closed_at",
    "summary",
    "note",
)


@click.group("export")
def command() -> None:
    """Write what the database holds for another program.

    Example: python -m store export tickets --csv > tickets.csv
    """


@command.command("tickets")
@click.option("--csv", "form", flag_value="csv", help="One row a ticket, for a spreadsheet.")
@click.option("--json", "form", flag_value="json", help="One JSON object a line, with the history.")
def tickets(form: str | None) -> None:
    """Write every ticket to stdout, open or closed, oldest first.

    What a spreadsheet would run as a formula, wherever it parts cells, has an apostrophe before it.
    """
    if form is None:
        raise click.UsageError("Choose --csv or --json.")
    with opened() as store, store.engine.begin() as connection:
        found = read_whole_tickets(connection)
    if form == "json":
        for ticket in found:
            click.echo(json.dumps({"schema": "shopkart/ticket", **plain(ticket)}, ensure_ascii=False))
        return
    writer = csv.writer(sys.stdout, lineterminator="\r\n", quoting=csv.QUOTE_ALL)
    writer.writerow(_COLUMNS)
    writer.writerows(map(_cells, found))


def _cells(ticket: Row) -> list[str]:
    notes = [each["note"] for each in ticket["history"] if each["note"]]
    return [cell((ticket | {"note": notes[-1] if notes else None})[name]) for name in _COLUMNS]
