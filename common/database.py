"""The database behind DATABASE_URL, opened the same way by every room that keeps something.

Knows:    SQLite in memory, a SQLite file, Postgres; which revision of the schema this code reads.
Does not: know a table, except alembic's own.   (store/schema.py, journal/schema.py)
Agreed:   every transaction that writes is opened by `writing`: SQLite then takes its write lock at once, and
          waits for it, where one that reads first and writes later would be refused. Whatever the driver
          raises arrives as an SQLAlchemyError.
Private:  a SQLite file is made for its owner alone; SQLite gives the files beside it the same mode.
"""

import logging
import os
import sqlite3
import stat
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from sqlalchemy import (
    URL,
    Connection,
    Engine,
    ExceptionContext,
    create_engine,
    event,
    inspect,
    make_url,
    text,
)
from sqlalchemy.exc import ArgumentError, DatabaseError, NoSuchModuleError, OperationalError, SQLAlchemyError
from sqlalchemy.pool import QueuePool

from common.settings import Settings

log = logging.getLogger(__name__)

REVISION = "0002"
"""The schema that this code reads and writes: the newest file of store/migrations/versions."""

WAIT_S = 15.0
"""For how long a writer waits for the one before it."""

CALL_WAIT_S = 5.0
"""The same, for what is done within a customer's call: somebody sits before it."""

_WRITES = "shopkart_writes"
_WAIT_MS = "shopkart_wait_ms"


class DatabaseSettings(Settings):
    """Where the shop's data are kept."""

    database_url: str = "sqlite://"


class DatabaseUnusable(Exception):
    """The database cannot be used as it is; the text says why and what to do, and holds no password."""


def is_in_memory(url: str) -> bool:
    """Say whether what the URL names is gone with the process."""
    return _is_memory(_parsed(url))


def open_engine(url: str | URL) -> Engine:
    """Return an engine on the database; nothing is opened before the first use.

    Raises: DatabaseUnusable when the URL names no database of a kind that is known here.
    """
    parsed = _parsed(url)
    if parsed.get_backend_name() == "sqlite":
        return _sqlite(parsed)
    options = f"-c timezone=UTC -c lock_timeout={_ms(WAIT_S)}"
    connect = {"connect_timeout": 10, "options": options}
    engine = create_engine(parsed, pool_pre_ping=True, hide_parameters=True, connect_args=connect)
    event.listen(engine, "handle_error", _leave_out_values)
    return engine


@contextmanager
def writing(engine: Engine, *, wait_s: float | None = None) -> Generator[Connection]:
    """Open a transaction that writes; it is committed at the end, or rolled back by an exception.

    wait_s: for how long it waits for the other writers of a SQLite file, WAIT_S unless given. On Postgres,
    where they need not take turns: `take_turns`.
    """
    options = {_WRITES: True, _WAIT_MS: None if wait_s is None else _ms(wait_s)}
    with engine.connect().execution_options(**options) as connection, connection.begin():
        yield connection


def take_turns(connection: Connection, lock: int, *, wait_s: float = WAIT_S) -> None:
    """Let no other transaction that takes the same lock go on before this one ends.

    lock: any number that nobody else uses. SQLite: `writing` has the one write lock already.
    """
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(  # one round trip; 0 would be for ever
            f"SET LOCAL lock_timeout = {max(_ms(wait_s), 1)}; SELECT pg_advisory_xact_lock({lock})"
        )


def leave_no_trace(connection: Connection) -> None:
    """Have what this transaction removes be overwritten in a SQLite file, not only marked as free."""
    if connection.dialect.name == "sqlite":
        connection.execute(text("PRAGMA secure_delete=ON"))


def _ms(seconds: float) -> int:
    return max(int(seconds * 1000), 0)


def require_schema(engine: Engine) -> None:
    """See that the database has the tables of this code.

    Raises: DatabaseUnusable when it cannot be reached, is empty, or is of another revision.
    """
    found = revision_of(engine)
    if found == REVISION:
        return
    where = shown(engine.url)
    if found is None:
        raise DatabaseUnusable(f"The database {where} has no tables yet. Run: python -m store migrate")
    if found > REVISION:
        raise DatabaseUnusable(
            f"The database {where} is of schema {found}, newer than this code, which reads {REVISION}. "
            "Update the code, or restore a backup of before."
        )
    raise DatabaseUnusable(
        f"The database {where} is of schema {found}, older than this code, which reads {REVISION}. "
        "Make a backup, then run: python -m store migrate"
    )


def revision_of(engine: Engine) -> str | None:
    """Return the revision of the database's schema, None where it has none yet.

    Raises: DatabaseUnusable when it cannot be reached.
    """
    if _is_no_file(engine.url):
        return None  # to look into it would make it: a slip in the URL would leave an empty file behind
    try:
        with engine.connect() as connection:
            if not inspect(connection).has_table("alembic_version"):
                return None
            return connection.scalar(text("SELECT version_num FROM alembic_version"))
    except SQLAlchemyError as error:
        raise DatabaseUnusable(
            f"The database {shown(engine.url)} cannot be opened ({reason(error)}). "
            "Start it, or correct DATABASE_URL."
        ) from None


def _is_no_file(url: URL) -> bool:
    if url.get_backend_name() != "sqlite" or _is_memory(url):
        return False
    name = str(url.database)
    return not name.startswith("file:") and not Path(name).exists()


def shown(url: URL) -> str:
    """Return the URL as it may be told: without its password and its query, which may hold one."""
    return url.set(query={}).render_as_string(hide_password=True)


def _parsed(url: str | URL) -> URL:
    try:
        parsed = make_url(url)
        if parsed.get_backend_name() == "sqlite" and parsed.host:
            raise DatabaseUnusable(
                f"DATABASE_URL has two slashes before a file's name. Write sqlite:///{parsed.host}, or four "
                "slashes before a whole path."
            )
        if parsed.drivername in ("postgres", "postgresql"):
            parsed = parsed.set(drivername="postgresql+psycopg")
        if parsed.drivername not in ("sqlite", "sqlite+pysqlite", "postgresql+psycopg"):
            raise NoSuchModuleError
    except (ArgumentError, NoSuchModuleError, ValueError):
        raise DatabaseUnusable(
            "DATABASE_URL names no database that is known here. Write sqlite:// (in memory), "
            "sqlite:///shop.db (a file), or postgresql://USER:PASSWORD@HOST/NAME."
        ) from None
    return parsed


def _is_memory(url: URL) -> bool:
    return url.get_backend_name() == "sqlite" and url.database in (None, "", ":memory:")


def _sqlite(url: URL) -> Engine:
    # isolation_level None: transactions are begun by _begin below, not by the driver, which begins them late.
    connect: dict[str, Any] = {
        "isolation_level": None,
        "timeout": WAIT_S,
        "check_same_thread": False,
    }
    if _is_memory(url):
        # The one connection is the database. Who wants it while another has it waits.
        engine = create_engine(
            url,
            connect_args=connect,
            hide_parameters=True,
            poolclass=QueuePool,
            pool_size=1,
            max_overflow=0,
            pool_timeout=60,
        )
        event.listen(engine, "connect", _keep_references)
    else:
        engine = create_engine(url, connect_args=connect, hide_parameters=True)
        if file := _file_of(url):
            event.listen(engine, "do_connect", lambda *_: keep_private(file))
        event.listen(engine, "connect", _keep_references)
        event.listen(engine, "connect", _keep_on_disk)
    event.listen(engine, "begin", _begin)
    return engine


def _file_of(url: URL) -> Path | None:
    """Return the file that SQLite makes where there is none; None for a URI of a memory or of one to read."""
    name = str(url.database)
    if not name.startswith("file:"):
        return Path(name)
    return None if "mode" in url.query or ":memory:" in name else Path(unquote(urlsplit(name).path))


def _keep_references(connection: sqlite3.Connection, _: Any) -> None:
    connection.execute("PRAGMA foreign_keys=ON")


def _keep_on_disk(connection: sqlite3.Connection, _: Any) -> None:
    connection.execute("PRAGMA journal_mode=WAL")
    # FULL: what was committed outlives a loss of power, too.
    connection.execute("PRAGMA synchronous=FULL")


def keep_private(file: Path) -> None:
    """Make a database's file, which is for its owner alone; say once where others may read one that is there.

    Where it cannot be made, nothing happens: SQLite then says why.
    """
    if os.name != "posix":
        return
    with suppress(OSError):
        try:
            os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        except FileExistsError:
            mode = stat.S_IMODE(file.stat().st_mode)
            if mode & 0o077 and file not in _told_open:
                _told_open.add(file)
                log.warning(
                    "others may read the personal data in %s (mode %04o). Run: chmod 600 %s*",
                    file,
                    mode,
                    file,
                )


_told_open: set[Path] = set()


def _begin(connection: Connection) -> None:
    """Begin as the driver would not: at once. What it raises here, SQLAlchemy would hand on as it is."""
    options = connection.get_execution_options()
    # Straight to the driver: this is in every read of every call.
    cursor = connection.connection.cursor()
    statement = "BEGIN IMMEDIATE" if options.get(_WRITES) else "BEGIN"
    wait_ms = options.get(_WAIT_MS)
    try:
        if wait_ms is None:
            cursor.execute(statement)
            return
        cursor.execute(f"PRAGMA busy_timeout={wait_ms}")
        try:
            cursor.execute(statement)
        finally:
            cursor.execute(f"PRAGMA busy_timeout={_ms(WAIT_S)}")
    except sqlite3.Error as error:
        kind = OperationalError if isinstance(error, sqlite3.OperationalError) else DatabaseError
        raise kind(statement, None, error, hide_parameters=True) from error


def _leave_out_values(context: ExceptionContext) -> None:
    """Take out what Postgres adds to its message: the values of the row, which may be a customer's."""
    told = getattr(getattr(context.original_exception, "diag", None), "message_primary", None)
    if told and context.sqlalchemy_exception is not None:
        context.original_exception.args = (told,)
        context.sqlalchemy_exception.args = (f"({type(context.original_exception).__name__}) {told}",)


def reason(error: SQLAlchemyError) -> str:
    """Return what the driver said, on one line, without the statement; psycopg repeats no password."""
    origin = getattr(error, "orig", None) or error
    return " ".join(str(origin).split())[:300]
