"""One query per stream of candidates, each with the caller's filter inside, each in a total order."""

import json
import math
import sqlite3
from collections.abc import Collection, Mapping

from app.domain.limits import NAME_POSTINGS_MAX
from app.index.filters import Conditions

# Columns: title, headings, names, body, forms, facets. A facet says who may see a page, not what it is about.
_LEXICAL = """
SELECT p.id FROM page_text
  JOIN pages p ON p.id = page_text.rowid
  JOIN scopes s ON s.id = p.scope_id
 WHERE page_text MATCH ? AND {conditions}
 ORDER BY bm25(page_text, 5.0, 2.0, 3.0, 1.0, 1.0, 0.0), s.workspace, s.project, p.path LIMIT ?"""

_NAMED = """
SELECT p.id FROM json_each(?) j
  JOIN name_terms n ON n.term = json_extract(j.value, '$[0]')
  JOIN pages p ON p.id = n.page
  JOIN scopes s ON s.id = p.scope_id
 WHERE {conditions}
 GROUP BY p.id
 ORDER BY round(sum(json_extract(j.value, '$[1]')), 6) DESC, length(p.title), s.workspace, s.project, p.path LIMIT ?"""


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
            known[key] = _count_prefix_pages(connection, text) if is_prefix else _count_term_pages(connection, text)
        counts[text] = known[key]
    return counts


def list_lexical(connection: sqlite3.Connection, match: str, conditions: Conditions, limit: int) -> list[int]:
    """List the pages that a full-text expression finds, best BM25 first."""
    rows = connection.execute(
        _LEXICAL.format(conditions=conditions.sql),
        (match, *conditions.values, limit),
    )
    return [page for (page,) in rows]


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
    connection: sqlite3.Connection, terms: Mapping[str, float], conditions: Conditions, limit: int
) -> list[int]:
    """List the pages whose title or file name has the terms, most of their rarity first.

    It needs no full-text index. Terms that too many titles have are left out, commonest first.
    """
    weighted: list[tuple[str, float]] = []
    counted = sorted((_count_named(connection, text), text) for text in terms)
    cost = 0
    for count, text in counted:
        cost += count
        if cost > NAME_POSTINGS_MAX:
            break
        if count:
            weighted.append((text, terms[text] * math.log(1 + NAME_POSTINGS_MAX / count)))
    if not weighted:
        return []
    rows = connection.execute(
        _NAMED.format(conditions=conditions.sql), (json.dumps(weighted), *conditions.values, limit)
    )
    return [page for (page,) in rows]


def _count_term_pages(connection: sqlite3.Connection, text: str) -> int:
    row = connection.execute("SELECT doc FROM page_text_counts WHERE term = ?", (text,)).fetchone()
    return 0 if row is None else int(row[0])


def _count_prefix_pages(connection: sqlite3.Connection, text: str) -> int:
    row = connection.execute(
        "SELECT coalesce(sum(doc), 0) FROM page_text_counts WHERE term >= ? AND term < ?",
        (text, text[:-1] + chr(ord(text[-1]) + 1)),
    ).fetchone()
    return int(row[0])


def _count_named(connection: sqlite3.Connection, text: str) -> int:
    row = connection.execute(
        "SELECT count(*) FROM (SELECT 1 FROM name_terms WHERE term = ? LIMIT ?)", (text, NAME_POSTINGS_MAX + 1)
    ).fetchone()
    return int(row[0])
