"""A project as a picture: its pages and what they are about, on rings by how connected they are.

The places are worked out here, so that the picture is there without a script; a script may then let it move.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

from app.domain import limits_web
from app.domain.entity import ThingKind
from app.domain.page import PageKind
from app.entrypoints.web import frame, subject
from app.index import graph as graphs
from app.index.graph import Node, Picture

WIDTH, HEIGHT = 960, 640
_RINGS = (1, 8, 20, 36, 60)


@dataclass(frozen=True, slots=True)
class Dot:
    """A node with its place and size in the picture, in its own units."""

    node: Node
    x: float
    y: float
    radius: float


async def show_graph(request: Request) -> Response:
    """Show a project's graph; `kind` leaves only pages of that kind and what they are linked to."""
    site, scope = frame.find_site(request), await subject.find_scope(request)
    picture = await subject.ask_index(
        site, lambda index: graphs.build_picture(index, scope, limits_web.GRAPH_NODES_MAX, limits_web.GRAPH_LINKS_MAX)
    )
    kind = request.query_params.get("kind", "")
    picture = keep_kind(picture, kind) if kind else picture
    dots = place_nodes(picture.nodes)
    by_key = {dot.node.key: dot for dot in dots}
    lines = [(by_key[edge.source], by_key[edge.target], edge.relation) for edge in picture.edges]
    return frame.answer(
        request, "graph.html", title=f"Graph of {scope}", scope=scope, dots=dots, lines=lines, kind=kind,
        omitted=picture.omitted, width=WIDTH, height=HEIGHT, kinds=[kind.value for kind in (*PageKind, *ThingKind)],
    )  # fmt: skip


def keep_kind(picture: Picture, kind: str) -> Picture:
    """Keep the nodes of a kind and their neighbours."""
    chosen = {node.key for node in picture.nodes if node.kind == kind}
    edges = tuple(edge for edge in picture.edges if edge.source in chosen or edge.target in chosen)
    keys = chosen | {edge.source for edge in edges} | {edge.target for edge in edges}
    nodes = tuple(node for node in picture.nodes if node.key in keys)
    return Picture(nodes, edges, picture.omitted + len(picture.nodes) - len(nodes))


def place_nodes(nodes: Sequence[Node]) -> list[Dot]:
    """Put the most connected nodes in the middle and the others on rings around them."""
    dots, at = [], 0
    for ring, room in enumerate(_RINGS):
        stretch = nodes[at : at + room] if ring < len(_RINGS) - 1 else nodes[at:]
        for number, node in enumerate(stretch):
            angle = 2 * math.pi * number / max(1, len(stretch)) + ring * 0.7
            reach = ring / (len(_RINGS) - 1) * 0.92
            x = WIDTH / 2 * (1 + reach * math.cos(angle))
            y = HEIGHT / 2 * (1 + reach * math.sin(angle))
            dots.append(Dot(node, round(x, 1), round(y, 1), round(4 + min(10.0, 2 * math.sqrt(node.degree)), 1)))
        at += room
    return dots
