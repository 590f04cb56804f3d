"""Where checkouts belong: one project for each repository, whatever is seen of it, and nothing made by looking."""

import shutil
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.capture import locate
from app.domain.checkout import Checkout
from app.domain.scope import Scope
from app.state import engine, projects
from app.state.writer import Writer
from tests.fakes import FakeClock, FakeIds
from tests.state.builders import Store

IDS = FakeIds()
SHOP = Checkout(cwd="/w/shop", root="/w/shop", common_dir="/w/shop/.git", machine="desk")


def capture(store: Store, checkout: Checkout, workspace: str = "main") -> Scope:
    """Do what a session's first event does; tells the project's name."""

    def find(conn: projects.WriteConnection) -> Scope:
        location = locate.locate_project(conn, checkout, workspace)
        project = locate.find_or_insert_project(
            IDS, conn, checkout, location=location, workspace=workspace, now=FakeClock().now()
        )
        return project.scope

    return store.write(find)


def look(store: Store, checkout: Checkout) -> locate.Location:
    return store.read(lambda conn: locate.locate_project(conn, checkout, "main"))


def count_projects(store: Store) -> int:
    return len(store.read(lambda conn: projects.list_projects(conn, 100)))


def test_looking_makes_nothing_and_tells_what_capture_would_make(empty_store: Store) -> None:
    location = look(empty_store, SHOP)

    assert (location.project, location.rule, location.scope) == (None, "", Scope("main", "shop"))
    assert count_projects(empty_store) == 0
    assert capture(empty_store, SHOP) == location.scope


def test_a_remote_that_is_added_keeps_the_project(empty_store: Store) -> None:
    capture(empty_store, SHOP)

    assert capture(empty_store, replace(SHOP, remote="git@h.org:anna/other")) == Scope("main", "shop")
    found = look(empty_store, Checkout(cwd="/x", remote="https://h.org/anna/other", machine="lap"))
    assert (found.scope, found.rule) == (Scope("main", "shop"), "remote")


def test_a_folder_that_becomes_a_repository_keeps_the_project(empty_store: Store) -> None:
    capture(empty_store, Checkout(cwd="/w/shop", machine="desk"))

    assert capture(empty_store, SHOP) == Scope("main", "shop")
    assert look(empty_store, replace(SHOP, root="/w/fix", cwd="/w/fix")).rule == "git"


def test_an_upstream_that_is_added_to_a_fork_keeps_the_project(empty_store: Store) -> None:
    capture(empty_store, replace(SHOP, remote="git@h.org:anna/shop"))
    forked = replace(SHOP, remote="git@h.org:example/shop", origin="git@h.org:anna/shop")

    assert capture(empty_store, forked) == Scope("main", "shop")
    assert look(empty_store, Checkout(cwd="/y", remote="https://h.org/example/shop")).rule == "remote"
    assert count_projects(empty_store) == 1


def test_another_repository_at_the_same_place_is_another_project(empty_store: Store) -> None:
    capture(empty_store, replace(SHOP, remote="git@h.org:anna/shop"))
    other = replace(SHOP, remote="git@h.org:bert/shop")

    location = look(empty_store, other)

    assert location.project is None
    assert [project.scope for project in location.contradicted] == [Scope("main", "shop")]
    assert capture(empty_store, other) == Scope("main", "bert-shop")
    assert capture(empty_store, other) == Scope("main", "bert-shop")


def test_a_marker_leads_to_the_project_of_its_name(empty_store: Store) -> None:
    capture(empty_store, SHOP)
    marked = Checkout(cwd="/z", marker_project="shop")

    assert (look(empty_store, marked).scope, look(empty_store, marked).rule) == (Scope("main", "shop"), "marker")
    assert capture(empty_store, replace(marked, marker_project="Shop")) == Scope("main", "shop")
    assert count_projects(empty_store) == 1


def test_an_alias_of_a_marker_leads_to_the_project_that_had_the_name(empty_store: Store) -> None:
    capture(empty_store, Checkout(cwd="/z", marker_project="invoices"))
    renamed = Checkout(cwd="/z", marker_project="billing", marker_aliases=("invoices",))

    assert capture(empty_store, renamed) == Scope("main", "invoices")
    by_new_name = empty_store.read(lambda conn: projects.find_project(conn, Scope("main", "billing")))
    assert by_new_name is not None
    assert count_projects(empty_store) == 1


def test_an_alias_resolves_for_a_project_that_is_new(empty_store: Store) -> None:
    capture(empty_store, Checkout(cwd="/z", marker_project="billing", marker_aliases=("invoices", "old/bills")))

    for scope in (Scope("main", "invoices"), Scope("old", "bills")):
        found = empty_store.read(lambda conn, scope=scope: projects.find_project(conn, scope))
        assert found is not None
        assert found.scope == Scope("main", "billing")


def test_an_alias_never_takes_the_name_of_a_living_project(empty_store: Store) -> None:
    capture(empty_store, Checkout(cwd="/a", marker_project="api"))
    capture(empty_store, Checkout(cwd="/b", marker_project="web"))

    assert capture(empty_store, Checkout(cwd="/b", marker_project="web", marker_aliases=("api",))) == Scope(
        "main", "web"
    )
    found = empty_store.read(lambda conn: projects.find_project(conn, Scope("main", "api")))
    assert found is not None
    assert found.scope == Scope("main", "api")


@pytest.mark.parametrize(
    "seen",
    [
        replace(SHOP, cwd="/w/shop/lib/deep"),
        replace(SHOP, root="/w/fix", cwd="/w/fix/lib"),
        replace(SHOP, common_dir="/w/shop/.git/worktrees/fix", root="/w/fix"),
        replace(SHOP, common_dir="/w/shop/.git/modules/lib"),
        replace(SHOP, common_dir="/w/shop/.git/"),
        replace(SHOP, machine="DESK"),
    ],
    ids=["below", "worktree", "worktree by its own folder", "submodule", "slash", "letters of the machine"],
)
def test_parts_of_one_repository_are_one_project(empty_store: Store, seen: Checkout) -> None:
    capture(empty_store, SHOP)

    assert look(empty_store, seen).scope == Scope("main", "shop")
    assert look(empty_store, seen).project is not None


def test_a_bare_repository_and_its_worktrees_are_one_project(empty_store: Store) -> None:
    assert capture(empty_store, Checkout(cwd="/srv/shop.git", common_dir="/srv/shop.git")) == Scope("main", "shop")

    linked = Checkout(cwd="/w/fix", root="/w/fix", common_dir="/srv/shop.git")
    assert look(empty_store, linked).project is not None


def test_a_workspace_that_a_marker_names_alone_takes_the_new_project(empty_store: Store) -> None:
    assert capture(empty_store, replace(SHOP, marker_workspace="team")) == Scope("team", "shop")


def test_a_marker_without_a_workspace_is_in_the_servers(empty_store: Store) -> None:
    marked = Checkout(cwd="/z", marker_project="billing")

    assert capture(empty_store, marked, "team") == Scope("team", "billing")
    assert capture(empty_store, replace(marked, marker_workspace="main"), "team") == Scope("main", "billing")


@dataclass(frozen=True)
class Repository:
    """A repository of the generated world: its remote, if any, and where it was cloned to."""

    remote: str
    machine: str
    path: str

    def see(self, spelling: int, *, is_below: bool) -> Checkout:
        base = self.path if spelling % 2 else f"{self.path}/"
        host, _, path = self.remote.partition("/")
        urls = [f"https://{host}/{path}.git", f"git@{host}:{path}", f"ssh://git@{host}:2222/{path.upper()}/"]
        return Checkout(
            cwd=f"{base}/lib" if is_below else base,
            root=base,
            common_dir=f"{self.path}/.git",
            remote=urls[spelling % 3] if self.remote else "",
            machine=self.machine.upper() if spelling % 2 else self.machine,
        )


REPOSITORIES = st.builds(
    Repository,
    remote=st.sampled_from(["", "", "h.org/anna/api", "h.org/bert/api", "g.org/anna/api"]),
    machine=st.sampled_from(["desk", "lap"]),
    path=st.sampled_from(["/w/api", "/v/api", "c:/api"]),
)
SIGHTS = st.lists(st.tuples(REPOSITORIES, st.integers(0, 5), st.booleans()), min_size=1, max_size=12)


def identify(repository: Repository) -> tuple[str, ...]:
    """Tell what a repository is: its remote's, else a folder of one machine."""
    return (repository.remote,) if repository.remote else (repository.machine, repository.path)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(sights=SIGHTS)
def test_two_repositories_never_share_a_project(
    migrated_file: Path, sights: list[tuple[Repository, int, bool]]
) -> None:
    places: dict[tuple[str, ...], Scope] = {}
    with_remote = {(each.machine, each.path) for each, _, _ in sights if each.remote}
    # A repository without a remote at a place that has one at another time is that one, before or after.
    sights = [sight for sight in sights if sight[0].remote or (sight[0].machine, sight[0].path) not in with_remote]
    with tempfile.TemporaryDirectory() as folder:
        opened = engine.open_engine(engine.build_sqlite_url(Path(shutil.copy(migrated_file, folder))))
        writer = Writer(opened)
        writer.start()
        store = Store(opened, writer)
        for repository, spelling, is_below in sights:
            scope = capture(store, repository.see(spelling, is_below=is_below))
            assert places.setdefault(identify(repository), scope) == scope
        writer.stop()
        opened.close()

    assert len(set(places.values())) == len(places)
