"""`python -m serving token`: a token to try the server over HTTP with, or for a shop that signs here.

Knows:    the command line.
Does not: know what a token holds.   (tokens.py)
"""

import click

from common.database import DatabaseSettings, DatabaseUnusable, is_in_memory
from common.settings import BadSettings, load
from serving.http_settings import HttpSettings
from serving.tokens import BadKey, signed
from store import demo_store, open_store

_LONGEST_S = 365 * 24 * 3600


@click.group()
def main() -> None:
    """Sign in customers over HTTP, as in: python -m serving token --customer C-1001."""


@main.command()
@click.option(
    "--customer", metavar="ID", help="The customer whom the token signs in, by id or e-mail address."
)
@click.option("--staff", is_flag=True, help="Sign in staff, who see every order; --customer is then who.")
@click.option(
    "--ttl",
    metavar="SECONDS",
    type=click.IntRange(1, _LONGEST_S),
    default=3600,
    show_default=True,
    help="For how long it is good.",
)
def token(customer: str | None, staff: bool, ttl: int) -> None:
    """Print a token signed with SHOPKART_TOKEN_SECRET, and nothing else, to stdout."""
    if not staff and not (customer or "").strip():
        raise click.UsageError("Whom shall it sign in? Write --customer ID, as C-1001, or --staff.")
    try:
        who = customer if staff or customer is None else _id_of(customer.strip())
        click.echo(signed(load(HttpSettings), who, staff=staff, ttl_s=ttl))
    except (BadSettings, BadKey, DatabaseUnusable) as error:
        raise click.UsageError(str(error)) from None


def _id_of(who: str) -> str:
    """Return the id that a token must name, of a customer named by id or e-mail address."""
    url = load(DatabaseSettings).database_url
    store = demo_store() if is_in_memory(url) else open_store(url)
    try:
        known = store.customer_id(who)
    finally:
        store.engine.dispose()
    if known is None and "@" in who:
        raise click.UsageError("No customer of DATABASE_URL has that e-mail address. Name one by id.")
    if known is None:
        click.echo(
            f"No customer of DATABASE_URL has the id {who!r}; the token is signed all the same.", err=True
        )
    return known or who


if __name__ == "__main__":
    main(prog_name="python -m serving")
