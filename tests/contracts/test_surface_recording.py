"""Each call through contracts is a row of the trail, for its principal; a trace tells no value of it."""

from typing import Any, cast

import pytest
from mcp import Client

from journal import AnyTrail, Entry, JournalFailed
from tests.contracts.surfacing import ERAS, Desk, data, desk
from tests.tracing.spans import told_of, watched

pytestmark = [pytest.mark.anyio, pytest.mark.parametrize("mode", ERAS)]

DRY: Any = {"shopkart/dry_run": True}
PERSONAL = "ann@example.org of 12 Elm Street"


class Kept:
    """A trail in a list. failing: whether nothing can be kept."""

    def __init__(self, *, failing: bool = False) -> None:
        self.entries: list[Entry] = []
        self._failing = failing

    def record(self, *entries: Entry, until: float | None = None) -> None:
        if self._failing:
            raise JournalFailed("sqlite:///shop.db", "disk full")
        self.entries += entries

    def close(self) -> None: ...

    @property
    def told(self) -> list[tuple[str, str, str, str]]:
        return [(each.tool, each.gate, each.decision, each.reason) for each in self.entries]


def watched_desk(trail: Kept, **options: Any) -> Desk:
    return desk(trail=cast(AnyTrail, trail), **options)


async def test_a_change_is_told_before_it_is_made_and_with_what_became_of_it(mode: str):
    trail = Kept()
    served = watched_desk(trail)
    served.shop.answers["DELETE /pets/7"] = (404, {})
    async with Client(served.server, mode=mode) as client:
        await client.call_tool("pets_list", {})
        await client.call_tool("pets_add", {"name": "Rex"})
        await client.call_tool("pets_add", {"name": "Rex"}, meta=DRY)
        await client.call_tool("pets_add", {"name": ""})
        await client.call_tool("pets_drop", {"id": 7})
        await client.call_tool(PERSONAL, {})
    assert [each[:3] for each in trail.told] == [
        ("pets_list", "execute", "done"),
        ("pets_add", "execute", "started"),
        ("pets_add", "execute", "written"),
        ("pets_add", "execute", "tried"),
        ("pets_add", "validation", "refused"),
        ("pets_drop", "execute", "started"),
        ("pets_drop", "execute", "failed"),
        ("", "whitelist", "refused"),
    ]
    assert {(each.role, each.customer_id) for each in trail.entries} == {("staff", "shop")}


async def test_behind_call_the_function_is_told(mode: str):
    trail = Kept()
    async with Client(watched_desk(trail, profile="catalog").server, mode=mode) as client:
        await client.call_tool("call", {"function": "pets_list"})
        await client.call_tool("call", {"function": "pets_add", "arguments": {"name": "Rex"}})
        await client.call_tool("call", {"function": PERSONAL})
    assert trail.told == [
        ("pets_list", "execute", "done", ""),
        ("pets_add", "precondition", "refused", "needs_plan"),
        ("call", "whitelist", "refused", "unknown_function"),
    ]


async def test_what_cannot_be_told_is_not_made_and_not_shown(mode: str):
    served = watched_desk(Kept(failing=True))
    async with Client(served.server, mode=mode) as client:
        for name, arguments in (("pets_add", {"name": "Rex"}), ("pets_list", {})):
            assert data(await client.call_tool(name, arguments))["error"] == "internal_error"
    assert "POST /v1/pets" not in served.shop.lines


async def test_a_trace_holds_the_stages_and_no_value(mode: str):
    served = desk()
    with watched() as spans:
        async with Client(served.server, mode=mode) as client:
            await client.call_tool("pets_add", {"name": PERSONAL})
            await client.call_tool("pets_get", {"id": 4711})
    [span] = spans.named("contract pets_get")
    stages = [(event.attributes or {}).get("name") for event in span.events]
    assert stages == ["validated", "built", "sent", "received", "projected"]
    ours = [each for each in spans.ended if each.name.startswith(("contract", "tools/call"))]
    told = "\n".join(map(told_of, ours))
    assert not any(word in told for word in ("ann@", "Elm", "4711", "key-of-shop"))
