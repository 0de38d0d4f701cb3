"""Orders and policies in plain English sentences, as one would write them to the customer.

Knows:    how dates, amounts and states are said.
Does not: decide anything. Leaves gift notes out: they are other people's words.
"""

from collections.abc import Callable
from datetime import date

from store.model import Item, Order, OrderStatus, Payment
from store.search import Found

# fmt: off
_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)
# fmt: on

_PAYMENT: dict[Payment, str] = {
    "paid": "is paid",
    "unpaid": "is not paid yet",
    "refunded": "has been refunded",
}


def spoken_date(day: date) -> str:
    """Return a date as in "4 December 2026", whatever the machine's locale."""
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"


def spoken_status(status: str) -> str:
    """Return a status as a customer would say it: out_for_delivery -> out for delivery."""
    return status.replace("_", " ")


def amount(minor: int) -> str:
    """Return minor units as a decimal string: 4999 -> 49.99."""
    return f"{minor // 100}.{minor % 100:02d}"


def items_told(items: tuple[Item, ...]) -> str:
    """Return the items as in `1 x "Desk Lamp", 2 x "Tea Sampler"`."""
    return ", ".join(f'{item.quantity} x "{item.name}"' for item in items)


def order_told(order: Order, today: date, last_return: date | None) -> str:
    """Return the state of an order. last_return: the last day for a return, if there is one."""
    parts = [
        f"Order {order.id} ({items_told(order.items)}) "
        f"{_STATES[order.status](order)}{_expected(order, today)}.",
        f"It was placed on {spoken_date(order.placed_on)}; the total of {amount(order.total_minor)} "
        f"{order.currency} {_PAYMENT[order.payment]}.",
    ]
    if last_return is not None:
        parts.append(
            f"It can be returned until {spoken_date(last_return)}."
            if today <= last_return
            else f"The time to return it ended on {spoken_date(last_return)}."
        )
    return " ".join(parts)


def _pending(order: Order) -> str:
    return "is waiting for payment" if order.payment == "unpaid" else "is waiting to be processed"


def _processing(order: Order) -> str:
    return "is being prepared for dispatch"


def _shipped(order: Order) -> str:
    return f"has been shipped{_carried(order)}"


def _out_for_delivery(order: Order) -> str:
    return f"is out for delivery{_carried(order)}"


def _delivered(order: Order) -> str:
    return f"was delivered{_delivered_on(order)}{_carried(order)}"


def _cancelled(order: Order) -> str:
    return "has been cancelled"


def _returned(order: Order) -> str:
    return f"was delivered{_delivered_on(order)} and has been returned"


_STATES: dict[OrderStatus, Callable[[Order], str]] = {
    "pending": _pending,
    "processing": _processing,
    "shipped": _shipped,
    "out_for_delivery": _out_for_delivery,
    "delivered": _delivered,
    "cancelled": _cancelled,
    "returned": _returned,
}


def _delivered_on(order: Order) -> str:
    return f" on {spoken_date(order.delivered_on)}" if order.delivered_on else ""


def _carried(order: Order) -> str:
    number = f" (tracking number {order.tracking_number})" if order.tracking_number else ""
    return f" with {order.carrier}{number}" if order.carrier else ""


def _expected(order: Order, today: date) -> str:
    due = order.estimated_delivery
    if due is None or order.status not in ("processing", "shipped", "out_for_delivery"):
        return ""
    return f" and {'is' if today <= due else 'was'} expected on {spoken_date(due)}"


def search_told(found: Found) -> str:
    """Return the best passage, after what the policies do not say."""
    silent = " or ".join(f'"{word}"' for word in found.not_mentioned)
    if not found.passages:
        about = f": they do not mention {silent}" if silent else ""
        return f"The shop's policies do not say anything about this{about}."
    best = found.passages[0]
    quoted = f'From the {best.policy} policy, "{best.heading}": {best.text}'
    return f"The shop's policies do not mention {silent}. {quoted}" if silent else quoted
