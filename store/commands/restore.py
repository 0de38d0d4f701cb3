"""`python -m store restore FILE`: a backup in the place of the database."""

from pathlib import Path

import click

from common.database import open_engine
from store.backup import BackupFailed, restore
from store.commands.opened import database_url, fail, for_good, make_sure, where
from store.commands.recorded import recorded


@click.command("restore")
@click.argument("file", type=click.Path(path_type=Path))
@for_good
def command(file: Path, for_good: bool) -> None:
    """Put the backup FILE in the place of what the database holds now, which is lost.

    Example: python -m store restore shop-2026-12-01.db

    What came after the backup is gone: orders, tickets, and rows of the audit trail.
    """
    engine = open_engine(database_url())
    try:
        make_sure(f"Replace all that {where()} holds by {file}?", for_good)
        aside = restore(engine, file)
        with recorded(engine, "restore", file=file.name):
            pass  # the row before it was replaced with the rest
    except BackupFailed as failed:
        fail(str(failed))
    finally:
        engine.dispose()
    if aside:
        click.echo(f"What was there could not be read, and is now {aside}. Restart the servers.", err=True)
    click.echo(f"{where()} is as in {file}. If the code is newer, run: python -m store migrate")
