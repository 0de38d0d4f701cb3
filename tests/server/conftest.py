"""One in-memory client for each protocol era."""

from collections.abc import AsyncGenerator

import pytest
from mcp import Client

from tests.server.shop import ERAS, opened


@pytest.fixture(params=ERAS)
def era(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
async def shop(era: str) -> AsyncGenerator[Client]:
    async with opened(era) as client:
        yield client
