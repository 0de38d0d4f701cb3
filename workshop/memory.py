"""What the agents share: values under keys, and the dialogue with the person.

Knows:    its tables, in a SQLite file of its own; that a write is done whole or not at all.
Does not: know what is kept.   (runs.py, talking.py)
Cost:     what is read of the dialogue is bounded, so a turn costs the same after ten turns and ten thousand.
          (docs/decisions/045-wires-that-do-not-wait.md)
"""

import json
import os
import sqlite3
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import (
    URL,
    Column,
    Connection,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    bindparam,
    event,
    func,
    select,
)
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.exc import SQLAlchemyError

from common.database import open_engine, reason, writing
from workshop.errors import MemoryUnusable
from workshop.messages import Remembered

_METADATA = MetaData()
_FACTS = Table(
    "facts",
    _METADATA,
    Column("key", String, primary_key=True),
    Column("value", Text, nullable=False),
)
_DIALOGUE = Table(
    "dialogue",
    _METADATA,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("role", String, nullable=False),
    Column("content", Text, nullable=False),
)
_FORM = 1
"""The form of the tables, kept as SQLite's user_version."""

_BACKWARDS = select(
    _DIALOGUE.c.role, func.substr(_DIALOGUE.c.content, 1, bindparam("most", type_=Integer))
).order_by(_DIALOGUE.c.id.desc())
"""The dialogue from its end; of a line no more is read than could be used."""

_ROLES = frozenset({"user", "assistant"})


class Memory:
    """A memory that outlives the process, or with None as its path one that does not.

    Every call raises MemoryUnusable when the file cannot be used; several processes may use it at once.
    """

    def __init__(self, path: Path | None) -> None:
        self._shown = "in memory" if path is None else str(path)
        if path is not None:
            _make_folder(path)
        url = URL.create("sqlite", database=None if path is None else str(path))
        self._engine = open_engine(url)
        event.listen(self._engine, "connect", _quick)
        with self._told(), writing(self._engine) as connection:
            self._prepare(connection)

    def remember(self, key: str, value: Any) -> None:
        """Keep a value that JSON can hold, in place of what was kept under this key."""
        try:
            text = json.dumps(value, allow_nan=False)
        except (TypeError, ValueError, RecursionError) as error:
            raise MemoryUnusable(
                f"The value for {key!r} cannot be kept: {error}. Give one that JSON can hold."
            ) from error
        kept = insert(_FACTS).values(key=_sound(key), value=text)
        with self._told(), writing(self._engine) as connection:
            connection.execute(kept.on_conflict_do_update(index_elements=["key"], set_={"value": text}))

    def recall(self, key: str, default: Any = None) -> Any:
        """Return what is kept under a key."""
        with self._told(), self._engine.connect() as connection:
            text = connection.scalar(select(_FACTS.c.value).where(_FACTS.c.key == _sound(key)))
        return default if text is None else json.loads(text)

    def forget(self, key: str) -> None:
        """Keep nothing under this key."""
        with self._told(), writing(self._engine) as connection:
            connection.execute(_FACTS.delete().where(_FACTS.c.key == _sound(key)))

    def append(self, role: str, content: str) -> None:
        """Add a line to the dialogue; role is user or assistant."""
        self.append_all([(role, content)])

    def append_all(self, lines: Iterable[tuple[str, str]]) -> None:
        """Add lines to the dialogue, all or none; each is a role and what was said."""
        rows = [{"role": role, "content": _sound(content)} for role, content in lines]
        for row in rows:
            if row["role"] not in _ROLES:
                raise MemoryUnusable(f"{row['role']!r} is no role of a dialogue. Write user or assistant.")
        if rows:
            with self._told(), writing(self._engine) as connection:
                connection.execute(_DIALOGUE.insert(), rows)

    def newest(self, chars: int) -> tuple[Remembered, ...]:
        """Return the newest lines that fit into so many characters together, oldest first.

        Lines are whole, except where not even the newest fits: then its beginning is returned.
        """
        taken: list[Remembered] = []
        room = chars
        with self._told(), self._engine.connect() as connection:
            # Row by row: SQLite reads no further back than this loop does.
            rows = connection.execute(_BACKWARDS, {"most": max(chars, 0) + 1})
            for role, content in rows:
                if len(content) > room:
                    if not taken and room > 0:
                        taken.append(Remembered(role=role, content=f"{content[: room - 1]}…"))
                    break
                taken.append(Remembered(role=role, content=content))
                room -= len(content)
            rows.close()
        return tuple(reversed(taken))

    def close(self) -> None:
        """Give the file back."""
        self._engine.dispose()

    def _prepare(self, connection: Connection) -> None:
        form = connection.exec_driver_sql("PRAGMA user_version").scalar_one()
        if form > _FORM:
            raise MemoryUnusable(
                f"The workshop's memory ({self._shown}) is of form {form}, newer than this code, which reads "
                f"{_FORM}. Update the code, or name another WORKSHOP_FOLDER."
            )
        if form == 0:
            _METADATA.create_all(connection)
            connection.exec_driver_sql(f"PRAGMA user_version={_FORM}")

    @contextmanager
    def _told(self) -> Generator[None]:
        try:
            yield
        except SQLAlchemyError as error:
            raise MemoryUnusable(
                f"The workshop's memory ({self._shown}) cannot be used: {reason(error)}. Free it, move it "
                "away, or name another WORKSHOP_FOLDER."
            ) from error


def _make_folder(path: Path) -> None:
    try:
        path.parent.mkdir(mode=0o700 if os.name == "posix" else 0o777, parents=True, exist_ok=True)
    except OSError as error:
        raise MemoryUnusable(
            f"The workshop's folder {path.parent} cannot be made: {error.strerror}. Name another "
            "WORKSHOP_FOLDER."
        ) from error


def _quick(connection: sqlite3.Connection, _: Any) -> None:
    # With a write-ahead log our own crash loses nothing, and a loss of power the last turns at most.
    connection.execute("PRAGMA synchronous=NORMAL")


def _sound(text: str) -> str:
    """Return the text without what SQLite cannot hold: halves of surrogate pairs, and NUL."""
    return text.encode("utf-8", "replace").decode("utf-8").replace("\0", "\ufffd")
