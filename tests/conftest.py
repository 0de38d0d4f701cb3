"""What every test shares: the one event loop, and the three places a store can stand in."""

import pytest

from tests.databases import (  # noqa: F401
    _sqlite_template,
    database_url,
    empty_postgres_url,
    empty_url,
    kept_url,
    postgres,
    postgres_url,
    pytest_terminal_summary,
    sqlite_url,
    store,
)


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """Name the one event loop of the house; anyio's plugin reads this.

    Async tests run on asyncio, which is what the chat and the server run on.
    """
    return "asyncio"
