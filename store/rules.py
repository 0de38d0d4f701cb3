"""Which ticket fits which order: gate 5 as a pure function.

Knows:    the states of an order, the return window, how many tickets an order may have.
Does not: read a store, a clock or a setting; know who asks; put a refusal into words.   (store/wording.py)
Source:   store/policies/returns.md and refunds.md; a test compares the numbers.
"""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal, get_args

from store.model import Category, Order, OrderStatus

RETURN_DAYS = 30
MAX_OPEN_TICKETS = 3

BEFORE_DISPATCH: frozenset[OrderStatus] = frozenset({"pending", "processing"})
"""While an order can still be cancelled; store/policies/cancellation.md."""
BEFORE_DELIVERY: frozenset[OrderStatus] = frozenset(
    {"pending", "processing", "partially_shipped", "shipped", "out_for_delivery"}
)
_ANY: frozenset[OrderStatus] = frozenset(get_args(OrderStatus))

# A returned order is closed: what is left to say about it is `other`.
ALLOWED_STATES: dict[Category, frozenset[OrderStatus]] = {
    "delivery": BEFORE_DELIVERY,
    "return": frozenset({"delivered"}),
    "damaged": frozenset({"delivered"}),
    "refund": frozenset({"delivered", "cancelled"}),
    "other": _ANY,
}

Reason = Literal["wrong_state", "outside_return_window", "nothing_to_refund"]


@dataclass(frozen=True)
class Broken:
    """A rule that a ticket would break, and the categories that would break none."""

    code: Reason
    fitting: tuple[Category, ...]


def return_until(order: Order) -> date | None:
    """Return the last day on which the order can be returned; None unless it is with the customer."""
    if order.status != "delivered" or order.delivered_on is None:
        return None
    return order.delivered_on + timedelta(days=RETURN_DAYS)


def broken_rule(order: Order, category: Category, today: date) -> Broken | None:
    """Return the first rule that a new ticket of this category would break."""
    reason = _reason(order, category, today)
    if reason is None:
        return None
    return Broken(reason, tuple(each for each in ALLOWED_STATES if _reason(order, each, today) is None))


def _reason(order: Order, category: Category, today: date) -> Reason | None:
    if order.status not in ALLOWED_STATES[category]:
        return "wrong_state"
    if category == "return" and not _can_be_returned(order, today):
        return "outside_return_window"
    if category == "refund" and order.payment not in ("paid", "partially_refunded"):
        return "nothing_to_refund"
    return None


def _can_be_returned(order: Order, today: date) -> bool:
    """Say whether the window is open; with no day of delivery on record nothing shows that it is."""
    last = return_until(order)
    return last is not None and today <= last
