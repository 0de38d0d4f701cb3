"""`python -m store scrub`: what was erased leaves the bytes of the file, too."""

import click

from store.commands.opened import fail, opened, where
from store.erasing import scrub


@click.command("scrub")
def command() -> None:
    """Rewrite the database without the bytes that were erased; `forget` and `retain` do it by themselves.

    Example: python -m store scrub
    """
    with opened() as store:
        if not scrub(store.engine):
            fail(f"Another program has {where()} open. Stop it, and run this again.")
        click.echo(f"{where()}: nothing that was erased is left in it.")
