"""What every test shares: the one event loop, and the three places a store can stand in."""

import pytest
from hypothesis import settings

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

# Half of what hypothesis tries by itself: there are many laws here, and `make test` is run often.
settings.register_profile("often", max_examples=50)
settings.load_profile("often")


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """Name the one event loop of the house; anyio's plugin reads this.

    Async tests run on asyncio, which is what the chat and the server run on.
    """
    return "asyncio"
