"""Takes a whole project out of state: for what was made up, never for what somebody did.

Audit rows stay, since their chain would break; a tombstone is not left, because nothing can come late.
"""

from collections.abc import Callable, Iterable

import sqlalchemy as sa

from app.state.engine import WriteConnection
from app.state.tables import (
    handoffs,
    ingest_keys,
    jobs,
    observations,
    project_aliases,
    project_identities,
    projects,
    raw_segments,
    sessions,
)
from app.state.tables_feedback import feedback
from app.state.tables_knowledge import knowledge_pages, lessons, proposals
from app.state.tables_messages import messages
from app.state.tables_moves import moved_pages
from app.state.tables_people import grants, group_grants

# Keys end in hexadecimal digits and colons, which all sort before this.
_LAST = "~"


def erase_project(
    conn: WriteConnection, project_id: str, list_key_prefixes: Callable[[str], Iterable[str]]
) -> list[str]:
    """Delete a project and all of its sessions, and name the files under `raw/` that nothing names any more.

    `list_key_prefixes` tells of an agent's own session id how that session's keys begin.
    """
    own = sessions.c.project_id == project_id
    names = conn.execute(sa.select(sessions.c.agent_session_id).where(own)).scalars().all()
    session_ids = sa.select(sessions.c.id).where(own)
    paths = conn.execute(sa.select(raw_segments.c.path).where(raw_segments.c.session_id.in_(session_ids))).scalars()
    orphans = list(paths)
    for prefix in (prefix for name in names for prefix in list_key_prefixes(name)):
        conn.execute(sa.delete(ingest_keys).where(ingest_keys.c.key.between(prefix, prefix + _LAST)))
    conn.execute(sa.delete(jobs).where(jobs.c.key.in_(session_ids)))
    for table in (raw_segments, observations):
        conn.execute(sa.delete(table).where(table.c.session_id.in_(session_ids)))
    for column in (messages.c.project_id, messages.c.from_project_id):
        conn.execute(sa.delete(messages).where(column == project_id))
    named = (feedback, lessons, knowledge_pages, proposals, handoffs, sessions, project_identities, project_aliases)
    for table in (*named, grants, group_grants, moved_pages):
        conn.execute(sa.delete(table).where(table.c.project_id == project_id))
    conn.execute(sa.delete(projects).where(projects.c.id == project_id))
    return orphans
