"""Which project a checkout belongs to."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.capture import route
from app.domain.checkout import Checkout
from app.domain.scope import Scope

SPELLINGS = [
    "https://github.com/Example/Shop.git",
    "https://github.com/example/shop",
    "https://github.com/example/shop/",
    "https://user:secret@github.com/example/shop.git",
    "git@github.com:example/shop.git",
    "github.com:example/shop",
    "ssh://git@github.com:22/example/shop.git",
    "git://github.com/EXAMPLE/shop.git",
    "  https://github.com/example/shop.git\n",
]


@pytest.mark.parametrize("url", SPELLINGS)
def test_all_spellings_of_a_remote_are_one_repository(url: str) -> None:
    assert route.normalise_remote(url) == "github.com/example/shop"


@pytest.mark.parametrize(
    "url", ["", "/srv/git/shop.git", "../shop", "file:///srv/shop", "C:\\git\\shop", "~/shop", "http://[bad"]
)
def test_a_remote_that_names_no_host_is_no_identity(url: str) -> None:
    assert route.normalise_remote(url) == ""


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
    ],
    ids=["remote", "owner", "host", "folder", "number", "common-dir", "marker", "windows"],
)
def test_a_new_project_is_named_after_its_repository(checkout: Checkout, taken: set[str], expected: Scope) -> None:
    assert route.name_project(checkout, "main", taken) == expected


@given(st.text(max_size=80), st.sets(st.text(max_size=8), max_size=4))
def test_every_folder_gets_a_name_that_is_free(folder: str, taken: set[str]) -> None:
    scope = route.name_project(Checkout(cwd=folder), "main", taken)

    assert scope.project not in taken
    assert scope.project
