"""Whole pages of a chat at a terminal of 40, 80 and 200 columns: who speaks, what was done, no word broken.

The pages stand in tests/terminal/pages/, as they are read.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.terminal.person import FORKS, Terminal, played_chat

pytestmark = FORKS

PAGES = Path(__file__).parent / "pages"
LINES = (
    "long",
    "asks",
    "w",
    "e",
    "2",
    "other",
    "y",
    "asks",
    "n because it is the wrong one",
    "/undo",
    "/tools",
    "/hepl",
    "/cost",
)

CARDS = (
    *("adds", "a", "adds", "/permissions", "/permissions revoke 1", "adds", "n not again"),
    *("odd", "a", "n no"),
    *("form", "2", "", "kim", "kim@example.com", "y", "y"),
    "/help",
)


@pytest.fixture(params=[40, 80, 200])
def cards(request: pytest.FixtureRequest, history: Path) -> Iterator[Terminal]:
    terminal = played_chat(history, columns=request.param, rows=200)
    for line in CARDS:
        terminal.says(line)
    terminal.rests()
    yield terminal
    terminal.close()


def test_the_cards_read_well_at_any_width_and_nothing_that_is_filled_in_is_kept(
    cards: Terminal, history: Path
):
    assert cards.page == (PAGES / f"cards-{cards.screen.columns}.txt").read_text("utf-8")
    kept = history.read_text("utf-8")
    assert "+form\n" in kept
    assert "kim" not in kept


@pytest.fixture(params=[40, 80, 200])
def read(request: pytest.FixtureRequest, history: Path) -> Iterator[Terminal]:
    terminal = played_chat(history, columns=request.param, rows=120)
    for line in LINES:
        terminal.says(line)
    terminal.rests()
    yield terminal
    terminal.close()


def test_a_session_reads_well_at_any_width(read: Terminal):
    columns = read.screen.columns
    assert read.page == (PAGES / f"{columns}.txt").read_text("utf-8")
    for line in read.page.splitlines():
        if line.startswith("tool: "):
            assert len(line) <= columns
            assert "· ok · " in line or "· refused at permission" in line
