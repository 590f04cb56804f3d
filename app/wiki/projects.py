"""Keeps each project's manifest and entry page in the wiki up to date."""

from app.domain.errors import PageChanged, PageExists
from app.domain.page import Page
from app.domain.pagepath import INDEX_PATH, PROJECT_PATH
from app.domain.redact import redact_text
from app.domain.scope import Project
from app.wiki import manifest
from app.wiki.manifest import ProjectSummary
from app.wiki.pages import Byline, PageDraft, Wiki

_AUTHOR = "memwiki"


def write_manifest(wiki: Wiki, project: Project, *, session_id: str = "") -> None:
    """Write `project.md` when a project gets its first page, and its fields when they change; its text is people's.

    Raises:
        FieldsUnreadable: a person broke its frontmatter.
        DiskRefused: the disk is full, read-only or somebody else's.
    """
    fields = manifest.build_project_fields(project)
    try:
        page = wiki.find_page(project.scope, PROJECT_PATH)
        if page is None:
            draft = PageDraft(fields, redact_text(manifest.build_project_body(project)))
            byline = Byline(_AUTHOR, f"Begin project {project.scope}", session_id)
            wiki.save_page(project.scope, PROJECT_PATH, draft, byline)
            return
        changed = {name: value for name, value in fields.items() if page.fields.get(name) != value}
        if page.fields.get("title") not in {alias.rpartition("/")[2] for alias in project.aliases}:
            # A title that a person gave to the page stays.
            changed.pop("title", None)
        if changed:
            byline = Byline(_AUTHOR, f"Update project {project.scope}", session_id)
            wiki.update_page_fields(project.scope, PROJECT_PATH, changed, page.content_hash, byline)
    except (PageExists, PageChanged):
        # Somebody else wrote it this moment; the next page of this project looks again.
        return


def write_index_page(wiki: Wiki, summary: ProjectSummary, *, session_id: str = "") -> Page:
    """Write `index.md`; nothing is written or committed while the summary is the same.

    Raises:
        FieldsUnreadable: a person broke its frontmatter.
        DiskRefused: the disk is full, read-only or somebody else's.
    """
    scope = summary.project.scope
    return wiki.save_generated(
        scope,
        INDEX_PATH,
        manifest.build_index_fields(summary),
        redact_text(manifest.build_index_body(summary)),
        Byline(_AUTHOR, f"Update the entry page of {scope}", session_id),
    )
