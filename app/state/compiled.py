"""Which sessions have a page, for whoever goes over all of them in small steps."""

import sqlalchemy as sa

from app.state.engine import ReadConnection
from app.state.tables import sessions

_AFTER = (
    sa.select(sessions.c.id)
    .where(sessions.c.id > sa.bindparam("after"), sessions.c.compiled_through > 0)
    .order_by(sessions.c.id)
    .limit(sa.bindparam("row_limit"))
)


def list_compiled_after(conn: ReadConnection, after: str, limit: int) -> list[str]:
    """List the ids of compiled sessions behind an id, in their order."""
    return list(conn.execute(_AFTER, {"after": after, "row_limit": limit}).scalars())
