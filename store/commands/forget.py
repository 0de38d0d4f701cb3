"""`python -m store forget CUSTOMER`: what is known of a customer as a person is erased."""

import click

from common.text import visible
from store.commands.opened import fail, for_good, make_sure, opened
from store.commands.recorded import recorded
from store.commands.told import told_erased, told_scrubbed
from store.database import utc_now
from store.erasing import forget, named, scrub


@click.command("forget")
@click.argument("customer")
@for_good
def command(customer: str, for_good: bool) -> None:
    """Erase CUSTOMER, named by id or e-mail address. This cannot be undone.

    Example: python -m store forget mira.holm@example.com

    An e-mail address names everybody who holds it: the account, the guest, and accounts that gave it with an
    order. They are named before you say yes; to leave one out, name the others by their ids.

    Gone are the name, e-mail address, phone and addresses, gift notes, tracking numbers, references of
    payments, and what their tickets say; open ones are closed. Orders stay for the books and belong to
    nobody. The audit trail holds no personal value, so it stays whole. An import of the same orders brings
    the person back: erase them in the shop system first. Backups are yours to erase.
    """
    with opened() as store:
        known = named(store.engine, customer)
        if not known:
            called = "of this e-mail address" if "@" in customer else f"called {customer}"
            fail(f"There is no customer {called}; nothing was erased.")
        shown = ", ".join(map(visible, known))
        make_sure(f"Erase what is known of {shown}? It cannot be undone.", for_good)
        with recorded(store.engine, "forget", customers=sorted(known)):
            erased = forget(store.engine, known, utc_now())
        click.echo(told_erased(erased))
        told_scrubbed(scrub(store.engine))
