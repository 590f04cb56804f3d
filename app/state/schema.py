"""Brings the database to this release's schema at boot, and refuses one that a newer release has written."""

import re
from pathlib import Path

import sqlalchemy as sa

from app.domain.errors import SchemaTooNew, StoreUnreadable
from app.state.engine import ReadConnection, StateEngine, WriteConnection
from app.state.tables import SCHEMA
from app.state.tables_feedback import feedback
from app.state.tables_knowledge import knowledge_pages, lessons, proposals
from app.state.tables_messages import messages
from app.state.tables_moves import moved_pages, moves
from app.state.tables_people import PEOPLE_TABLES
from app.state.tables_unkept import unkept_counts

_MIGRATION = re.compile(r"^(\d{4})_\w+\.py$")
# Families in modules of their own join the metadata when they are imported.
_FAMILIES = (messages, unkept_counts, *PEOPLE_TABLES, lessons, knowledge_pages, proposals, feedback, moves, moved_pages)
_VERSION = sa.table("alembic_version", sa.column("version_num", sa.Text()))


def upgrade_schema(engine: StateEngine, migrations_folder: Path) -> None:
    """Upgrade if needed, after a copy of the database beside it as `state.db.before-NNNN`.

    Raises:
        SchemaTooNew: a newer release wrote the database.
        StoreUnreadable: the file is damaged or is not ours.
        DiskRefused: the disk is full, read-only or owned by somebody else.
    """
    known = list_revisions(migrations_folder)
    head = known[-1]
    with engine.write_connection() as conn:
        with conn.begin():
            found = find_revision(conn)
            is_empty = found is None and not sa.inspect(conn).get_table_names()
        if found == head:
            return
        if found is not None and found not in known:
            raise SchemaTooNew(found, head)
        if found is None and not is_empty:
            raise StoreUnreadable(engine.path.name, "it has tables that memwiki did not make")
        if found is not None:
            engine.copy_to(engine.path.with_name(f"{engine.path.name}.before-{head}"))
        _run_migrations(conn, migrations_folder)
    engine.renew_writer()


def list_revisions(migrations_folder: Path) -> list[str]:
    """List the known revisions, oldest first, by their files' names."""
    names = (path.name for path in (migrations_folder / "versions").iterdir())
    return sorted(match[1] for name in names if (match := _MIGRATION.match(name)))


def find_revision(conn: ReadConnection) -> str | None:
    """Find the revision of the stored schema; None for a database without one."""
    if not sa.inspect(conn).has_table(_VERSION.name):
        return None
    return conn.execute(sa.select(_VERSION.c.version_num)).scalar()


def _run_migrations(conn: WriteConnection, migrations_folder: Path) -> None:
    # Alembic takes over a second to import and an up-to-date database does not need it.
    from alembic import command, config  # noqa: PLC0415 -- start-up time, see above

    settings = config.Config()
    settings.set_main_option("script_location", str(migrations_folder).replace("%", "%%"))
    settings.attributes.update(connection=conn, tables=SCHEMA)
    with conn.begin():
        command.upgrade(settings, "head")
