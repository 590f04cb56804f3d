"""A project's pages, what they are about, and links as a picture needs them: the most linked to first, bounded."""

import json
import sqlite3
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from app.domain.entity import ThingKind
from app.domain.limits_web import GRAPH_LONELY_PAGES_MAX
from app.domain.page import PageKind, PagePath
from app.domain.scope import Scope

# Links are counted by their keys alone before any page is looked up: few of ten thousand pages are led to by many.
_OWN = "(SELECT id FROM pages WHERE scope_id = :own)"
_HUBS = f"""
WITH led AS (
  SELECT l.to_key AS key, count(*) AS degree FROM links l
   WHERE l.to_workspace = :workspace AND l.to_project = :project AND l.to_key <> '' AND +l.page IN {_OWN}
   GROUP BY l.to_key{{cut}}),
found AS (
  SELECT p.id AS id, led.degree AS degree FROM led CROSS JOIN pages p ON p.scope_id = :own AND p.path_key = led.key
  UNION ALL
  SELECT p.id, led.degree FROM led CROSS JOIN pages p ON p.scope_id = :own AND p.stem_key = led.key
   WHERE p.path_key <> led.key)
SELECT p.id FROM found CROSS JOIN pages p ON p.id = found.id AND p.kind <> 'index' AND (:kind = '' OR p.kind = :kind)
 GROUP BY p.id ORDER BY sum(found.degree) DESC, p.updated_us DESC, p.path LIMIT :most"""  # noqa: S608 - a constant of this module
_CUT = " ORDER BY degree DESC, l.to_key LIMIT :keys"
_LEADING = f"""
WITH keys AS (SELECT path_key AS key FROM pages WHERE id IN (SELECT value FROM json_each(:chosen))
               UNION SELECT stem_key FROM pages WHERE id IN (SELECT value FROM json_each(:chosen)))
SELECT l.page FROM keys
 CROSS JOIN links l ON l.to_workspace = :workspace AND l.to_project = :project AND l.to_key = keys.key
 WHERE +l.page IN {_OWN} AND +l.page NOT IN (SELECT value FROM json_each(:chosen))
 GROUP BY l.page ORDER BY count(*) DESC, l.page DESC LIMIT :most"""  # noqa: S608 - a constant of this module
_LED_TO = """
WITH led AS (
  SELECT l.page AS page, l.to_key AS key, l.is_bare AS is_bare FROM json_each(:chosen) c
   CROSS JOIN links l ON l.page = c.value
   WHERE +l.to_workspace = :workspace AND l.to_project = :project AND l.to_key <> ''),
found AS (
  SELECT p.id AS id, led.page AS page FROM led CROSS JOIN pages p ON p.scope_id = :own AND p.path_key = led.key
  UNION
  SELECT p.id, led.page FROM led CROSS JOIN pages p ON p.scope_id = :own AND p.stem_key = led.key WHERE led.is_bare)
SELECT id FROM found WHERE id NOT IN (SELECT value FROM json_each(:chosen))
 GROUP BY id ORDER BY count(*) DESC, id DESC LIMIT :most"""
_LATEST = """
SELECT p.id FROM pages p WHERE p.scope_id = :own AND p.kind <> 'index' AND (:kind = '' OR p.kind = :kind)
 ORDER BY p.updated_us DESC, p.path LIMIT :most"""
_NAMES = f"""
SELECT t.name FROM things t WHERE t.kind = :kind AND +t.page IN {_OWN}
 GROUP BY t.name ORDER BY count(*) DESC, t.name LIMIT :most"""  # noqa: S608 - a constant of this module
_ABOUT_NAMES = f"""
SELECT t.page FROM json_each(:names) n CROSS JOIN things t ON t.kind = :kind AND t.name = n.value
 WHERE +t.page IN {_OWN} GROUP BY t.page ORDER BY count(*) DESC, t.page DESC LIMIT :most"""  # noqa: S608 - a constant of this module
_NODES = """
SELECT p.id, p.path, p.kind, p.title, p.path_key, p.stem_key FROM pages p
 WHERE p.id IN (SELECT value FROM json_each(:chosen)) AND p.kind <> 'index' ORDER BY p.path LIMIT :most"""
_EDGES = """
SELECT l.page, l.to_key, l.is_bare, l.relation FROM links l
 WHERE l.page IN (SELECT value FROM json_each(:chosen)) AND +l.to_workspace = :workspace AND l.to_project = :project
   AND l.to_key <> '' ORDER BY l.page, l.position LIMIT :most"""
_THINGS = """
SELECT t.page, t.kind, t.name FROM things t
 WHERE t.page IN (SELECT value FROM json_each(:chosen)) AND t.kind <> 'commit'
 ORDER BY t.kind, t.name, t.page LIMIT :most"""
_COUNT = "SELECT count(*) FROM pages p WHERE p.scope_id = :own"
_READ_FACTOR = 20
_KEYS_FACTOR = 4
# A thing that one page alone is about connects nothing.
_THING_PAGES_MIN = 2
# So much of a picture may be things, so that pages stay what it shows.
_THINGS_SHARE = 3

ABOUT = "about"


@dataclass(frozen=True, slots=True)
class PictureWish:
    """What is to be shown: all, what is of a kind (of pages or of things), or one page and what it is linked with."""

    kind: str = ""
    page: str = ""


@dataclass(frozen=True, slots=True)
class Node:
    """A page, or a thing that pages are about, whose `path` is empty; `degree` counts its links in the picture."""

    key: str
    title: str
    kind: str
    path: PagePath
    degree: int


@dataclass(frozen=True, slots=True)
class Edge:
    """A link between two nodes, by their keys; `relation` says what it means."""

    source: str
    target: str
    relation: str


@dataclass(frozen=True, slots=True)
class Picture:
    """What is shown, the most connected first; `omitted` counts the pages that are not."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    omitted: int


def build_picture(
    connection: sqlite3.Connection, scope: Scope, wish: PictureWish, nodes_max: int, edges_max: int
) -> Picture:
    """Choose pages of a project that many lead to, those that lead to them, and the links between."""
    row = connection.execute(
        "SELECT id FROM scopes WHERE workspace = ? AND project = ?", (scope.workspace, scope.project)
    ).fetchone()
    if row is None:
        return Picture((), (), 0)
    asking = _Asking(connection, {"own": row[0], "workspace": scope.workspace, "project": scope.project})
    chosen = _choose_pages(asking, wish, nodes_max)
    rows = asking.ask(_NODES, chosen=chosen, most=nodes_max)
    links = _list_links(rows, asking.ask(_EDGES, chosen=chosen, most=edges_max * _READ_FACTOR))
    about = _list_about(asking.ask(_THINGS, chosen=chosen, most=edges_max * _READ_FACTOR), wish.kind, nodes_max)
    edges = (links + about)[:edges_max]
    degrees = Counter(key for edge in edges for key in (edge.source, edge.target))
    pages = [_build_page_node(page, degrees) for page in rows]
    if edges and len(pages) > GRAPH_LONELY_PAGES_MAX:
        pages = [node for node in pages if node.degree]
    things = [_build_thing_node(key, degrees[key]) for key in dict.fromkeys(edge.target for edge in about)]
    nodes = sorted((*pages, *(node for node in things if node.degree)), key=lambda node: (-node.degree, node.key))
    return Picture(tuple(nodes), tuple(edges), max(0, asking.find(_COUNT)[0] - len(pages)))


@dataclass(frozen=True, slots=True)
class _Asking:
    """One project's questions to one snapshot."""

    connection: sqlite3.Connection
    own: dict[str, object]

    def ask(self, sql: str, chosen: Iterable[int] = (), **values: object) -> list[tuple[object, ...]]:
        return self.connection.execute(sql, {**self.own, "chosen": json.dumps(list(chosen)), **values}).fetchall()

    def find(self, sql: str, chosen: Iterable[int] = (), **values: object) -> list[int]:
        return [int(str(row[0])) for row in self.ask(sql, chosen, **values)]


def _choose_pages(asking: _Asking, wish: PictureWish, most: int) -> list[int]:
    if wish.page:
        first = asking.find("SELECT id FROM pages WHERE scope_id = :own AND path = :path", path=wish.page)
    elif wish.kind in frozenset(ThingKind):
        names = [str(row[0]) for row in asking.ask(_NAMES, kind=wish.kind, most=most // _THINGS_SHARE)]
        return asking.find(_ABOUT_NAMES, kind=wish.kind, names=json.dumps(names), most=most)
    else:
        # What few links lead to is looked up only where it takes one kind of page alone to fill the picture.
        hubs = _HUBS.format(cut="" if wish.kind else _CUT)
        first = asking.find(hubs, kind=wish.kind, most=most * 2 // 3, keys=most * _KEYS_FACTOR)
        if wish.kind and len(first) < most // 2:
            first = _fill(first, asking.find(_LATEST, kind=wish.kind, most=most), most // 2)
    if first:
        leading = asking.find(_LEADING, first, most=most)
        first = _fill(first, leading, most if not wish.page else len(first) + most // 2)
        first = _fill(first, asking.find(_LED_TO, first, most=most), most) if wish.page or wish.kind else first
    if wish.page or wish.kind:
        return first
    return _fill(first, asking.find(_LATEST, kind="", most=most), most)


def _fill(chosen: Collection[int], more: Iterable[int], most: int) -> list[int]:
    return list(dict.fromkeys((*chosen, *more)))[: max(most, len(chosen))]


def _list_links(rows: Iterable[tuple[object, ...]], links: Iterable[tuple[object, ...]]) -> list[Edge]:
    by_path = {str(row[4]): f"p{row[0]}" for row in rows}
    by_stem: dict[str, list[str]] = {}
    for row in rows:
        by_stem.setdefault(str(row[5]), []).append(f"p{row[0]}")
    relations: dict[tuple[str, str], str] = {}
    for page, key, is_bare, relation in links:
        targets = {by_path.get(str(key), ""), *(by_stem.get(str(key), ()) if is_bare else ())} - {"", f"p{page}"}
        for target in targets:
            known = relations.get((f"p{page}", target), "link")
            relations[(f"p{page}", target)] = str(relation) if known == "link" else known
    return [Edge(source, target, relation) for (source, target), relation in sorted(relations.items())]


def _list_about(rows: Iterable[tuple[object, ...]], kind: str, nodes_max: int) -> list[Edge]:
    """List the things that most of the chosen pages are about, with those pages; of one kind where asked."""
    found: dict[str, list[str]] = {}
    for page, thing_kind, name in rows:
        if kind not in frozenset(ThingKind) or kind == thing_kind:
            found.setdefault(f"t{thing_kind}:{name}", []).append(f"p{page}")
    often = [(thing, pages) for thing, pages in found.items() if len(pages) >= _THING_PAGES_MIN]
    often.sort(key=lambda item: (-len(item[1]), item[0]))
    return [Edge(page, thing, ABOUT) for thing, pages in often[: nodes_max // _THINGS_SHARE] for page in pages]


def _build_page_node(row: tuple[object, ...], degrees: Counter[str]) -> Node:
    key = f"p{row[0]}"
    return Node(key, str(row[3]), PageKind(str(row[2])), PagePath(str(row[1])), degrees[key])


def _build_thing_node(key: str, degree: int) -> Node:
    kind, _, name = key[1:].partition(":")
    return Node(key, name, kind, PagePath(""), degree)
