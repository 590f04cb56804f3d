"""Streams that follow what pages name and how they are connected: entities, exact and fuzzy, and typed links."""

import json
import sqlite3
from collections.abc import Collection, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Final

from app.domain.limits import ENTITY_POSTINGS_MAX, FUZZY_KEYS_MAX, LINK_SEEDS_MAX
from app.index.entities import Entity, EntityKind
from app.index.entries import Sighting
from app.index.filters import Conditions

# What a link says of how far the one page answers for the other: on to what came of it, less so back.
_FORWARD: Final = {"supersedes": 0.1, "contradicts": 0.6, "fixes": 0.8, "causes": 0.7, "depends_on": 0.6}
_BACKWARD: Final = {"supersedes": 1.0, "contradicts": 0.8, "fixes": 0.9, "causes": 0.6, "depends_on": 0.4}
_PLAIN: Final = 0.4
_HOPS: Final = 2
_FUZZY_RATIO: Final = 0.84
_FUZZY_PREFIX: Final = 3
_FUZZY_SHARE: Final = 0.5
_KINDS: Final = json.dumps([kind.value for kind in EntityKind])
_KIND_SHARES: Final = {"named": 1.0, "file": 1.0, "code": 1.0, "mark": 1.0, "tag": 0.7, "version": 0.3}

_ENTITIES: Final = """
SELECT p.id, round(sum(json_extract(j.value, '$[2]')), 6) AS score FROM json_each(?) j
  JOIN entities e ON e.key = json_extract(j.value, '$[0]') AND e.kind = json_extract(j.value, '$[1]')
  JOIN pages p ON p.id = e.page
  JOIN scopes s ON s.id = p.scope_id
 WHERE {conditions}
 GROUP BY p.id ORDER BY score DESC, s.workspace, s.project, p.path LIMIT ?"""
_KEYS: Final = """
SELECT ?1, k.value, (SELECT count(*) FROM (SELECT 1 FROM entities WHERE key = ?1 AND kind = k.value LIMIT ?2)) AS pages
  FROM json_each(?3) k WHERE pages > 0 ORDER BY k.value"""
_KEYS_NEAR: Final = """
SELECT key, kind, count(*) FROM entities WHERE key >= ? AND key < ? GROUP BY key, kind ORDER BY key, kind LIMIT ?"""
_LINKED: Final = """
WITH seeds AS MATERIALIZED (SELECT value AS page FROM json_each(?)),
 steps (source, relation, target, is_forward) AS MATERIALIZED (
    SELECT l.page, l.relation, q.id, 1 FROM seeds d
     CROSS JOIN links l ON l.page = d.page AND l.to_key <> ''
     CROSS JOIN scopes t ON t.workspace = l.to_workspace AND t.project = l.to_project
     CROSS JOIN pages q ON q.scope_id = t.id AND q.path_key = l.to_key
    UNION ALL
    SELECT l.page, l.relation, q.id, 1 FROM seeds d
     CROSS JOIN links l ON l.page = d.page AND l.to_key <> '' AND l.is_bare
     CROSS JOIN scopes t ON t.workspace = l.to_workspace AND t.project = l.to_project
     CROSS JOIN pages q ON q.scope_id = t.id AND q.stem_key = l.to_key AND q.path_key <> l.to_key
    UNION ALL
    SELECT q.id, l.relation, l.page, 0 FROM seeds d
     CROSS JOIN pages q ON q.id = d.page
     CROSS JOIN scopes t ON t.id = q.scope_id
     CROSS JOIN links l ON l.to_workspace = t.workspace AND l.to_project = t.project AND l.to_key = q.path_key
    UNION ALL
    SELECT q.id, l.relation, l.page, 0 FROM seeds d
     CROSS JOIN pages q ON q.id = d.page AND q.stem_key <> q.path_key
     CROSS JOIN scopes t ON t.id = q.scope_id
     CROSS JOIN links l ON l.to_workspace = t.workspace AND l.to_project = t.project AND l.to_key = q.stem_key
       AND l.is_bare)
SELECT x.source, x.relation, p.id, x.is_forward, s.workspace || '/' || s.project || '/' || p.path AS place
  FROM steps x
 CROSS JOIN pages p ON p.id = x.target
 CROSS JOIN scopes s ON s.id = p.scope_id
 WHERE p.id <> x.source AND {conditions}
 ORDER BY place, 2, 4 LIMIT ?"""


def list_by_entities(
    connection: sqlite3.Connection, asked: Collection[Entity], conditions: Conditions, limit: int
) -> list[Sighting]:
    """List the pages that name what a question names, rare names first; a name that nobody has finds those like it."""
    wanted: list[tuple[str, str, float]] = []
    for key in dict.fromkeys(entity.key for entity in asked):
        found = connection.execute(_KEYS, (key, ENTITY_POSTINGS_MAX + 1, _KINDS)).fetchall()
        share = 1.0
        if not found:
            found, share = _list_like(connection, key), _FUZZY_SHARE
        wanted += [
            (name, kind, share * _KIND_SHARES.get(kind, _PLAIN) / (1 + count) ** 0.25)
            for name, kind, count in found
            if count <= ENTITY_POSTINGS_MAX
        ]
    if not wanted:
        return []
    rows = connection.execute(
        _ENTITIES.format(conditions=conditions.sql), (json.dumps(wanted), *conditions.values, limit)
    )
    return [Sighting(page, score) for page, score in rows]


def list_linked(
    connection: sqlite3.Connection, seeds: Mapping[int, float], conditions: Conditions, limit: int
) -> list[Sighting]:
    """List the pages that are linked with the best so far, up to two links away; a link weighs what it says.

    From a page that is superseded one goes on to the page that took its place, and hardly ever back. Every page on
    the way passes the filter, so that no way leads through what the caller may not read.
    """
    scores: dict[int, float] = {}
    places: dict[int, str] = {}
    front = dict(seeds)
    for _ in range(_HOPS):
        reached: dict[int, float] = {}
        for source, relation, target, is_forward, place in _list_steps(connection, front, conditions):
            weight = (_FORWARD if is_forward else _BACKWARD).get(relation, _PLAIN)
            reached[target] = max(reached.get(target, 0.0), front[source] * weight)
            places[target] = place
        for target, score in reached.items():
            scores[target] = max(scores.get(target, 0.0), score)
        front = dict(_order(reached, places)[:LINK_SEEDS_MAX])
    return [Sighting(target, score) for target, score in _order(scores, places)[:limit]]


def _order(scores: Mapping[int, float], places: Mapping[int, str]) -> list[tuple[int, float]]:
    return sorted(scores.items(), key=lambda found: (-found[1], places[found[0]]))


def _list_steps(
    connection: sqlite3.Connection, front: Mapping[int, float], conditions: Conditions
) -> Sequence[tuple[int, str, int, int, str]]:
    if not front:
        return ()
    values = (json.dumps(list(front)), *conditions.values, ENTITY_POSTINGS_MAX)
    return connection.execute(_LINKED.format(conditions=conditions.sql), values).fetchall()


def _list_like(connection: sqlite3.Connection, key: str) -> list[tuple[str, str, int]]:
    """List names that begin like a key and differ from it by a letter or two."""
    if len(key) < 2 * _FUZZY_PREFIX:
        return []
    begin = key[:_FUZZY_PREFIX]
    end = begin[:-1] + chr(ord(begin[-1]) + 1)
    near = connection.execute(_KEYS_NEAR, (begin, end, FUZZY_KEYS_MAX)).fetchall()
    matcher = SequenceMatcher(autojunk=False)
    matcher.set_seq2(key)
    found: list[tuple[str, str, int]] = []
    for name, kind, count in near:
        if abs(len(name) - len(key)) > len(key) // 3:
            continue
        matcher.set_seq1(name)
        if matcher.quick_ratio() >= _FUZZY_RATIO and matcher.ratio() >= _FUZZY_RATIO:
            found.append((name, kind, count))
    return found
