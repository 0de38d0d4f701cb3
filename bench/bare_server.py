"""The least server with our three tools: plain functions over a dict, nothing beyond what the SDK checks.

Does not: import anything of ours, so that starting it costs what the SDK costs.
Async, as ours are: a plain `def` would cost it a hop to a thread and flatter us.
Run:      python bench/bare_server.py   speaks MCP on stdin and stdout.
"""

from typing import Annotated, Literal

from mcp.server import MCPServer
from pydantic import BaseModel, Field

OrderId = Annotated[str, Field(pattern="^[0-9]{1,12}$", description="The order number")]
Category = Literal["delivery", "return", "refund", "damaged", "other"]
Summary = Annotated[str, Field(min_length=5, max_length=300, description="The problem in one sentence")]
Query = Annotated[str, Field(min_length=2, max_length=200, description="The question")]


class OrderItem(BaseModel):
    """One line of an order."""

    name: str
    quantity: int
    price: str


class OrderView(BaseModel):
    """An order with the fields that server.py shows."""

    order_id: OrderId
    status: Literal[
        "pending", "processing", "shipped", "out_for_delivery", "delivered", "cancelled", "returned"
    ]
    items: list[OrderItem]
    currency: str
    total: str
    payment: Literal["unpaid", "paid", "refunded"]
    placed_on: str
    carrier: str | None
    tracking_number: str | None
    estimated_delivery: str | None
    delivered_on: str | None
    return_until: str | None
    gift_note: str | None


class Passage(BaseModel):
    """A section of a policy."""

    policy: str
    section: str
    text: str
    uri: str


class PolicyAnswer(BaseModel):
    """Sections that answer a question."""

    found: bool
    passages: list[Passage]
    not_mentioned: list[str]


class TicketView(BaseModel):
    """A ticket."""

    ticket_id: str | None
    created: bool
    order_id: OrderId
    category: Category
    status: Literal["open", "not_opened"]
    dry_run: bool


ORDERS = {
    "4471": OrderView(
        order_id="4471",
        status="shipped",
        items=[OrderItem(name="Wireless Earbuds", quantity=1, price="49.99")],
        currency="USD",
        total="49.99",
        payment="paid",
        placed_on="2026-01-02",
        carrier="DHL",
        tracking_number="JD0146000054712",
        estimated_delivery="2026-01-08",
        delivered_on=None,
        return_until=None,
        gift_note=None,
    )
}
POLICIES = {
    "return": Passage(
        policy="returns",
        section="How long you have",
        text="You may return an item within 30 days of delivery. It must be unused and in its packaging.",
        uri="policy://returns",
    )
}
TICKETS: dict[tuple[str, str], str] = {}

server = MCPServer("bare", version="0.1.0", log_level="WARNING")


@server.tool()
async def get_order_status(order_id: OrderId) -> OrderView:
    """Look up an order."""
    return ORDERS[order_id]


@server.tool()
async def search_policy(query: Query) -> PolicyAnswer:
    """Find what the policies say."""
    found = [passage for word, passage in POLICIES.items() if word in query]
    return PolicyAnswer(found=bool(found), passages=found, not_mentioned=[])


@server.tool()
async def create_ticket(order_id: OrderId, category: Category, summary: Summary) -> TicketView:
    """Open a ticket."""
    created = (order_id, category) not in TICKETS
    ticket_id = TICKETS.setdefault((order_id, category), f"T-{1001 + len(TICKETS)}")
    return TicketView(
        ticket_id=ticket_id,
        created=created,
        order_id=order_id,
        category=category,
        status="open",
        dry_run=False,
    )


if __name__ == "__main__":
    server.run()
