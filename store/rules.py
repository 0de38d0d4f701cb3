"""Which ticket fits which order: gate 5 as a pure function.

Knows:    the states of an order, the return window, how many tickets an order may have.
Does not: read a store, a clock or a setting; know who asks.
Source:   store/policies/returns.md and refunds.md; a test compares the numbers.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal, get_args

from store.model import Category, Order, OrderStatus
from store.wording import spoken_date, spoken_status

RETURN_DAYS = 30
MAX_OPEN_TICKETS = 3

_BEFORE_DELIVERY: frozenset[OrderStatus] = frozenset({"pending", "processing", "shipped", "out_for_delivery"})
_ANY: frozenset[OrderStatus] = frozenset(get_args(OrderStatus))

# A returned order is closed: what is left to say about it is `other`.
ALLOWED_STATES: dict[Category, frozenset[OrderStatus]] = {
    "delivery": _BEFORE_DELIVERY,
    "return": frozenset({"delivered"}),
    "damaged": frozenset({"delivered"}),
    "refund": frozenset({"delivered", "cancelled"}),
    "other": _ANY,
}

Reason = Literal["wrong_state", "outside_return_window", "nothing_to_refund"]


@dataclass(frozen=True)
class Broken:
    """A rule that a ticket would break, in the words of a refusal."""

    code: Reason
    message: str
    next: str


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
    message, advice = _WORDS[reason](order, category)
    fitting = ", ".join(each for each in ALLOWED_STATES if _reason(order, each, today) is None)
    return Broken(
        reason,
        f"No '{category}' ticket was opened: {message}.",
        f"{advice} A ticket for this order can now be of the category: {fitting}.",
    )


def _reason(order: Order, category: Category, today: date) -> Reason | None:
    if order.status not in ALLOWED_STATES[category]:
        return "wrong_state"
    if category == "return" and not _can_be_returned(order, today):
        return "outside_return_window"
    if category == "refund" and order.payment != "paid":
        return "nothing_to_refund"
    return None


def _can_be_returned(order: Order, today: date) -> bool:
    """Say whether the window is open; with no day of delivery on record nothing shows that it is."""
    last = return_until(order)
    return last is not None and today <= last


_NEEDS: dict[Category, str] = {
    "delivery": "that has not been delivered yet",
    "return": "that has been delivered",
    "damaged": "that has been delivered",
    "refund": "that has been delivered or cancelled",
    "other": "in any state",
}


def _wrong_state(order: Order, category: Category) -> tuple[str, str]:
    state = spoken_status(order.status)
    return (
        f"order {order.id} is {state}, and a '{category}' ticket is for an order {_NEEDS[category]}",
        f"Tell the customer that order {order.id} is {state}.",
    )


def _outside_window(order: Order, category: Category) -> tuple[str, str]:
    last = return_until(order)
    ended = f"could be returned until {spoken_date(last)}" if last else "has no day of delivery on record"
    return (
        f"order {order.id} {ended}, and returns are accepted for {RETURN_DAYS} days from delivery",
        "Tell the customer that the time for a return is over; a faulty item may fall under the warranty.",
    )


def _nothing_to_refund(order: Order, category: Category) -> tuple[str, str]:
    why = "has been refunded already" if order.payment == "refunded" else "has not been paid"
    return f"order {order.id} {why}", "Tell the customer so: there is nothing to refund."


_WORDS: dict[Reason, Callable[[Order, Category], tuple[str, str]]] = {
    "wrong_state": _wrong_state,
    "outside_return_window": _outside_window,
    "nothing_to_refund": _nothing_to_refund,
}
