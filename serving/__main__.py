"""`python -m serving token`: a token to try the server over HTTP with, or for a shop that signs here.

Knows:    the command line.
Does not: know what a token holds.   (tokens.py)
"""

import click

from common.settings import BadSettings, load
from serving.http_settings import HttpSettings
from serving.tokens import BadKey, signed

_LONGEST_S = 365 * 24 * 3600


@click.group()
def main() -> None:
    """Sign in customers over HTTP, as in: python -m serving token --customer C-1001."""


@main.command()
@click.option("--customer", metavar="ID", help="The customer whom the token signs in.")
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
        click.echo(signed(load(HttpSettings), customer, staff=staff, ttl_s=ttl))
    except (BadSettings, BadKey) as error:
        raise click.UsageError(str(error)) from None


if __name__ == "__main__":
    main(prog_name="python -m serving")
