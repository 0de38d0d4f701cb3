"""The picture of a session: what stood on the screen, and nothing that is fetched from elsewhere."""

import re
from pathlib import Path

from tests.terminal.person import FORKS, Terminal
from tests.terminal.recording import picture, write

pytestmark = FORKS


def test_a_page_becomes_text_and_a_picture_that_fetches_nothing(tmp_path: Path, terminal: Terminal):
    terminal.says("asks")
    terminal.sees("[y/N")
    terminal.types("y\r")
    terminal.sees("Ticket T-1 is open.")
    terminal.rests()
    write(terminal, tmp_path)
    assert (tmp_path / "session.txt").read_text("utf-8") == terminal.page
    svg = (tmp_path / "session.svg").read_text("utf-8")
    shown = re.sub(r"<[^>]+>", "", svg).replace("&#160;", " ")
    assert "Ticket T-1 is open." in shown
    assert set(re.findall(r"https?://[^\s\"')]+", svg)) <= {
        "http://www.w3.org/2000/svg",
        "https://www.textualize.io",
    }
    assert picture(terminal.screen) == svg
