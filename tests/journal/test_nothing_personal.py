"""A customer's contact, card and token are in no row, no log and no file, whatever is typed or called."""

import logging
import os
import re
from datetime import date
from pathlib import Path

import anyio
import pytest

from agent_mcp import Conversation, approve_all, run
from common.database import open_engine
from common.redaction import log_redacted
from journal import journal_of_turns
from journal.turns import Served
from mcp_tools import connect
from store.database import Store
from store.demo import fill_with_demo
from tests.agent.scripted import Scripted, calls, says
from tests.journal.writers import rows

pytestmark = pytest.mark.anyio

# Written in pieces: no file of this project holds a secret.
TOKEN = "sk" + "-live-" + "a1B2c3D4e5F6g7H8"
PERSONAL = ("kim.lee@example.com", "+49 151 2345 6789", "4111 1111 1111 1111", TOKEN)
SAID = "mail {}, phone {}, card {}, token {}".format(*PERSONAL)
ASKS = f"the lamp in order 4468 arrived broken, please open a ticket: {SAID}"
TICKET = ("create_ticket", {"order_id": "4468", "category": "damaged", "summary": f"Broken lamp. {SAID}"})
TRIES = (
    calls((SAID, {})),
    calls(("get_order_status", f'{{"order_id": "{SAID}"')),
    calls(("get_order_status", {"order_id": SAID, "note": SAID})),
    says(f"I will write to {SAID}"),
)


def written_forms() -> list[bytes]:
    """Each as it stands, without what parts it, and as JSON would hold it."""
    forms = {*PERSONAL, *(re.sub(r"[ +-]", "", each) for each in PERSONAL)}
    return [form.encode(encoding) for form in sorted(forms) for encoding in ("utf-8", "utf-16-le")]


def files_with_something_personal(folder: Path) -> dict[str, list[bytes]]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert files
    found = {
        str(path.relative_to(folder)): [form for form in written_forms() if form in path.read_bytes()]
        for path in files
    }
    return {name: forms for name, forms in found.items() if forms}


@pytest.fixture
def shop(sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The demo shop in a file, as the settings name it; what is written stands beside it."""
    store = Store(open_engine(sqlite_url))
    fill_with_demo(store, date(2026, 11, 30))
    store.engine.dispose()
    for name, value in {
        "DATABASE_URL": sqlite_url,
        "XDG_STATE_HOME": str(tmp_path / "state"),
        "SHOPKART_ROLE": "customer",
        "SHOPKART_CUSTOMER": "C-1001",
    }.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("JOURNAL_KEY", raising=False)
    return sqlite_url


async def test_nothing_personal_is_in_the_trail_the_logs_or_any_file(
    shop: str, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    with (tmp_path / "stderr").open("w") as log:
        monkeypatch.setattr("sys.__stderr__", log)  # where the server's own goes
        async with connect() as bridge, journal_of_turns(Served(bridge.conversation)) as journal:
            with anyio.fail_after(60):
                await run(
                    ASKS,
                    Scripted(*TRIES),
                    approve_all,
                    bridge=bridge,
                    conversation=Conversation(),
                    journal=journal,
                )
                ticket = await run(
                    ASKS,
                    Scripted(calls(TICKET), says("It was opened.")),
                    approve_all,
                    bridge=bridge,
                    conversation=Conversation(),
                    journal=journal,
                )
            # While the files are open: what SQLite has not yet moved out of its log is looked at too.
            assert (tmp_path / "shop.db-wal").stat().st_size > 0
            assert files_with_something_personal(tmp_path) == {}
    assert ticket.meta["tools_used"] == ["create_ticket"]
    assert files_with_something_personal(tmp_path) == {}
    assert "[e-mail]" in (tmp_path / "shop.db").read_bytes().decode("utf-8", "replace")
    kept = [row for row in rows(shop) if row["gate"] != "journal"]
    assert len({row["session"] for row in kept}) == 1, "the rows of both sides do not belong together"
    assert {(row["side"], row["decision"]) for row in kept if row["tool"] == "create_ticket"} > {
        ("agent", "approved"),
        ("agent", "done"),
        ("server", "started"),
        ("server", "written"),
    }
    told = repr(rows(shop)) + "".join(capfd.readouterr())
    assert [form for form in PERSONAL if form in told] == []
    assert "C-1001" not in told


async def test_an_error_of_our_own_that_repeats_what_was_typed_is_logged_without_it(
    capfd: pytest.CaptureFixture[str],
):
    root = logging.getLogger()
    kept = root.handlers[:], root.level
    root.handlers.clear()
    try:
        log_redacted(logging.INFO)
        logging.getLogger("shop").info("asked: %s", SAID)
        try:
            raise ValueError(SAID)
        except ValueError:
            logging.getLogger("shop").exception("failed")
    finally:
        root.handlers[:], root.level = kept
    told = capfd.readouterr().err
    assert "Traceback" in told and told.count("[card number]") >= 2
    assert [form for form in PERSONAL if form in told] == []


def test_what_is_personal_would_be_found(tmp_path: Path):
    (tmp_path / "a").write_text(f"x{PERSONAL[2].replace(' ', '')}x", "utf-8")
    (tmp_path / "b").write_bytes(PERSONAL[0].encode("utf-16-le"))
    (tmp_path / "c").write_text("nothing", "utf-8")
    assert set(files_with_something_personal(tmp_path)) == {"a", "b"}
    assert os.path.exists(tmp_path / "c")
