"""The file that keeps what was typed."""

import stat
from pathlib import Path

from prompt_toolkit.history import InMemoryHistory

from terminal.prompt import private_history


def test_a_history_that_others_could_read_becomes_private(tmp_path: Path):
    path = tmp_path / "history"
    path.touch(0o644)
    told: list[str] = []
    private_history(path, told.append).store_string("hello")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert path.read_text("utf-8").endswith("\n+hello\n")
    assert told == []


def test_a_message_that_cannot_be_kept_is_said_and_nothing_is_raised(tmp_path: Path):
    path = tmp_path / "history"
    told: list[str] = []
    history = private_history(path, told.append)
    path.unlink()
    path.mkdir()
    history.store_string("hello")
    assert told == [f"This message was not added to the history {path}: Is a directory."]


def test_a_history_that_cannot_be_opened_is_kept_in_memory(tmp_path: Path):
    told: list[str] = []
    history = private_history(tmp_path, told.append)
    assert isinstance(history, InMemoryHistory)
    assert told == [
        f"No history is kept: {tmp_path} cannot be opened (Is a directory). Make it writable to keep one."
    ]
