"""The index's tables, made when the file is opened; they never migrate: raise `INDEX_VERSION` and rebuild."""

import sqlite3
from typing import Final

from app.domain.limits_knowledge import PAGE_BYTES_ADVISED
from app.domain.redact import RULES_MARK

INDEX_VERSION = 12

# Conditions of partial indexes, which SQLite uses for statements that say the same word by word.
AGEING: Final = "kind IN ('gotcha', 'procedure', 'rule') AND superseded_by = ''"
CHECKED_US: Final = "coalesce(verified_us, updated_us)"
LARGE: Final = f"size > {PAGE_BYTES_ADVISED}"

# The tokenizer only cuts at blanks: the terms are ours, made by `tokens.py` and joined by blanks.
_PUNCTUATION = "!\"#$%&''()*+,-./:;<=>?@[\\]^_`{|}~"

_TOKENIZER = f"""tokenize="ascii tokenchars '{_PUNCTUATION.replace('"', '""')}'" """

_TABLES = frozenset(
    (
        "meta",
        "scopes",
        "aliases",
        "pages",
        "page_bodies",
        "tags",
        "links",
        "findings",
        "name_terms",
        "page_terms",
        "page_text",
        "page_text_data",
        "passages",
        "passage_text",
        "entities",
        "things",
        "observed",
        "observations",
        "observation_bodies",
        "observation_text",
        "session_text",
        "embedders",
        "vectors",
    )
)
TEXTS: Final = ("page_text", "passage_text", "observation_text", "session_text")
_STATEMENTS = (
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID",
    "INSERT INTO meta (name, value) VALUES ('generation', 0)",
    # What was read of the file that stood here before is worth nothing for this one.
    "INSERT INTO meta (name, value) VALUES ('birth', abs(random() / 2))",
    """CREATE TABLE scopes (
        id INTEGER PRIMARY KEY, workspace TEXT NOT NULL, project TEXT NOT NULL, UNIQUE (workspace, project))""",
    # Former names of projects, by which links still lead to them.
    """CREATE TABLE aliases (
        workspace TEXT NOT NULL, project TEXT NOT NULL, scope_id INTEGER NOT NULL,
        PRIMARY KEY (workspace, project)) WITHOUT ROWID""",
    """CREATE TABLE pages (
        id INTEGER PRIMARY KEY, scope_id INTEGER NOT NULL, path TEXT NOT NULL, path_key TEXT NOT NULL,
        stem_key TEXT NOT NULL, kind TEXT NOT NULL, title TEXT NOT NULL, page_id TEXT NOT NULL,
        description TEXT NOT NULL, session_id TEXT NOT NULL, agent TEXT NOT NULL, revision TEXT NOT NULL,
        author TEXT NOT NULL, updated_us INTEGER NOT NULL, verified_us INTEGER, superseded_by TEXT NOT NULL,
        is_pinned INTEGER NOT NULL, mtime_ns INTEGER NOT NULL, size INTEGER NOT NULL, content_hash TEXT NOT NULL,
        is_generated INTEGER NOT NULL, stale_after TEXT NOT NULL, secrets TEXT NOT NULL,
        UNIQUE (scope_id, path))""",
    # Apart from the pages, whose rows a search walks by the thousand.
    "CREATE TABLE page_bodies (id INTEGER PRIMARY KEY, body TEXT NOT NULL)",
    "CREATE INDEX pages_by_path_key ON pages (scope_id, path_key)",
    "CREATE INDEX pages_by_stem_key ON pages (scope_id, stem_key)",
    "CREATE INDEX pages_by_update ON pages (updated_us)",
    # What each session's start asks of its project, whatever the number of its pages.
    "CREATE INDEX pages_latest ON pages (scope_id, updated_us)",
    # How many there are of each kind, whatever the number of a project's pages.
    "CREATE INDEX pages_by_kind ON pages (scope_id, kind)",
    "CREATE INDEX pages_rules ON pages (scope_id) WHERE kind = 'rule'",
    "CREATE INDEX pages_slots ON pages (scope_id) WHERE kind = 'slot'",
    "CREATE INDEX pages_pinned ON pages (scope_id) WHERE is_pinned",
    "CREATE INDEX pages_by_session ON pages (scope_id, session_id) WHERE session_id <> ''",
    "CREATE INDEX pages_by_id ON pages (page_id, scope_id) WHERE page_id <> ''",
    # What is wrong in a project is asked of these, so that looking costs as much as there is to tell.
    "CREATE INDEX pages_alike ON pages (scope_id, title, kind) WHERE superseded_by = ''",
    "CREATE INDEX pages_written ON pages (scope_id, path) WHERE NOT is_generated",
    "CREATE INDEX pages_with_secrets ON pages (scope_id, path) WHERE secrets <> ''",
    "CREATE INDEX pages_expiring ON pages (scope_id, stale_after) WHERE stale_after <> ''",
    f"CREATE INDEX pages_ageing ON pages (scope_id, {CHECKED_US}) WHERE {AGEING}",
    f"CREATE INDEX pages_large ON pages (scope_id, path) WHERE {LARGE}",
    "CREATE TABLE tags (page INTEGER NOT NULL, tag TEXT NOT NULL, PRIMARY KEY (page, tag)) WITHOUT ROWID",
    """CREATE TABLE links (
        page INTEGER NOT NULL, position INTEGER NOT NULL, relation TEXT NOT NULL, target TEXT NOT NULL,
        label TEXT NOT NULL, to_workspace TEXT NOT NULL, to_project TEXT NOT NULL, to_key TEXT NOT NULL,
        is_bare INTEGER NOT NULL, written TEXT NOT NULL, is_abroad INTEGER NOT NULL,
        is_lost INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (page, position)) WITHOUT ROWID""",
    "CREATE INDEX links_by_target ON links (to_workspace, to_project, to_key, is_bare)",
    # Those that lead nowhere, and of them those that name another project than their own.
    "CREATE INDEX links_lost ON links (to_workspace, to_project, page) WHERE is_lost",
    "CREATE INDEX links_lost_abroad ON links (page) WHERE is_lost AND is_abroad",
    "CREATE INDEX links_contradicting ON links (page) WHERE relation = 'contradicts'",
    "CREATE INDEX links_superseding ON links (page) WHERE relation = 'supersedes'",
    """CREATE TABLE findings (
        page INTEGER NOT NULL, position INTEGER NOT NULL, code TEXT NOT NULL, detail TEXT NOT NULL,
        PRIMARY KEY (page, position)) WITHOUT ROWID""",
    """CREATE TABLE name_terms (
        term TEXT NOT NULL, page INTEGER NOT NULL, PRIMARY KEY (term, page)) WITHOUT ROWID""",
    "CREATE INDEX name_terms_by_page ON name_terms (page)",
    """CREATE TABLE page_terms (
        id INTEGER PRIMARY KEY, title TEXT NOT NULL, headings TEXT NOT NULL, names TEXT NOT NULL,
        body TEXT NOT NULL, forms TEXT NOT NULL, stems TEXT NOT NULL, facets TEXT NOT NULL, tally TEXT NOT NULL)""",
    # The terms stand in their own table, so that they outlive a damaged full-text index.
    f"""CREATE VIRTUAL TABLE page_text USING fts5(
        title, headings, names, body, forms, stems, facets, content='page_terms', content_rowid='id', {_TOKENIZER})""",
    "CREATE VIRTUAL TABLE page_text_counts USING fts5vocab(page_text, 'row')",
    # A long page in pieces, each with a little of what stands around it.
    """CREATE TABLE passages (
        id INTEGER PRIMARY KEY, page INTEGER NOT NULL, position INTEGER NOT NULL, start INTEGER NOT NULL,
        UNIQUE (page, position))""",
    f"CREATE VIRTUAL TABLE passage_text USING fts5(own, stems, forms, near, facets, {_TOKENIZER})",
    """CREATE TABLE entities (
        key TEXT NOT NULL, kind TEXT NOT NULL, page INTEGER NOT NULL, PRIMARY KEY (key, kind, page)) WITHOUT ROWID""",
    "CREATE INDEX entities_by_page ON entities (page)",
    # What pages say themselves that they are about, by kind and in the words that people use.
    """CREATE TABLE things (
        page INTEGER NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL, PRIMARY KEY (page, kind, name)) WITHOUT ROWID""",
    "CREATE INDEX things_by_name ON things (kind, name)",
    # How far each session's observations are here; which project they are of is state's word, never a page's.
    """CREATE TABLE observed (
        id INTEGER PRIMARY KEY, session_id TEXT NOT NULL UNIQUE, scope_id INTEGER NOT NULL,
        through INTEGER NOT NULL)""",
    "CREATE INDEX observed_by_scope ON observed (scope_id)",
    """CREATE TABLE observations (
        id INTEGER PRIMARY KEY, observed INTEGER NOT NULL, shows TEXT NOT NULL, at_us INTEGER NOT NULL)""",
    "CREATE INDEX observations_by_observed ON observations (observed)",
    # Apart from the observations, as with pages: the text and its terms, compressed.
    "CREATE TABLE observation_bodies (id INTEGER PRIMARY KEY, body BLOB NOT NULL)",
    # Neither these words nor those of whole sessions are stored again; the bodies tell what has to be taken back.
    f"""CREATE VIRTUAL TABLE observation_text USING fts5(
        own, stems, forms, near, moment, facets, content='', {_TOKENIZER})""",
    "CREATE VIRTUAL TABLE observation_text_counts USING fts5vocab(observation_text, 'row')",
    # All that a session said and did as one text, by the number of its first observation.
    f"CREATE VIRTUAL TABLE session_text USING fts5(own, stems, forms, facets, content='', {_TOKENIZER})",
    "CREATE VIRTUAL TABLE session_text_counts USING fts5vocab(session_text, 'row')",
    """CREATE TABLE embedders (
        id INTEGER PRIMARY KEY, model TEXT NOT NULL, revision TEXT NOT NULL, UNIQUE (model, revision))""",
    # Of a page, or of an observation where `page` is 0; numbers are never used again, so that those in memory hold.
    """CREATE TABLE vectors (
        id INTEGER PRIMARY KEY AUTOINCREMENT, embedder INTEGER NOT NULL, page INTEGER NOT NULL,
        observation INTEGER NOT NULL, position INTEGER NOT NULL, start INTEGER NOT NULL, vector BLOB NOT NULL,
        UNIQUE (page, observation, embedder, position))""",
    "CREATE INDEX vectors_by_embedder ON vectors (embedder, id)",
)


class WrongVersionError(Exception):
    """The file was made by another release; it is dropped, never read."""


def create_schema(connection: sqlite3.Connection) -> bool:
    """Make the tables in an empty file; False means that they were there.

    Raises:
        WrongVersionError: the file has tables of another version.
    """
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if version == INDEX_VERSION:
        # Reads a page of the file, so that damage at its start shows now.
        connection.execute("SELECT value FROM meta WHERE name = 'generation'").fetchone()
        return False
    if version or connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
        raise WrongVersionError
    connection.execute("BEGIN IMMEDIATE")
    for statement in _STATEMENTS:
        connection.execute(statement)
    connection.execute("INSERT INTO meta (name, value) VALUES ('rules', ?)", (RULES_MARK,))
    connection.execute(f"PRAGMA user_version={INDEX_VERSION:d}")
    connection.execute("COMMIT")
    return True


def is_complete(connection: sqlite3.Connection) -> bool:
    """Tell whether the file was ever filled to the end; one whose building was cut short was not."""
    return connection.execute("SELECT value FROM meta WHERE name = 'complete'").fetchone() is not None


def mark_complete(connection: sqlite3.Connection) -> None:
    """Note that every page is in the file."""
    connection.execute("INSERT OR REPLACE INTO meta (name, value) VALUES ('complete', '1')")


def compact(connection: sqlite3.Connection) -> None:
    """Merge the full text, in which deleting only marks, and write the file anew; then empty the log."""
    for table in TEXTS:
        connection.execute(f"INSERT INTO {table} ({table}) VALUES ('optimize')")  # noqa: S608 - names of ours
    connection.execute("VACUUM")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def check_schema(connection: sqlite3.Connection) -> bool:
    """Read the whole file and tell whether it is sound; costs a second per ten thousand pages."""
    found = connection.execute("PRAGMA quick_check(1)").fetchone()
    if found is None or found[0] != "ok":
        return False
    connection.execute("INSERT INTO page_text (page_text, rank) VALUES ('integrity-check', 1)")
    rows = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' LIMIT 100")
    return {name for (name,) in rows} >= _TABLES
