"""How much work is open in each project, for pages that tell it."""

import sqlalchemy as sa

from app.domain.handoff import OPEN_STATES
from app.state.engine import ReadConnection
from app.state.tables import handoffs

_COUNTS = (
    sa.select(handoffs.c.project_id, sa.func.count())
    .where(handoffs.c.state.in_(sorted(state.value for state in OPEN_STATES)))
    .group_by(handoffs.c.project_id)
    .order_by(handoffs.c.project_id)
    .limit(sa.bindparam("row_limit"))
)


def count_open_handoffs(conn: ReadConnection, limit: int) -> dict[str, int]:
    """Count the open handoffs of each project that has any."""
    return {str(project_id): int(count) for project_id, count in conn.execute(_COUNTS, {"row_limit": limit})}
