"""One page of the wiki: its text as HTML, what its frontmatter says, where it leads and what leads to it."""

import re
from dataclasses import dataclass
from functools import cache
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from app.domain import limits, limits_web
from app.domain import link as links
from app.domain.entity import parse_thing
from app.domain.errors import PageNotFound
from app.domain.link import LinkTarget
from app.domain.page import Link, Page
from app.domain.scope import Scope
from app.entrypoints.web import diagrams, evidence, frame, render, subject
from app.entrypoints.web.frame import Site, Viewer
from app.entrypoints.web.render import Rendered, Surroundings
from app.index import aliases, catalog, document, rows
from app.index.catalog import LinkRow
from app.index.database import Connection
from app.index.entries import PageRow
from app.index.filters import PageFilter
from app.upkeep import lint
from app.wiki import history
from app.wiki.kept import Kept

_QUIET_FIELDS = frozenset({
    "title", "kind", "id", "type", "tags", "session_id", "description", "files", "sources", "generated",
    "generated_hash", "created", "updated", "agent", "author", "verified_at", "verified_by", "entities", "relations",
    "supersedes", "superseded_by", "facts", "stale_after", "pinned", "updated_at", "stopped_at", "generated_sections",
    "okf_version",
})  # fmt: skip

_REVISION_CHARS: Final = 12
_FENCE: Final = "`" * 40
_BROKEN_HEAD: Final = re.compile(r"\A---[^\n]*\n.*?^---[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a link leads, as the address of a page that is there."""

    scope: Scope
    path: str


# Pages as HTML by content and by where their links lead.
_RENDERED: Kept[Rendered] = Kept(limits_web.RENDER_CACHE_PAGES)


async def show_page(request: Request) -> Response:
    """Show a page as it is, or as it was at a revision."""
    site, scope, path = frame.find_site(request), await subject.find_scope(request), subject.find_path(request)
    viewer, revision = await subject.find_viewer(request), request.query_params.get("at", "")
    raw = await site.runtime.run(subject.read_raw, site, scope, path, revision)
    if raw is None:
        return await _show_absent(request, site, scope, str(path))
    page = await site.runtime.run(subject.parse_raw, site, scope, path, raw)
    rendered = await site.runtime.run(render_page, site, page, viewer)
    row = await subject.ask_index(site, lambda index: catalog.find_page(index, scope, page.path))
    backlinks = await subject.ask_index(
        site,
        lambda index: catalog.list_backlinks(
            index, scope, page.path, PageFilter(viewer.scopes), limits_web.WEB_BACKLINKS_MAX + 1
        ),
    )
    relations = await subject.ask_index(site, lambda index: _list_relations(index, page, viewer))
    superseder = await subject.ask_index(site, lambda index: _find_superseder(index, row, viewer))
    return frame.answer(
        request, "page.html", title=page.title, scope=scope, page=page, row=row, rendered=rendered, revision=revision,
        backlinks=backlinks[: limits_web.WEB_BACKLINKS_MAX],
        has_more=len(backlinks) > limits_web.WEB_BACKLINKS_MAX,
        relations=relations, superseder=superseder, fields=_list_fields(page), verifier=_find_verifier(page),
        things=_list_things(page), facts=_list_facts(page), stale_since=_find_stale(site, page),
        sandbox=diagrams.find_sandbox(site, [rendered.body]),
    )  # fmt: skip


async def show_raw(request: Request) -> Response:
    """Give a page's bytes as they are; with `download` to be kept as a file."""
    site, scope, path = frame.find_site(request), await subject.find_scope(request), subject.find_path(request)
    raw = await site.runtime.run(subject.read_raw, site, scope, path, request.query_params.get("at", ""))
    if raw is None:
        raise PageNotFound(path)
    kind = "attachment" if "download" in request.query_params else "inline"
    name = path.rpartition("/")[2].encode("ascii", "replace").decode().replace('"', "_").replace("?", "_")
    headers = {"Content-Disposition": f'{kind}; filename="{name}"', "Cache-Control": "private, no-cache"}
    return Response(raw, media_type="text/plain; charset=utf-8", headers=headers)


def render_page(site: Site, page: Page, viewer: Viewer) -> Rendered:
    """Render a page with its links resolved for who looks."""
    scopes = viewer.scopes
    found = site.runtime.index.read(lambda index: catalog.list_links(index, page.scope, page.path, scopes))
    places = {row.target: row for row in sorted(found, key=lambda row: bool(row.to_path))}
    leads = tuple(sorted((row.target, row.to_path, row.to_title) for row in places.values() if row.to_path))
    key = (page.content_hash, page.scope, page.path, leads, scopes)
    known = _RENDERED.find(key)
    if known is not None:
        return known

    @cache
    def resolve(link: Link) -> str:
        row = places.get(link.target)
        place = _Place(row.to_scope, row.to_path) if row else _ask_place(site, page, link, scopes)
        return site.url_of_page(place.scope, place.path) if place and place.path else ""

    def name(link: Link) -> str:
        row = places.get(link.target)
        return row.to_title if row else ""

    session_id = page.fields.get("session_id")
    session_url = site.url("sessions", session_id) if isinstance(session_id, str) and session_id else ""
    sources = evidence.list_sources(page.fields, site.url("sessions"))
    around = Surroundings(resolve, session_url, name=name, sources=sources)
    rendered = render.render_body(_show_source(page), around)
    _RENDERED.keep(key, rendered)
    return rendered


def _show_source(page: Page) -> str:
    """Give a page's text; what is broken in it stands as it is in the file, for it is no markdown."""
    codes = {finding.code for finding in page.findings}
    if "merge_conflict" in codes:
        return f"{_FENCE}\n{page.body}\n{_FENCE}\n"
    if "frontmatter_unreadable" in codes:
        return _BROKEN_HEAD.sub(lambda match: f"{_FENCE}yaml\n{match[0]}{_FENCE}\n\n", page.body, count=1)
    return page.body


def _ask_place(site: Site, page: Page, link: Link, scopes: frozenset[Scope] | None) -> _Place | None:
    """Find a page that the index does not name among this page's links, as on an old revision."""
    target: LinkTarget | None = links.resolve_link(link, page.scope, page.path)
    if target is None:
        return None
    scope = site.runtime.index.read(lambda index: aliases.resolve(index, target.scope))
    if scopes is not None and scope not in scopes:
        return None
    row = site.runtime.index.read(lambda index: catalog.find_page(index, scope, target.path))
    return _Place(row.scope, str(row.path)) if row else None


async def _show_absent(request: Request, site: Site, scope: Scope, path: str) -> Response:
    """Say that a page is gone, and show what git remembers of it."""
    place = site.runtime.wiki.tree.find_place(scope, subject.find_path(request))
    revisions = await site.runtime.run(history.log, site.runtime.repository, place, limits_web.WEB_LIST_ROWS)
    return frame.answer(
        request, "absent.html", 404, title="There is no such page", scope=scope, path=path, revisions=revisions
    )


def _list_relations(index: Connection, page: Page, viewer: Viewer) -> list[tuple[LinkRow, str]]:
    """List what a page says of others, each with the title of the page that it leads to, or as it is written."""
    found = catalog.list_links(index, page.scope, page.path, viewer.scopes)
    related = (row for row in found if row.relation not in {"", "link", "links"})
    return [(row, row.label or row.to_title or row.target) for row in related]


def _find_superseder(index: Connection, row: PageRow | None, viewer: Viewer) -> PageRow | None:
    """Find the page that took this one's place, by its own word or by that of the other."""
    if row is None:
        return None
    said = row.superseded_by or rows.list_superseders(index, [row.row_id]).get(row.row_id, "")
    link = links.parse_wikilink(said.strip().removeprefix("[[").removesuffix("]]"))
    target = links.resolve_link(link, row.scope, row.path) if said else None
    if target is None or (viewer.scopes is not None and target.scope not in viewer.scopes):
        return None
    return catalog.find_page(index, target.scope, target.path)


def _find_verifier(page: Page) -> tuple[str, str]:
    """Tell who checked the page last: a session by its id, or a person by name; both empty where nobody did."""
    said = page.fields.get("verified_by")
    kind, _, session_id = said.partition(" ") if isinstance(said, str) else ("", "", "")
    return (session_id, "") if kind == "session" and session_id else ("", said if isinstance(said, str) else "")


def _list_things(page: Page) -> list[tuple[str, str]]:
    """List what a page says it is about by kind and name, each once; a plain name has no kind."""
    given = page.fields.get("entities")
    texts = [text for text in given if isinstance(text, str) and text.strip()] if isinstance(given, list) else []
    found = [(thing.kind.value, thing.name) if (thing := parse_thing(text)) else ("", text) for text in texts]
    return list(dict.fromkeys(found))[: limits.ENTITIES_PER_PAGE_MAX]


def _list_facts(page: Page) -> list[tuple[str, str, str]]:
    """List what a page states as facts: what it is of, the value, and from and until when."""
    given = page.fields.get("facts")
    listed = []
    for fact in given if isinstance(given, list) else ():
        if isinstance(fact, dict):
            of = " ".join(str(fact[name]) for name in ("subject", "property") if fact.get(name))
            since, until = (str(fact.get(name) or "")[:10] for name in ("valid_from", "valid_until"))
            when = " ".join(word for word in (f"from {since}" * bool(since), f"until {until}" * bool(until)) if word)
            listed.append((of, str(fact.get("value", "")), when))
    return listed[: limits_web.WEB_FACTS_MAX]


def _find_stale(site: Site, page: Page) -> str:
    day = document.find_stale_after(page.fields)
    return day if lint.is_past(day, site.runtime.clock.now()) else ""


def _list_fields(page: Page) -> list[tuple[str, str]]:
    """List what the frontmatter says beyond what the page shows elsewhere, as short texts."""
    listed = []
    for name, value in page.fields.items():
        if name not in _QUIET_FIELDS and not str(name).startswith("_"):
            text = _tell_value(value)[:_REVISION_CHARS] if name == "revision" else _tell_value(value)
            listed.append((str(name), text if len(text) <= limits.SNIPPET_CHARS_MAX else text[:200] + "…"))
    return listed


def _tell_value(value: object) -> str:
    """Write a value of the frontmatter for people: lists and mappings without their signs."""
    match value:
        case list():
            return ", ".join(map(_tell_value, value))
        case dict():
            return "; ".join(f"{name}: {_tell_value(each)}" for name, each in value.items())
        case bool():
            return "yes" if value else "no"
        case None:
            return "none"
        case _:
            return str(value)
