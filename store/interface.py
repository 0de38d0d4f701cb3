"""What the servers ask of a store.

Knows:    the questions.
Does not: know how the answers are kept.   (store/memory.py)
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal, Protocol

from store.model import Category, Order, Policy, Ticket


def utc_now() -> datetime:
    """Return the time of the machine, in UTC."""
    return datetime.now(UTC)


@dataclass(frozen=True)
class Opening:
    """What came of opening a ticket; ticket is None only when there were too many."""

    outcome: Literal["created", "existing", "too_many"]
    ticket: Ticket | None


class Store(Protocol):
    """The shop's data. Methods may be called from several threads at once."""

    def get_order(self, order_id: str) -> Order | None:
        """Return the order of exactly this id."""
        ...

    def policies(self) -> Sequence[Policy]:
        """Return every policy in every language, in the order of their names."""
        ...

    def open_tickets(self, order_id: str) -> Sequence[Ticket]:
        """Return the order's open tickets, oldest first."""
        ...

    def open_ticket(self, order_id: str, category: Category, summary: str, *, limit: int) -> Opening:
        """Open a ticket, or return the one that is open for this order and category.

        limit: open tickets an order may have.
        The look and the write are one step: no two callers can both create.
        """
        ...
