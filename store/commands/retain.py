"""`python -m store retain`: personal data that are older than RETENTION_DAYS are erased."""

from datetime import timedelta

import click

from common.settings import load
from store.commands.opened import for_good, make_sure, opened
from store.commands.recorded import recorded
from store.commands.told import told_erased, told_scrubbed
from store.database import utc_now
from store.erasing import retain, scrub
from store.settings import RetentionSettings


@click.command("retain")
@for_good
def command(for_good: bool) -> None:
    """Erase the person of orders placed, and of tickets closed, more than RETENTION_DAYS days ago.

    Example: RETENTION_DAYS=730 python -m store retain --for-good

    What goes and what stays is as with `forget`. An order with an open ticket waits for it to be closed, and
    one whose day is not known stays. A customer goes with the last of their orders. Run it every night.
    """
    days = load(RetentionSettings).retention_days
    if not days:
        raise click.UsageError("RETENTION_DAYS is 0, which keeps everything. Set it to a number of days.")
    now = utc_now()
    since = now - timedelta(days=days)
    with opened() as store:
        make_sure(f"Erase personal data of before {since:%Y-%m-%d}? It cannot be undone.", for_good)
        with recorded(store.engine, "retain", before=since):
            erased = retain(store.engine, since, now)
        click.echo(told_erased(erased))
        if erased:
            told_scrubbed(scrub(store.engine))
