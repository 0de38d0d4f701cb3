"""Schema 0002: the open questions of gate 6, kept so that they outlive the chat that asked them.

Knows:    each column, as it was then: it is never edited after a release; what changes comes in a new file.
Does not: read journal/schema.py.   (tests/store/test_migrations.py compares the two)
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Make the table."""
    # A backup of 0001 that is put back on Postgres leaves what it does not know: this table, of before.
    op.execute("DROP TABLE IF EXISTS approvals")
    op.create_table(
        "approvals",
        sa.Column(
            "number",
            sa.BigInteger().with_variant(sa.Integer, "sqlite"),
            sa.Identity(),
            primary_key=True,
            autoincrement=True,
        ),
        sa.Column("digest", sa.Text, nullable=False, unique=True),
        *_needed("identity", "server", "session", "audience", "tool", "tool_hash", "language"),
        sa.Column("asked_at", sa.Double, nullable=False),
        sa.Column("expires_at", sa.Double, nullable=False),
        *_needed("state", "outcome", "request", "key", "seal"),
        sa.CheckConstraint("state IN ('asked', 'started', 'settled')", name="state"),
        sa.CheckConstraint("state <> 'settled' OR request = ''", name="erased"),
        sa.Index("ix_approvals_state_expires_at", "state", "expires_at"),
        sqlite_autoincrement=True,
    )


def _needed(*names: str) -> list[sa.Column[str]]:
    return [sa.Column(name, sa.Text, nullable=False) for name in names]
