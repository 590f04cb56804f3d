"""Pages as MCP resources: `memwiki://workspace/project/path` for clients that let a person attach them."""

from urllib.parse import quote, unquote

from mcp.types import Resource, ResourceTemplate

from app.domain import fence, limits, pagepath
from app.domain import scope as scopes
from app.domain.errors import InvalidValue, PageNotFound
from app.entrypoints import visits
from app.entrypoints.mcp import callers, texts
from app.index import catalog
from app.index.entries import PageRow
from app.index.filters import PageFilter
from app.state import projects
from app.wiring import Runtime

MIME_TYPE = "text/markdown"
SCHEME = "memwiki://"
TEMPLATE = ResourceTemplate(
    uri_template=f"{SCHEME}{{workspace}}/{{project}}/{{+path}}",
    name="page",
    title="A page of the memory",
    description="Any page, by the project and path that memory_search shows.",
    mime_type=MIME_TYPE,
)


async def list_pages(runtime: Runtime) -> list[Resource]:
    """List the pages that changed last, of no archived project; others are read by their address all the same."""
    visitor = await callers.meet(runtime)
    sight = visitor.sight.scopes
    if visitor.principal.rights.archived:
        readable = visitor.sight.project_ids
        found = await runtime.read(projects.list_projects, limits.PROJECT_NAMES_MAX, readable, is_archived=False)
        sight = frozenset(project.scope for project in found)
    rows = await runtime.run(
        runtime.index.read,
        lambda connection: catalog.list_recent(connection, PageFilter(sight), limits.RESOURCES_LISTED_MAX),
    )
    return [_build_resource(row) for row in rows]


async def read_page(runtime: Runtime, uri: str) -> str:
    """Read a page whole, inside the fence.

    Raises:
        InvalidValue: it is no address of a page.
        UnsafePath: its path leaves the project.
        ProjectNotFound: there is no such project.
        PageNotFound: the project has no such page.
    """
    workspace, _, rest = unquote(uri.removeprefix(SCHEME)).partition("/")
    project, _, path = rest.partition("/")
    if not uri.startswith(SCHEME) or not path:
        raise InvalidValue("uri", f"write it as {TEMPLATE.uri_template}")
    scope = scopes.parse_scope(f"{workspace}/{project}")
    found = await visits.get_project(runtime, await callers.meet(runtime), str(scope))
    place = await visits.follow_page(runtime, str(scope), found, pagepath.parse_page_path(path))
    page = await runtime.run(runtime.wiki.find_page, found.scope, place)
    if page is None:
        raise PageNotFound(path)
    return texts.fence_recalled(f"{page.title} [{page.scope}:{page.path}] ({page.kind})\n\n{page.body}")


def _build_resource(row: PageRow) -> Resource:
    return Resource(
        uri=f"{SCHEME}{quote(str(row.scope))}/{quote(row.path)}",
        name=f"{row.scope}:{row.path}",
        title=_make_harmless(row.title),
        description=_make_harmless(row.description) or None,
        mime_type=MIME_TYPE,
    )


def _make_harmless(text: str) -> str:
    return fence.escape_fence(" ".join(text.split()))[: limits.RESOURCE_DESCRIPTION_CHARS_MAX]
