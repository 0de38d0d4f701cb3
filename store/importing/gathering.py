"""The records of all files, gathered before the first is written, so that a bad row changes nothing.

Knows:    which record counts where several say something of the same order, product or customer.
Does not: write into a database (writing into one is short then), or read a file.
Memory:   orders and products lie in a file without a name until they are written; of an order the number
          alone is held. Customers are held: what several orders say of one has to be put together.
"""

import pickle
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from common.mailbox import email_key
from store.records import CustomerRecord, OrderRecord, ProductRecord, Record

_NEVER = datetime.min.replace(tzinfo=UTC)

Key = tuple[str, str]
"""Kind and id."""


@dataclass(frozen=True)
class Ordered:
    """An order, and the key of who placed it: ("id", …), ("email", …), or None."""

    record: OrderRecord
    buyer: Key | None


class Gathered:
    """Records as they come in, and as they are to be written."""

    def __init__(self) -> None:
        # Without a name nobody else can open it, and it is gone with the process.
        self._spool = tempfile.TemporaryFile(prefix="shopkart-import-")  # noqa: SIM115 - close() closes it
        self._count = 0
        self._last: dict[Key, tuple[int, str]] = {}
        self._customers: dict[Key, tuple[tuple[bool, datetime], CustomerRecord]] = {}
        self.twice: dict[str, list[str]] = {}  # orders that were given more than once, and in which files

    def add(self, record: Record, file: str) -> None:
        """Take a record; of two of the same order or product the later counts."""
        if isinstance(record, CustomerRecord):
            self._add_customer(record, is_own=True, at=_NEVER)
            return
        buyer = None
        if isinstance(record, OrderRecord) and record.customer is not None:
            buyer = self._add_customer(record.customer, is_own=False, at=record.placed_at or _NEVER)
        kind = "order" if isinstance(record, OrderRecord) else "product"
        earlier = self._last.get((kind, record.id))
        if earlier is not None and kind == "order":
            self.twice.setdefault(record.id, [earlier[1]]).append(file)
        self._last[kind, record.id] = (self._count, file)
        kept = Ordered(replace(record, customer=None), buyer) if isinstance(record, OrderRecord) else record
        pickle.dump(kept, self._spool, protocol=pickle.HIGHEST_PROTOCOL)
        self._count += 1

    def __len__(self) -> int:
        return len(self._last) + len(self._customers)

    def customers(self) -> Iterator[tuple[Key, CustomerRecord]]:
        """Yield every customer once, those with an id first."""
        for wanted in ("id", "email"):
            for key, (_, record) in self._customers.items():
                if key[0] == wanted:
                    yield key, record

    def others(self) -> Iterator[Ordered | ProductRecord]:
        """Yield every product and order once, in the order in which they came."""
        self._spool.seek(0)
        for index in range(self._count):
            kept: Ordered | ProductRecord = pickle.load(self._spool)
            key = ("order", kept.record.id) if isinstance(kept, Ordered) else ("product", kept.id)
            if self._last[key][0] == index:
                yield kept

    def close(self) -> None:
        """Let go of what was gathered."""
        self._spool.close()

    def _add_customer(self, record: CustomerRecord, *, is_own: bool, at: datetime) -> Key:
        """Put together what is said of a customer: a record of their own counts most, then the newest."""
        key = ("id", record.id) if record.id else ("email", email_key(record.email or ""))
        rank = (is_own, at)
        known = self._customers.get(key)
        if known is None:
            self._customers[key] = (rank, record)
        elif known[1] != record or rank > known[0]:
            newer, older = (record, known[1]) if rank >= known[0] else (known[1], record)
            self._customers[key] = (max(rank, known[0]), overlaid(older, newer))
        return key


def overlaid(older: CustomerRecord, newer: CustomerRecord) -> CustomerRecord:
    """Return what is known of a customer: the newer word where it says something."""
    return CustomerRecord(
        newer.id or older.id,
        newer.name or older.name,
        newer.email or older.email,
        newer.phone or older.phone,
        newer.addresses or older.addresses,
        newer.contact_email or older.contact_email,
    )
