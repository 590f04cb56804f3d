"""One query per stream of candidates, each with the caller's filter inside, each in a total order."""

import json
import math
import sqlite3
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from app.domain.limits import NAME_POSTINGS_MAX
from app.index import observed
from app.index.entries import Heard, Sighting
from app.index.filters import Conditions


@dataclass(frozen=True, slots=True)
class _FullText:
    """A full-text table as SQL: what it finds and how well, how that leads to pages, and how equals stand."""

    found: str
    joins: str
    columns: str
    order: str

    def write_best(self, conditions: str) -> str:
        """Write what lists the very best, each with whether the filter lets it through."""
        return f"""
WITH f AS MATERIALIZED ({self.found} ORDER BY score DESC LIMIT ?)
SELECT f.score, {self.columns}, ({conditions}) FROM f {self.joins}
 ORDER BY f.score DESC, {self.order}"""  # noqa: S608 - literal SQL of ours

    def write_all(self, conditions: str) -> str:
        """Write what looks at all that is found, and lists the best that the filter lets through."""
        return f"""
WITH f AS MATERIALIZED ({self.found})
SELECT f.score, {self.columns} FROM f {self.joins.replace("LEFT JOIN", "CROSS JOIN")}
 WHERE {conditions} ORDER BY f.score DESC, {self.order} LIMIT ?"""  # noqa: S608 - literal SQL of ours


# Columns: title, headings, names, body, forms, stems, facets. A facet says who may see a page, not what it is about.
_LEXICAL: Final = _FullText(
    """SELECT rowid AS id, -bm25(page_text, 5.0, 2.0, 3.0, 1.0, 1.0, 1.0, 0.0) AS score FROM page_text
        WHERE page_text MATCH ?""",
    "LEFT JOIN pages p ON p.id = f.id LEFT JOIN scopes s ON s.id = p.scope_id",
    "p.id",
    "s.workspace, s.project, p.path",
)

# Columns: own, stems, forms, near, facets.
_PASSAGES: Final = _FullText(
    """SELECT rowid AS id, -bm25(passage_text, 1.0, 1.0, 1.0, 0.5, 0.0) AS score FROM passage_text
        WHERE passage_text MATCH ?""",
    """LEFT JOIN passages g ON g.id = f.id LEFT JOIN pages p ON p.id = g.page
        LEFT JOIN scopes s ON s.id = p.scope_id""",
    "p.id, g.start",
    "s.workspace, s.project, p.path, g.position",
)

# A page answers for a session of its own project only, whatever session it claims to be of.
_TO_SESSION_PAGES: Final = """LEFT JOIN observations o ON o.id = f.id
 LEFT JOIN observed h ON h.id = o.observed
 LEFT JOIN pages p ON p.scope_id = h.scope_id AND p.session_id = h.session_id AND p.session_id <> ''
   AND p.kind = 'session'
 LEFT JOIN scopes s ON s.id = p.scope_id"""

# Columns: own, stems, forms, near, moment, facets.
_OBSERVATIONS: Final = _FullText(
    """SELECT rowid AS id, -bm25(observation_text, 1.0, 1.0, 1.0, 0.5, 0.3, 0.0) AS score FROM observation_text
        WHERE observation_text MATCH ?""",
    _TO_SESSION_PAGES,
    "p.id, o.id",
    "o.id, p.path",
)

# Columns: own, stems, forms, facets. A session goes by the number of its first observation. Weights so small let
# what is said again and again in a long session count for more: as if BM25's saturation were five times as slow.
_SESSIONS: Final = _FullText(
    """SELECT rowid AS id, -bm25(session_text, 0.2, 0.2, 0.2, 0.0) AS score FROM session_text
        WHERE session_text MATCH ?""",
    _TO_SESSION_PAGES,
    "p.id",
    "s.workspace, s.project, p.path",
)
# So many times as many as are wanted are looked at first.
_BEST_FACTOR: Final = 2
_SCORE_DIGITS: Final = 6

_NAMED_PAGES: Final = "SELECT json_group_array(page) FROM name_terms WHERE term = ?"
_NAMED: Final = """
SELECT p.id FROM json_each(?) n
  CROSS JOIN pages p ON p.id = n.value
  JOIN scopes s ON s.id = p.scope_id
 WHERE {conditions}
 ORDER BY length(p.title), s.workspace, s.project, p.path LIMIT ?"""


def count_visible_pages(
    connection: sqlite3.Connection, scope_ids: Collection[int] | None, known: dict[str, int]
) -> int:
    """Count the pages of these scopes, of all if None, remembering the counts in `known`."""
    # A key with a blank is no term.
    if scope_ids is None:
        if "all pages" not in known:
            known["all pages"] = connection.execute("SELECT count(*) FROM pages").fetchone()[0]
        return known["all pages"]
    visible = 0
    for scope_id in scope_ids:
        key = f"scope {scope_id}"
        if key not in known:
            row = connection.execute("SELECT count(*) FROM pages WHERE scope_id = ?", (scope_id,)).fetchone()
            known[key] = row[0]
        visible += known[key]
    return visible


def count_term_pages(
    connection: sqlite3.Connection, terms: Collection[tuple[str, bool]], known: dict[str, int]
) -> dict[str, int]:
    """Count the pages that have each term (text, is_prefix), remembering what was looked up."""
    counts: dict[str, int] = {}
    for text, is_prefix in terms:
        key = f"{text} *" if is_prefix else text
        if key not in known:
            known[key] = _count_term(connection, "page_text_counts", text, is_prefix=is_prefix)
        counts[text] = known[key]
    return counts


def list_lexical(connection: sqlite3.Connection, match: str, conditions: Conditions, limit: int) -> list[Sighting]:
    """List the pages that a full-text expression finds, best BM25 first."""
    return [Sighting(page, score) for score, page in _list_best(connection, _LEXICAL, match, conditions, limit)]


def list_passages(connection: sqlite3.Connection, match: str, conditions: Conditions, limit: int) -> list[Sighting]:
    """List the long pages of which a piece fits, each by its best piece."""
    found: dict[int, Sighting] = {}
    for score, page, start in _list_best(connection, _PASSAGES, match, conditions, limit):
        found.setdefault(page, Sighting(page, score, start))
    return list(found.values())


def list_observations(connection: sqlite3.Connection, match: str, conditions: Conditions, limit: int) -> list[Heard]:
    """List the observations that a full-text expression finds, each on the first page of its session."""
    found: dict[int, Heard] = {}
    for score, page, observation in _list_best(connection, _OBSERVATIONS, match, conditions, limit):
        found.setdefault(observation, Heard(observation, page, score))
    return list(found.values())


def list_sessions(connection: sqlite3.Connection, match: str, conditions: Conditions, limit: int) -> list[Sighting]:
    """List the pages of the sessions in whose whole text an expression is found, best BM25 first."""
    return [Sighting(page, score) for score, page in _list_best(connection, _SESSIONS, match, conditions, limit)]


def count_term_observations(
    connection: sqlite3.Connection, terms: Collection[tuple[str, bool]], known: dict[str, int]
) -> tuple[dict[str, int], int]:
    """Count the observations that have each term, and all of them, remembering what was looked up."""
    if "all observations" not in known:
        known["all observations"] = observed.count_observations(connection)
    if not known["all observations"]:
        return dict.fromkeys((text for text, _ in terms), 0), 0
    return _count_terms(connection, "observation_text_counts", terms, known), known["all observations"]


def count_term_sessions(
    connection: sqlite3.Connection, terms: Collection[tuple[str, bool]], known: dict[str, int]
) -> dict[str, int]:
    """Count the sessions that have each term, remembering what was looked up."""
    return _count_terms(connection, "session_text_counts", terms, known)


def is_text_answering(connection: sqlite3.Connection) -> bool:
    """Tell whether the full-text index still finds a page that it must have; damage can look like an empty index."""
    row = connection.execute("SELECT id, facets FROM page_terms ORDER BY id LIMIT 1").fetchone()
    if row is None:
        return True
    row_id, facets = row
    found = connection.execute(
        "SELECT rowid FROM page_text WHERE page_text MATCH ? AND rowid = ? LIMIT 1", (f'facets : "{facets}"', row_id)
    ).fetchone()
    return found is not None


def list_named(
    connection: sqlite3.Connection,
    terms: Mapping[str, float],
    conditions: Conditions,
    limit: int,
    known: dict[str, int],
) -> list[Sighting]:
    """List the pages whose title or file name has the terms, most of their rarity first.

    It needs no full-text index. Terms that too many titles have are left out, commonest first; how many that are is
    remembered in `known`.
    """
    scores: dict[int, float] = {}
    cost = 0
    for count, text in sorted((_count_named(connection, text, known), text) for text in terms):
        cost += count
        if cost > NAME_POSTINGS_MAX:
            break
        if count:
            weight = terms[text] * math.log(1 + NAME_POSTINGS_MAX / count)
            for page in json.loads(connection.execute(_NAMED_PAGES, (text,)).fetchone()[0]):
                scores[page] = scores.get(page, 0.0) + weight
    equals: dict[float, list[int]] = {}
    rounded = {score: round(score, _SCORE_DIGITS) for score in set(scores.values())}
    for page, score in scores.items():
        equals.setdefault(rounded[score], []).append(page)
    statement = _NAMED.format(conditions=conditions.sql)
    found: list[Sighting] = []
    # Of those with the most, each group of equals is looked up, until enough of them have passed the filter.
    for score in sorted(equals, reverse=True):
        values = (json.dumps(equals[score]), *conditions.values, limit - len(found))
        found += [Sighting(page, score) for (page,) in connection.execute(statement, values)]
        if len(found) >= limit:
            break
    return found


def _list_best(
    connection: sqlite3.Connection, table: _FullText, match: str, conditions: Conditions, limit: int
) -> Sequence[tuple[Any, ...]]:
    """List what an expression finds, best first, the filter before the limit; each row begins with its score.

    A filter mostly lets nearly all through, so the best are tried first. All are looked at only where too few of those
    are left, counting none that may have an equal outside.
    """
    wanted = _BEST_FACTOR * limit
    best = connection.execute(table.write_best(conditions.sql), (match, wanted, *conditions.values)).fetchall()
    least = best[-1][0] if len(best) >= wanted else -math.inf
    sure = [row[:-1] for row in best if row[-1] and row[0] > least]
    if len(sure) >= limit or len(best) < wanted:
        return sure[:limit]
    return connection.execute(table.write_all(conditions.sql), (match, *conditions.values, limit)).fetchall()


def _count_terms(
    connection: sqlite3.Connection, table: str, terms: Collection[tuple[str, bool]], known: dict[str, int]
) -> dict[str, int]:
    counts: dict[str, int] = {}
    for text, is_prefix in terms:
        key = f"{table} {text} *" if is_prefix else f"{table} {text}"
        if key not in known:
            known[key] = _count_term(connection, table, text, is_prefix=is_prefix)
        counts[text] = known[key]
    return counts


def _count_term(connection: sqlite3.Connection, counts: str, text: str, *, is_prefix: bool) -> int:
    if is_prefix:
        statement = f"SELECT coalesce(sum(doc), 0) FROM {counts} WHERE term >= ? AND term < ?"  # noqa: S608 - a name of ours
        row = connection.execute(statement, (text, text[:-1] + chr(ord(text[-1]) + 1))).fetchone()
    else:
        row = connection.execute(f"SELECT doc FROM {counts} WHERE term = ?", (text,)).fetchone()  # noqa: S608 - see above
    return 0 if row is None else int(row[0])


def _count_named(connection: sqlite3.Connection, text: str, known: dict[str, int]) -> int:
    key = f"name_terms {text}"
    if key not in known:
        row = connection.execute(
            "SELECT count(*) FROM (SELECT 1 FROM name_terms WHERE term = ? LIMIT ?)", (text, NAME_POSTINGS_MAX + 1)
        ).fetchone()
        known[key] = int(row[0])
    return known[key]
