"""`python -m store show ORDER`: an order with all that is known of it."""

from collections.abc import Iterator
from typing import Any

import click

from common.order_ids import OrderIdSettings, form_that_matches
from common.settings import load
from common.text import visible
from store.commands.opened import as_json, fail, opened, print_json
from store.commands.plain import plain
from store.money import amount
from store.whole import Row, read_whole_order


@click.command("show")
@click.argument("order")
@as_json
def command(order: str, as_json: bool) -> None:
    """Show ORDER with its customer, addresses, parcels, payments and tickets.

    Example: python -m store show 4471

    The number may be typed with or without #. This shows personal data: it is for the shop's own people.
    """
    known = form_that_matches(order, load(OrderIdSettings).order_id_pattern) or order
    with opened(or_demo=True) as store, store.engine.begin() as connection:
        found = read_whole_order(connection, known)
    if found is None:
        fail(f"There is no order {visible(order)}.")
    if as_json:
        print_json("shopkart/order", {"order": plain(found)})
        return
    for label, told in _lines(found):
        click.echo(f"{label + ':':11} {visible(told)}" if label else f"{'':11} {visible(told)}")


def _lines(order: Row) -> Iterator[tuple[str, str]]:
    currency = order["currency"]
    yield "Order", f"{order['id']}, {_spoken(order['status'])}, {_spoken(order['payment'])}"
    yield "Placed", str(plain(order["placed_at"]) or "on a day that is not known")
    yield from _person(order)
    yield from _labelled("Items", (_item(line, currency) for line in order["lines"]))
    yield "Total", f"{amount(order['total_minor'], currency)} {currency}"
    yield from _labelled("Parcels", (_parcel(each) for each in order["fulfilments"]))
    yield from _labelled("Payments", (_payment(each, currency) for each in order["payments"]))
    if order["gift_note"]:
        yield "Gift note", order["gift_note"]
    yield from _labelled("Tickets", (_ticket(each) for each in order["tickets"]))


def _person(order: Row) -> Iterator[tuple[str, str]]:
    customer = order["customer"]
    if customer is None:
        yield "Customer", "nobody that is known: only the staff sees this order"
    else:
        yield "Customer", _joined(customer["id"], customer["name"], customer["email"], customer["phone"])
    parts = ("name", "line1", "line2", "postal_code", "city", "region", "country")
    told = (f"{each['kind']}: {_joined(*(each[part] for part in parts))}" for each in order["addresses"])
    yield from _labelled("Addresses", told)


def _labelled(label: str, told: Iterator[str]) -> Iterator[tuple[str, str]]:
    for line in told:
        yield label, line
        label = ""


def _item(line: Row, currency: str) -> str:
    return f"{line['quantity']} x {line['name']}, {amount(line['price_minor'], currency)} {currency} each"


def _parcel(parcel: Row) -> str:
    days = (("shipped", "shipped_at"), ("expected", "expected_on"), ("delivered", "delivered_on"))
    told = [f"{verb} {plain(parcel[name])}" for verb, name in days if parcel[name]]
    return _joined(parcel["carrier"], parcel["tracking_number"], *told)


def _payment(payment: Row, currency: str) -> str:
    told = f"{payment['kind']} of {amount(payment['amount_minor'], currency)} {currency}"
    return _joined(told, payment["method"], payment["reference"], plain(payment["at"]))


def _ticket(ticket: Row) -> str:
    return _joined(
        ticket["id"], ticket["status"], ticket["category"], plain(ticket["opened_at"]), ticket["summary"]
    )


def _spoken(state: str) -> str:
    return state.replace("_", " ")


def _joined(*parts: Any) -> str:
    return ", ".join(str(part) for part in parts if part)
