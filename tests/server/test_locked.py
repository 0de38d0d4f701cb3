"""Another process holds the database: each call ends soon, as a refusal, and what was made stands."""

import sqlite3
from collections.abc import Iterator
from typing import Any

import pytest
from mcp import Client

from common.database import open_engine
from journal import Entry, Trail
from journal.key import JournalKey
from server import build_server
from store.database import Store
from store.demo import fill_with_demo
from tests.server.shop import CUSTOMER, TODAY, ask, code, data, demo, noon, opened, ticket

pytestmark = pytest.mark.anyio

RAW = "the text of an exception may hold mira@example.com"


class Shop(Store):
    """A shop on a SQLite file that another process can lock, now or right after the next ticket."""

    def __init__(self, url: str) -> None:
        super().__init__(open_engine(url), noon)
        self._other = sqlite3.connect(
            url.removeprefix("sqlite:///"), isolation_level=None, check_same_thread=False
        )
        self.locks_after_a_ticket = False

    def lock(self) -> None:
        self._other.execute("BEGIN IMMEDIATE")

    def free(self) -> None:
        self._other.execute("ROLLBACK")

    def open_ticket(self, *wanted: Any, **limit: Any) -> Any:
        opened = super().open_ticket(*wanted, **limit)
        if self.locks_after_a_ticket:
            self.lock()
        return opened

    def close(self) -> None:
        self._other.close()
        self.engine.dispose()


@pytest.fixture
def shop(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Shop]:
    for module in ("serving.recording", "store.database"):
        monkeypatch.setattr(f"{module}.CALL_WAIT_S", 0.05)
    monkeypatch.setattr("server.trail_of", lambda store: Trail(store.engine, JournalKey(b"of the tests")))
    store = Shop(sqlite_url)
    fill_with_demo(store, TODAY)
    yield store
    store.close()


def quiet(caplog: pytest.LogCaptureFixture) -> bool:
    """Say whether the log tells of the lock in a line, and has no traceback."""
    assert "database is locked" in caplog.text
    return not any(record.exc_info for record in caplog.records)


async def test_nothing_is_shown_or_made_while_the_trail_cannot_be_written(
    shop: Shop, caplog: pytest.LogCaptureFixture
):
    async with Client(build_server(shop, CUSTOMER, noon)) as client:
        shop.lock()
        assert code(await ask(client, "list_my_orders")) == "internal_error"
        assert code(await ticket(client, "4468", "damaged")) == "internal_error"
        assert code(await ask(client, "get_order_status", order_id="999999")) == "internal_error"
        shop.free()
        assert shop.open_tickets("4468") == []
        assert data(await ask(client, "list_my_orders"))["orders"]
    assert quiet(caplog)


async def test_a_ticket_that_was_made_is_answered_though_its_end_could_not_be_told(
    shop: Shop, caplog: pytest.LogCaptureFixture
):
    async with Client(build_server(shop, CUSTOMER, noon)) as client:
        shop.locks_after_a_ticket = True
        assert data(await ticket(client, "4468", "damaged"))["created"] is True
        shop.free()
    assert len(shop.open_tickets("4468")) == 1
    assert quiet(caplog)


class Broken(Trail):
    """A trail that fails as nobody expects."""

    def record(self, *entries: Entry, until: float | None = None) -> None:
        if entries[0].decision in self.fails_at:
            raise RuntimeError(RAW)

    fails_at: tuple[str, ...] = ()


@pytest.mark.parametrize(
    ("fails_at", "is_made"),
    [(("started",), False), (("written",), True), (("started", "failed"), False)],
)
async def test_whatever_fails_around_a_call_is_told_without_its_text(
    fails_at: tuple[str, ...],
    is_made: bool,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
):
    store = demo()
    trail = Broken(store.engine, JournalKey(b"of the tests"))
    trail.fails_at = fails_at
    monkeypatch.setattr("server.trail_of", lambda _: trail)
    async with opened(store=store) as client:
        result = await ticket(client, "4468", "damaged")
    assert (data(result)["created"] if is_made else code(result)) == (is_made or "internal_error")
    assert len(store.open_tickets("4468")) == is_made
    assert "RuntimeError in record" in caplog.text
    assert RAW not in caplog.text and not any(record.exc_info for record in caplog.records)


async def test_a_look_up_that_cannot_be_told_for_no_known_reason_is_not_shown(
    monkeypatch: pytest.MonkeyPatch,
):
    store = demo()
    trail = Broken(store.engine, JournalKey(b"of the tests"))
    trail.fails_at = ("done", "refused")
    monkeypatch.setattr("server.trail_of", lambda _: trail)
    async with opened(store=store) as client:
        assert code(await ask(client, "get_order_status", order_id="4471")) == "internal_error"
        assert code(await ask(client, "get_order_status", order_id="999999")) == "internal_error"
