"""Removes a rehearsal from every store once it has shown what it was made for."""

from functools import partial

from app.capture import repeats
from app.compile.parts import CompileParts
from app.domain import rehearsal
from app.domain.errors import ProjectNotFound
from app.domain.limits import STATE_WRITE_SECONDS_MAX
from app.state import erasure, projects


def remove_rehearsal(parts: CompileParts, name: str) -> None:
    """Remove a rehearsal's sessions, keys, handoffs and pages; git never had them.

    Raises:
        ProjectNotFound: there is no such rehearsal.
        DiskRefused: a file cannot be removed; asking again goes on.
    """
    scope = rehearsal.build_scope(name)
    project = parts.engine.read(projects.find_project, scope)
    if project is None or project.scope != scope:
        raise ProjectNotFound(str(scope))
    # Pages first: after a fault in between, the project is still there to be asked for again.
    parts.wiki.erase_scope(scope)
    erase = partial(erasure.erase_project, project_id=project.id, list_key_prefixes=repeats.list_key_prefixes)
    orphans = parts.writer.submit(erase).result(timeout=STATE_WRITE_SECONDS_MAX)
    for path in orphans:
        parts.raw.remove_file(path)
