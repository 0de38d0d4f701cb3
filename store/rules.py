"""Which ticket fits which order: gate 5 as a pure function.

Knows:    the states of an order, the return window, how many tickets an order may have.
Does not: read a store, a clock or a setting; know who asks; put a refusal into words.   (store/wording.py)
Source:   store/policies/returns.md and refunds.md; a test compares the numbers.
"""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal, get_args

from store.model import Category, Order, OrderStatus

MAX_OPEN_TICKETS = 3


@dataclass(frozen=True)
class ShopRules:
    """What of a shop's policies the server can reckon with.

    return_days: from the day of delivery. cancels_until_shipped: whether an order can be cancelled till then.
    None where the shop has not said it: then nothing is told of it, and a request for it goes to the staff.
    """

    return_days: int | None = None
    cancels_until_shipped: bool | None = None


DEMO_RULES = ShopRules(return_days=30, cancels_until_shipped=True)
"""What the demo shop's policies say: store/policies/returns.md and cancellation.md."""

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


def may_have_arrived(order: Order) -> bool:
    """Say whether an order was sent and nobody knows if it came: many shop systems hear of no delivery."""
    return order.status == "shipped" and order.estimated_delivery is None and order.delivered_on is None


def return_until(order: Order, rules: ShopRules = DEMO_RULES) -> date | None:
    """Return the last day on which the order can be returned; None unless that is known."""
    if order.status != "delivered" or order.delivered_on is None or rules.return_days is None:
        return None
    return order.delivered_on + timedelta(days=rules.return_days)


def broken_rule(
    order: Order, category: Category, today: date, rules: ShopRules = DEMO_RULES
) -> Broken | None:
    """Return the first rule that a new ticket of this category would break."""
    reason = _reason(order, category, today, rules)
    if reason is None:
        return None
    return Broken(
        reason, tuple(each for each in ALLOWED_STATES if _reason(order, each, today, rules) is None)
    )


def _reason(order: Order, category: Category, today: date, rules: ShopRules) -> Reason | None:
    states: set[OrderStatus] = {order.status}
    if may_have_arrived(order):
        states.add("delivered")
    if not states & ALLOWED_STATES[category]:
        return "wrong_state"
    if category == "return" and _is_too_late(order, today, rules):
        return "outside_return_window"
    if category == "refund" and order.payment not in ("paid", "partially_refunded"):
        return "nothing_to_refund"
    return None


def _is_too_late(order: Order, today: date, rules: ShopRules) -> bool:
    """Say whether the time for a return is over; where a day or the rule is not known, the staff decide."""
    last = return_until(order, rules)
    return last is not None and today > last
