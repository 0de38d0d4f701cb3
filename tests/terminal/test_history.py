"""The file that keeps what was typed, and what it does not keep."""

import stat
from pathlib import Path

import pytest
from prompt_toolkit.history import InMemoryHistory

from common.secret import looks_secret
from common.settings import state_folder
from terminal.history import private_history


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


@pytest.mark.parametrize(
    "line",
    [
        "my password is hunter2",
        "Password: hunter2",
        "api_key=abc",
        "the api key is 12345",
        "token = x",
        "sk-" + "abcd" * 5,
        "use gh" + "p_" + "abcd" * 5,
        "AK" + "IA" + "ABCD" * 4,
        "Authorization: Bearer abcdefghijklmnop",
        "ey" + "JhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.x",
        "-----BEG" + "IN PRIVATE KEY-----",
        "postgresql://shop:hunter2@localhost/shop",
        "d1f0c2a94e7b4d8c9f3a6b5e8d7c2f10",
        "I paid with 4111 1111 1111 1111",
        "4111-1111-1111-1111 exp 12/30",
        "5500000000000004",
        "mi contraseña es gato7",
        "мой пароль: кот7",
        "كلمة المرور: قط7",
        "पासवर्ड: बिल्ली7",
        "my pin is 1234",
        "CVC: 123",
        "write to kim@example.com please",
        "call me at +49 151 23456789",
    ],
)
def test_a_line_that_looks_like_a_secret_is_not_kept_and_that_is_said(tmp_path: Path, line: str):
    told: list[str] = []
    history = private_history(tmp_path / "history", told.append)
    history.append_string(line)
    history.append_string("a thing to remember")
    kept = (tmp_path / "history").read_text("utf-8")
    assert line not in kept
    assert "+a thing to remember\n" in kept
    assert told == ["This message looks as if it held a secret or a contact: it is not kept in the history."]
    assert line in history.get_strings()  # the arrow keys still find it until the chat ends


@pytest.mark.parametrize(
    "line",
    [
        "what is the status of order 4471?",
        "how do I reset my password?",
        "orders 4471, 4468 and 4480 please",
        "the tracking number is JJD000390007812345678",
        "is 49.99 EUR right for 2 lamps on 2026-12-02?",
        "Donaudampfschifffahrtsgesellschaft",
        "/export chat.json",
        "¿dónde está mi pedido 4471?",
    ],
)
def test_an_ordinary_line_is_kept(line: str):
    assert not looks_secret(line)


def test_the_history_stands_in_the_state_folder_of_the_xdg_rule(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert state_folder() == tmp_path / "shopkart"
    monkeypatch.setenv("XDG_STATE_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert state_folder() == tmp_path / ".local" / "state" / "shopkart"
    monkeypatch.delenv("XDG_STATE_HOME")
    assert state_folder() == tmp_path / ".local" / "state" / "shopkart"
