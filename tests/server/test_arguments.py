"""Gates 1 to 3: what is not a call of a tool as its schema says never reaches it."""

import re
from typing import Any

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mcp import Client

from store import Order, Reach, Store
from tests.server.shop import ask, code, demo, noon, opened, said, ticket

pytestmark = pytest.mark.anyio


class WatchedStore(Store):
    """Remembers every id that it was asked for."""

    def __init__(self) -> None:
        super().__init__(demo().engine, noon, waits=False)
        self.asked: list[str] = []

    def get_order(self, order_id: str, reach: Reach) -> Order | None:
        self.asked.append(order_id)
        return super().get_order(order_id, reach)


async def test_an_unknown_tool_is_refused_without_repeating_its_name(shop: Client):
    result = await ask(shop, "delete_customer_4471", order_id="4471")
    assert code(result) == "unknown_tool"
    assert "delete_customer" not in said(result)
    known = (
        "get_order_status list_my_orders search_policy create_ticket get_ticket list_my_tickets contact_staff"
    )
    assert ", ".join(known.split()) in said(result)


@pytest.mark.parametrize(
    "name", ["", "GET_ORDER_STATUS", "get_order_status ", "__class__", "_order", "x" * 10_000]
)
async def test_a_name_that_is_nearly_a_tools_is_no_tool(shop: Client, name: str):
    assert code(await shop.call_tool(name, {"order_id": "4471"})) == "unknown_tool"


@pytest.mark.parametrize(
    "order_id",
    [
        "", " ", "4471\n", "\n4471", " 4471", "4471 ", "#4471", "44 71", "-4471", "+4471", "4471.0", "0x1177",
        "1" * 13, "1" * 100_000, "4471\x00", "4471\u200b", "\u0664\u0664\u0667\u0661",
        "\uff14\uff14\uff17\uff11",
        "four", "4471;", "4471' OR '1'='1", "4471\r\n", "T-1001",
        4471, 4471.0, True, None, ["4471"], {"order_id": "4471"}, [],
    ],
)  # fmt: skip
async def test_what_is_no_order_id_never_reaches_the_store(era: str, order_id: Any):
    store = WatchedStore()
    async with opened(era, store=store) as client:
        for result in (
            await ask(client, "get_order_status", order_id=order_id),
            await ticket(client, order_id, "other"),
        ):
            assert code(result) == "invalid_arguments"
            assert "order_id" in said(result)
    assert store.asked == []


@settings(max_examples=60, deadline=None)
@given(order_id=st.text() | st.from_regex(r"\d{1,13}\s?") | st.integers() | st.floats() | st.booleans())
def test_ids_that_do_not_match_never_reach_the_store(order_id: Any):
    store = WatchedStore()

    async def once() -> None:
        async with opened(store=store) as client:
            await ask(client, "get_order_status", order_id=order_id)

    anyio.run(once)
    is_id = isinstance(order_id, str) and re.fullmatch(r"[0-9]{1,12}", order_id) is not None
    assert store.asked == ([order_id] if is_id else [])


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"order_id": "4471", "customer_id": "C-1002"},
        {"order_id": "4471", "role": "staff"},
        {"order_id": "4471", "context": {}},
        {"order_id": "4471", "self": "x"},
        {"ORDER_ID": "4471"},
        {"order_id ": "4471"},
    ],
)
async def test_missing_and_unknown_arguments_are_refused(shop: Client, arguments: dict[str, Any]):
    assert code(await shop.call_tool("get_order_status", arguments)) == "invalid_arguments"


@pytest.mark.parametrize(
    ("changed", "rule"),
    [
        (
            {"category": "complaint"},
            "category must be one of 'delivery', 'return', 'refund', 'damaged' or 'other'",
        ),
        ({"category": "Other"}, "category must be one of"),
        ({"category": None}, "category must be one of"),
        ({"category": '["other"]'}, "category must be one of"),
        ({"summary": "late"}, "summary must have at least 5 characters"),
        ({"summary": "x" * 301}, "summary must have at most 300 characters"),
        ({"summary": 12345}, "summary must be a string"),
        (
            {"summary": "The lamp\nis broken"},
            "summary must not contain control or invisible characters (U+000A)",
        ),
        ({"summary": "The lamp \u202eis broken"}, "(U+202E)"),
        ({"summary": "The lamp \U000e0041is broken"}, "(U+E0041)"),
        ({"order_id": "x"}, "order_id must match the pattern ^[0-9]{1,12}$"),
        ({"priority": "high"}, "priority is not an argument of this tool"),
    ],
)
async def test_a_refusal_names_the_field_and_the_rule(shop: Client, changed: dict[str, Any], rule: str):
    arguments = {"order_id": "4468", "category": "other", "summary": "The lamp is broken."} | changed
    result = await shop.call_tool("create_ticket", arguments)
    assert code(result) == "invalid_arguments"
    assert rule in said(result)


async def test_a_lone_surrogate_is_refused():
    async with opened() as client:  # the wire of the legacy era cannot even carry one
        assert code(await ask(client, "search_policy", query="return \ud800 policy")) == "invalid_arguments"


async def test_limits_are_inclusive(shop: Client):
    for query in ("ab", "x" * 200):
        assert not (await ask(shop, "search_policy", query=query)).is_error
    for summary in ("12345", "y" * 300):
        result = await ask(shop, "create_ticket", order_id="4468", category="other", summary=summary)
        assert not result.is_error


@settings(max_examples=30, deadline=None)
@given(value=st.text(alphabet=st.characters(categories=["L", "N", "P"]), min_size=8, max_size=40))
def test_a_rejected_value_or_name_is_never_repeated(value: str):
    marked = f"4929-{value}-@"

    async def once() -> None:
        async with opened() as client:
            for arguments in (
                {"order_id": marked},
                {"order_id": "4471", marked: "x"},
                {"order_id": [marked]},
            ):
                assert marked not in str(await client.call_tool("get_order_status", arguments))
            arguments = {"order_id": "4471", "category": marked, "summary": marked + "\x00"}
            assert marked not in str(await client.call_tool("create_ticket", arguments))

    anyio.run(once)


async def test_thousands_of_unknown_arguments_get_a_short_answer(shop: Client):
    arguments = {"order_id": "4471"} | {
        f"extra_{'a' * (index % 30)}_{index}": index for index in range(5_000)
    }
    assert len(said(await shop.call_tool("get_order_status", arguments))) < 1_000
