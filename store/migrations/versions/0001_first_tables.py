"""Schema 0001: the shop's tables as they first stood, and the audit trail's.

Knows:    each column, as it was then: it is never edited after a release; what changes comes in a new file.
Does not: read store/schema.py.   (tests/store/test_migrations.py compares the two)
"""

from datetime import datetime

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

_FIRST_TICKET = 1001


def upgrade() -> None:
    """Make the tables."""
    _catalogue()
    _orders()
    _tickets()
    _policies()
    _audit_trail()


def _text(*names: str) -> list[sa.Column[str]]:
    return [sa.Column(name, sa.Text) for name in names]


def _needed(*names: str) -> list[sa.Column[str]]:
    return [sa.Column(name, sa.Text, nullable=False) for name in names]


def _moment(name: str, *, nullable: bool = True) -> sa.Column[datetime]:
    return sa.Column(name, sa.DateTime(timezone=True), nullable=nullable)


def _id() -> sa.Column[str]:
    return sa.Column("id", sa.Text, primary_key=True)


def _of(table: str, *, on_delete: str = "CASCADE") -> sa.ForeignKey:
    return sa.ForeignKey(f"{table}.id", ondelete=on_delete)


def _part_of_an_order() -> list[sa.Column[object]]:
    return [
        sa.Column("order_id", sa.Text, _of("orders"), primary_key=True),
        sa.Column("position", sa.Integer, primary_key=True),
    ]


def _catalogue() -> None:
    op.create_table(
        "customers",
        _id(),
        *_text("name", "email"),
        sa.Column("email_key", sa.Text, unique=True),
        *_text("phone"),
        *_needed("digest"),
    )
    op.create_table("products", _id(), *_needed("title", "digest"))
    op.create_table(
        "variants",
        _id(),
        sa.Column("product_id", sa.Text, _of("products"), nullable=False, index=True),
        *_text("title", "sku"),
        sa.Column("price_minor", sa.BigInteger, nullable=False),
        *_needed("currency"),
        sa.Column("available", sa.Boolean, nullable=False),
    )


def _orders() -> None:
    op.create_table(
        "orders",
        _id(),
        *_text("source_id"),
        sa.Column("customer_id", sa.Text, _of("customers", on_delete="SET NULL")),
        *_needed("status", "payment", "currency"),
        sa.Column("total_minor", sa.BigInteger, nullable=False),
        sa.Column("shipping_minor", sa.BigInteger),
        sa.Column("discount_minor", sa.BigInteger),
        sa.Column("tax_minor", sa.BigInteger),
        _moment("placed_at"),
        *_text("gift_note"),
        *_needed("digest"),
        sa.Index("ix_orders_customer_placed", "customer_id", "placed_at", "id"),
        sa.Index("ix_orders_placed", "placed_at", "id"),
    )
    op.create_table(
        "addresses",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("customer_id", sa.Text, _of("customers"), index=True),
        sa.Column("order_id", sa.Text, _of("orders"), index=True),
        *_needed("kind"),
        *_text("name", "line1", "line2", "city", "region", "postal_code", "country"),
        sa.CheckConstraint("(customer_id IS NULL) <> (order_id IS NULL)", name="one_owner"),
    )
    op.create_table(
        "order_lines",
        *_part_of_an_order(),
        *_text("variant_id", "sku"),
        *_needed("name"),
        sa.Column("quantity", sa.Integer, nullable=False),
        sa.Column("price_minor", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "payments",
        *_part_of_an_order(),
        *_needed("kind"),
        sa.Column("amount_minor", sa.BigInteger, nullable=False),
        *_text("method", "reference"),
        _moment("at"),
        sa.CheckConstraint("kind IN ('payment', 'refund')", name="kind"),
        sa.CheckConstraint("amount_minor >= 0", name="amount"),
    )
    op.create_table(
        "fulfilments",
        *_part_of_an_order(),
        *_text("carrier", "tracking_number"),
        _moment("shipped_at"),
        sa.Column("expected_on", sa.Date),
        sa.Column("delivered_on", sa.Date),
    )


def _tickets() -> None:
    op.create_table(
        "tickets",
        sa.Column("id", sa.Integer, sa.Identity(start=_FIRST_TICKET), primary_key=True, autoincrement=True),
        sa.Column("order_id", sa.Text, _of("orders", on_delete="SET NULL")),
        sa.Column("customer_id", sa.Text, _of("customers", on_delete="SET NULL"), index=True),
        *_text("conversation"),
        *_needed("category", "summary", "status"),
        _moment("opened_at", nullable=False),
        _moment("closed_at"),
        sa.CheckConstraint("status IN ('open', 'closed')", name="status"),
        sa.CheckConstraint("(status = 'closed') = (closed_at IS NOT NULL)", name="closed_at"),
        sa.Index("ix_tickets_status_opened", "status", "opened_at"),
        _one_open("uq_tickets_open_of_order", "order_id", "category"),
        _one_open("uq_tickets_open_of_conversation", "conversation"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "ticket_events",
        sa.Column("ticket_id", sa.Integer, _of("tickets"), primary_key=True),
        sa.Column("position", sa.Integer, primary_key=True),
        _moment("at", nullable=False),
        *_needed("kind"),
        *_text("note"),
        sa.CheckConstraint("kind IN ('opened', 'noted', 'closed')", name="kind"),
    )
    if op.get_context().dialect.name == "sqlite":  # which has no Identity(start=…)
        op.execute(f"INSERT INTO sqlite_sequence (name, seq) VALUES ('tickets', {_FIRST_TICKET - 1})")


def _one_open(name: str, *columns: str) -> sa.Index:
    where = sa.text(f"status = 'open' AND {columns[0]} IS NOT NULL")
    return sa.Index(name, *columns, unique=True, sqlite_where=where, postgresql_where=where)


def _policies() -> None:
    op.create_table(
        "policies",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("language", sa.Text, primary_key=True),
        *_needed("title", "text"),
    )
    op.create_table(
        "policy_revision",
        sa.Column("one", sa.Integer, primary_key=True),
        sa.Column("revision", sa.Integer, nullable=False),
    )


def _audit_trail() -> None:
    op.create_table(
        "audit",
        sa.Column(
            "number",
            sa.BigInteger().with_variant(sa.Integer, "sqlite"),
            sa.Identity(),
            primary_key=True,
            autoincrement=True,
        ),
        *_needed("writer"),
        sa.Column("seq", sa.Integer, nullable=False),
        *_needed(
            "at", "session", "identity", "side", "gate", "tool", "argument_digest", "decision", "reason"
        ),
        *_text("seen_writer"),
        sa.Column("seen_seq", sa.Integer),
        *_text("seen_hash"),
        *_needed("key", "prev_hash", "hash"),
        sa.UniqueConstraint("writer", "seq"),
        sa.Index("ix_audit_identity", "identity"),
        sa.Index("ix_audit_session", "session"),
        sqlite_autoincrement=True,
    )
    for statement in _APPEND_ONLY[op.get_context().dialect.name]:
        op.execute(statement)


_REFUSAL = "the audit trail is append-only"

_APPEND_ONLY = {
    "sqlite": (
        f"CREATE TRIGGER audit_no_update BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, '{_REFUSAL}'); END",
        f"CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, '{_REFUSAL}'); END",
        # INSERT OR REPLACE removes a row without asking the trigger above.
        f"""CREATE TRIGGER audit_no_replace BEFORE INSERT ON audit
    WHEN EXISTS (SELECT 1 FROM audit WHERE number = NEW.number OR (writer = NEW.writer AND seq = NEW.seq))
    BEGIN SELECT RAISE(ABORT, '{_REFUSAL}'); END""",
    ),
    "postgresql": (
        f"""CREATE FUNCTION audit_append_only() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION '{_REFUSAL}'; END $$""",
        """CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit
    FOR EACH STATEMENT EXECUTE FUNCTION audit_append_only()""",
    ),
}
