"""What every test shares: async tests run on asyncio, which is what the chat and the server run on."""

import pytest


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """Name the one event loop of the house; anyio's plugin reads this."""
    return "asyncio"
