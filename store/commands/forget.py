"""`python -m store forget CUSTOMER`: what is known of a customer as a person is erased."""

import click

from store.commands.opened import fail, for_good, make_sure, opened
from store.commands.told import told_erased, told_scrubbed
from store.database import utc_now
from store.erasing import forget, scrub


@click.command("forget")
@click.argument("customer")
@for_good
def command(customer: str, for_good: bool) -> None:
    """Erase CUSTOMER, named by id or e-mail address. This cannot be undone.

    Example: python -m store forget mira.holm@example.com

    Gone are the name, e-mail address, phone and addresses, gift notes, tracking numbers, references of
    payments, and what their tickets say; open ones are closed. Orders stay for the books and belong to
    nobody. The audit trail holds no personal value, so it stays whole. An import of the same orders brings
    the person back: erase them in the shop system first. Backups are yours to erase.
    """
    with opened() as store:
        known = store.customer_id(customer)
        if known is None:
            named = "of this e-mail address" if "@" in customer else f"called {customer}"
            fail(f"There is no customer {named}; nothing was erased.")
        make_sure("Erase what is known of this customer? It cannot be undone.", for_good)
        click.echo(told_erased(forget(store.engine, known, utc_now())))
        told_scrubbed(scrub(store.engine))
