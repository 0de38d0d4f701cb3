"""The played chat at a pseudo-terminal, for the tests of its keys and pages."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.terminal.person import Terminal, played_chat


@pytest.fixture
def history(tmp_path: Path) -> Path:
    return tmp_path / "state" / "history"


@pytest.fixture
def terminal(history: Path) -> Iterator[Terminal]:
    chat = played_chat(history)
    yield chat
    chat.close()
