"""The tools that change pages; their docstrings are what agents read."""

from typing import Annotated

from pydantic import Field

from app.domain import pagepath
from app.domain.errors import InvalidValue
from app.domain.page import ContentHash
from app.domain.person import Act
from app.entrypoints import traces
from app.entrypoints.mcp import callers
from app.entrypoints.mcp.callers import AnyContext
from app.entrypoints.mcp.projects import get_project
from app.wiki import notes
from app.wiki.notes import NewText
from app.wiring import Runtime

Project = Annotated[str, Field(description="If there are several.")]


class WriteTools:
    """Pages."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def memory_write(
        self,
        path: Annotated[str, Field(description="Where it goes, such as notes/deploy.md or decisions/use-decimal.md.")],
        body: Annotated[str, Field(description="Markdown. Links: [[notes/other.md]].")],
        ctx: AnyContext,
        *,
        title: str = "",
        tags: Annotated[list[str], Field(description="Short tags.")] = [],  # noqa: B006 - pydantic copies it
        project: Project = "",
        expected_hash: Annotated[str, Field(description="The content_hash; empty for a new page.")] = "",
    ) -> str:
        """Save a page of lasting knowledge: a decision, a gotcha, a procedure, a note. Sessions save themselves.

        To change a page, give the content_hash that memory_read shows, so that nobody's text is lost.
        """
        if not body.strip():
            raise InvalidValue("body", "a page without text says nothing")
        found = await get_project(self._runtime, project, ctx, Act.WRITE)
        given = NewText(found.scope, pagepath.parse_page_path(path), body, title, tuple(tags))
        caller = await callers.find_caller(self._runtime, ctx)
        expected = ContentHash(expected_hash)
        page = await self._runtime.run(
            notes.save_text,
            self._runtime.wiki,
            given,
            expected=expected,
            author=caller.agent or caller.owner,
            session_id=caller.session_id,
        )
        traces.note_page(page.scope, page.path, expected, page.content_hash)
        return f"saved {page.scope}:{page.path} (content_hash {page.content_hash})"
