"""`python -m store backup FILE`: the database, copied while it is in use."""

from pathlib import Path

import click

from common.database import open_engine, require_schema, revision_of
from store.backup import BackupFailed, back_up
from store.commands.opened import database_url, fail, where


@click.command("backup")
@click.argument("file", type=click.Path(path_type=Path))
def command(file: Path) -> None:
    """Copy the database into FILE, which must not be there yet; servers go on meanwhile.

    Example: python -m store backup shop-2026-12-01.db

    It holds personal data, so only you can read it. From Postgres, it is what pg_dump makes. A database of an
    older schema can be copied, too: before it is migrated. Open questions of chats are left out.
    """
    engine = open_engine(database_url())
    try:
        if revision_of(engine) is None:
            require_schema(engine)
        back_up(engine, file)
    except BackupFailed as failed:
        fail(str(failed))
    finally:
        engine.dispose()
    click.echo(f"{file}: a copy of {where()}, {file.stat().st_size:,} bytes. Keep it elsewhere.")
