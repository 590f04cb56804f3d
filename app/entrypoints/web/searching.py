"""The search page, whole or only its hits where a script asks while somebody types."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from starlette.requests import Request
from starlette.responses import Response

from app.domain import limits
from app.domain import scope as scopes
from app.domain.errors import AppError, InvalidName
from app.domain.page import PageKind
from app.domain.scope import Scope
from app.entrypoints import answer_shapes
from app.entrypoints.web import frame, subject
from app.entrypoints.web.frame import Viewer
from app.search import pages as search
from app.search.answer import Hit, SearchAnswer, SearchRequest
from app.state import sessions as session_rows

_FILTERS = ("project", "kind", "agent", "person", "since", "until", "as_of")
_HITS = 20
_DAY = timedelta(days=1)


async def show_search(request: Request) -> Response:
    """Search the wiki; every filter stands in the address, so that a search can be shared."""
    site, viewer = frame.find_site(request), await subject.find_viewer(request)
    text = request.query_params.get("q", "")[: limits.QUERY_CHARS_MAX]
    chosen = {name: request.query_params.get(name, "")[: limits.NAME_CHARS_MAX * 2] for name in _FILTERS}
    names = await subject.list_names(site, viewer, chosen["project"])
    agents, people = await site.runtime.read(session_rows.list_agents_and_owners, viewer.project_ids)
    started = site.runtime.clock.now()
    wanted = build_request(text, chosen, viewer, with_why="why" in request.query_params,
                           with_old="superseded" in request.query_params)  # fmt: skip
    cursor = request.query_params.get("cursor", "")[: limits.CURSOR_CHARS_MAX]
    asked, found, fault = replace(wanted, now=started, cursor=cursor), SearchAnswer(()), ""
    is_asked = bool(text.strip()) or asked.is_filtered
    if is_asked:
        try:
            found = await site.runtime.run(search.search, site.runtime.index, asked, site.runtime.aids)
        except AppError as error:
            fault = str(error)
    template = "_hits.html" if request.headers.get("hx-request") else "search.html"
    return frame.answer(
        request, template, title=f"Search: {text}" if text else "Search", query=text, chosen=chosen, names=names,
        found=found, fault=fault, kinds=[kind.value for kind in PageKind], with_why=asked.with_why,
        with_old=asked.include_superseded, explain=_explain, took=site.runtime.clock.now() - started,
        agents=agents, people=people, is_filtered=any(chosen.values()), is_asked=is_asked,
        cursor=cursor,
    )  # fmt: skip


def build_request(
    text: str, chosen: Mapping[str, str], viewer: Viewer, *, with_why: bool, with_old: bool
) -> SearchRequest:
    """Read the filters of an address; one that cannot be understood is not applied, and the page shows it as empty."""
    kind, project = chosen["kind"], chosen["project"]
    until, as_of = parse_day(chosen["until"]), parse_day(chosen["as_of"])
    return SearchRequest(
        text=text,
        scopes=_choose_scopes(project, viewer),
        limit=_HITS,
        kinds=(PageKind(kind),) if kind in frozenset(PageKind) else (),
        since=parse_day(chosen["since"]),
        until=until + _DAY if until else None,
        as_of=as_of + _DAY if as_of else None,
        agents=(chosen["agent"],) if chosen["agent"] else (),
        authors=(chosen["person"],) if chosen["person"] else (),
        include_superseded=with_old,
        with_why=with_why,
    )


def _choose_scopes(project: str, viewer: Viewer) -> frozenset[Scope] | None:
    if not project:
        return viewer.scopes
    try:
        scope = scopes.parse_scope(project)
    except InvalidName:
        return frozenset()
    return frozenset({scope}) if viewer.scopes is None or scope in viewer.scopes else frozenset()


def parse_day(text: str) -> datetime | None:
    """Read what a date field sends: the beginning of that day in UTC; None where it is empty or no day."""
    try:
        return datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC) if text else None
    except ValueError:
        return None


def _explain(hit: Hit) -> list[str]:
    return answer_shapes.explain_rank(hit.why) if hit.why else []
