"""Open questions when a customer is forgotten, when data grow old, and when a backup is made or put back."""

import os
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import anyio
import pytest
from sqlalchemy import select

from common.approval import ApprovalRequest
from common.database import open_engine
from common.pending import Pending
from guards.approval import sealed
from journal import Trail
from journal.approvals import TOLD_WITHIN_S, ApprovalsInSql
from journal.key import JournalKey, key_of
from journal.schema import approvals
from journal.served import Served
from journal.settings import JournalSettings
from store.database import Store
from store.erasing import Erased, forget, retain, scrub
from store.records import CustomerRecord
from tests.postgres import Postgres
from tests.store.shell import shell_on
from tests.store.shop import NOW, fill

MARK = "Zebulon"
KEY_TEXT = "the key of these tests, long enough"
KEY = JournalKey(KEY_TEXT.encode())


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JOURNAL_KEY", KEY_TEXT)
    assert key_of(JournalSettings()) == KEY


@pytest.fixture
def shop(kept_url: str) -> Iterator[Store]:
    store = Store(open_engine(kept_url), lambda: NOW)
    fill(store, CustomerRecord("C-7", email=f"{MARK}@example.com"), CustomerRecord("C-8"))
    yield store
    store.engine.dispose()


def ask(
    store: Store, who: str, *, key: JournalKey = KEY, audience: str = "person", expires_at: float = 0
) -> str:
    """Leave a question with the mark, and return its digest."""
    served = Served("s", "staff" if who == "staff" else "customer", "" if who == "staff" else who)
    fields: dict[str, Any] = {
        "id": f"{who} {audience} {expires_at} {key.fingerprint}",
        "tool": "refund",
        "title": "Refund",
        "arguments": {"note": MARK},
        "effect": MARK,
        "reversible": False,
        "digest": "",
        "expires_at": expires_at or NOW.timestamp() + 900,
        "audience": audience,
    }
    asked = Pending(sealed(ApprovalRequest(**fields)), "h", asked_at=NOW.timestamp())
    anyio.run(ApprovalsInSql(Trail(store.engine, key), served).ask, asked)
    return asked.request.digest


def kept(store: Store) -> list[str]:
    with store.engine.connect() as connection:
        query = select(approvals.c.digest).where(approvals.c.request != "").order_by(approvals.c.number)
        return list(connection.execute(query).scalars())


def test_who_is_forgotten_has_no_open_question_and_another_customer_has_theirs(shop: Store):
    ask(shop, "C-7")
    ask(shop, f"{MARK}@example.com")
    other = ask(shop, "C-8")
    assert forget(shop.engine, ["C-7"], NOW).questions == 2
    assert kept(shop) == [other]


def test_what_may_be_about_anybody_goes_with_whoever_is_forgotten(shop: Store):
    """The staff may have asked about the customer's order; a row that is not proven may be anybody's."""
    ask(shop, "staff")
    ask(shop, "C-8", key=JournalKey(b"x" * 32))
    other = ask(shop, "C-8", audience="staff")
    assert forget(shop.engine, ["C-7"], NOW) == Erased(1, 0, 0, 2)
    assert kept(shop) == [other]


def test_without_the_key_every_open_question_goes(
    shop: Store, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    ask(shop, "C-8")
    monkeypatch.delenv("JOURNAL_KEY")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    forget(shop.engine, ["C-7"], NOW)
    assert kept(shop) == []
    assert not (tmp_path / "state").exists(), "a key was made to forget somebody"


def test_no_byte_of_a_question_of_who_was_forgotten_is_left_in_the_file(sqlite_url: str):
    store = Store(open_engine(sqlite_url), lambda: NOW)
    fill(store, CustomerRecord("C-7"))
    ask(store, "C-7")
    forget(store.engine, ["C-7"], NOW)
    assert scrub(store.engine)
    store.engine.dispose()
    files = Path(sqlite_url.removeprefix("sqlite:///")).parent.glob("shop.db*")
    assert MARK.encode() not in b"".join(file.read_bytes() for file in files)


def test_questions_that_grew_old_go_with_what_is_retained_no_longer(shop: Store):
    now = NOW.timestamp()
    ask(shop, "C-7", expires_at=now - TOLD_WITHIN_S)
    told = ask(shop, "C-8", expires_at=now - TOLD_WITHIN_S + 1)
    assert retain(shop.engine, NOW - timedelta(days=100), NOW) == Erased(0, 0, 0, 1)
    assert kept(shop) == [told]
    assert retain(shop.engine, NOW - timedelta(days=1), NOW).questions == 1
    assert kept(shop) == []


def test_the_commands_say_how_many_questions_were_erased(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    store = Store(open_engine(sqlite_url), lambda: NOW)
    fill(store, CustomerRecord("C-7"))
    ask(store, "C-7")
    store.engine.dispose()
    ran = shell_on(sqlite_url, monkeypatch, capsys)("forget", "C-7", "--for-good")
    assert ran.out == "Erased the personal data of 1 customer, 1 open question.\n"


def test_a_backup_holds_no_open_question_so_none_comes_back_that_was_answered(
    kept_url: str,
    shop: Store,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
):
    if kept_url.startswith("postgresql"):
        programs: Postgres = request.getfixturevalue("postgres")
        monkeypatch.setenv("PATH", f"{programs.bin}:{os.environ['PATH']}")
    digest = ask(shop, "C-7")
    shell, copy = shell_on(kept_url, monkeypatch, capsys), tmp_path / "copy"
    assert shell("backup", str(copy)).code == 0
    assert MARK.encode() not in b"".join(each.read_bytes() for each in tmp_path.glob("copy*")).replace(
        f"{MARK}@example.com".encode(), b""
    ).replace(f"{MARK.lower()}@example.com".encode(), b"")
    theirs = ApprovalsInSql(Trail(shop.engine, KEY), Served("s", "customer", "C-7"))
    now = NOW.timestamp()
    assert anyio.run(theirs.redeem, digest, now)
    ran = shell("restore", str(copy), "--for-good")
    assert ran.code == 0, ran.err
    assert anyio.run(theirs.open, now) == []
    assert not anyio.run(theirs.redeem, digest, now)
    ask(shop, "C-8")
    assert len(kept(shop)) == 1
