"""`python -m store …` without a process: what it prints, and the code it ends with."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from io import StringIO

import pytest

from store.__main__ import main


@dataclass(frozen=True)
class Ran:
    """What a command came to."""

    code: int
    out: str
    err: str


Shell = Callable[..., Ran]


class _Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def shell_on(url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    """Return a way to run commands on a database. typed: what a person answers at a terminal."""
    monkeypatch.setenv("DATABASE_URL", url)

    def run(*words: str, typed: str | None = None) -> Ran:
        monkeypatch.setattr(sys, "argv", ["store", *words])
        monkeypatch.setattr(sys, "stdin", StringIO() if typed is None else _Terminal(typed))
        code = main()
        told = capsys.readouterr()
        return Ran(code, told.out, told.err)

    return run
