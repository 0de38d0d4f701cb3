"""How an erasure is told."""

import click

from store.commands.opened import where
from store.erasing import Erased


def told_erased(erased: Erased) -> str:
    """Return what was erased, in one sentence."""
    parts = [
        f"{count} {what}{'' if count == 1 else 's'}"
        for count, what in (
            (erased.customers, "customer"),
            (erased.orders, "order"),
            (erased.tickets, "ticket"),
            (erased.questions, "open question"),
        )
        if count
    ]
    return f"Erased the personal data of {', '.join(parts)}." if parts else "There was nothing to erase."


def told_scrubbed(done: bool) -> None:
    """Say on stderr where the erased bytes are still in the file."""
    if not done:
        click.echo(
            f"Another program has {where()} open, so erased bytes may still be in it or in its -wal file. "
            "Stop that program, then run: python -m store scrub",
            err=True,
        )
