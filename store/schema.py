"""The shop's tables.

Knows:    every column, and the constraints that hold whatever the code above forgets.
Does not: read or write a row.   (orders.py, tickets.py, writing.py)
Units:    amounts in minor units of the currency beside them; times in UTC.
"""

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Date,
    DateTime,
    ForeignKey,
    Identity,
    Index,
    Integer,
    MetaData,
    Table,
    event,
    text,
)
from sqlalchemy import Text as AnyText
from sqlalchemy.types import TypeDecorator

FIRST_TICKET = 1001

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(column_0_N_label)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


class Text(TypeDecorator[str]):
    """Characters that every database of ours can hold.

    Postgres keeps no NUL, and no UTF-8 has half of a surrogate pair: each becomes a sign that no id holds, so
    that a look-up with one finds nothing, and a text with one is kept without it, the same everywhere.
    """

    impl = AnyText
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Any) -> str | None:
        """Return the text with what cannot be kept made visible."""
        if value is None or (value.isascii() and "\0" not in value):
            return value
        return value.replace("\0", "\ufffd").encode("utf-8", "replace").decode("utf-8")


class Utc(TypeDecorator[datetime]):
    """A moment. SQLite keeps no zone: it gets UTC, and what comes back is marked as such."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Any) -> datetime | None:
        """Return the moment in UTC; a time without a zone is nobody's moment."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a time without a zone cannot be kept")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Any) -> datetime | None:
        """Return the moment with its zone."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def _of(table: str, *, on_delete: str = "CASCADE") -> ForeignKey:
    return ForeignKey(f"{table}.id", ondelete=on_delete)


customers = Table(
    "customers",
    metadata,
    Column("id", Text, primary_key=True),
    Column("name", Text),
    Column("email", Text),
    Column(
        "email_key", Text, unique=True
    ),  # common/mailbox.py, of the account's own address alone: how it is found
    Column("phone", Text),
    Column("digest", Text, nullable=False),  # of the record: an import that changes nothing writes nothing
)

products = Table(
    "products",
    metadata,
    Column("id", Text, primary_key=True),
    Column("title", Text, nullable=False),
    Column("digest", Text, nullable=False),
)

variants = Table(
    "variants",
    metadata,
    Column("id", Text, primary_key=True),
    Column("product_id", Text, _of("products"), nullable=False, index=True),
    Column("title", Text),
    Column("sku", Text),
    Column("price_minor", BigInteger, nullable=False),
    Column("currency", Text, nullable=False),
    Column("available", Boolean, nullable=False),
)

orders = Table(
    "orders",
    metadata,
    Column("id", Text, primary_key=True),  # the number that the shop prints
    Column("source_id", Text),
    Column("customer_id", Text, _of("customers", on_delete="SET NULL")),
    Column("status", Text, nullable=False),
    Column("payment", Text, nullable=False),
    Column("currency", Text, nullable=False),
    Column("total_minor", BigInteger, nullable=False),
    Column("shipping_minor", BigInteger),
    Column("discount_minor", BigInteger),
    Column("tax_minor", BigInteger),
    Column("placed_at", Utc),
    Column("gift_note", Text),
    Column("digest", Text, nullable=False),
    Index("ix_orders_customer_placed", "customer_id", "placed_at", "id"),
    Index("ix_orders_placed", "placed_at", "id"),
)

addresses = Table(
    "addresses",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("customer_id", Text, _of("customers"), index=True),
    Column("order_id", Text, _of("orders"), index=True),
    Column("kind", Text, nullable=False),
    Column("name", Text),
    Column("line1", Text),
    Column("line2", Text),
    Column("city", Text),
    Column("region", Text),
    Column("postal_code", Text),
    Column("country", Text),
    CheckConstraint("(customer_id IS NULL) <> (order_id IS NULL)", name="one_owner"),
)

order_lines = Table(
    "order_lines",
    metadata,
    Column("order_id", Text, _of("orders"), primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("variant_id", Text),
    Column("sku", Text),
    Column("name", Text, nullable=False),
    Column("quantity", Integer, nullable=False),
    Column("price_minor", BigInteger, nullable=False),
)

payments = Table(
    "payments",
    metadata,
    Column("order_id", Text, _of("orders"), primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("amount_minor", BigInteger, nullable=False),
    Column("method", Text),
    Column("reference", Text),
    Column("at", Utc),
    CheckConstraint("kind IN ('payment', 'refund')", name="kind"),
    CheckConstraint("amount_minor >= 0", name="amount"),
)

fulfilments = Table(
    "fulfilments",
    metadata,
    Column("order_id", Text, _of("orders"), primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("carrier", Text),
    Column("tracking_number", Text),
    Column("shipped_at", Utc),
    Column("expected_on", Date),
    Column("delivered_on", Date),
)

tickets = Table(
    "tickets",
    metadata,
    Column("id", Integer, Identity(start=FIRST_TICKET), primary_key=True, autoincrement=True),
    Column("order_id", Text, _of("orders", on_delete="SET NULL")),
    Column("customer_id", Text, _of("customers", on_delete="SET NULL"), index=True),
    Column("conversation", Text),  # of a ticket without an order: whose uniqueness it has
    Column("category", Text, nullable=False),
    Column("summary", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("opened_at", Utc, nullable=False),
    Column("closed_at", Utc),
    CheckConstraint("status IN ('open', 'closed')", name="status"),
    CheckConstraint("(status = 'closed') = (closed_at IS NOT NULL)", name="closed_at"),
    Index(
        "uq_tickets_open_of_order",
        "order_id",
        "category",
        unique=True,
        sqlite_where=text("status = 'open' AND order_id IS NOT NULL"),
    ),
    Index(
        "uq_tickets_open_of_conversation",
        "conversation",
        unique=True,
        sqlite_where=text("status = 'open' AND conversation IS NOT NULL"),
    ),
    Index("ix_tickets_status_opened", "status", "opened_at"),
    sqlite_autoincrement=True,
)

ticket_events = Table(
    "ticket_events",
    metadata,
    Column("ticket_id", Integer, _of("tickets"), primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("at", Utc, nullable=False),
    Column("kind", Text, nullable=False),
    Column("note", Text),
    CheckConstraint("kind IN ('opened', 'noted', 'closed')", name="kind"),
)

policies = Table(
    "policies",
    metadata,
    Column("name", Text, primary_key=True),
    Column("language", Text, primary_key=True),
    Column("title", Text, nullable=False),
    Column("text", Text, nullable=False),
)

policy_revision = Table(
    "policy_revision",
    metadata,
    Column("one", Integer, primary_key=True),  # always 1: a table of one row
    Column("revision", Integer, nullable=False),
)


def _number_tickets_from_the_first(target: Table, connection: Any, **_: Any) -> None:
    if connection.dialect.name == "sqlite":
        connection.execute(
            text("INSERT INTO sqlite_sequence (name, seq) VALUES ('tickets', :before)"),
            {"before": FIRST_TICKET - 1},
        )


event.listen(tickets, "after_create", _number_tickets_from_the_first)


def _hold_on_postgres_too(target: MetaData, connection: Any, **_: Any) -> None:
    """Give the partial indexes their condition on Postgres.

    Here, not above: to name the dialect there would load it, a tenth of a second of every start on SQLite.
    """
    if connection.dialect.name == "postgresql":
        for index in tickets.indexes:
            where = index.dialect_options["sqlite"]["where"]
            if where is not None:
                index.dialect_kwargs["postgresql_where"] = where


event.listen(metadata, "before_create", _hold_on_postgres_too)
