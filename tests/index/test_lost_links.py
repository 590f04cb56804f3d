"""Links that lead nowhere are known after any sequence of changes, as if each link were looked up anew."""

import tempfile
from functools import partial
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.scope import Scope
from app.index import aliases, build, flaws
from app.index.database import Connection, IndexDatabase
from tests.index import builders
from tests.index.builders import HOME, OTHER

NAMES = (HOME, OTHER, Scope("main", "third"))
PATHS = ("a.md", "b/a.md", "b/c.md", "C.md", "project.md")
TARGETS = ("a", "c", "b/c", "b/a.md", "other:a", "third:b/c", "home:c", "nowhere", "third:a")
_LINKS = """
SELECT s.workspace, s.project, p.path, l.target, l.to_workspace, l.to_project, l.to_key, l.is_bare
  FROM links l JOIN pages p ON p.id = l.page JOIN scopes s ON s.id = p.scope_id"""
_PAGES = """
SELECT s.workspace, s.project, p.path_key, p.stem_key FROM pages p JOIN scopes s ON s.id = p.scope_id"""

scopes = st.sampled_from(NAMES)
changes = st.one_of(
    st.tuples(
        st.just("put"),
        scopes,
        st.sampled_from(PATHS),
        st.lists(st.sampled_from(TARGETS), max_size=3),
        st.lists(st.sampled_from(["was", "third", "other"]), max_size=2),
    ),
    st.tuples(st.just("remove"), scopes, st.sampled_from(PATHS), st.just([]), st.just([])),
    st.tuples(st.sampled_from(["drop", "rename", "absorb"]), scopes, scopes, st.just([]), st.just([])),
)


def change(index: IndexDatabase, what: str, scope: Scope, other: object, targets: list[str], names: list[str]) -> None:
    if what == "put":
        body = " ".join(f"[[{target}]]" for target in targets)
        more = {"aliases": names} if other == "project.md" and names else {}
        builders.put(index, builders.make_page(str(other), body, scope=scope, **more))
    elif what == "remove":
        index.write(partial(build.remove_documents, pages=[(scope, other)]))  # type: ignore[list-item]
    elif what == "drop":
        index.write(partial(build.remove_scope, scope=scope))
    elif isinstance(other, Scope) and scope != other:
        index.write(partial(_move, what=what, scope=scope, to=other))


def _move(connection: Connection, what: str, scope: Scope, to: Scope) -> None:
    taken = connection.execute("SELECT 1 FROM scopes WHERE project = ?", (to.project,)).fetchone()
    if what == "absorb" and taken:
        build.absorb_scope(connection, scope, to)
    elif what == "rename" and not taken:
        aliases.rename_scope(connection, scope, to)


def look_up_each(connection: Connection, scope: Scope) -> list[tuple[str, str]]:
    """Find the links of a scope that lead nowhere by comparing each with each page."""
    pages = connection.execute(_PAGES).fetchall()
    places = {(workspace, project, key) for workspace, project, key, _ in pages}
    stems = {(workspace, project, stem) for workspace, project, _, stem in pages}
    return sorted(
        (path, target)
        for workspace, project, path, target, *to, is_bare in connection.execute(_LINKS)
        if (workspace, project) == (scope.workspace, scope.project)
        and to[2]
        and tuple(to) not in places
        and not (is_bare and tuple(to) in stems)
    )


@settings(max_examples=120, deadline=None)
@given(st.lists(changes, max_size=14))
def test_lost_links_are_those_that_looking_up_each_finds(
    done: list[tuple[str, Scope, object, list[str], list[str]]],
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        index = IndexDatabase(Path(folder))
        index.open()
        try:
            for each in done:
                change(index, *each)
            for scope in NAMES:
                told = index.read(partial(flaws.list_broken_links, scope=scope, limit=1000))
                wanted = index.read(partial(look_up_each, scope=scope))
                assert sorted((str(link.path), link.target) for link in told) == wanted
        finally:
            index.close()
