"""Records to put into a store under test."""

from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

from store.database import Store
from store.model import Reach
from store.records import (
    AddressRecord,
    CustomerRecord,
    FulfilmentRecord,
    LineRecord,
    OrderRecord,
    PaymentRecord,
    Record,
)
from store.tickets import Wanted
from store.writing import write

NOW = datetime(2026, 3, 14, 9, 26, tzinfo=UTC)
STAFF = Reach(everybody=True)

MIRA = CustomerRecord(
    "C-1",
    "Mira Holm",
    "Mira.Holm@Example.com",
    "+49 30 5550 1101",
    (AddressRecord("home", name="Mira Holm", line1="14 Lindengasse", postal_code="10115", city="Berlin"),),
)
JONAS = CustomerRecord("C-2", "Jonas Adler", "jonas.adler@example.org", "+49 40 5550 1202")


def an_order(order_id: str, customer: CustomerRecord | None = MIRA, **parts: Any) -> OrderRecord:
    """Return an order that says something of everything an order can say."""
    whole = OrderRecord(
        id=order_id,
        customer=customer,
        status="shipped",
        payment="paid",
        currency="EUR",
        total_minor=5998,
        lines=(LineRecord("Desk Lamp", 1, 4999, "SKU-1", "V-1"), LineRecord("Bulb", 2, 250)),
        placed_at=NOW,
        source_id=f"internal-{order_id}",
        shipping_minor=499,
        discount_minor=0,
        tax_minor=958,
        gift_note="Happy birthday, Paul!",
        addresses=(AddressRecord("shipping", name="Paul Holm", line1="3 Grachtkade", city="Amsterdam"),),
        fulfilments=(FulfilmentRecord("DHL", "JD014600001", NOW, date(2026, 3, 20)),),
        payments=(PaymentRecord("payment", 5998, "card", NOW, "ch_3OabcDEF"),),
    )
    return replace(whole, **parts)


def fill(store: Store, *records: Record) -> None:
    """Write records in one transaction."""
    with store.writing() as connection:
        for record in records:
            write(connection, record)


def about(order_id: str, category: Any = "delivery", summary: str = "It is late.", by: str = "C-1") -> Wanted:
    """Return a ticket that is wanted about an order."""
    return Wanted(category, summary, order_id, by)


def hand_off(conversation: str, summary: str = "Please call me.") -> Wanted:
    """Return a ticket that is wanted without an order."""
    return Wanted("other", summary, None, None, conversation)
