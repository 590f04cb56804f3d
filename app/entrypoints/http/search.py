"""Queries over the wiki."""

from datetime import UTC, datetime
from functools import partial
from typing import Annotated, Final

import msgspec
from fastapi import APIRouter, Query, Response

from app.domain import limits
from app.domain.errors import InvalidValue, UnknownKind
from app.domain.page import PageKind
from app.domain.scope import Project, Scope
from app.entrypoints import answer_shapes, visits
from app.entrypoints.answer_shapes import Form
from app.entrypoints.http.dependencies import MaybeProject, TheRuntime, TheVisitor
from app.entrypoints.shapes import Shape
from app.entrypoints.visits import Visitor
from app.search import answer, pages
from app.search.answer import Budget, Grain, SearchAnswer, SearchRequest
from app.search.gather import STREAM_NAMES
from app.wiring import Runtime

router = APIRouter(tags=["search"])

Limit = Annotated[int, Query(ge=1, le=limits.SEARCH_LIMIT_MAX)]
Moment = Annotated[datetime | None, Query()]


@router.get("/search", response_model=Shape)
async def search_pages(
    runtime: TheRuntime,
    visitor: TheVisitor,
    project: MaybeProject,
    q: Annotated[
        str,
        Query(
            description='Words; "quotes" keep words together, -word leaves out; path: kind: tag: agent: by: since: '
            "until: as-of: project: is:superseded|pinned|stale, which alone list pages, the newest change first. "
            "Anything else is looked for as it stands."
        ),
    ] = "",
    limit: Limit = limits.SEARCH_LIMIT_DEFAULT,
    *,
    kind: Annotated[str, Query(description="Kinds of pages, separated by commas.")] = "",
    tag: Annotated[str, Query(description="Tags that a page must all have, separated by commas.")] = "",
    since: Moment = None,
    until: Moment = None,
    as_of: Annotated[datetime | None, Query(description="Pages as they were known then.")] = None,
    include_superseded: bool = False,
    grain: Annotated[Grain, Query(description="What a hit is: a page, or one observation of a session.")] = Grain.PAGES,
    skip: Annotated[str, Query(description="Streams that are not asked, separated by commas.")] = "",
    why: Annotated[bool, Query(description="Say of each hit why it ranked where it did, and by what signs.")] = False,
    among: Annotated[str, Query(alias="projects", description="Only these projects, separated by commas.")] = "",
    cursor: Annotated[str, Query(description="The `next_cursor` of an answer to the same question.")] = "",
    budget_chars: Annotated[
        int | None, Query(ge=limits.BUDGET_CHARS_MIN, description="The whole body fits it.")
    ] = None,
    budget_tokens: Annotated[int | None, Query(ge=limits.BUDGET_TOKENS_MIN, description="The same, estimated.")] = None,
) -> Response:
    """Find pages, or what sessions said word for word, best first; filters alone list them, a blank query none."""
    request = SearchRequest(
        text=q,
        scopes=await find_scopes(runtime, visitor, project, among),
        limit=limit,
        cursor=cursor,
        kinds=parse_kinds(kind),
        tags=_split(tag),
        since=read_moment("since", since),
        until=read_moment("until", until),
        include_superseded=include_superseded,
        with_why=why,
        grain=grain,
        as_of=read_moment("as_of", as_of),
        now=runtime.clock.now(),
        skipped=_parse_streams(skip),
    )
    found = await runtime.run(pages.search, runtime.index, request, runtime.aids)
    # Written here, and not by the framework, which would look at each value of it twice more.
    fitted = answer.fit_budget(found, Budget(budget_chars, budget_tokens), *_FORMS)
    return Response(fitted.text, media_type="application/json")


def render_body(found: SearchAnswer, form: Form) -> str:
    """Write an answer as the body that it becomes."""
    return msgspec.json.encode(answer_shapes.shape_answer(found, form)).decode("utf-8")


_FORMS: Final = tuple(partial(render_body, form=form) for form in Form)


async def find_scopes(
    runtime: Runtime, visitor: Visitor, project: Project | None, among: str
) -> frozenset[Scope] | None:
    """Find the scopes that a search may look at: those of a list, else the one project; None means all.

    Raises:
        ProjectNotFound: a name of the list belongs to no project that may be read.
    """
    names = _split(among)
    if not names:
        return list_scopes(project, visitor)
    found = [await visits.get_project(runtime, visitor, name) for name in names]
    return frozenset(each.scope for each in found)


def list_scopes(project: Project | None, visitor: Visitor) -> frozenset[Scope] | None:
    """List the scopes that a search may look at: the named one, else those that may be read; None means all."""
    return frozenset({project.scope}) if project else visitor.sight.scopes


def parse_kinds(text: str) -> tuple[PageKind, ...]:
    """Read a list of kinds.

    Raises:
        UnknownKind: one is no kind of page.
    """
    try:
        return tuple(PageKind(word) for word in _split(text))
    except ValueError as error:
        raise UnknownKind("kind", text, tuple(kind.value for kind in PageKind)) from error


def _parse_streams(text: str) -> frozenset[str]:
    """Read a list of streams.

    Raises:
        UnknownKind: one is no stream.
    """
    found = frozenset(_split(text))
    if not found <= set(STREAM_NAMES):
        raise UnknownKind("stream", text, STREAM_NAMES)
    return found


def _split(text: str) -> tuple[str, ...]:
    if len(text) > limits.QUERY_CHARS_MAX:
        raise InvalidValue("query", f"a list of more than {limits.QUERY_CHARS_MAX} characters")
    return tuple(word.strip() for word in text.split(",") if word.strip())


def read_moment(name: str, moment: datetime | None) -> datetime | None:
    """Bring a moment to UTC; one without a zone is taken as UTC.

    Raises:
        InvalidValue: it does not exist in UTC.
    """
    if moment is None:
        return None
    try:
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except OverflowError as error:
        raise InvalidValue(name, "a time that does not exist in UTC") from error
