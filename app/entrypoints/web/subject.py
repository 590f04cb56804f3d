"""Finds what a page is about: who looks, the project in its address, and the page in it."""

from collections.abc import Callable
from typing import TypeVar
from urllib.parse import quote

from starlette.exceptions import HTTPException
from starlette.requests import Request

from app.domain import limits, limits_web, pagepath
from app.domain import scope as scopes
from app.domain.errors import InvalidName, ProjectNotFound
from app.domain.page import Page, PagePath
from app.domain.person import Act, Right
from app.domain.person_errors import ActDenied
from app.domain.scope import Scope
from app.entrypoints import principals, visits
from app.entrypoints.web import frame
from app.entrypoints.web.frame import Site, Viewer
from app.index import catalog
from app.index.database import Connection
from app.state import moves, projects
from app.wiki import history, markdown

_T = TypeVar("_T")


async def find_viewer(request: Request) -> Viewer:
    """Tell who looks, and what this person may read.

    Raises:
        ActDenied: what proves who looks is not good for reading.
    """
    principal = principals.find(request.scope)
    if Right.READ not in principal.rights.uses:
        raise ActDenied(Act.READ.value)
    return Viewer(await visits.meet(frame.find_site(request).runtime, principal))


async def ask_index(site: Site, query: Callable[[Connection], _T]) -> _T:
    """Ask the index on a thread."""
    return await site.runtime.run(site.runtime.index.read, query)


async def find_scope(request: Request) -> Scope:
    """Find the project that the address names, and lead from a former name to the present one.

    Raises:
        ProjectNotFound: there is no such project, or the viewer may not know of it.
        HTTPException: the project has another name now; it redirects.
    """
    site, given = frame.find_site(request), request.path_params
    name = f"{given['workspace']}/{given['project']}"
    try:
        named = scopes.parse_scope(name)
    except InvalidName as error:
        raise ProjectNotFound(name) from error
    viewer = await find_viewer(request)
    if viewer.scopes is None:
        scope = await _find_any_scope(site, named)
    else:
        scope = (await visits.get_project(site.runtime, viewer.visitor, name)).scope
    if scope != named:
        prefix = site.url_of_project(named)
        rest = await _follow(site, named, (site.prefix + request.url.path).removeprefix(prefix), given.get("path", ""))
        address = site.url_of_project(scope) + rest
        query = f"?{request.url.query}" if request.url.query else ""
        raise HTTPException(308, headers={"Location": address + query})
    return scope


async def _follow(site: Site, named: Scope, rest: str, path: str) -> str:
    """Lead on to the page that another path has now than it had in the project of that name."""
    if not path:
        return rest
    moved = await site.runtime.read(moves.find_moved_page, named, pagepath.parse_page_path(path))
    return f"{rest.partition('/')[0]}/{quote(moved)}" if moved else rest


async def _find_any_scope(site: Site, named: Scope) -> Scope:
    """Find the project for whoever may read all, also one that state does not know and the index does."""
    known = await site.runtime.read(projects.find_project, named)
    scope = known.scope if known else named
    if known is None and not await ask_index(site, lambda index: catalog.count_pages(index, {scope})):
        raise ProjectNotFound(str(named))
    return scope


def read_number(request: Request, name: str) -> int:
    """Read a number in the address; 0 where it is none or larger than any of ours."""
    text = request.query_params.get(name, "")
    return int(text) if text.isdecimal() and len(text) <= limits_web.ADDRESS_DIGITS_MAX else 0


def find_path(request: Request) -> PagePath:
    """Read the page's path in the address.

    Raises:
        UnsafePath: it is no path of a page.
    """
    return pagepath.parse_page_path(request.path_params["path"])


def read_raw(site: Site, scope: Scope, path: PagePath, revision: str = "") -> bytes | None:
    """Read a page's bytes as they are, or as they were at a revision; none where no file is.

    Raises:
        PageNotFound: there is no such revision, or no such page in it.
    """
    tree = site.runtime.wiki.tree
    if revision:
        return history.show(site.runtime.repository, revision, tree.find_place(scope, path))
    return tree.read_page(scope, path)


def parse_raw(site: Site, scope: Scope, path: PagePath, raw: bytes) -> Page:
    """Understand a page's bytes as far as they can be."""
    return markdown.parse_page(scope, site.runtime.wiki.tree.find_path(scope, path), raw)


async def list_names(site: Site, viewer: Viewer, chosen: str) -> list[str]:
    """List the projects that a menu offers: none that is archived, but the one that is chosen."""
    known = await site.runtime.read(projects.list_projects, limits.LIST_LIMIT_MAX, viewer.project_ids)
    return [str(each.scope) for each in known if each.archived_at is None or str(each.scope) == chosen]
