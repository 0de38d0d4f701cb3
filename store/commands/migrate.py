"""`python -m store migrate`: the tables of this code, in the database of DATABASE_URL."""

import click

from common.database import DatabaseSettings, open_engine, shown
from common.settings import load


@click.command("migrate")
def command() -> None:
    """Create the database's tables, or bring older ones up to date.

    It is done whole or not at all, and two at once are safe. Make a backup before it changes older tables.
    """
    from store.migrate import migrate  # alembic is needed by nothing else

    url = load(DatabaseSettings).database_url
    done = migrate(url)
    where = shown(open_engine(url).url)
    if done.before is None:
        click.echo(f"{where}: made the tables of schema {done.after}.")
    elif done.before == done.after:
        click.echo(f"{where}: is of schema {done.after} already; nothing was changed.")
    else:
        click.echo(f"{where}: brought from schema {done.before} to {done.after}.")
