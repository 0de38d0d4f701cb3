"""Bringing a database to the schema of this code: all of it, or nothing where it fails.

Knows:    alembic, and how two that migrate at once take turns.
Does not: know a table.   (store/migrations/versions)
"""

from dataclasses import dataclass
from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, MetaData, inspect, text
from sqlalchemy.exc import SQLAlchemyError

import journal.schema
import store.schema as schema
from common.database import (
    REVISION,
    DatabaseUnusable,
    is_in_memory,
    open_engine,
    reason,
    shown,
    take_turns,
    writing,
)

_LOCK = 5_407_202
"""Postgres: the advisory lock of whoever migrates; any number that nobody else uses."""


@dataclass(frozen=True)
class Migrated:
    """What came of it: the revisions of before and after; before is None where there were no tables."""

    before: str | None
    after: str


def every_table() -> MetaData:
    """Return the tables of every room that keeps some, as one set."""
    together = MetaData(naming_convention=schema.metadata.naming_convention)
    for metadata in (schema.metadata, journal.schema.metadata):
        for table in metadata.tables.values():
            table.to_metadata(together)
    return together


def migrate(url: str) -> Migrated:
    """Create the tables, or bring those of an older revision up to date.

    Raises: DatabaseUnusable when the database cannot be reached or changed, is newer than this code, is in
    memory, or holds tables of somebody else under our names.
    """
    if is_in_memory(url):
        raise DatabaseUnusable(
            "DATABASE_URL is sqlite://, a database in memory, which makes its own tables and is gone with "
            "its process. To keep data, set DATABASE_URL=sqlite:///shop.db, or to a Postgres."
        )
    engine = open_engine(url)
    try:
        with writing(engine) as connection:
            return _upgrade(connection)
    except SQLAlchemyError as error:
        raise DatabaseUnusable(
            f"The database {shown(engine.url)} could not be migrated, and was left as it was "
            f"({reason(error)}). Mend that, and run it again: python -m store migrate"
        ) from None
    finally:
        engine.dispose()


def _upgrade(connection: Connection) -> Migrated:
    take_turns(connection, _LOCK)
    before = _revision(connection)
    if before is not None and before > REVISION:
        raise DatabaseUnusable(
            f"The database {shown(connection.engine.url)} is of schema {before}, newer than this code, which "
            f"reads {REVISION}. Update the code; a schema is never taken back."
        )
    if before is None and (
        taken := sorted(set(inspect(connection).get_table_names()) & set(every_table().tables))
    ):
        raise DatabaseUnusable(
            f"The database {shown(connection.engine.url)} has tables that this code did not make, under "
            f"names that it needs: {', '.join(taken)}. Give it a database of its own."
        )
    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    command.upgrade(config, "head")
    return Migrated(before, REVISION)


def _revision(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.scalar(text("SELECT version_num FROM alembic_version"))
