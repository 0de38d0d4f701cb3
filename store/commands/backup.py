"""`python -m store backup FILE`: the database, copied while it is in use."""

from pathlib import Path

import click

from store.backup import BackupFailed, back_up
from store.commands.opened import fail, opened, where


@click.command("backup")
@click.argument("file", type=click.Path(path_type=Path))
def command(file: Path) -> None:
    """Copy the database into FILE, which must not be there yet; servers go on meanwhile.

    Example: python -m store backup shop-2026-12-01.db

    It holds personal data, so only you can read it. From Postgres, it is what pg_dump makes.
    """
    with opened() as store:
        try:
            back_up(store.engine, file)
        except BackupFailed as failed:
            fail(str(failed))
    click.echo(f"{file}: a copy of {where()}, {file.stat().st_size:,} bytes. Keep it elsewhere.")
