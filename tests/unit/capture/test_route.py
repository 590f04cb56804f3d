"""Which project a checkout belongs to."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.capture import route
from app.domain.checkout import Checkout
from app.domain.scope import Project, Scope


def test_the_same_base_name_under_two_owners_is_two_repositories() -> None:
    one = route.list_identities(Checkout(remote="https://github.com/anna/api", common_dir="/a/api/.git"))
    two = route.list_identities(Checkout(remote="https://github.com/bert/api", common_dir="/b/api/.git"))

    assert set(one).isdisjoint(two)


def test_worktrees_of_one_repository_share_their_identities() -> None:
    main = Checkout(cwd="/w/shop", root="/w/shop", common_dir="/w/shop/.git")
    linked = Checkout(cwd="/w/fix/lib", root="/w/fix", common_dir="/w/shop/.git")

    assert route.list_identities(main) == route.list_identities(linked)


def test_a_marker_file_stands_alone() -> None:
    checkout = Checkout(
        remote="https://github.com/anna/mono", common_dir="/m/.git", marker_project="billing", marker_workspace="team"
    )

    assert route.list_identities(checkout) == ("marker:team/billing",)


def test_a_folder_outside_git_is_known_by_its_path() -> None:
    assert route.list_identities(Checkout(cwd="/home/dev/notes/")) == ("folder:/home/dev/notes",)


def test_nothing_seen_gives_no_identity() -> None:
    assert route.list_identities(Checkout()) == ()


@pytest.mark.parametrize(
    ("checkout", "taken", "expected"),
    [
        (Checkout(remote="git@github.com:anna/Shop.git"), set(), Scope("main", "shop")),
        (Checkout(remote="git@github.com:anna/shop.git"), {"shop"}, Scope("main", "anna-shop")),
        (Checkout(remote="git@h.org:anna/shop.git"), {"shop", "anna-shop"}, Scope("main", "h.org-anna-shop")),
        (Checkout(cwd="/home/dev/My Notes"), set(), Scope("main", "my-notes")),
        (Checkout(cwd="/x/notes"), {"notes", "notes-2"}, Scope("main", "notes-3")),
        (Checkout(common_dir="/home/dev/shop/.git", cwd="/home/dev/shop/lib"), set(), Scope("main", "shop")),
        (Checkout(marker_project="billing", marker_workspace="team"), {"billing"}, Scope("team", "billing")),
        (Checkout(cwd="C:\\Users\\dev\\Shop"), set(), Scope("main", "shop")),
        (Checkout(common_dir="/srv/git/shop.git"), set(), Scope("main", "shop")),
        (Checkout(common_dir="/w/shop/.git", root="/w/fix", cwd="/w/fix"), set(), Scope("main", "shop")),
        (Checkout(common_dir="/srv/shop.git", root="/w/fix", cwd="/w/fix"), set(), Scope("main", "shop")),
        (Checkout(common_dir="/stores/17", root="/w/shop", cwd="/w/shop"), set(), Scope("main", "shop")),
        (Checkout(remote="git@github.com:anna/shop.git"), {"Shop"}, Scope("main", "anna-shop")),
    ],
    ids=[
        "remote",
        "owner",
        "host",
        "folder",
        "number",
        "common-dir",
        "marker",
        "windows",
        "bare",
        "worktree",
        "worktree of a bare one",
        "separate",
        "letters",
    ],
)
def test_a_new_project_is_named_after_its_repository(checkout: Checkout, taken: set[str], expected: Scope) -> None:
    assert route.name_project(checkout, "main", taken) == expected


@pytest.mark.parametrize("marker", ["../../etc/passwd", "a b", ".hidden", "x" * 65])
def test_a_marker_that_is_no_name_counts_as_none(marker: str) -> None:
    checkout = Checkout(remote="git@h.org:anna/shop", marker_project=marker)

    assert route.list_identities(checkout) == ("remote:h.org/anna/shop",)
    assert route.name_project(checkout, "main", set()) == Scope("main", "shop")


def test_a_marker_may_name_the_workspace_alone() -> None:
    checkout = Checkout(remote="git@h.org:anna/shop", marker_workspace="team")

    assert route.choose_workspace(checkout, "main") == "team"
    assert route.choose_workspace(Checkout(marker_workspace="../x"), "main") == "main"


def test_the_letters_of_a_marker_do_not_make_another_project() -> None:
    one, other = Checkout(marker_project="Billing"), Checkout(marker_project="billing")

    assert route.list_identities(one) == route.list_identities(other)


def test_aliases_are_names_of_the_markers_workspace_or_of_another() -> None:
    checkout = Checkout(
        marker_workspace="team", marker_project="billing", marker_aliases=("invoices", "old/bills", "a b", "x/y/z")
    )

    assert route.list_aliases(checkout) == (Scope("team", "invoices"), Scope("old", "bills"))
    assert route.list_aliases(Checkout(marker_aliases=("invoices",))) == ()


def test_a_fork_is_known_by_both_of_its_remotes() -> None:
    checkout = Checkout(remote="git@h.org:example/shop", origin="git@h.org:anna/shop", common_dir="/w/shop/.git")

    assert route.list_identities(checkout) == (
        "remote:h.org/example/shop",
        "remote:h.org/anna/shop",
        "git:/w/shop/.git",
    )


def test_folders_of_two_machines_are_two() -> None:
    one = Checkout(cwd="/w/shop", root="/w/shop", common_dir="/w/shop/.git", machine="desk")

    for other in (replace(one, machine="lap"), replace(one, machine="")):
        assert set(route.list_identities(one)).isdisjoint(route.list_identities(other))
        assert set(route.list_former_identities(one)).isdisjoint(route.list_former_identities(other))


def test_a_repository_may_have_been_known_as_a_folder() -> None:
    assert route.list_former_identities(Checkout(cwd="/w/shop/lib", root="/w/shop", common_dir="/w/shop/.git")) == (
        "folder:/w/shop",
    )
    assert route.list_former_identities(Checkout(cwd="/w/shop")) == ()
    assert route.list_former_identities(Checkout(common_dir="/srv/shop.git")) == ()


@pytest.mark.parametrize(
    ("known", "identity", "stronger", "expected"),
    [
        (("git:/w/.git",), "git:/w/.git", ["remote:h/a"], False),
        (("git:/w/.git", "remote:h/b"), "git:/w/.git", ["remote:h/a"], True),
        (("git:/w/.git", "remote:h/b"), "git:/w/.git", [], False),
        (("folder:/w", "git:/w/.git"), "folder:/w", ["git:/v/.git"], True),
        (("folder:/w",), "folder:/w", ["remote:h/a", "git:/w/.git"], False),
        (("remote:h/a", "remote:h/b"), "remote:h/b", ["remote:h/c"], False),
    ],
    ids=["remote added", "another remote", "no remote any more", "another repository", "repository made", "fork"],
)
def test_a_weaker_key_yields_to_a_stronger_one_that_says_otherwise(
    known: tuple[str, ...], identity: str, stronger: list[str], *, expected: bool
) -> None:
    project = Project("p", Scope("main", "x"), datetime(2026, 1, 1, tzinfo=UTC), identities=known)

    assert route.is_contradicted(project, identity, stronger) is expected


@given(st.text(max_size=80), st.sets(st.text(max_size=8), max_size=4))
def test_every_folder_gets_a_name_that_is_free(folder: str, taken: set[str]) -> None:
    scope = route.name_project(Checkout(cwd=folder), "main", taken)

    assert scope.project not in taken
    assert scope.project
