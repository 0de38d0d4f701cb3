"""What the formats share: how a name is told from its variant, who a customer is, where something is sent.

Knows:    the records, and one way to write what every shop system writes in its own.
Does not: know a field's name in any format.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal

from common.text import one_line
from store.importing.fields import LONGEST_NAME, Fields
from store.records import AddressRecord, CustomerRecord, LineRecord, Record

MOST_LINES = 1000

MOVES: dict[str, Literal["payment", "refund"]] = {"payment": "payment", "refund": "refund"}

Names = Mapping[str, str]
"""A part of an address -> the field that holds it."""


@dataclass(frozen=True)
class JsonFormat:
    """A form of JSON. fits: whether a value is of it, from the key it stands under and its own keys.

    read: the records of a value, none where it is left out on purpose.
    """

    name: str
    title: str
    fits: Callable[[str, Mapping[str, Any]], bool]
    read: Callable[[str, Fields], list[Record]]


@dataclass(frozen=True)
class TableFormat:
    """A form of CSV. number: the column by which rows belong together; read: the records of such rows."""

    name: str
    title: str
    number: str
    needed: frozenset[str]
    columns: frozenset[str]
    read: Callable[[list[Fields]], list[Record]]


def titled(name: str, variant: Iterable[object]) -> str:
    """Return an item's name with what tells it from its like: Water Bottle (1000ml, glass, blue)."""
    told = variant_told(variant)
    return f"{name[: LONGEST_NAME - len(told) - 3]} ({told})" if told else name


def variant_told(variant: Iterable[object]) -> str:
    """Return what tells a variant from the others of its product: 1000ml, glass, blue."""
    plain = (each for each in variant if isinstance(each, str | int | Decimal) and not isinstance(each, bool))
    return ", ".join(filter(None, (one_line(str(each)) for each in plain)))[: LONGEST_NAME // 2]


def customer_of(
    customer_id: str | None,
    email: str | None,
    name: str | None,
    phone: str | None,
    addresses: Iterable[AddressRecord | None] = (),
    own_email: str | None = None,
) -> CustomerRecord | None:
    """Return who placed an order; None where neither an id nor an e-mail address says.

    email: what the order gives, which anybody may have typed. own_email: of the account's own record.
    """
    if customer_id:
        return CustomerRecord(customer_id, name, own_email, phone, tuple(filter(None, addresses)), email)
    if own_email or email:
        return CustomerRecord(None, name, own_email or email, phone, tuple(filter(None, addresses)))
    return None


def full_name(fields: Fields, first: str, last: str) -> str | None:
    """Return a name that stands in two fields."""
    parts = (fields.text(first, private="a name"), fields.text(last, private="a name"))
    return " ".join(filter(None, parts)) or None


def address_of(
    fields: Fields, kind: Literal["shipping", "billing", "home"], names: Names, name: str | None = None
) -> AddressRecord | None:
    """Return an address; None where every part of it is empty."""
    parts = {
        part: (fields.code if part == "postal_code" else fields.text)(field, private="an address")
        for part, field in names.items()
    }
    if not any(parts.values()):
        return None
    return AddressRecord(kind, **({"name": name} | parts))


def checked(fields: Fields, field: str, lines: Iterable[LineRecord]) -> tuple[LineRecord, ...]:
    """Return an order's lines; an order without one, or with very many, is noted as wrong."""
    kept = tuple(line for line in lines if line.quantity > 0)
    if not kept and not fields.problems:
        fields.missing(field, "at least one item of which there is a piece")
    if len(kept) > MOST_LINES:
        fields.bad(field, f"at most {MOST_LINES} items in an order")
    return kept
