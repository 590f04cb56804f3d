"""Projects, their aliases and the repository identities that lead to them."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from app.domain.errors import ProjectNotFound
from app.domain.limits import PROJECT_NAMES_MAX
from app.domain.scope import Project, Scope
from app.state import bulk
from app.state.engine import ReadConnection, WriteConnection
from app.state.tables import project_aliases, project_identities, projects

_COLUMNS = (
    projects.c.id,
    projects.c.workspace,
    projects.c.name,
    projects.c.created_at,
    projects.c.archived_at,
    projects.c.is_restricted,
)
_BY_ID = sa.select(*_COLUMNS).where(projects.c.id == sa.bindparam("project_id"))
_BY_SCOPE = sa.select(*_COLUMNS).where(
    projects.c.workspace == sa.bindparam("workspace"), projects.c.name == sa.bindparam("name")
)
_BY_ALIAS = (
    sa.select(*_COLUMNS)
    .join(project_aliases, project_aliases.c.project_id == projects.c.id)
    .where(
        project_aliases.c.workspace == sa.bindparam("workspace"),
        project_aliases.c.name == sa.bindparam("name"),
    )
)
_ID_BY_NAME = (
    sa.union_all(
        sa.select(projects.c.id, sa.literal(0).label("rank")).where(
            projects.c.workspace == sa.bindparam("workspace"), projects.c.name == sa.bindparam("name")
        ),
        sa.select(project_aliases.c.project_id, sa.literal(1)).where(
            project_aliases.c.workspace == sa.bindparam("workspace"), project_aliases.c.name == sa.bindparam("name")
        ),
    )
    .order_by("rank")
    .limit(1)
)
_ALL = sa.select(*_COLUMNS).order_by(projects.c.workspace, projects.c.name).limit(sa.bindparam("row_limit"))
_SCOPES = (
    sa.select(projects.c.id, projects.c.workspace, projects.c.name).order_by(projects.c.id).limit(PROJECT_NAMES_MAX)
)
_NAME_OF = sa.select(projects.c.workspace, projects.c.name).where(projects.c.id == sa.bindparam("project_id"))
_ARCHIVED = (
    sa.select(projects.c.id).where(projects.c.archived_at.is_not(None)).order_by(projects.c.id).limit(PROJECT_NAMES_MAX)
)
_NAMES = (
    sa.union(
        sa.select(projects.c.name).where(projects.c.workspace == sa.bindparam("workspace")),
        sa.select(project_aliases.c.name).where(project_aliases.c.workspace == sa.bindparam("workspace")),
    )
    .order_by("name")
    .limit(PROJECT_NAMES_MAX)
)


def find_project(conn: ReadConnection, scope: Scope) -> Project | None:
    """Find a project by its name, else by one that it had before."""
    names = {"workspace": scope.workspace, "name": scope.project}
    return _find_one(conn, _BY_SCOPE, names) or _find_one(conn, _BY_ALIAS, names)


def find_project_id(conn: ReadConnection, scope: Scope) -> str | None:
    """Find the id that a present or former name leads to, in one statement: it takes as long for no project."""
    names = {"workspace": scope.workspace, "name": scope.project}
    return conn.execute(_ID_BY_NAME, names).scalar()


def find_scope_name(conn: ReadConnection, project_id: str) -> str:
    """Find how a project is called, for the trail; empty where there is none any more."""
    found = conn.execute(_NAME_OF, {"project_id": project_id}).one_or_none()
    return "" if found is None else str(Scope(found.workspace, found.name))


def find_project_by_identity(conn: ReadConnection, identity: str) -> Project | None:
    """Find the project that a repository's key leads to."""
    # Each session that begins asks for this, so it goes past SQLAlchemy.
    leading = bulk.find_rows(conn, project_identities, project_identities.c.identity, (identity,))
    found = _load(conn, bulk.find_rows(conn, projects, projects.c.id, [row["project_id"] for row in leading]))
    return found[0] if found else None


def get_project(conn: ReadConnection, project_id: str) -> Project:
    """Get a project by its id.

    Raises:
        ProjectNotFound: no project has it.
    """
    project = _find_one(conn, _BY_ID, {"project_id": project_id})
    if project is None:
        raise ProjectNotFound(project_id)
    return project


def list_projects(
    conn: ReadConnection,
    limit: int,
    project_ids: Collection[str] | None = None,
    *,
    is_archived: bool | None = None,
) -> list[Project]:
    """List projects by workspace and name; `project_ids` are those that may be read, None for all."""
    statement = _ALL if project_ids is None else _ALL.where(projects.c.id.in_(sorted(project_ids)))
    if is_archived is not None:
        statement = statement.where(projects.c.archived_at.is_not(None) == is_archived)
    return _load(conn, conn.execute(statement, {"row_limit": limit}).mappings().all())


def list_scopes(conn: ReadConnection) -> list[tuple[str, Scope]]:
    """List the ids of all projects with their present names."""
    return [(project_id, Scope(workspace, name)) for project_id, workspace, name in conn.execute(_SCOPES)]


def list_names(conn: ReadConnection, workspace: str) -> frozenset[str]:
    """List the names that a new project of this workspace cannot have: those of others, now or before."""
    return frozenset(conn.execute(_NAMES, {"workspace": workspace}).scalars())


def list_archived(conn: ReadConnection) -> frozenset[str]:
    """List the ids of projects that are only read."""
    return frozenset(conn.execute(_ARCHIVED).scalars())


def update_archived(conn: WriteConnection, project_id: str, archived_at: datetime | None) -> None:
    """Store since when a project is only read; None for one that is not."""
    conn.execute(sa.update(projects).where(projects.c.id == project_id), {"archived_at": archived_at})


def insert_project(conn: WriteConnection, project: Project) -> None:
    """Insert a project with its aliases and identities; an alias without `/` is in its own workspace."""
    conn.execute(sa.insert(projects), {**_to_row(project), "is_restricted": False})
    _insert_names(conn, project)


def update_project(conn: WriteConnection, project: Project) -> None:
    """Make the stored names, aliases and identities those of `project`."""
    conn.execute(sa.update(projects).where(projects.c.id == project.id), _to_row(project))
    conn.execute(sa.delete(project_aliases).where(project_aliases.c.project_id == project.id))
    conn.execute(sa.delete(project_identities).where(project_identities.c.project_id == project.id))
    _insert_names(conn, project)


def list_former_scopes(project: Project) -> tuple[Scope, ...]:
    """List the names that lead to a project besides its own; an alias without `/` is in its own workspace."""
    return tuple(_read_alias(project, alias) for alias in project.aliases)


def insert_identity(conn: WriteConnection, project_id: str, identity: str) -> None:
    """Make a repository's key lead to a project."""
    conn.execute(sa.insert(project_identities), {"identity": identity, "project_id": project_id})


def insert_alias(conn: WriteConnection, project_id: str, scope: Scope) -> None:
    """Make a further name lead to a project; it must be nobody's yet."""
    row = {"workspace": scope.workspace, "name": scope.project, "project_id": project_id}
    conn.execute(sa.insert(project_aliases), row)


def _read_alias(project: Project, alias: str) -> Scope:
    workspace, separator, name = alias.partition("/")
    return Scope(workspace, name) if separator else Scope(project.scope.workspace, alias)


def _insert_names(conn: WriteConnection, project: Project) -> None:
    for former in list_former_scopes(project):
        insert_alias(conn, project.id, former)
    for identity in project.identities:
        insert_identity(conn, project.id, identity)


def _to_row(project: Project) -> dict[str, object]:
    return {
        "id": project.id,
        "workspace": project.scope.workspace,
        "name": project.scope.project,
        "created_at": project.created_at,
    }


def _find_one(conn: ReadConnection, statement: sa.Select[*tuple[Any, ...]], values: dict[str, str]) -> Project | None:
    found = _load(conn, conn.execute(statement, values).mappings().all())
    return found[0] if found else None


def _load(conn: ReadConnection, rows: Sequence[Mapping[str, Any]] | Sequence[sa.RowMapping]) -> list[Project]:
    """Read the names of all found projects in few queries, however many there are."""
    ids = [row["id"] for row in rows]
    aliases: dict[str, list[tuple[str, str]]] = {}
    for row in bulk.find_rows(conn, project_aliases, project_aliases.c.project_id, ids):
        aliases.setdefault(row["project_id"], []).append((row["workspace"], row["name"]))
    identities: dict[str, list[str]] = {}
    for row in bulk.find_rows(conn, project_identities, project_identities.c.project_id, ids):
        identities.setdefault(row["project_id"], []).append(row["identity"])
    return [
        Project(
            id=row["id"],
            scope=Scope(row["workspace"], row["name"]),
            created_at=row["created_at"],
            aliases=tuple(
                name if workspace == row["workspace"] else f"{workspace}/{name}"
                for workspace, name in sorted(aliases.get(row["id"], ()))
            ),
            identities=tuple(sorted(identities.get(row["id"], ()))),
            archived_at=row["archived_at"],
            is_restricted=row["is_restricted"],
        )
        for row in rows
    ]
