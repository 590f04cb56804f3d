"""Pages: read, save, move, delete, list and their history."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query
from pydantic import Field

from app.domain import limits, pagepath
from app.domain.errors import InvalidValue, PageNotFound
from app.domain.page import ContentHash, PagePath
from app.domain.scope import Scope
from app.entrypoints import shapes, traces, visits
from app.entrypoints.http import search
from app.entrypoints.http.dependencies import (
    JsonBody,
    MaybeProject,
    OneProject,
    TheRuntime,
    TheVisitor,
    WritableProject,
)
from app.entrypoints.shapes import Shape
from app.index import catalog
from app.index.filters import PageFilter
from app.wiki import history, markdown, notes, parts
from app.wiki.notes import NewText
from app.wiki.pages import Byline
from app.wiring import Runtime

router = APIRouter(tags=["pages"])


class PageBody(JsonBody):
    """A page's new text; `fields` are further frontmatter, unknown ones of the present page stay."""

    body: str
    title: str = Field("", max_length=limits.TITLE_CHARS_MAX * 4)
    tags: list[str] = Field(default_factory=list)
    fields: dict[str, Any] = Field(default_factory=dict)
    expected_hash: str | None = Field(
        None, description="The content_hash that the text is based on; empty for a page that must not exist yet."
    )


Limit = Annotated[int, Query(ge=1, le=limits.LIST_LIMIT_MAX)]


async def follow_path(
    runtime: TheRuntime, project: OneProject, path: str, named: Annotated[str, Query(alias="project")] = ""
) -> PagePath:
    """Read the path of a page, and lead on from one that it had in a project of a former name."""
    return await visits.follow_page(runtime, named, project, pagepath.parse_page_path(path))


FollowedPath = Annotated[PagePath, Depends(follow_path)]


@router.get("/recent")
async def list_recent(runtime: TheRuntime, visitor: TheVisitor, project: MaybeProject, limit: Limit = 20) -> Shape:
    """List the pages that changed last."""
    wanted = PageFilter(scopes=search.list_scopes(project, visitor))
    rows = await runtime.run(runtime.index.read, lambda connection: catalog.list_recent(connection, wanted, limit))
    return {"pages": [shapes.shape_row(row) for row in rows]}


@router.get("/backlinks/{path:path}")
async def list_backlinks(runtime: TheRuntime, visitor: TheVisitor, project: OneProject, path: str) -> Shape:
    """List the pages that link to a page."""
    page_path, wanted = pagepath.parse_page_path(path), PageFilter(scopes=visitor.sight.scopes)
    rows = await runtime.run(
        runtime.index.read, lambda connection: catalog.list_backlinks(connection, project.scope, page_path, wanted)
    )
    return {"pages": [shapes.shape_row(row) for row in rows]}


@router.get("/history/{path:path}")
async def list_history(runtime: TheRuntime, project: OneProject, path: str, limit: Limit = 50) -> Shape:
    """List the revisions of a page, newest first."""
    place = runtime.wiki.tree.find_place(project.scope, pagepath.parse_page_path(path))
    revisions = await runtime.run(history.log, runtime.repository, place, limit)
    return {"revisions": [shapes.shape_revision(revision) for revision in revisions]}


@router.get("/pages/{path:path}")  # noqa: FAST003 - what it follows reads the path
async def read_page(
    runtime: TheRuntime,
    project: OneProject,
    page_path: FollowedPath,
    revision: str = "",
    part: Annotated[str, Query(description="A heading, or lines of the body as 12-40: `body` is only that.")] = "",
) -> Shape:
    """Read a page as it is, or as it was at a revision, whole or a part of it."""
    return await runtime.run(load_page, runtime, project.scope, page_path, revision, part)


@router.put("/pages/{path:path}")
async def save_page(
    runtime: TheRuntime, visitor: TheVisitor, project: WritableProject, path: str, body: PageBody
) -> Shape:
    """Save a page; a text based on another one than what is there is a conflict, never a silent overwrite."""
    if not body.body.strip():
        raise InvalidValue("body", "a page without text says nothing; delete the page instead")
    given = NewText(project.scope, pagepath.parse_page_path(path), body.body, body.title, tuple(body.tags), body.fields)
    expected = ContentHash(body.expected_hash or "")
    page = await runtime.run(notes.save_text, runtime.wiki, given, expected=expected, author=visitor.person)
    traces.note_page(project.scope, page.path, expected, page.content_hash)
    return await runtime.run(load_page, runtime, project.scope, page.path)


@router.delete("/pages/{path:path}", status_code=204)
async def delete_page(
    runtime: TheRuntime, visitor: TheVisitor, project: WritableProject, path: str, expected_hash: str
) -> None:
    """Delete the page that has the given hash; its history stays in git."""
    byline = Byline(visitor.person, f"Delete {path}")
    page_path = pagepath.parse_page_path(path)
    await runtime.run(runtime.wiki.delete_page, project.scope, page_path, ContentHash(expected_hash), byline)
    traces.note_page(project.scope, page_path, expected_hash, "")


def load_page(runtime: Runtime, scope: Scope, path: PagePath, revision: str = "", part: str = "") -> Shape:
    """Read a page from its file, or from git where a revision is named; of a part only that text is told.

    Raises:
        PageNotFound: there is no such page, or none at that revision.
        InvalidValue: the page has no such part.
    """
    tree = runtime.wiki.tree
    if revision:
        raw: bytes | None = history.show(runtime.repository, revision, tree.find_place(scope, path))
    else:
        raw = tree.read_page(scope, path)
    if raw is None:
        raise PageNotFound(path)
    page = markdown.parse_page(scope, tree.find_path(scope, path), raw)
    if part.strip():
        return shapes.shape_part(page, parts.find_part(page, part))
    return shapes.shape_page(page, raw.decode("utf-8", "replace"))
