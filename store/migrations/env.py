"""What alembic runs a migration in: the connection that store/migrate.py has begun, and all of our tables.

Knows:    the two rooms that keep tables.
Does not: open a database or commit.
"""

from alembic import context

from store.migrate import every_table

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=every_table(),
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
