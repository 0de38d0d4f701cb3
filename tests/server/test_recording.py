"""Every decision of the server is a row of the trail; what cannot be told is neither changed nor shown."""

from collections.abc import Callable
from typing import Any

import pytest
from mcp import Client

from journal import Entry, JournalFailed, NoTrail
from serving import GUEST, Access, Admission, Caller, Facts, HouseServer, Recorder
from support.arguments import SETTINGS
from tests.server.shop import CUSTOMER, DRY_RUN, ask, code, data, demo, opened, ticket

pytestmark = pytest.mark.anyio

Told = list[tuple[str, str, str, str]]


class Kept(NoTrail):
    """A trail in a list."""

    def __init__(self, fails_at: Callable[[Entry], bool] = lambda _: False) -> None:
        self.entries: list[Entry] = []
        self._fails_at = fails_at

    def record(self, *entries: Entry, until: float | None = None) -> None:
        for entry in entries:
            if self._fails_at(entry):
                raise JournalFailed("sqlite:///shop.db", "disk full")
            self.entries.append(entry)

    @property
    def told(self) -> Told:
        return [(each.tool, each.gate, each.decision, each.reason) for each in self.entries]


async def test_calls_beyond_the_limit_are_one_row_a_minute(trail: Kept, monkeypatch: pytest.MonkeyPatch):
    settings = SETTINGS.model_copy(update={"shopkart_lookups_per_minute": 3})
    monkeypatch.setattr("server.SETTINGS", settings)
    async with opened() as client:
        for _ in range(50):
            await ask(client, "get_ticket", ticket_id="x")
            await ask(client, "search_policy", query="x" * 201)
    assert [(each.gate, each.reason) for each in trail.entries] == [
        ("validation", "invalid_arguments"),
        ("validation", "invalid_arguments"),
        ("validation", "invalid_arguments"),
        ("limit", "too_many_lookups"),
    ]


@pytest.fixture
def trail(monkeypatch: pytest.MonkeyPatch) -> Kept:
    kept = Kept()
    monkeypatch.setattr("server.trail_of", lambda _: kept)
    # A recorder spares itself the thread where nothing is kept.
    monkeypatch.setattr("serving.recording.NoTrail", type("Never", (), {}))
    return kept


async def test_each_call_is_told_with_what_became_of_it(trail: Kept):
    async with opened() as client:
        await ask(client, "get_order_status", order_id="4471")
        await ask(client, "get_order_status", order_id="999999")
        await ask(client, "get_order_status", order_id="x")
        await ask(client, "call_me_at_5550100", order_id="4471")
        await ticket(client, "4471", "other", DRY_RUN)
        await ticket(client, "4471", "other")
        await ticket(client, "4471", "return")
    assert trail.told == [
        ("get_order_status", "execute", "done", ""),
        ("get_order_status", "precondition", "refused", "unknown_order"),
        ("get_order_status", "validation", "refused", "invalid_arguments"),
        ("", "whitelist", "refused", "unknown_tool"),
        ("create_ticket", "execute", "tried", ""),
        ("create_ticket", "execute", "started", ""),
        ("create_ticket", "execute", "written", ""),
        ("create_ticket", "execute", "started", ""),
        ("create_ticket", "precondition", "refused", "wrong_state"),
    ]
    assert {entry.customer_id for entry in trail.entries} == {"C-1001"}


async def test_a_guests_call_is_told_as_refused_to_a_guest_and_as_nothing_else(trail: Kept):
    async with opened(caller=GUEST) as client:
        await ask(client, "list_my_orders")
        await ticket(client, "4471", "other")
    assert trail.told == [
        ("list_my_orders", "permission", "refused", "not_signed_in"),
        ("create_ticket", "permission", "refused", "not_signed_in"),
    ]
    assert trail.entries[0].role == "guest"


async def test_a_change_whose_arguments_do_not_fit_has_not_started(trail: Kept):
    async with opened() as client:
        assert code(await ticket(client, "4471", "no category")) == "invalid_arguments"
    assert trail.told == [("create_ticket", "validation", "refused", "invalid_arguments")]


async def test_the_rows_of_one_conversation_are_told_apart_from_anothers(trail: Kept):
    async with opened() as client:
        for name in ("a", "b", None):
            await ask(client, "list_my_orders", {"shopkart/conversation": name} if name else None)
    a, b, unnamed = (entry.session for entry in trail.entries)
    assert (a, b) == ("a", "b")
    assert unnamed not in ("", "a", "b")


async def test_a_change_that_cannot_be_told_is_not_made(monkeypatch: pytest.MonkeyPatch, trail: Kept):
    monkeypatch.setattr(trail, "_fails_at", lambda entry: entry.decision == "started")
    store = demo()
    async with opened(store=store) as client:
        assert code(await ticket(client, "4468", "damaged")) == "internal_error"
    assert store.open_tickets("4468") == []


async def test_a_change_that_was_told_and_made_is_answered_though_its_end_could_not_be_told(
    monkeypatch: pytest.MonkeyPatch, trail: Kept, caplog: pytest.LogCaptureFixture
):
    monkeypatch.setattr(trail, "_fails_at", lambda entry: entry.decision == "written")
    store = demo()
    async with opened(store=store) as client:
        assert data(await ticket(client, "4468", "damaged"))["created"] is True
    assert len(store.open_tickets("4468")) == 1
    assert "disk full" in caplog.text


async def test_what_cannot_be_told_is_not_shown(monkeypatch: pytest.MonkeyPatch, trail: Kept):
    monkeypatch.setattr(trail, "_fails_at", lambda _: True)
    async with opened() as client:
        assert code(await ask(client, "get_order_status", order_id="4471")) == "internal_error"


async def test_a_summary_is_kept_without_what_is_personal_or_secret():
    store = demo()
    summary = "Call +49 30 5550 1101 or write to a.b@example.com about card 4111 1111 1111 1111, order 4468."
    async with opened(store=store) as client:
        arguments: dict[str, Any] = {"order_id": "4468", "category": "other", "summary": summary}
        data(await client.call_tool("create_ticket", arguments))
        data(await client.call_tool("contact_staff", {"summary": summary}))
    kept = [store.get_ticket(f"T-{number}", CUSTOMER.reach) for number in (1001, 1002)]
    assert {found.summary for found in kept if found} == {
        "Call [phone] or write to [e-mail] about card [card number], order 4468."
    }


async def test_a_server_without_a_trail_records_nothing(era: str):
    server = HouseServer(
        Facts("bare", "Bare", "1", ""), [], Admission(lambda: Caller("customer", "C-1"), Access())
    )
    async with Client(server, mode=era) as client:
        assert code(await client.call_tool("nothing", {})) == "unknown_tool"
    await Recorder(NoTrail(), lambda: GUEST).told(None, "done")  # type: ignore[arg-type]  # not even looked at
