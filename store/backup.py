"""Copying a database while it is in use, and putting a copy back.

Knows:    SQLite's own ways of both, and Postgres' programs.
Does not: ask whether it may.   (store/commands/)
Left out: the open questions of chats. One that was answered after the copy was made would be open again.
"""

import os
import shutil
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path
from time import monotonic
from typing import Any

from psycopg.conninfo import make_conninfo
from sqlalchemy import URL, Engine

from common.database import REVISION, keep_private
from journal.schema import approvals

_BUSY_S = 15


class BackupFailed(Exception):
    """A copy could not be made or put back; the text says why, and what is there now."""


def is_sqlite(engine: Engine) -> bool:
    """Say whether the database is a file of ours, or a server's."""
    return engine.name == "sqlite"


def back_up(engine: Engine, file: Path) -> None:
    """Copy the database into a new file that only its owner can read; whoever uses it goes on.

    Raises: BackupFailed; then there is no such file.
    """
    try:
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        raise BackupFailed(
            f"{file} is there already. Give another name; a backup overwrites nothing."
        ) from None
    except OSError as error:
        raise BackupFailed(f"{file} cannot be written ({error.strerror}). Give another place.") from None
    try:
        if is_sqlite(engine):
            _copy_out(_path(engine), file)
        else:
            without = f"--exclude-table-data={approvals.name}"
            _run("pg_dump", engine.url, "--format=custom", "--no-owner", without, f"--file={file}")
    except BackupFailed:
        file.unlink(missing_ok=True)
        raise


def restore(engine: Engine, file: Path) -> str | None:
    """Put a backup in the place of what the database holds; return where a damaged file was put aside.

    SQLite: programs that have the database open go on with the restored one.
    Raises: BackupFailed; then the database is as it was.
    """
    if not is_sqlite(engine):
        _run(
            "pg_restore",
            engine.url,
            "--clean",
            "--if-exists",
            "--no-owner",
            "--single-transaction",
            "--exit-on-error",
            str(file),
        )
        return None
    revision = _checked(file)
    if revision > REVISION:
        raise BackupFailed(f"{file} is of schema {revision}, newer than this code. Update the code first.")
    return _copy_in(file, _path(engine))


def _path(engine: Engine) -> Path:
    return Path(str(engine.url.database))


def _copy_out(database: Path, file: Path) -> None:
    try:
        with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True, timeout=_BUSY_S)) as source:
            source.execute("VACUUM INTO ?", (str(file),))
        _leave_out_questions(file)
    except sqlite3.Error as error:
        raise BackupFailed(f"{database} cannot be copied ({error}). There is no backup.") from None
    with file.open("rb") as written:
        os.fsync(written.fileno())
    _checked(file)


def _leave_out_questions(file: Path) -> None:
    with closing(sqlite3.connect(file, isolation_level=None)) as copy:
        if copy.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (approvals.name,)).fetchone():
            copy.execute("PRAGMA secure_delete=ON")
            copy.execute(f"DELETE FROM {approvals.name}")


def _checked(file: Path) -> str:
    """Return the revision of a backup's schema.

    Raises: BackupFailed when it is no whole database of ours.
    """
    if not file.is_file():
        raise BackupFailed(f"{file} is not there, or is no file.")
    try:
        with closing(sqlite3.connect(f"file:{file}?mode=ro&immutable=1", uri=True)) as copy:
            sound = copy.execute("PRAGMA integrity_check").fetchone()[0]
            revision = copy.execute("SELECT version_num FROM alembic_version").fetchone()
    except sqlite3.Error as error:
        raise BackupFailed(f"{file} is no backup that can be put back ({error}).") from None
    if sound != "ok" or revision is None:
        raise BackupFailed(f"{file} is damaged ({sound}).")
    return revision[0]


def _copy_in(file: Path, database: Path) -> str | None:
    try:
        _overwrite(file, database)
    except sqlite3.OperationalError as error:
        raise BackupFailed(
            f"{database} cannot be written ({error}). Stop the programs that use it, and run this again."
        ) from None
    except sqlite3.DatabaseError:  # what stands there cannot even be opened
        aside = database.with_name(f"{database.name}.damaged")
        for ending in ("", "-wal", "-shm"):
            part = database.with_name(database.name + ending)
            if part.exists():
                part.replace(aside.with_name(aside.name + ending))
        _overwrite(file, database)
        return str(aside)
    return None


def _overwrite(file: Path, database: Path) -> None:
    until = monotonic() + _BUSY_S
    keep_private(database)

    def patience(status: int, *_: int) -> None:
        """Give up in time; `backup` by itself tries for ever."""
        if status not in (sqlite3.SQLITE_OK, sqlite3.SQLITE_DONE) and monotonic() > until:
            raise sqlite3.OperationalError("database is locked")

    with (
        closing(sqlite3.connect(f"file:{file}?mode=ro&immutable=1", uri=True)) as source,
        closing(sqlite3.connect(database, timeout=_BUSY_S)) as target,
    ):
        target.execute("PRAGMA schema_version")  # reads the file: what is no database fails here
        source.backup(target, progress=patience)
        target.execute("PRAGMA journal_mode=WAL")


def _run(program: str, url: URL, *options: str) -> None:
    found = shutil.which(program)
    parts: dict[str, Any] = {**url.query, **url.translate_connect_args(username="user", database="dbname")}
    secret = {"PGPASSWORD": str(parts.pop("password"))} if "password" in parts else {}
    where = make_conninfo(**parts)
    if found is None:
        raise BackupFailed(
            f"{program} is not on this machine's PATH. Install Postgres' client programs, or run it where "
            f'they are: {program} {" ".join(options)} --dbname="{where}"'
        )
    done = subprocess.run(
        [found, *options, f"--dbname={where}"],
        env={"PATH": os.defpath, "HOME": str(Path.home()), **secret},  # HOME: where .pgpass is
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise BackupFailed(f"{program} failed: {' '.join(done.stderr.split())[:400]}")
