"""The schema: what a migration makes is what the code reads; any other database is refused in plain words."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, create_engine, event, inspect, text

import journal.schema
from common import database
from common.database import DatabaseUnusable, open_engine, require_schema, revision_of, writing
from common.settings import ROOT
from store import migrate as migrating
from store import schema
from store.database import open_store
from store.migrate import Migrated, every_table, migrate
from store.model import Reach
from tests.store.shell import shell_on


def said_by(action: Callable[[], Any]) -> str:
    with pytest.raises(DatabaseUnusable) as refused:
        action()
    return str(refused.value)


def run(url: str, *statements: str) -> None:
    engine = open_engine(url)
    with engine.begin() as connection:
        for statement in statements:
            connection.execute(text(statement))
    engine.dispose()


def tables_of(url: str) -> set[str]:
    engine = open_engine(url)
    names = set(inspect(engine).get_table_names())
    engine.dispose()
    return names


def test_the_revision_that_the_code_reads_is_the_newest_migration():
    config = Config()
    config.set_main_option("script_location", str(ROOT / "store" / "migrations"))
    assert ScriptDirectory.from_config(config).get_current_head() == database.REVISION


def test_a_migration_makes_exactly_the_tables_that_the_code_reads(kept_url: str):
    engine = open_engine(kept_url)
    with engine.connect() as connection:
        # SQLite keeps no Identity, which alembic takes for a default that is missing.
        options = {"compare_type": True, "compare_server_default": engine.name != "sqlite"}
        context = MigrationContext.configure(connection, opts=options)
        assert compare_metadata(context, every_table()) == []
    engine.dispose()


def create(engine: Engine) -> None:
    """Make the tables as the code has them."""
    for each in (schema.metadata, journal.schema.metadata):
        each.create_all(engine)


def _made_by(url: str, make: Callable[[Any], object]) -> dict[str, str]:
    engine = create_engine(url)
    make(engine)
    with engine.connect() as connection:
        rows = connection.execute(text("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL")).all()
    engine.dispose()
    return {row.name: "".join(row.sql.split()) for row in rows if row.name != "alembic_version"}


def test_a_migration_and_a_store_in_memory_make_the_same_constraints(tmp_path: Path):
    """What compare_metadata does not look at: checks, partial indexes, triggers, what a deletion does."""
    migrated = f"sqlite:///{tmp_path / 'migrated.db'}"
    created = f"sqlite:///{tmp_path / 'created.db'}"
    by_migration = _made_by(migrated, lambda _: migrate(migrated))
    by_code = _made_by(created, create)
    assert {name: _clauses(sql) for name, sql in by_migration.items()} == {
        name: _clauses(sql) for name, sql in by_code.items()
    }


def test_the_trail_is_append_only_however_its_table_was_made(empty_postgres_url: str, postgres_url: str):
    """Postgres keeps its triggers apart; SQLite's are compared above."""
    created = create_engine(empty_postgres_url)
    create(created)
    migrated = create_engine(postgres_url)
    assert _triggers(created) == _triggers(migrated) != []


def _triggers(engine: Engine) -> list[tuple[str, ...]]:
    with engine.connect() as connection:
        rows = connection.execute(
            text(
                "SELECT pg_get_triggerdef(t.oid), pg_get_functiondef(t.tgfoid) FROM pg_trigger t "
                "WHERE NOT t.tgisinternal ORDER BY t.tgname"
            )
        ).all()
    engine.dispose()
    return [tuple(row) for row in rows]


def _clauses(sql: str) -> list[str]:
    """Return what a statement says, whatever the order of its clauses."""
    return sorted(sql.replace(")", "").split(","))


def test_migrating_tells_from_where_to_where_and_twice_changes_nothing(empty_url: str):
    assert migrate(empty_url) == Migrated(None, "0002")
    run(empty_url, "INSERT INTO customers (id, digest) VALUES ('C-1', 'd')")
    assert migrate(empty_url) == Migrated("0002", "0002")
    engine = open_engine(empty_url)
    require_schema(engine)
    with engine.connect() as connection:
        assert connection.scalar(text("SELECT count(*) FROM customers")) == 1
    engine.dispose()


def of_0001(url: str) -> None:
    """Make the tables as they first stood, with a customer and a row of the trail."""
    engine = open_engine(url)
    with writing(engine) as connection:
        config = Config(attributes={"connection": connection})
        config.set_main_option("script_location", str(ROOT / "store" / "migrations"))
        command.upgrade(config, "0001")
    engine.dispose()
    run(url, "INSERT INTO customers (id, digest) VALUES ('C-1', 'd')")
    told = ", ".join(f"'{value}'" for value in [*"w0abcdefghij", *"khp"])
    run(
        url,
        "INSERT INTO audit (writer, seq, at, session, identity, side, gate, tool, argument_digest, decision, "
        f"reason, seen_writer, key, prev_hash, hash) VALUES ({told})",
    )


def test_a_database_of_the_first_schema_keeps_its_rows_and_gets_the_table_of_questions(empty_url: str):
    of_0001(empty_url)
    assert "is of schema 0001, older than this code" in said_by(lambda: open_store(empty_url))
    assert "approvals" not in tables_of(empty_url)
    assert migrate(empty_url) == Migrated("0001", "0002")
    engine = open_engine(empty_url)
    require_schema(engine)
    with engine.connect() as connection:
        for table, count in (("customers", 1), ("audit", 1), ("approvals", 0)):
            assert connection.scalar(text(f"SELECT count(*) FROM {table}")) == count
    engine.dispose()


def test_a_database_of_an_older_schema_can_be_backed_up_first_as_it_is_told(
    empty_url: str,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
):
    if empty_url.startswith("postgresql"):
        monkeypatch.setenv("PATH", f"{request.getfixturevalue('postgres').bin}:{os.environ['PATH']}")
    of_0001(empty_url)
    shell = shell_on(empty_url, monkeypatch, capsys)
    ran = shell("backup", str(tmp_path / "copy"))
    assert ran.code == 0, ran.err
    assert shell("migrate").code == 0
    assert shell("restore", str(tmp_path / "copy"), "--for-good").code == 0
    assert "is of schema 0001" in said_by(lambda: open_store(empty_url))
    assert migrate(empty_url) == Migrated("0001", "0002")


def test_many_that_migrate_at_once_make_the_tables_once(empty_url: str):
    with ThreadPoolExecutor(8) as pool:
        done = list(pool.map(migrate, [empty_url] * 8))
    assert sorted(done, key=lambda each: each.before or "") == [
        Migrated(None, "0002"),
        *[Migrated("0002", "0002")] * 7,
    ]


def test_a_migration_that_fails_leaves_nothing_behind(empty_url: str, monkeypatch: pytest.MonkeyPatch):
    opened = migrating.open_engine

    def breaking(url: str) -> Any:
        engine = opened(url)

        @event.listens_for(engine, "before_cursor_execute")
        def _(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
            if "CREATE TABLE ticket_events" in statement:
                raise database.SQLAlchemyError("the disk is full")

        return engine

    monkeypatch.setattr(migrating, "open_engine", breaking)
    said = said_by(lambda: migrate(empty_url))
    assert "could not be migrated, and was left as it was (the disk is full)" in said
    assert tables_of(empty_url) == set()


def test_tables_of_somebody_else_are_not_taken_over(empty_url: str):
    run(empty_url, "CREATE TABLE orders (id INTEGER)")
    assert "tables that this code did not make, under names that it needs: orders." in said_by(
        lambda: migrate(empty_url)
    )
    assert tables_of(empty_url) == {"orders"}


def test_a_store_does_not_open_on_a_database_without_tables(empty_url: str):
    assert said_by(lambda: open_store(empty_url)).endswith("has no tables yet. Run: python -m store migrate")


def test_a_newer_schema_is_neither_read_nor_migrated(kept_url: str):
    run(kept_url, "UPDATE alembic_version SET version_num = '9999'")
    assert "is of schema 9999, newer than this code, which reads 0002. Update the code" in said_by(
        lambda: open_store(kept_url)
    )
    assert "is of schema 9999, newer than this code" in said_by(lambda: migrate(kept_url))


def test_an_older_schema_is_told_how_to_be_brought_up(kept_url: str):
    run(kept_url, "UPDATE alembic_version SET version_num = '0000'")
    assert said_by(lambda: open_store(kept_url)).endswith(
        "is of schema 0000, older than this code, which reads 0002. "
        "Make a backup, then run: python -m store migrate"
    )


def test_a_file_that_is_no_database_is_named_and_left_alone(tmp_path: Path):
    file = tmp_path / "notes.txt"
    file.write_bytes(b"This is no database. " * 100)
    url = f"sqlite:///{file}"
    assert "cannot be opened (file is not a database)" in said_by(lambda: open_store(url))
    assert "could not be migrated" in said_by(lambda: migrate(url))
    assert file.read_bytes() == b"This is no database. " * 100


def test_a_folder_that_is_not_there_is_told_without_a_trace(tmp_path: Path):
    assert "unable to open database file" in said_by(lambda: migrate(f"sqlite:///{tmp_path}/no/shop.db"))


def test_a_database_that_does_not_answer_is_told_without_its_password(tmp_path: Path):
    url = f"postgresql://shop:s3cret@/shop?host={tmp_path}"
    for said in (said_by(lambda: open_store(url)), said_by(lambda: migrate(url))):
        assert "postgresql+psycopg://shop:***@/shop" in said
        assert "s3cret" not in said


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///:memory:"])
def test_a_database_in_memory_has_nothing_to_migrate(url: str):
    assert "set DATABASE_URL=sqlite:///shop.db" in said_by(lambda: migrate(url))


@pytest.mark.parametrize(
    "url",
    ["", "shop.db", "mysql://x/y", "oracle://x", "sqlite+aiosqlite:///x", "postgresql+asyncpg://x/y", "://"],
)
def test_a_url_that_names_no_known_database_is_told_what_to_write(url: str):
    assert "Write sqlite:// (in memory)" in said_by(lambda: open_engine(url))


def test_postgres_is_spoken_to_by_any_of_its_names():
    for name in ("postgres", "postgresql", "postgresql+psycopg"):
        engine = open_engine(f"{name}://shop@localhost/shop")
        assert engine.dialect.driver == "psycopg"


def test_a_store_in_memory_needs_no_migration():
    store = open_store("sqlite://")
    assert store.orders(Reach(everybody=True), 1) == []
    assert revision_of(store.engine) is None
    store.engine.dispose()


def test_a_slip_in_the_name_of_a_file_leaves_no_file_behind(tmp_path: Path):
    url = f"sqlite:///{tmp_path / 'shpo.db'}"
    assert said_by(lambda: open_store(url)).endswith("has no tables yet. Run: python -m store migrate")
    assert list(tmp_path.iterdir()) == []


def test_two_slashes_before_a_files_name_are_no_database_in_memory():
    assert said_by(lambda: open_store("sqlite://shop.db")).startswith(
        "DATABASE_URL has two slashes before a file's name. Write sqlite:///shop.db"
    )
