"""`python -m store tickets`: what waits for the staff, and closing it."""

import click

from common.text import visible
from store import schema, tickets
from store.commands.opened import as_json, fail, opened, print_json, print_table
from store.commands.plain import plain
from store.commands.recorded import recorded
from store.whole import Row, read_whole_tickets


@click.group("tickets", invoke_without_command=True)
@click.option("--all", "closed_too", is_flag=True, help="Those that are closed, too.")
@as_json
@click.pass_context
def command(context: click.Context, closed_too: bool, as_json: bool) -> None:
    """List the open tickets, oldest first; `show` tells one whole, `close` closes one.

    Example: python -m store tickets close 1001 --note "Sent again, arrives Friday."
    """
    if context.invoked_subcommand:
        return
    which = () if closed_too else (schema.tickets.c.status == "open",)
    with opened() as store, store.engine.begin() as connection:
        found = read_whole_tickets(connection, *which)
    if as_json:
        print_json("shopkart/tickets", {"tickets": plain(found)})
    elif not found:
        click.echo("No ticket." if closed_too else "No open ticket.", err=True)
    else:
        print_table(("ticket", "status", "opened", "order", "category", "summary"), list(map(_row, found)))


def _row(ticket: Row) -> tuple[str | None, ...]:
    return (
        ticket["id"],
        ticket["status"],
        plain(ticket["opened_at"]),
        ticket["order_id"],
        ticket["category"],
        ticket["summary"],
    )


@command.command("show")
@click.argument("number")
@as_json
def show(number: str, as_json: bool) -> None:
    """Show the ticket of this NUMBER, as 1001 or T-1001, with its history."""
    with opened() as store, store.engine.begin() as connection:
        found = read_whole_tickets(connection, schema.tickets.c.id == _number(number))
    if not found:
        fail(f"There is no ticket {visible(number)}.")
    ticket = found[0]
    if as_json:
        print_json("shopkart/ticket", {"ticket": plain(ticket)})
        return
    for label in ("id", "status", "category", "order_id", "customer_id", "summary"):
        click.echo(f"{label.removesuffix('_id') + ':':10} {visible(ticket[label] or '-')}")
    for each in ticket["history"]:
        told = f"{each['kind'].replace('_', ' ')}{': ' + each['note'] if each['note'] else ''}"
        click.echo(f"{plain(each['at'])} {visible(told)}")


@command.command("close")
@click.argument("number")
@click.option("--note", required=True, help="What came of it; kept with the ticket, for the staff.")
def close(number: str, note: str) -> None:
    """Close the ticket of this NUMBER, as 1001 or T-1001."""
    if not note.strip():
        raise click.UsageError("The note is empty. Say what came of the ticket.")
    ticket_id = tickets.printed(_number(number))
    with opened() as store:
        with recorded(store.engine, "tickets close", ticket_id=ticket_id):
            closed = store.close_ticket(ticket_id, note.strip())
        if closed:
            click.echo(f"{ticket_id} is closed.")
            return
        with store.engine.begin() as connection:
            known = read_whole_tickets(connection, schema.tickets.c.id == _number(number))
    fail(f"{ticket_id} is closed already." if known else f"There is no ticket {ticket_id}.")


def _number(typed: str) -> int:
    known = tickets.number_of(f"T-{typed.strip().upper().removeprefix('T-').lstrip('0')}")
    if known is None:
        raise click.UsageError(f"{visible(typed)} is no ticket's number. Write it as 1001 or T-1001.")
    return known
