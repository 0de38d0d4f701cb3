"""The least server with three of our tools: plain functions over a database, beyond the SDK's checks nothing.

Knows:    two tables and a unique constraint, in memory, through the library that our store uses.
Does not: import anything of ours, so that starting it costs what the SDK and the database cost.
Async, as ours are: a plain `def` would cost it a hop to a thread and flatter us.
Run:      python bench/bare_server.py   speaks MCP on stdin and stdout.
"""

from typing import Annotated, Literal

from mcp.server import MCPServer
from pydantic import BaseModel, Field
from sqlalchemy import (
    Column,
    Integer,
    MetaData,
    StaticPool,
    Table,
    Text,
    UniqueConstraint,
    create_engine,
    insert,
    select,
)
from sqlalchemy.exc import IntegrityError

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
    unmatched: list[str]


class TicketView(BaseModel):
    """A ticket."""

    ticket_id: str | None
    created: bool
    order_id: OrderId
    category: Category
    status: Literal["open", "not_opened"]
    dry_run: bool


FIELDS = (
    "status", "currency", "total", "payment", "placed_on", "carrier", "tracking_number", "estimated_delivery",
    "delivered_on", "return_until", "gift_note",
)  # fmt: skip

metadata = MetaData()
ORDERS = Table(
    "orders",
    metadata,
    Column("id", Text, primary_key=True),
    *(
        Column(name, Text)
        for name in (
            "status", "currency", "total", "payment", "placed_on", "carrier", "tracking_number",
            "estimated_delivery", "delivered_on", "return_until", "gift_note",
        )
    ),
)  # fmt: skip
LINES = Table(
    "lines",
    metadata,
    Column("order_id", Text, index=True),
    Column("name", Text),
    Column("quantity", Integer),
    Column("price", Text),
)
TICKETS = Table(
    "tickets",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("order_id", Text),
    Column("category", Text),
    Column("summary", Text),
    UniqueConstraint("order_id", "category"),
)
POLICIES = {
    "return": Passage(
        policy="returns",
        section="How long you have",
        text="You may return an item within 30 days of delivery. It must be unused and in its packaging.",
        uri="policy://returns",
    )
}

engine = create_engine("sqlite://", poolclass=StaticPool, connect_args={"check_same_thread": False})
metadata.create_all(engine)
with engine.begin() as filling:
    filling.execute(
        insert(ORDERS).values(
            id="4471",
            status="shipped",
            currency="USD",
            total="49.99",
            payment="paid",
            placed_on="2026-01-02",
            carrier="DHL",
            tracking_number="JD0146000054712",
            estimated_delivery="2026-01-08",
        )
    )
    filling.execute(insert(LINES).values(order_id="4471", name="Wireless Earbuds", quantity=1, price="49.99"))

server = MCPServer("bare", version="0.1.0", log_level="WARNING")


@server.tool()
async def get_order_status(order_id: OrderId) -> OrderView:
    """Look up an order."""
    with engine.begin() as connection:
        order = connection.execute(select(ORDERS).where(ORDERS.c.id == order_id)).one()
        lines = connection.execute(select(LINES).where(LINES.c.order_id == order_id)).all()
    items = [OrderItem(name=line.name, quantity=line.quantity, price=line.price) for line in lines]
    _, *fields = order
    return OrderView(order_id=order_id, items=items, **dict(zip(FIELDS, fields, strict=True)))


@server.tool()
async def search_policy(query: Query) -> PolicyAnswer:
    """Find what the policies say."""
    found = [passage for word, passage in POLICIES.items() if word in query]
    return PolicyAnswer(found=bool(found), passages=found, unmatched=[])


@server.tool()
async def create_ticket(order_id: OrderId, category: Category, summary: Summary) -> TicketView:
    """Open a ticket."""
    same = (TICKETS.c.order_id == order_id) & (TICKETS.c.category == category)
    with engine.begin() as connection:
        ticket = connection.scalar(select(TICKETS.c.id).where(same))
        created = ticket is None
        if created:
            values = {"order_id": order_id, "category": category, "summary": summary}
            try:
                ticket = connection.scalar(insert(TICKETS).values(**values).returning(TICKETS.c.id))
            except IntegrityError:
                ticket = connection.scalar(select(TICKETS.c.id).where(same))
    return TicketView(
        ticket_id=f"T-{ticket}",
        created=created,
        order_id=order_id,
        category=category,
        status="open",
        dry_run=False,
    )


if __name__ == "__main__":
    server.run()
