"""The support server over HTTP: on one server, at one time, each customer sees their own orders alone."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import anyio
import httpx2
import pytest
from mcp import Client

from server import build_server
from serving import GUEST
from serving.http import http_app
from serving.listening import place_of
from tests.server.shop import ask, demo, demo_orders, noon, said
from tests.serving.desk import believed, signed_in, token

pytestmark = pytest.mark.anyio

ERAS = pytest.mark.parametrize("mode", ["auto", "legacy"])
OWNERS = {order.id: order.customer_id for order in demo_orders()}
CUSTOMERS = sorted({owner for owner in OWNERS.values() if owner})
BOUND_S = 20


@asynccontextmanager
async def support() -> AsyncGenerator[httpx2.ASGITransport]:
    app = http_app(build_server(demo(), GUEST, noon), believed(), place_of("127.0.0.1", 8000))
    async with app.router.lifespan_context(app):
        yield httpx2.ASGITransport(app)


@ERAS
async def test_each_sees_their_own_orders_alone_however_many_ask_at_once(mode: str):
    seen: dict[str, set[str]] = {customer: set() for customer in CUSTOMERS}

    async def look(client: Client, customer: str, order_id: str) -> None:
        result = await ask(client, "get_order_status", order_id=order_id)
        if not result.is_error:
            seen[customer].add(order_id)

    async def look_at_all(to: httpx2.ASGITransport, customer: str) -> None:
        async with signed_in(to, token(customer), mode) as client, anyio.create_task_group() as group:
            for order_id in OWNERS:
                group.start_soon(look, client, customer, order_id)

    with anyio.fail_after(BOUND_S):
        async with support() as to, anyio.create_task_group() as group:
            for customer in CUSTOMERS:
                group.start_soon(look_at_all, to, customer)
    for customer in CUSTOMERS:
        assert seen[customer] == {order_id for order_id, owner in OWNERS.items() if owner == customer}


@ERAS
async def test_staff_see_every_order(mode: str):
    with anyio.fail_after(BOUND_S):
        async with support() as to, signed_in(to, token(staff=True), mode) as staff:
            for order_id in OWNERS:
                assert not (await ask(staff, "get_order_status", order_id=order_id)).is_error


@ERAS
async def test_a_customer_whom_the_store_does_not_know_has_no_orders_and_breaks_nothing(mode: str):
    with anyio.fail_after(BOUND_S):
        async with support() as to:
            for customer in ("C-9999", "anna@example.com", "4471", "c-1001", "%", "' OR 1=1 --"):
                async with signed_in(to, token(customer), mode) as client:
                    for order_id in ("4471", "4475"):
                        refused = await ask(client, "get_order_status", order_id=order_id)
                        assert said(refused).startswith(f"No order {order_id} was found.")
                    listed = await ask(client, "list_my_orders")
                    assert listed.structured_content is not None
                    assert listed.structured_content["orders"] == []


async def test_a_customer_of_whom_nothing_was_imported_yet_can_reach_the_staff_and_see_their_ticket_alone():
    with anyio.fail_after(BOUND_S):
        async with (
            support() as to,
            signed_in(to, token("C-9999")) as newcomer,
            signed_in(to, token("C-1001")) as other,
        ):
            opened = await ask(newcomer, "contact_staff", summary="I cannot find my order.")
            assert opened.structured_content is not None
            assert opened.structured_content.get("created") is True, said(opened)
            number = opened.structured_content["ticket_id"]
            assert not (await ask(newcomer, "get_ticket", ticket_id=number)).is_error
            assert (await ask(other, "get_ticket", ticket_id=number)).is_error
