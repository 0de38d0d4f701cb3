"""The tables of the trail and of the open questions, and what keeps the trail append-only.

Knows:    the columns, and the triggers that refuse to alter or remove a row of the trail.
Does not: write a row.   (trail.py, approvals.py)
Note:     the triggers are made with the table, by `metadata.create_all`. They stop mistakes and our own code;
          who owns the database can drop them, and is then found by the chain.   (verify.py)
"""

from sqlalchemy import (
    DDL,
    BigInteger,
    CheckConstraint,
    Column,
    Double,
    Identity,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    event,
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(column_0_N_label)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
    }
)

audit = Table(
    "audit",
    metadata,
    # In the order of writing; not part of the chain.
    Column(
        "number",
        BigInteger().with_variant(Integer, "sqlite"),
        Identity(),
        primary_key=True,
        autoincrement=True,
    ),
    Column("writer", Text, nullable=False),
    Column("seq", Integer, nullable=False),
    Column("at", Text, nullable=False),  # UTC, as it is hashed: 2026-11-30T12:00:00.000000Z
    Column("session", Text, nullable=False),
    Column("identity", Text, nullable=False),
    Column("side", Text, nullable=False),
    Column("gate", Text, nullable=False),
    Column("tool", Text, nullable=False),
    Column("argument_digest", Text, nullable=False),
    Column("decision", Text, nullable=False),
    Column("reason", Text, nullable=False),
    # The newest row of another writer at the time of writing, where there was one since the row before.
    Column("seen_writer", Text),
    Column("seen_seq", Integer),
    Column("seen_hash", Text),
    Column("key", Text, nullable=False),
    Column("prev_hash", Text, nullable=False),
    Column("hash", Text, nullable=False),
    UniqueConstraint("writer", "seq"),
    Index("ix_audit_identity", "identity"),
    Index("ix_audit_session", "session"),
    sqlite_autoincrement=True,
)

approvals = Table(
    "approvals",
    metadata,
    # In the order of asking.
    Column(
        "number",
        BigInteger().with_variant(Integer, "sqlite"),
        Identity(),
        primary_key=True,
        autoincrement=True,
    ),
    Column("digest", Text, nullable=False, unique=True),
    Column("identity", Text, nullable=False),
    Column("server", Text, nullable=False),
    Column("session", Text, nullable=False),
    Column("audience", Text, nullable=False),
    Column("tool", Text, nullable=False),
    Column("tool_hash", Text, nullable=False),
    Column("language", Text, nullable=False),
    # Seconds since the epoch, as in the request.
    Column("asked_at", Double, nullable=False),
    Column("expires_at", Double, nullable=False),
    Column("state", Text, nullable=False),
    Column("outcome", Text, nullable=False),
    Column("request", Text, nullable=False),  # as JSON, while it is open; then empty
    Column("key", Text, nullable=False),
    Column("seal", Text, nullable=False),
    CheckConstraint("state IN ('asked', 'started', 'settled')", name="state"),
    CheckConstraint("state <> 'settled' OR request = ''", name="erased"),
    Index("ix_approvals_state_expires_at", "state", "expires_at"),
    sqlite_autoincrement=True,
)

_REFUSAL = "the audit trail is append-only"

_SQLITE = (
    f"CREATE TRIGGER audit_no_update BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, '{_REFUSAL}'); END",
    f"CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, '{_REFUSAL}'); END",
    # INSERT OR REPLACE removes a row without asking the trigger above.
    f"""CREATE TRIGGER audit_no_replace BEFORE INSERT ON audit
    WHEN EXISTS (SELECT 1 FROM audit WHERE number = NEW.number OR (writer = NEW.writer AND seq = NEW.seq))
    BEGIN SELECT RAISE(ABORT, '{_REFUSAL}'); END""",
)

_POSTGRES = (
    f"""CREATE FUNCTION audit_append_only() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION '{_REFUSAL}'; END $$""",
    """CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit
    FOR EACH STATEMENT EXECUTE FUNCTION audit_append_only()""",
)

for _dialect, _statements in {"sqlite": _SQLITE, "postgresql": _POSTGRES}.items():
    for _statement in _statements:
        # The driver takes a percent sign for its own; there is none in these.
        event.listen(audit, "after_create", DDL(_statement).execute_if(dialect=_dialect))
event.listen(
    audit,
    "after_drop",
    DDL("DROP FUNCTION IF EXISTS audit_append_only()").execute_if(dialect="postgresql"),
)
