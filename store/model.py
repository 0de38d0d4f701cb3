"""What a shop knows: orders, customers, policies, tickets.

Knows:    the shapes, and the sums that follow from them.
Does not: know where they are kept, who may see them, or how they look on a wire.
"""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal

OrderStatus = Literal[
    "pending",
    "processing",
    "partially_shipped",
    "shipped",
    "out_for_delivery",
    "delivered",
    "cancelled",
    "returned",
]
Payment = Literal["unpaid", "paid", "partially_refunded", "refunded"]
Category = Literal["delivery", "return", "refund", "damaged", "other"]


@dataclass(frozen=True)
class Item:
    """One line of an order; the price is for one piece, in minor units of the order's currency."""

    name: str
    quantity: int
    price_minor: int


@dataclass(frozen=True)
class Order:
    """An order as it stands. delivered_on is kept when an order was delivered and then returned.

    customer_id: None where nobody is known to own it. placed_on: None where the shop did not say.
    charged_minor: what the customer pays, where it is not the sum of the items.
    """

    id: str
    customer_id: str | None
    status: OrderStatus
    payment: Payment
    items: tuple[Item, ...]
    placed_on: date | None
    currency: str = "EUR"
    carrier: str | None = None
    tracking_number: str | None = None
    estimated_delivery: date | None = None
    delivered_on: date | None = None
    gift_note: str | None = None
    charged_minor: int | None = None

    @property
    def total_minor(self) -> int:
        """Return what the customer pays."""
        if self.charged_minor is not None:
            return self.charged_minor
        return sum(item.quantity * item.price_minor for item in self.items)


@dataclass(frozen=True)
class Policy:
    """A policy of the shop in one language; text is its whole Markdown. A translation has the same name."""

    name: str
    title: str
    text: str
    language: str = "en"


@dataclass(frozen=True)
class Ticket:
    """A question for the staff. There is at most one open for each order and category.

    order_id: None for a hand-off, of which there is at most one open for each conversation.
    note: what the staff wrote to the customer when they closed it, where that was read, too.
    """

    id: str
    order_id: str | None
    category: Category
    summary: str
    opened_at: datetime
    status: Literal["open", "closed"] = "open"
    closed_at: datetime | None = None
    customer_id: str | None = None
    note: str | None = None


@dataclass(frozen=True)
class Reach:
    """Whose records may be read: one customer's, everybody's, or, as it stands by itself, nobody's."""

    customer_id: str = ""
    everybody: bool = False
