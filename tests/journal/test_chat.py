"""`python main.py` on a shop that is kept: both sides write one trail, with one key, under one session."""

import os
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest

from common.database import open_engine
from journal.key import FILE_NAME, read_key
from store.database import Store
from store.demo import fill_with_demo
from tests.house.tree import ROOT
from tests.journal.writers import forge, proven, rows
from tests.terminal.scripted_endpoint import serving

LOOK = ("get_order_status", {"order_id": "4471"})
LIMIT_S = 60


def chat(url: str, state: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    with serving(LOOK, "Your order 4471 has been shipped.") as endpoint:
        return subprocess.run(
            [sys.executable, str(ROOT / "main.py"), *arguments, "status of order 4471?"],
            capture_output=True,
            stdin=subprocess.DEVNULL,
            encoding="utf-8",
            env={
                "PATH": os.environ["PATH"],
                "LANG": "C.UTF-8",
                "DATABASE_URL": url,
                "XDG_STATE_HOME": str(state),
                **endpoint.environment,
            },
            timeout=LIMIT_S,
            check=False,
        )


@pytest.fixture
def shop(sqlite_url: str) -> str:
    store = Store(open_engine(sqlite_url))
    fill_with_demo(store, date(2026, 11, 30))
    store.engine.dispose()
    return sqlite_url


def test_both_sides_of_a_chat_write_one_trail(shop: str, tmp_path: Path):
    done = chat(shop, tmp_path, "--as", "C-1001")
    assert (done.returncode, done.stdout) == (0, "Your order 4471 has been shipped.\n"), done.stderr
    report = proven(shop, read_key(tmp_path / "shopkart" / FILE_NAME))
    assert (report.bad, report.chains) == (None, 2)
    told = [row for row in rows(shop) if row["gate"] == "execute"]
    assert [(row["side"], row["decision"]) for row in told] == [
        ("agent", "started"),
        ("server", "done"),
        ("agent", "done"),
    ]
    assert {len({row[name] for row in told}) for name in ("session", "identity", "argument_digest")} == {1}
    assert rows(shop)[-1]["decision"] == "ended"


def test_a_chat_whose_trail_cannot_be_written_looks_nothing_up_and_says_so(shop: str, tmp_path: Path):
    forge(shop, "ALTER TABLE audit RENAME TO away")
    done = chat(shop, tmp_path, "--as", "C-1001")
    assert (done.returncode, done.stdout) == (4, "")
    assert "The audit trail in" in done.stderr and "Nothing goes on without it" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_key_that_others_can_read_stops_the_start_and_is_told(shop: str, tmp_path: Path):
    key = tmp_path / "shopkart" / FILE_NAME
    key.parent.mkdir()
    key.write_text("a" * 64, "ascii")
    key.chmod(0o644)
    done = chat(shop, tmp_path, "--as", "C-1001")
    assert (done.returncode, done.stdout) == (2, "")
    assert f"chmod 600 {key}" in done.stderr
    assert "a" * 64 not in done.stderr
