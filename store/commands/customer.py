"""`python -m store customer WHO`: a customer with their orders and tickets."""

from typing import Any

import click
from sqlalchemy import select

import store.schema as schema
from common.text import visible
from store.commands.opened import as_json, fail, opened, print_json
from store.database import Store
from store.model import Reach

MOST = 200
"""Orders and tickets that are shown, the newest."""


@click.command("customer")
@click.argument("who")
@as_json
def command(who: str, as_json: bool) -> None:
    """Show the customer WHO, named by id or e-mail address, with their orders and tickets.

    Example: python -m store customer mira.holm@example.com
    """
    with opened() as store:
        customer_id = store.customer_id(who)
        if customer_id is None:
            fail("No customer has that id or e-mail address.")
        told = _told(store, customer_id)
    if as_json:
        print_json("shopkart/customer", told)
        return
    lines = {
        "Customer": f"{told['id']}, {told['name'] or 'no name'}",
        "Reached at": f"{told['email'] or 'no e-mail address'}, {told['phone'] or 'no phone'}",
        "Orders": _named(told["orders"]),
        "Tickets": _named(told["tickets"]),
    }
    for title, text in lines.items():
        click.echo(visible(f"{title + ':':<12}{text}"))


def _named(things: list[dict[str, str]]) -> str:
    return ", ".join(f"{each['id']} ({each['status']})" for each in things) or "none"


def _told(store: Store, customer_id: str) -> dict[str, Any]:
    reach = Reach(customer_id)
    with store.engine.begin() as connection:
        row = connection.execute(select(schema.customers).where(schema.customers.c.id == customer_id)).one()
    return {
        "id": customer_id,
        "name": row.name,
        "email": row.email,
        "phone": row.phone,
        "orders": [{"id": order.id, "status": order.status} for order in store.orders(reach, MOST)],
        "tickets": [
            {"id": ticket.id, "status": ticket.status} for ticket in store.newest_tickets(reach, MOST)
        ],
    }
