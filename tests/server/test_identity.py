"""Whose orders and tickets: each caller sees their own, staff all, a guest the rules alone."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp_types import TextResourceContents
from sqlalchemy import select

from common.database import open_engine
from common.settings import load
from journal.key import key_of
from journal.settings import JournalSettings
from journal.verify import verify
from serving import GUEST, Access, BadAccess, Caller, Lookups, load_access
from store import Reach, Store, Wanted
from store.demo import CUSTOMERS, fill_with_demo
from store.schema import tickets
from support.arguments import SETTINGS
from tests.server.shop import (
    CUSTOMER,
    DRY_RUN,
    STAFF,
    TODAY,
    ask,
    code,
    data,
    demo,
    demo_orders,
    noon,
    opened,
    said,
    ticket,
)

pytestmark = pytest.mark.anyio

ORDERS = demo_orders(TODAY)
OWNERS = [customer.id or "" for customer in CUSTOMERS]


@pytest.fixture(autouse=True)
def unlimited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.SETTINGS", _limited_to(0))


def calls_about(order_id: str, ticket_id: str) -> Iterator[tuple[str, dict[str, Any], dict[str, Any] | None]]:
    yield "get_order_status", {"order_id": order_id}, None
    arguments = {"order_id": order_id, "category": "other", "summary": "Please look into this."}
    yield "create_ticket", arguments, DRY_RUN
    yield "create_ticket", arguments, None
    yield "get_ticket", {"ticket_id": ticket_id}, None


def kind_of(arguments: dict[str, Any]) -> str:
    return "order" if "order_id" in arguments else "ticket"


def a_ticket_each(store: Store) -> dict[str, str]:
    """Open a ticket for every order of the demo shop, and return their ids by order."""
    opened_ones = {
        order.id: store.open_ticket(
            Wanted("other", f"About {order.id}.", order.id, order.customer_id), limit=3
        ).ticket
        for order in ORDERS
    }
    return {order: found.id for order, found in opened_ones.items() if found}


@pytest.mark.parametrize("owner", [*OWNERS, ""])
async def test_of_another_customer_nothing_is_told_through_any_tool(owner: str):
    """Every order and ticket of the shop, asked for by each customer and by nobody."""
    await nothing_foreign_is_told(demo(), Caller("customer", owner) if owner else GUEST)


@pytest.mark.parametrize("caller", [Caller("customer", "C-1002"), GUEST], ids=["customer", "guest"])
async def test_nor_is_it_where_the_data_are_kept_and_the_trail_of_it_is_unbroken(
    kept_url: str, caller: Caller, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    store = Store(open_engine(kept_url), noon)
    try:
        fill_with_demo(store, TODAY)
        await nothing_foreign_is_told(store, caller)
        found = verify(store.engine, [key_of(load(JournalSettings))])
        assert found.bad is None
        assert found.rows > 100
    finally:
        store.engine.dispose()


async def nothing_foreign_is_told(store: Store, caller: Caller) -> None:
    tickets, owner = a_ticket_each(store), caller.customer_id
    async with opened(store=store, caller=caller, limit_s=120) as client:
        for order in ORDERS:
            if order.customer_id == owner:
                continue
            for tool, arguments, meta in calls_about(order.id, tickets[order.id]):
                foreign = await client.call_tool(tool, arguments, meta=meta)  # pyright: ignore[reportArgumentType]
                none = {"order_id": "999999", "ticket_id": "T-999999"}
                absent = await client.call_tool(
                    tool,
                    arguments | {key: value for key, value in none.items() if key in arguments},
                    meta=meta,  # pyright: ignore[reportArgumentType]
                )
                told = foreign.model_dump_json().replace(order.id, "999999")
                assert told.replace(tickets[order.id], "T-999999") == absent.model_dump_json()
                assert code(foreign) == (
                    "not_signed_in" if caller is GUEST else f"unknown_{kind_of(arguments)}"
                )


async def test_a_foreign_order_no_order_and_none_asked_for_take_the_same_question():
    """The owner stands in the query: no row of another customer's is ever read."""
    store = demo()
    asked: list[tuple[str, Reach]] = []
    real = store.get_order

    def watched(order_id: str, reach: Reach) -> Any:
        asked.append((order_id, reach))
        found = real(order_id, reach)
        assert found is None or found.customer_id == reach.customer_id
        return found

    store.get_order = watched  # type: ignore[method-assign]
    async with opened(store=store) as client:
        for order_id in ("4471", "4480", "999999"):
            await ask(client, "get_order_status", order_id=order_id)
    assert asked == [(each, Reach("C-1001")) for each in ("4471", "4480", "999999")]


@pytest.mark.parametrize("owner", OWNERS)
async def test_a_customers_list_holds_their_orders_newest_first_and_no_others(owner: str):
    async with opened(caller=Caller("customer", owner)) as client:
        listed = data(await ask(client, "list_my_orders"))
    mine = [order for order in ORDERS if order.customer_id == owner]
    assert [each["order_id"] for each in listed["orders"]] == [order.id for order in mine][:10]
    assert listed["more"] is (len(mine) > 10)


async def test_a_list_is_told_in_one_sentence_that_names_the_first_five(shop: Client):
    told = said(await ask(shop, "list_my_orders"))
    assert told.startswith("These are your orders, newest first: 447")
    assert told.count("; ") == 4
    assert told.endswith("There are older ones, too.")


async def test_a_customer_without_orders_is_told_so():
    async with opened(caller=Caller("customer", "C-0")) as client:
        result = await ask(client, "list_my_orders")
    assert data(result) == {"orders": [], "more": False}
    assert said(result) == "You have no orders in this shop."


async def test_a_guest_may_search_the_rules_and_nothing_else(era: str):
    async with opened(era, caller=GUEST) as client:
        assert data(await ask(client, "search_policy", query="how long can I return something"))["found"]
        refused = [
            await ask(client, "get_order_status", order_id="4471"),
            await ask(client, "list_my_orders"),
            await ticket(client, "4471", "other"),
            await ask(client, "get_ticket", ticket_id="T-1001"),
            await ask(client, "contact_staff", summary="Please call me."),
        ]
    assert {code(result) for result in refused} == {"not_signed_in"}
    assert "sign in" in said(refused[0])


async def test_a_guest_is_told_of_an_unknown_tool_as_anybody_is():
    async with opened(caller=GUEST) as client:
        assert code(await ask(client, "refund_everything")) == "unknown_tool"


async def test_what_is_not_listed_for_staff_is_refused_to_them():
    async with opened(caller=STAFF) as client:
        assert code(await ask(client, "list_my_orders")) == "not_allowed"


async def test_a_ticket_is_told_to_its_customer_and_to_staff():
    store = demo()
    async with opened(store=store) as client:
        opened_id = data(await ticket(client, "4468", "damaged"))["ticket_id"]
        state = await ask(client, "get_ticket", ticket_id=opened_id)
    assert data(state) == {
        "ticket_id": opened_id,
        "order_id": "4468",
        "category": "damaged",
        "status": "open",
        "opened_on": "2026-12-02",
        "closed_on": None,
        "note": None,
    }
    assert said(state).startswith(
        f"Ticket {opened_id} ('damaged') for order 4468 has been open since 2 December"
    )
    assert store.close_ticket(opened_id, "A new lamp was sent.")
    async with opened(store=store, caller=STAFF) as client:
        closed = await ask(client, "get_ticket", ticket_id=opened_id)
    told = f"Ticket {opened_id} ('damaged') for order 4468 was closed on 2 December 2026."
    assert said(closed) == f'{told} The staff wrote: "A new lamp was sent."'
    assert data(closed)["note"] == "A new lamp was sent."


async def test_a_customers_list_of_tickets_holds_theirs_newest_first_and_nobody_elses():
    store = demo()
    theirs = store.open_ticket(Wanted("other", "Where is it?", "4475", "C-1002"), limit=3).ticket
    async with opened(store=store) as client:
        assert said(await ask(client, "list_my_tickets")) == "You have no tickets in this shop."
        mine = [data(await ticket(client, order_id, "other"))["ticket_id"] for order_id in ("4468", "4471")]
        listed = await ask(client, "list_my_tickets")
    assert theirs is not None
    assert [each["ticket_id"] for each in data(listed)["tickets"]] == mine[::-1]
    assert said(listed).startswith(f"Ticket {mine[1]} ('other') for order 4471 has been open since")


async def test_a_closed_ticket_leaves_room_for_a_new_one():
    store = demo()
    async with opened(store=store) as client:
        first = data(await ticket(client, "4468", "damaged"))["ticket_id"]
        store.close_ticket(first, None)
        second = data(await ticket(client, "4468", "damaged"))
    assert second["created"] is True
    assert second["ticket_id"] != first


async def contact(client: Client, conversation: Any, meta: dict[str, Any] | None = None) -> dict[str, Any]:
    named = {"shopkart/conversation": conversation} | (meta or {})
    return data(await ask(client, "contact_staff", named, summary="Please call me back."))


async def test_one_conversation_has_one_open_hand_off(shop: Client):
    assert await contact(shop, "a", DRY_RUN) == {
        "ticket_id": None, "created": False, "status": "not_opened", "dry_run": True,
    }  # fmt: skip
    first = await contact(shop, "a")
    again = await contact(shop, "a")
    other = await contact(shop, "b")
    assert (first["created"], again["created"], other["created"]) == (True, False, True)
    assert first["ticket_id"] == again["ticket_id"] != other["ticket_id"]
    assert (await contact(shop, "a", DRY_RUN))["ticket_id"] == first["ticket_id"]


@pytest.mark.parametrize("conversation", [None, "", "x" * 65, 7, ["a"], {"a": 1}])
async def test_a_client_that_names_no_conversation_has_one_for_the_session(conversation: Any):
    async with opened() as client:
        first = await contact(client, conversation)
        assert (await contact(client, conversation))["ticket_id"] == first["ticket_id"]


async def test_a_conversations_name_reaches_nobody_elses():
    store = demo()
    async with opened(store=store) as client:
        mine = await contact(client, "a")
    async with opened(store=store, caller=Caller("customer", "C-1002")) as client:
        theirs = await contact(client, "a")
        assert code(await ask(client, "get_ticket", ticket_id=mine["ticket_id"])) == "unknown_ticket"
    assert mine["ticket_id"] != theirs["ticket_id"]


async def test_two_people_share_no_hand_off_whatever_their_ids_and_names_hold():
    """Put together with a mark between, "C-1" and "x:y" were "C-1:x" and "y"."""
    store = demo()
    found: list[Any] = []
    for who, name in (("C-1", "x:y"), ("C-1:x", "y"), ('C-1", "x', "y")):
        async with opened(store=store, caller=Caller("customer", who)) as client:
            found.append(await contact(client, name))
    assert [each["created"] for each in found] == [True, True, True]
    assert len({each["ticket_id"] for each in found}) == 3


async def test_a_conversations_own_name_is_kept_nowhere():
    store = demo()
    async with opened(store=store) as client:
        await contact(client, "mira.holm@example.com")
    with store.engine.begin() as connection:
        names = connection.execute(select(tickets.c.conversation)).scalars().all()
    assert len(names) == 1
    assert re.fullmatch(r"[0-9a-f]{32}", names[0])


async def test_a_customer_has_three_open_hand_offs_and_is_told_so():
    store = demo()
    async with opened(store=store) as client:
        first, *_ = [await contact(client, name) for name in "abc"]
        for meta in (DRY_RUN, {}):
            named = {"shopkart/conversation": "d"} | meta
            refused = await ask(client, "contact_staff", named, summary="Please call me back.")
            assert code(refused) == "too_many_hand_offs"
            assert said(refused).startswith("No ticket was opened: 3 tickets of this customer")
            assert refused.meta
            assert set(refused.meta["shopkart/said"]) == {"ar", "es", "hi", "ru"}
        assert (await contact(client, "a"))["ticket_id"] == first["ticket_id"]
        assert data(await ticket(client, "4468", "damaged"))["created"]
        assert store.close_ticket(first["ticket_id"], None)
        assert (await contact(client, "d"))["created"]
    async with opened(store=store, caller=Caller("customer", "C-1002")) as client:
        assert (await contact(client, "a"))["created"]


# ---------------------------------------------------------------- the session, the file, the limit


@pytest.mark.parametrize(
    ("caller", "told"),
    [
        (CUSTOMER, "demo shop, signed in as customer C-1001"),
        (STAFF, "demo shop, staff, who see every order"),
        (GUEST, "demo shop, nobody signed in: only the shop's rules can be asked about"),
    ],
)
async def test_the_session_says_whom_it_serves(caller: Caller, told: str):
    async with opened(caller=caller) as client:
        (content,) = (await client.read_resource("shop://session")).contents
    assert isinstance(content, TextResourceContents)
    assert content.text == told


def test_the_access_file_of_the_project_lists_tools_that_are_there():
    names = "get_order_status list_my_orders search_policy create_ticket get_ticket list_my_tickets".split()
    names.append("contact_staff")
    access = load_access("access.yaml", names)
    assert [name for name in names if access.allows("guest", name)] == ["search_policy"]
    assert all(access.allows("customer", name) for name in names)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("guest: [search_polcy]", "names search_polcy, and there are only: search_policy"),
        ("guests: [search_policy]", "must list tools for the roles"),
        ("guest: search_policy", "must list tools for the roles"),
        ("[search_policy]", "must list tools for the roles"),
        ("guest: [search_policy", "cannot be read"),
        ("guest: [{a: 1}]", "must list tools for the roles"),
    ],
)
def test_an_access_file_with_a_mistake_stops_the_start(tmp_path: Any, text: str, told: str):
    path = tmp_path / "access.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadAccess, match=told):
        load_access(str(path), ["search_policy"])


def test_a_file_that_lists_nothing_allows_nothing(tmp_path: Any):
    path = tmp_path / "access.yaml"
    path.write_text("", encoding="utf-8")
    access = load_access(str(path), ["search_policy"])
    assert access == Access()
    assert not any(access.allows(role, "search_policy") for role in ("guest", "customer", "staff"))


def test_an_access_file_that_is_not_there_is_named():
    with pytest.raises(BadAccess, match=r"nowhere\.yaml cannot be read"):
        load_access("nowhere.yaml", [])


def test_a_person_has_their_lookups_of_each_minute_and_nobody_elses():
    now = [0.0]
    lookups = Lookups(2, lambda: now[0])
    assert [lookups.allow("a"), lookups.allow("a"), lookups.allow("a"), lookups.allow("b")] == [
        True, True, False, True,
    ]  # fmt: skip
    now[0] = 59.9
    assert not lookups.allow("a")
    now[0] = 60.0
    assert lookups.allow("a")


def test_whoever_asked_nothing_for_a_minute_is_not_kept():
    now = [0.0]
    lookups = Lookups(1, lambda: now[0])
    assert all(lookups.allow(str(number)) for number in range(20_000))
    now[0] = 30.0
    assert not lookups.allow("1")
    now[0] = 61.0
    assert lookups.allow("1")
    assert len(lookups) == 1


def test_no_limit_is_no_limit():
    assert all(Lookups(0).allow("a") for _ in range(1000))


def test_that_it_was_too_often_is_noted_once_a_minute_for_each_person():
    now = [0.0]
    lookups = Lookups(1, lambda: now[0])
    assert [lookups.notes("a"), lookups.notes("a"), lookups.notes("b")] == [True, False, True]
    now[0] = 59.9
    assert not lookups.notes("a")
    now[0] = 60.0
    assert [lookups.notes("a"), lookups.notes("a")] == [True, False]


async def test_a_look_up_beyond_the_limit_is_refused_whether_the_order_is_there_or_not(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr("server.SETTINGS", _limited_to(3))
    async with opened() as client:
        for order_id in ("4471", "999999", "4480"):
            await ask(client, "get_order_status", order_id=order_id)
        beyond = [
            await ask(client, "get_order_status", order_id="4471"),
            await ask(client, "get_order_status", order_id="999999"),
            await ticket(client, "4471", "other"),
            await ask(client, "get_ticket", ticket_id="T-1001"),
        ]
        assert data(await ask(client, "search_policy", query="return window"))["found"]
    assert {code(result) for result in beyond} == {"too_many_lookups"}
    monkeypatch.setattr("server.SETTINGS", _limited_to(1))
    async with opened(caller=STAFF) as client:
        for _ in range(3):
            assert not (await ask(client, "get_order_status", order_id="4471")).is_error


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("list_my_orders", {}),
        ("contact_staff", {"summary": "Please call me."}),
        ("get_ticket", {"ticket_id": "x"}),
        ("get_order_status", {"order_id": "4471", "customer_id": "C-1002"}),
        ("no_such_tool", {}),
        ("search_policy", {"query": 7}),
        ("search_policy", {f"k{number}": 1 for number in range(100)}),
    ],
)
async def test_every_call_but_an_answered_one_about_the_rules_counts(
    tool: str, arguments: dict[str, Any], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("server.SETTINGS", _limited_to(2))
    async with opened() as client:
        for _ in range(2):
            await ask(client, tool, **arguments)
        assert code(await ask(client, tool, **arguments)) == "too_many_lookups"
        assert code(await ask(client, "get_order_status", order_id="4471")) == "too_many_lookups"
        assert data(await ask(client, "search_policy", query="return window"))["found"]


async def test_nothing_is_opened_beyond_the_limit(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("server.SETTINGS", _limited_to(1))
    store = demo()
    async with opened(store=store) as client:
        await ask(client, "list_my_orders")
        assert code(await ask(client, "contact_staff", summary="Please call me.")) == "too_many_lookups"
        assert code(await ticket(client, "4468", "damaged")) == "too_many_lookups"
    async with opened(store=store, caller=STAFF) as client:
        assert code(await ask(client, "get_ticket", ticket_id="T-1001")) == "unknown_ticket"


async def test_more_arguments_than_any_tool_has_are_refused_before_each_is_looked_at(
    shop: Client, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("serving.house.invalid_arguments", None)  # what puts each of them into words
    many: dict[str, Any] = {f"k{number}": 1 for number in range(65)}
    result = await shop.call_tool("search_policy", many)
    assert code(result) == "invalid_arguments"
    assert said(result).startswith("The arguments do not fit: there are more than 64.")


def _limited_to(lookups: int) -> Any:
    return SETTINGS.model_copy(update={"shopkart_lookups_per_minute": lookups})
