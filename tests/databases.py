"""The three places a store can stand in, as fixtures: memory, a SQLite file, and Postgres.

Knows:    how to have each with its tables, new for every test and quickly.
Does not: let Postgres be left out in silence: the run's summary says so, and where CI is set it fails.
Use:      tests/conftest.py takes these in, so every test has them. Dispose of every engine you open.
"""

import os
import shutil
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from common.database import open_engine
from store.database import Store, store_in_memory
from store.migrate import migrate
from tests.postgres import NoPostgres, Postgres

MEMORY = "sqlite://"
_TEMPLATE = "shop_with_tables"
_names = (f"shop_{number}" for number in count())

_untested: list[str] = []
"""Why Postgres was not tested; empty where it was, or nothing asked for it."""


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """One Postgres for the whole run, with a database to copy that has the tables."""
    try:
        server = Postgres()
    except NoPostgres as missing:
        _untested.append(str(missing))
        if os.environ.get("CI"):
            pytest.fail(f"Postgres must be tested where CI is set, and {missing}")
        pytest.skip(f"No Postgres: {missing}")
    try:
        migrate(server.create(_TEMPLATE))
        yield server
    finally:
        server.stop()


@pytest.fixture(scope="session")
def _sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("template") / "shop.db"
    migrate(f"sqlite:///{file}")
    return file


@pytest.fixture
def sqlite_url(_sqlite_template: Path, tmp_path: Path) -> str:
    """A new SQLite file that has the tables."""
    return f"sqlite:///{shutil.copy(_sqlite_template, tmp_path / 'shop.db')}"


@pytest.fixture
def postgres_url(postgres: Postgres) -> Iterator[str]:
    """A new database on Postgres that has the tables."""
    name = next(_names)
    yield postgres.create(name, _TEMPLATE)
    postgres.drop(name)


@pytest.fixture
def empty_postgres_url(postgres: Postgres) -> Iterator[str]:
    """A new database on Postgres without any table."""
    name = next(_names)
    yield postgres.create(name)
    postgres.drop(name)


@pytest.fixture(params=["sqlite", "postgres"])
def kept_url(request: pytest.FixtureRequest) -> str:
    """A database with the tables that outlives its process: a file, then Postgres."""
    return request.getfixturevalue(f"{request.param}_url")


@pytest.fixture(params=["sqlite", "postgres"])
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database without tables: a file that is not there yet, then Postgres."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'new.db'}"
    return request.getfixturevalue("empty_postgres_url")


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def database_url(request: pytest.FixtureRequest) -> str:
    """Each of the three places; what is in memory has its tables from the store that opens it."""
    return MEMORY if request.param == "memory" else request.getfixturevalue(f"{request.param}_url")


@pytest.fixture
def store(database_url: str) -> Iterator[Store]:
    """An empty store in each of the three places."""
    made = store_in_memory() if database_url == MEMORY else Store(open_engine(database_url))
    yield made
    made.engine.dispose()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say plainly when Postgres was left out."""
    if _untested:
        terminalreporter.section("Postgres was NOT tested")
        terminalreporter.line(f"There is no Postgres here: {_untested[0]}.")
