"""A project's pages, what they are about, and links as a picture needs them: the most connected first, bounded."""

import sqlite3
from dataclasses import dataclass

from app.domain.page import PageKind, PagePath
from app.domain.scope import Scope

# Each way of naming a page is looked up by its own key; a bare name means a page's last part.
_EDGES = """
WITH own AS (SELECT id FROM scopes WHERE workspace = ? AND project = ?),
led AS (
  SELECT l.page AS source, q.id AS target, l.relation AS relation FROM own
    CROSS JOIN pages p ON p.scope_id = own.id
    CROSS JOIN links l ON l.page = p.id AND l.to_workspace = ? AND l.to_project = ? AND l.to_key <> ''
    CROSS JOIN pages q ON q.scope_id = own.id AND q.path_key = l.to_key
  UNION ALL
  SELECT l.page, q.id, l.relation FROM own
    CROSS JOIN pages p ON p.scope_id = own.id
    CROSS JOIN links l ON l.page = p.id AND l.to_workspace = ? AND l.to_project = ? AND l.to_key <> '' AND l.is_bare
    CROSS JOIN pages q ON q.scope_id = own.id AND q.stem_key = l.to_key)
SELECT source, target, min(relation) FROM led WHERE source <> target
 GROUP BY source, target ORDER BY source, target LIMIT ?"""
_NODES = """
SELECT p.id, p.path, p.kind, p.title FROM pages p JOIN scopes s ON s.id = p.scope_id
 WHERE s.workspace = ? AND s.project = ? AND p.kind <> 'index' ORDER BY p.updated_us DESC, p.path LIMIT ?"""
# A thing that one page alone is about connects nothing.
_ABOUT = """
SELECT t.page, t.kind, t.name FROM things t
 WHERE t.page IN (SELECT p.id FROM pages p JOIN scopes s ON s.id = p.scope_id
                   WHERE s.workspace = ? AND s.project = ? AND p.kind <> 'index')
   AND t.kind <> 'commit'
 ORDER BY t.kind, t.name, t.page LIMIT ?"""
_READ_FACTOR = 20
_THING_PAGES_MIN = 2
# So much of a picture may be things, so that pages stay what it shows.
_THINGS_SHARE = 3

ABOUT = "about"


@dataclass(frozen=True, slots=True)
class Node:
    """A page, or a thing that pages are about, whose `path` is empty; `degree` counts its links within the project."""

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
    links = [(f"p{a}", f"p{b}", str(relation)) for a, b, relation in connection.execute(_EDGES, (*own * 3, read_max))]
    degrees: dict[str, int] = {}
    for source, target, _ in links:
        degrees[source] = degrees.get(source, 0) + 1
        degrees[target] = degrees.get(target, 0) + 1
    nodes = [
        Node(f"p{i}", title, PageKind(kind), PagePath(path), degrees.get(f"p{i}", 0)) for i, path, kind, title in pages
    ]
    shown = sorted(enumerate(nodes), key=lambda item: (-item[1].degree, item[0]))[:nodes_max]
    pages_shown = [node for _, node in shown]
    things, about = _list_things(connection, scope, {node.key for node in pages_shown}, nodes_max // _THINGS_SHARE)
    keys = {node.key for node in (*pages_shown, *things)}
    edges = [Edge(*link) for link in (*links, *about) if link[0] in keys and link[1] in keys][:edges_max]
    return Picture((*pages_shown, *things), tuple(edges), len(pages) - len(shown))


def _list_things(
    connection: sqlite3.Connection, scope: Scope, pages: set[str], things_max: int
) -> tuple[list[Node], list[tuple[str, str, str]]]:
    """List the things that most of the shown pages are about, and which pages those are."""
    rows = connection.execute(_ABOUT, (scope.workspace, scope.project, things_max * _READ_FACTOR * 10))
    found: dict[tuple[str, str], list[str]] = {}
    for page, kind, name in rows:
        if f"p{page}" in pages:
            found.setdefault((kind, name), []).append(f"p{page}")
    often = [(thing, about) for thing, about in found.items() if len(about) >= _THING_PAGES_MIN]
    often.sort(key=lambda item: (-len(item[1]), item[0]))
    nodes = [
        Node(f"t{kind}:{name}", name, kind, PagePath(""), len(about)) for (kind, name), about in often[:things_max]
    ]
    edges = [(page, f"t{kind}:{name}", ABOUT) for (kind, name), about in often[:things_max] for page in about]
    return nodes, edges
