"""A whole turn at a shop that prints its order numbers another way: the agent learns it from the schema."""

from typing import Annotated, Any

import pytest
from mcp.server import MCPServer
from mcp_types import ToolAnnotations
from pydantic import BaseModel, Field

from agent_mcp import approve_all
from common.order_ids import whole_match
from tests.agent.scripted import Scripted, calls, desk, says

pytestmark = pytest.mark.anyio

READS = ToolAnnotations(read_only_hint=True, destructive_hint=False)


class Found(BaseModel):
    order_id: str
    status: str


def shop(pattern: str) -> MCPServer:
    OrderId = Annotated[
        str, Field(pattern=whole_match(pattern), json_schema_extra={"x-grounding": "order_id"})
    ]
    server = MCPServer("shop", version="1")

    async def look_up(order_id: Any) -> Found:
        """Look up an order."""
        return Found(order_id=order_id, status="shipped")

    async def change(order_id: Any) -> str:
        """Change an order."""
        return f"Order {order_id} was changed."

    for function, hints in ((look_up, READS), (change, None)):
        function.__annotations__["order_id"] = OrderId
        server.tool(annotations=hints)(function)
    return server


@pytest.mark.parametrize(
    ("pattern", "said", "by_model", "id"),
    [
        (r"^#W\d{7}$", "where is w2611340?", "W2611340", "#W2611340"),
        (r"^#W\d{7}$", "where is order #W2611340?", "#w2611340", "#W2611340"),
        ("^#[0-9]+$", "where is 1001?", 1001, "#1001"),
        ("^[0-9]+$", "where is #1001?", "#1001", "1001"),
        (r"^[A-Z]{2}-\d{4}-\d{3}$", "where is ab-1234-123?", "ab-1234-123", "AB-1234-123"),
    ],
)
async def test_an_order_is_looked_up_and_changed_under_the_number_that_the_shop_prints(
    pattern: str, said: str, by_model: Any, id: str
):
    model = Scripted(
        calls(("look_up", {"order_id": by_model})),
        calls(("change", {"order_id": by_model})),
        says(f"Order {id} was changed."),
    )
    async with desk(shop(pattern)) as at:
        outcome = await at.ask(f"{said} change it", model, approve_all)
    assert model.offered()["look_up"]["properties"]["order_id"]["enum"] == [id]
    assert at.sent == [("look_up", {"order_id": id}), ("change", {"order_id": id})]
    assert outcome.reply == f"Order {id} was changed."


@pytest.mark.parametrize("by_model", ["#W2611341", "2611340", "W261134", "#W9999999"])
async def test_another_order_of_the_shops_form_is_stopped(by_model: str):
    async with desk(shop(r"^#W\d{7}$")) as at:
        await at.ask(
            "ship 2611341 pieces, 9999999 EUR",
            Scripted(calls(("look_up", {"order_id": by_model})), says("Which?")),
        )
    assert at.sent == []
    assert at.refused() == ["grounding"]


async def test_the_customer_may_be_told_how_the_number_is_written_and_it_names_no_order():
    asks = "Please tell me the order number, such as #W1234567."
    model = Scripted(calls(("look_up", {"order_id": "#W1234567"})), says(asks))
    async with desk(shop(r"^#W\d{7}$")) as at:
        outcome = await at.ask("where is my order?", model)
    assert "Not yet known: order number (such as #W1234567)." in model.messages[0][0]["content"]
    assert (outcome.reply, at.sent, at.refused()) == (asks, [], ["grounding"])


async def test_a_shape_that_does_not_fit_is_told_by_an_example():
    foreign = MCPServer("foreign", version="1")

    @foreign.tool(annotations=READS)
    async def look_up(code: Annotated[str, Field(pattern=r"^#W[0-9]{7}$")]) -> str:
        """Look up an order."""
        return code

    model = Scripted(calls(("look_up", {"code": "4471"})), says("Which one?"))
    async with desk(foreign) as at:
        await at.ask("where is 4471?", model)
    assert "code must match ^#W[0-9]{7}$, as in #W1234567." in model.results()[0]["message"]
