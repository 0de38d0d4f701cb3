"""What writing rows has in common, whatever the table.

Knows:    how rows are updated many at a time, and what tells two records apart.
Does not: know whose a row is, or which has to be written.   (customers.py, writing.py)
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from sqlalchemy import Connection, Table, bindparam, delete, insert, update

import store.schema as schema
from store.records import CustomerRecord, OrderRecord

Written = Literal["new", "changed", "same"]


def update_rows(connection: Connection, table: Table, rows: Sequence[dict[str, Any]]) -> None:
    """Update the rows whose id is `of`."""
    if rows:
        names = [name for name in rows[0] if name not in ("of", "id")]
        statement = update(table).where(table.c.id == bindparam("of"))
        connection.execute(statement.values({name: bindparam(name) for name in names}), rows)


def replace_addresses(
    connection: Connection, column: str, owners: Mapping[str, CustomerRecord] | Mapping[str, OrderRecord]
) -> None:
    """Put these addresses in the place of those that the owners have."""
    addresses = schema.addresses
    connection.execute(delete(addresses).where(addresses.c[column].in_(list(owners))))
    rows = [
        columns_of(each) | {column: owner} for owner, record in owners.items() for each in record.addresses
    ]
    if rows:
        connection.execute(insert(addresses), rows)


def columns_of(part: object) -> dict[str, Any]:
    """Return the fields of a part of a record, which are named like the columns that keep them."""
    return vars(part)


def plain_of(part: object) -> tuple[Any, ...]:
    """Return what a part of a record says, for a digest."""
    return tuple(columns_of(part).values())


def digest_of(values: Iterable[Any]) -> str:
    """Return what tells two rows apart: the same for the same values."""
    return hashlib.sha256(repr(list(values)).encode()).hexdigest()[:32]
