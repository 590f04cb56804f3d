"""A project as a picture: its pages and what they are about, whole, of one kind, or around one page."""

from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

from app.domain import limits, limits_web
from app.domain.entity import ThingKind
from app.domain.page import PageKind
from app.domain.scope import Scope
from app.entrypoints.web import frame, layout, subject
from app.entrypoints.web.layout import Dot
from app.index import graph as graphs
from app.index.database import IndexDatabase
from app.index.graph import PictureWish
from app.wiki.kept import Kept

_KINDS = tuple(
    kind.value for kind in (*PageKind, *ThingKind) if kind not in {PageKind.INDEX, PageKind.PROJECT, ThingKind.COMMIT}
)


@dataclass(frozen=True, slots=True)
class Drawing:
    """A picture with its places; a line is its two ends and what it means."""

    dots: tuple[Dot, ...] = ()
    lines: tuple[tuple[Dot, Dot, str], ...] = ()
    omitted: int = 0


# Drawings by what the index held when they were made.
_DRAWINGS: Kept[Drawing] = Kept(limits_web.DRAWING_CACHE_PICTURES)


async def show_graph(request: Request) -> Response:
    """Show a project's graph; `kind` asks for pages or things of that kind, `page` for what is around one page."""
    site, scope = frame.find_site(request), await subject.find_scope(request)
    kind = request.query_params.get("kind", "")
    page = request.query_params.get("page", "")[: limits.PATH_CHARS_MAX]
    wish = PictureWish(kind if kind in _KINDS else "", page)
    drawing = await site.runtime.run(draw, site.runtime.index, scope, wish)
    return frame.answer(
        request, "graph.html", title=f"Graph of {scope}", scope=scope, drawing=drawing, wish=wish, kinds=_KINDS,
        width=layout.WIDTH, height=layout.HEIGHT,
    )  # fmt: skip


def draw(index: IndexDatabase, scope: Scope, wish: PictureWish) -> Drawing:
    """Draw a picture, or find it as it was drawn if the index holds what it held then."""
    key = (index.find_epoch(), scope, wish)
    known = _DRAWINGS.find(key)
    if known is not None:
        return known
    picture = index.read(
        lambda it: graphs.build_picture(it, scope, wish, limits_web.GRAPH_NODES_MAX, limits_web.GRAPH_LINKS_MAX)
    )
    dots = layout.place_nodes(picture)
    by_key = {dot.node.key: dot for dot in dots}
    ends = [(by_key.get(edge.source), by_key.get(edge.target), edge.relation) for edge in picture.edges]
    lines = tuple((one, other, relation) for one, other, relation in ends if one and other)
    drawing = Drawing(tuple(dots), lines, picture.omitted)
    _DRAWINGS.keep(key, drawing)
    return drawing
