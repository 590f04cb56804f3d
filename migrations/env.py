"""Runs migrations on the connection that the caller put into the configuration."""

from alembic import context

settings = context.config.attributes
context.configure(
    connection=settings["connection"],
    target_metadata=settings.get("tables"),
    render_as_batch=True,
    compare_type=True,
)
with context.begin_transaction():
    context.run_migrations()
