"""What becomes of the rows of a project that is made part of another."""

from dataclasses import replace

import pytest

from app.domain.feedback import Opinion, Verdict
from app.domain.page import PagePath
from app.domain.person import Access, AccessToken, Grant, Person, Right, Role
from app.domain.proposal import Proposal, ProposalKind, ProposalState
from app.domain.redact import redact_text
from app.domain.scope import Scope
from app.state import accounts, feedback, grants, lessons, merging, moves, projects, proposals, sessions, tokens
from app.state.engine import ReadConnection, WriteConnection
from tests.state import builders
from tests.state.builders import NOW, Store

SHOP = builders.project(id="into", scope=Scope("main", "shop"))
BARN = builders.project(id="gone", scope=Scope("main", "barn"), aliases=("stall",), identities=("remote:x/barn",))
PATHS = {"notes/a.md": "notes/a-2.md", "index.md": ""}
OLD = Proposal("o", "into", ProposalKind.RULE, "same", "T", "x", "r", ProposalState.WAITING, NOW)


def seed(conn: WriteConnection) -> None:
    for project in (SHOP, BARN):
        projects.insert_project(conn, project)
    for number, name in enumerate(("ann", "bob"), start=1):
        accounts.insert_person(conn, Person(f"a{number}", name, Role.MEMBER, NOW), "")


def merge(store: Store, page_ids: dict[str, str] | None = None) -> None:
    def change(conn: WriteConnection) -> None:
        merging.merge_project(conn, BARN, SHOP, PATHS, page_ids or {})
        moves.insert_moved_pages(conn, BARN.scope, SHOP.id, PATHS)

    store.write(change)


def opinion(project_id: str, path: str, note: str) -> Opinion:
    return Opinion(project_id, PagePath(path), "ann", Verdict.STALE, "h", redact_text(note), NOW)


def test_every_name_and_repository_leads_to_the_other_project(empty_store: Store) -> None:
    empty_store.write(seed)
    empty_store.write(lambda conn: sessions.insert_sessions(conn, [builders.session(project_id="gone")]))

    merge(empty_store)

    def look(conn: ReadConnection) -> list[str]:
        named = [projects.find_project(conn, Scope("main", name)) for name in ("barn", "stall", "shop")]
        named.append(projects.find_project_by_identity(conn, "remote:x/barn"))
        return [found.id for found in named if found] + [sessions.get_session(conn, "s1").project_id]

    assert empty_store.read(look) == ["into"] * 5
    assert (
        empty_store.read(lambda conn: moves.find_moved_page(conn, BARN.scope, PagePath("notes/a.md"))) == "notes/a-2.md"
    )
    assert empty_store.read(lambda conn: moves.find_moved_page(conn, BARN.scope, PagePath("notes/b.md"))) is None


def test_of_two_grants_the_more_counts_and_tokens_reach_where_they_reached(empty_store: Store) -> None:
    def grant(conn: WriteConnection) -> None:
        seed(conn)
        grants.insert_grant(conn, "a1", Grant("ann", "into", Access.READ, NOW))
        grants.insert_grant(conn, "a1", Grant("ann", "gone", Access.MANAGE, NOW))
        grants.insert_grant(conn, "a2", Grant("bob", "gone", Access.WRITE, NOW))
        limited = AccessToken("t1", "a2", "x", "mw_", frozenset({Right.READ}), NOW, frozenset({"gone", "p9"}))
        tokens.insert_token(conn, limited, "hash")

    empty_store.write(grant)

    merge(empty_store)

    found = empty_store.read(grants.list_grants)
    assert [(each.holder, each.project_id, each.access) for each in found] == [
        ("ann", "into", Access.MANAGE),
        ("bob", "into", Access.WRITE),
    ]
    assert empty_store.read(lambda conn: tokens.get_token(conn, "t1")).project_ids == {"into", "p9"}


@pytest.mark.parametrize(
    ("theirs", "ours", "kept"),
    [
        (ProposalState.WAITING, ProposalState.WAITING, "o"),
        (ProposalState.REJECTED, ProposalState.WAITING, "n"),
        (ProposalState.REJECTED, ProposalState.APPROVED, "o"),
    ],
)
def test_of_two_proposals_a_decided_one_stays(
    empty_store: Store, theirs: ProposalState, ours: ProposalState, kept: str
) -> None:
    empty_store.write(seed)
    for each in (replace(OLD, state=ours), replace(OLD, id="n", project_id="gone", state=theirs)):
        empty_store.write(lambda conn, each=each: proposals.insert_proposal(conn, each))  # type: ignore[misc]

    merge(empty_store)

    assert [
        each.id for each in empty_store.read(lambda conn: proposals.list_proposals(conn, "into", 9, state=None))
    ] == [kept]


def test_what_was_said_of_a_page_goes_where_the_page_goes(empty_store: Store) -> None:
    def say(conn: WriteConnection) -> None:
        seed(conn)
        for each in (
            opinion("gone", "notes/a.md", "first"),
            opinion("gone", "index.md", "of no page"),
            opinion("gone", "notes/b.md", "second"),
            opinion("into", "notes/b.md", "of one that is gone"),
        ):
            feedback.put_opinion(conn, each)
        plan = '{"reason":"r","changes":[{"path":"notes/a.md"}]}'
        change = replace(OLD, id="c", project_id="gone", kind=ProposalKind.CHANGE, path="notes/a.md", plan=plan)
        proposals.insert_proposal(conn, change)

    empty_store.write(say)

    merge(empty_store)

    said = empty_store.read(lambda conn: feedback.list_of_project(conn, "into", 9))
    assert [(each.path, str(each.note)) for each in said] == [("notes/a-2.md", "first"), ("notes/b.md", "second")]
    changed = empty_store.read(lambda conn: proposals.get_proposal(conn, "c"))
    assert (changed.path, '"notes/a-2.md"' in changed.plan) == ("notes/a-2.md", True)


def test_pages_of_lessons_go_on_unless_the_other_project_has_its_own(empty_store: Store) -> None:
    def learn(conn: WriteConnection) -> None:
        seed(conn)
        lessons.upsert_page(conn, "gone", "old-1", PagePath("notes/a.md"))
        lessons.upsert_page(conn, "gone", "old-2", PagePath("gotchas/b.md"))
        lessons.upsert_page(conn, "into", "new-2", PagePath("gotchas/c.md"))

    empty_store.write(learn)

    merge(empty_store, {"old-1": "new-1", "old-2": "new-2"})

    found = [
        empty_store.read(lambda conn, name=name: lessons.find_page(conn, name)) for name in ("new-1", "new-2", "old-2")
    ]  # type: ignore[misc]
    assert found == ["notes/a-2.md", "gotchas/c.md", None]
