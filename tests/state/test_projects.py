"""Projects are found by name, by an earlier name and by repository, and never by another's."""

import pytest
import sqlalchemy as sa

from app.domain.errors import ProjectNotFound
from app.domain.scope import Scope
from app.state import projects
from tests.state import builders
from tests.state.builders import Store

SHOP = builders.project(aliases=("market", "old/shop"), identities=("git:a", "path:/x"))


@pytest.fixture
def shop_store(empty_store: Store) -> Store:
    empty_store.write(lambda conn: projects.insert_project(conn, SHOP))
    return empty_store


@pytest.mark.parametrize("scope", [Scope("main", "shop"), Scope("main", "market"), Scope("old", "shop")])
def test_a_project_is_found_by_its_name_and_by_earlier_ones(shop_store: Store, scope: Scope) -> None:
    assert shop_store.read(lambda conn: projects.find_project(conn, scope)) == SHOP


@pytest.mark.parametrize("scope", [Scope("old", "market"), Scope("main", "Shop"), Scope("main", "sho%")])
def test_other_names_find_nothing(shop_store: Store, scope: Scope) -> None:
    assert shop_store.read(lambda conn: projects.find_project(conn, scope)) is None


def test_a_project_is_found_by_any_of_its_repositories(shop_store: Store) -> None:
    shop_store.write(lambda conn: projects.insert_identity(conn, "p1", "git:b"))

    found = shop_store.read(lambda conn: projects.find_project_by_identity(conn, "git:b"))
    missing = shop_store.read(lambda conn: projects.find_project_by_identity(conn, "git:c"))

    assert found is not None
    assert found.identities == ("git:a", "git:b", "path:/x")
    assert missing is None


def test_one_repository_cannot_lead_to_two_projects(shop_store: Store) -> None:
    other = builders.project(id="p2", scope=Scope("main", "other"), identities=("git:a",))

    with pytest.raises(sa.exc.IntegrityError):
        shop_store.write(lambda conn: projects.insert_project(conn, other))


def test_the_name_of_today_goes_before_one_of_the_past(shop_store: Store) -> None:
    market = builders.project(id="p2", scope=Scope("main", "market"))
    shop_store.write(lambda conn: projects.insert_project(conn, market))

    assert shop_store.read(lambda conn: projects.find_project(conn, market.scope)) == market


def test_a_renamed_project_is_found_by_both_names(shop_store: Store) -> None:
    renamed = builders.project(scope=Scope("main", "store"), aliases=("shop",), identities=("git:a",))

    shop_store.write(lambda conn: projects.update_project(conn, renamed))

    assert shop_store.read(lambda conn: projects.get_project(conn, "p1")) == renamed
    assert shop_store.read(lambda conn: projects.find_project(conn, Scope("main", "shop"))) == renamed
    assert shop_store.read(lambda conn: projects.find_project(conn, Scope("old", "shop"))) is None


def test_changing_one_project_leaves_another_alone(shop_store: Store) -> None:
    other = builders.project(id="p2", scope=Scope("main", "other"), aliases=("o",), identities=("git:o",))
    shop_store.write(lambda conn: projects.insert_project(conn, other))

    shop_store.write(lambda conn: projects.update_project(conn, builders.project()))

    assert shop_store.read(lambda conn: projects.get_project(conn, "p2")) == other


def test_an_unknown_id_is_an_error(shop_store: Store) -> None:
    with pytest.raises(ProjectNotFound):
        shop_store.read(lambda conn: projects.get_project(conn, "p9"))


def test_projects_are_listed_by_name_up_to_the_limit(shop_store: Store) -> None:
    for name in ("b", "a", "z"):
        added = builders.project(id=name, scope=Scope("main", name))
        shop_store.write(lambda conn, added=added: projects.insert_project(conn, added))

    listed = shop_store.read(lambda conn: projects.list_projects(conn, 3))

    assert [project.scope.project for project in listed] == ["a", "b", "shop"]
    assert listed[2] == SHOP


def test_taken_names_are_those_of_today_and_of_the_past(shop_store: Store) -> None:
    assert shop_store.read(lambda conn: projects.list_names(conn, "main")) == {"shop", "market"}
