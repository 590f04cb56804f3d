"""A project's pages and links as a picture needs them: the most connected first, all bounded."""

import sqlite3
from dataclasses import dataclass

from app.domain.page import PageKind, PagePath
from app.domain.scope import Scope

_EDGES = """
WITH own AS (SELECT p.id, p.path_key, p.stem_key FROM pages p JOIN scopes s ON s.id = p.scope_id
              WHERE s.workspace = ? AND s.project = ?)
SELECT l.page, q.id, min(l.relation) FROM links l JOIN own o ON o.id = l.page
  JOIN own q ON l.to_key <> '' AND (q.path_key = l.to_key OR (l.is_bare AND q.stem_key = l.to_key))
 WHERE l.to_workspace = ? AND l.to_project = ? AND q.id <> l.page
 GROUP BY l.page, q.id ORDER BY l.page, q.id LIMIT ?"""
_NODES = """
SELECT p.id, p.path, p.kind, p.title FROM pages p JOIN scopes s ON s.id = p.scope_id
 WHERE s.workspace = ? AND s.project = ? AND p.kind <> 'index' ORDER BY p.updated_us DESC, p.path LIMIT ?"""
_READ_FACTOR = 20


@dataclass(frozen=True, slots=True)
class Node:
    """A page; `degree` counts its links within the project."""

    key: str
    title: str
    kind: str
    path: PagePath
    degree: int


@dataclass(frozen=True, slots=True)
class Edge:
    """A link between two nodes, by their keys; `relation` is empty for a plain one."""

    source: str
    target: str
    relation: str


@dataclass(frozen=True, slots=True)
class Picture:
    """What is shown; `omitted` counts the pages that are not."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    omitted: int


def build_picture(connection: sqlite3.Connection, scope: Scope, nodes_max: int, edges_max: int) -> Picture:
    """Choose the most connected pages of a project, the latest among equals, and the links between."""
    own = (scope.workspace, scope.project)
    read_max = edges_max * _READ_FACTOR
    pages = connection.execute(_NODES, (*own, read_max)).fetchall()
    links = [(f"p{a}", f"p{b}", str(relation)) for a, b, relation in connection.execute(_EDGES, (*own, *own, read_max))]
    degrees: dict[str, int] = {}
    for source, target, _ in links:
        degrees[source] = degrees.get(source, 0) + 1
        degrees[target] = degrees.get(target, 0) + 1
    nodes = [
        Node(f"p{i}", title, PageKind(kind), PagePath(path), degrees.get(f"p{i}", 0)) for i, path, kind, title in pages
    ]
    shown = sorted(enumerate(nodes), key=lambda item: (-item[1].degree, item[0]))[:nodes_max]
    keys = {node.key for _, node in shown}
    edges = [Edge(*link) for link in links if link[0] in keys and link[1] in keys][:edges_max]
    return Picture(tuple(node for _, node in shown), tuple(edges), len(pages) - len(shown))
