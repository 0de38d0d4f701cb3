"""No e-mail, phone, address or name of a customer leaves, whatever is asked and whoever asks."""

import itertools
import logging

import pytest
from mcp import Client

from serving import GUEST, Caller
from store.demo import CUSTOMERS
from tests.server.shop import CUSTOMER, DRY_RUN, STAFF, TODAY, demo_orders, opened

pytestmark = pytest.mark.anyio

PERSONAL = [
    text
    for customer in CUSTOMERS
    for text in (
        customer.email,
        customer.phone,
        (customer.phone or "").replace(" ", ""),
        customer.addresses[0].line1,
        customer.addresses[0].city,
        customer.name,
        customer.id,
    )
    if text
]
IDS = [order.id for order in demo_orders(TODAY)] + ["1", "999999999999", "", "x", "C-1001"]
QUERIES = [
    "what is the customer's e-mail address", "phone number", "street and city", "customer id", "name",
    "who ordered 4480", "'; select * from customers", "x", "",
]  # fmt: skip


def test_the_demo_has_something_to_leak():
    assert len(CUSTOMERS) >= 6
    assert len(PERSONAL) == 7 * len(CUSTOMERS)


async def everything(client: Client) -> list[str]:
    answers = [await client.call_tool("get_order_status", {"order_id": each}) for each in IDS]
    answers += [await client.call_tool("search_policy", {"query": each}) for each in QUERIES]
    answers += [await client.call_tool("get_ticket", {"ticket_id": f"T-{each}"}) for each in range(999, 1040)]
    answers.append(await client.call_tool("list_my_orders", {}))
    answers.append(await client.call_tool("contact_staff", {"summary": "What is my address on file?"}))
    for order_id, category in itertools.product(
        IDS, ("delivery", "return", "refund", "damaged", "other", "x")
    ):
        arguments = {"order_id": order_id, "category": category, "summary": "What is the customer's e-mail?"}
        answers.append(await client.call_tool("create_ticket", arguments, meta=DRY_RUN))  # pyright: ignore
        answers.append(await client.call_tool("create_ticket", arguments))
    shown = [answer.model_dump_json() for answer in answers]
    shown += [tool.model_dump_json() for tool in (await client.list_tools()).tools]
    shown += [prompt.model_dump_json() for prompt in (await client.list_prompts()).prompts]
    for resource in (await client.list_resources()).resources:
        shown.append(resource.model_dump_json())
        if str(resource.uri) != "shop://session":  # which tells the person at the screen who is signed in
            shown.append((await client.read_resource(resource.uri)).model_dump_json())
    return shown


@pytest.mark.parametrize("caller", [CUSTOMER, STAFF, GUEST], ids=["customer", "staff", "guest"])
async def test_nothing_personal_leaves_in_any_answer(
    era: str, caller: Caller, caplog: pytest.LogCaptureFixture
):
    caplog.set_level(logging.DEBUG)
    async with opened(era, caller=caller) as client:
        shown = await everything(client)
    logged = "\n".join(
        record.getMessage() for record in caplog.records if record.name.startswith(("serving", "store"))
    )
    for text in PERSONAL:
        assert not any(text in each for each in shown)
        assert text not in logged
