"""A store in memory: what it holds is lost when the process ends.

Knows:    how to keep orders, policies and tickets, and to open one ticket at a time.
Does not: decide whether a ticket fits its order.   (store/rules.py)
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from threading import Lock

from store.interface import Opening, utc_now
from store.model import Category, Order, Policy, Ticket

_FIRST_TICKET = 1001


class MemoryStore:
    """The Store of the demo and of the tests."""

    def __init__(
        self,
        orders: Iterable[Order],
        policies: Iterable[Policy],
        now: Callable[[], datetime] = utc_now,
    ) -> None:
        self._orders = {order.id: order for order in orders}
        self._policies = tuple(sorted(policies, key=lambda policy: (policy.name, policy.language)))
        self._now = now
        self._tickets: dict[str, list[Ticket]] = {}
        self._next_ticket = _FIRST_TICKET
        self._lock = Lock()

    def get_order(self, order_id: str) -> Order | None:
        """Return the order of exactly this id."""
        return self._orders.get(order_id)

    def policies(self) -> Sequence[Policy]:
        """Return every policy in every language, in the order of their names."""
        return self._policies

    def open_tickets(self, order_id: str) -> Sequence[Ticket]:
        """Return the order's open tickets, oldest first."""
        with self._lock:
            return tuple(self._tickets.get(order_id, ()))

    def open_ticket(self, order_id: str, category: Category, summary: str, *, limit: int) -> Opening:
        """Open a ticket, or return the one that is open for this order and category."""
        with self._lock:
            tickets = self._tickets.setdefault(order_id, [])
            for ticket in tickets:
                if ticket.category == category:
                    return Opening("existing", ticket)
            if len(tickets) >= limit:
                return Opening("too_many", None)
            ticket = Ticket(f"T-{self._next_ticket}", order_id, category, summary, self._now())
            self._next_ticket += 1
            tickets.append(ticket)
            return Opening("created", ticket)
