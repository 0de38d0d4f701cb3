"""What a shop hands over to be kept: its customers, products and orders, whatever file they came from.

Knows:    the shapes between the readers of files (store/importing/) and the writer (store/writing.py).
Does not: know a file format or a table.
Units:    amounts in minor units of the currency; times in UTC.
"""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal

from store.model import OrderStatus, Payment


@dataclass(frozen=True)
class AddressRecord:
    """Where something is sent, or billed to."""

    kind: Literal["shipping", "billing", "home"]
    name: str | None = None
    line1: str | None = None
    line2: str | None = None
    city: str | None = None
    region: str | None = None
    postal_code: str | None = None
    country: str | None = None


@dataclass(frozen=True)
class CustomerRecord:
    """A customer. id: the shop's own, None where the shop knows an e-mail address only.

    email: of an account the address that its own record states; of a guest the one that was typed.
    contact_email: what somebody typed with an order of the account, which proves nothing of the account.
    """

    id: str | None
    name: str | None = None
    email: str | None = None
    phone: str | None = None
    addresses: tuple[AddressRecord, ...] = ()
    contact_email: str | None = None


@dataclass(frozen=True)
class VariantRecord:
    """One form of a product that can be bought. title: what tells it from the others, as in "blue, M"."""

    id: str
    title: str | None
    price_minor: int
    currency: str
    sku: str | None = None
    available: bool = True


@dataclass(frozen=True)
class ProductRecord:
    """A product and its variants."""

    id: str
    title: str
    variants: tuple[VariantRecord, ...] = ()


@dataclass(frozen=True)
class LineRecord:
    """One line of an order; the price is for one piece. variant_id may be unknown."""

    name: str
    quantity: int
    price_minor: int
    sku: str | None = None
    variant_id: str | None = None


@dataclass(frozen=True)
class PaymentRecord:
    """Money that came in or went back; amount_minor is never negative."""

    kind: Literal["payment", "refund"]
    amount_minor: int
    method: str | None = None
    at: datetime | None = None
    reference: str | None = None


@dataclass(frozen=True)
class FulfilmentRecord:
    """A parcel."""

    carrier: str | None = None
    tracking_number: str | None = None
    shipped_at: datetime | None = None
    expected_on: date | None = None
    delivered_on: date | None = None


@dataclass(frozen=True)
class OrderRecord:
    """An order as the shop prints it. id: the number on the invoice, in the form of ORDER_ID_PATTERN.

    customer: who placed it; None where nobody is known, and then only staff see it.
    source_id: the shop system's internal id. total_minor: what the customer pays, shipping and all.
    """

    id: str
    customer: CustomerRecord | None
    status: OrderStatus
    payment: Payment
    currency: str
    total_minor: int
    lines: tuple[LineRecord, ...]
    placed_at: datetime | None = None
    source_id: str | None = None
    shipping_minor: int | None = None
    discount_minor: int | None = None
    tax_minor: int | None = None
    gift_note: str | None = None
    addresses: tuple[AddressRecord, ...] = ()
    fulfilments: tuple[FulfilmentRecord, ...] = ()
    payments: tuple[PaymentRecord, ...] = ()


Record = CustomerRecord | ProductRecord | OrderRecord
