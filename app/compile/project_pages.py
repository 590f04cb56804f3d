"""The two pages that every project has: its manifest `project.md` and its generated entry page `index.md`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.compile import escape
from app.domain import legible
from app.domain.page import PageKind, PagePath
from app.domain.pagepath import PAGE_SUFFIX
from app.domain.scope import Project

LISTED_MAX = 20
DESCRIPTION_CHARS_MAX = 160

# In the order in which a newcomer wants them.
_KIND_TITLES = {
    PageKind.RULE: "Rules",
    PageKind.DECISION: "Decisions",
    PageKind.GOTCHA: "Gotchas",
    PageKind.PROCEDURE: "Procedures",
    PageKind.CONCEPT: "Concepts",
    PageKind.SESSION: "Latest sessions",
    PageKind.NOTE: "Notes",
}


@dataclass(frozen=True, slots=True)
class ListedPage:
    """What the entry page says of another page."""

    path: PagePath
    kind: PageKind
    title: str
    description: str


def build_manifest(project: Project) -> tuple[Mapping[str, object], str]:
    """Build a project's manifest; its id is what stays when the project is renamed."""
    fields: dict[str, object] = {
        "type": PageKind.PROJECT.value,
        "kind": PageKind.PROJECT.value,
        "id": project.id,
        "title": project.scope.project,
        "workspace": project.scope.workspace,
        "project": project.scope.project,
        "aliases": list(project.aliases) or None,
        "repositories": list(project.identities) or None,
        "created": project.created_at.strftime("%Y-%m-%dT%H:%M:%SZ"),
    }
    body = f"# {escape.escape_inline(project.scope.project)}\n\nWhat is known of this project: [[index]].\n"
    return fields, body


def build_index(
    project: Project, pages: Sequence[ListedPage], counts: Mapping[PageKind, int]
) -> tuple[Mapping[str, object], str]:
    """Build the entry page from the latest pages of each kind; the same pages give the same bytes."""
    name = project.scope.project
    fields: dict[str, object] = {
        "type": PageKind.INDEX.value,
        "kind": PageKind.INDEX.value,
        "id": f"index-{project.id}",
        "title": f"{name}: index",
        "description": f"Entry page of {name}, generated from its pages.",
        "generated": True,
    }
    parts = [f"# {escape.escape_inline(name)}"]
    for kind, title in _KIND_TITLES.items():
        of_kind = [page for page in pages if page.kind is kind][:LISTED_MAX]
        if not of_kind:
            continue
        lines = [_render_entry(page) for page in of_kind]
        more = counts.get(kind, 0) - len(of_kind)
        if more > 0:
            lines.append(f"- … and {more} more")
        parts.append(f"## {title}\n\n" + "\n".join(lines))
    if len(parts) == 1:
        parts.append("There are no pages yet.")
    return fields, "\n\n".join(parts) + "\n"


def _render_entry(page: ListedPage) -> str:
    label = legible.squeeze(page.title).replace("[", "(").replace("]", ")").replace("|", "/")
    told = (
        f": {escape.escape_inline(legible.clip(page.description, DESCRIPTION_CHARS_MAX))}" if page.description else ""
    )
    return f"- [[{page.path.removesuffix(PAGE_SUFFIX)}|{label}]]{told}"
