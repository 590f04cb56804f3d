"""Accounts, tokens and grants as rows."""

from datetime import timedelta

from app.domain.person import Access, AccessToken, Grant, Group, Person, Right, Role
from app.state import accounts, grants, sessions, tokens
from app.state.engine import WriteConnection
from tests.state import builders
from tests.state.builders import NOW, Store, at

ANN = Person("a1", "ann", Role.ADMIN, NOW)
BOB = Person("a2", "bob", Role.MEMBER, NOW)
TOKEN = AccessToken("t1", "a2", "laptop", "mw_abc", frozenset({Right.READ}), NOW, project_ids=frozenset({"p1"}))


def seed(conn: WriteConnection) -> None:
    accounts.insert_person(conn, ANN, "hash")
    accounts.insert_person(conn, BOB, "")
    accounts.insert_group(conn, Group("g1", "devs", NOW))


def test_a_removed_account_keeps_its_name_and_loses_its_password(store: Store) -> None:
    store.write(seed)

    store.write(lambda conn: accounts.update_person(conn, Person("a1", "ann", Role.ADMIN, NOW, removed_at=at(1))))

    kept = store.read(lambda conn: accounts.find_credentials(conn, "ann"))
    assert kept is not None
    assert kept.password_hash == ""
    assert [person.name for person in store.read(lambda conn: accounts.list_people(conn, 10))] == ["bob"]
    assert store.read(accounts.count_active_admins) == 0


def test_the_most_of_own_and_group_grants_counts(store: Store) -> None:
    def grant(conn: WriteConnection) -> None:
        seed(conn)
        accounts.insert_member(conn, "g1", "a2")
        grants.insert_grant(conn, "a2", Grant("bob", "p1", Access.READ, NOW))
        grants.insert_group_grant(conn, "g1", Grant("@devs", "p1", Access.MANAGE, NOW))

    store.write(grant)

    assert store.read(lambda conn: grants.find_granted(conn, "a2")) == {"p1": Access.MANAGE}
    assert store.read(lambda conn: grants.find_granted(conn, "a1")) == {}
    assert [listed.holder for listed in store.read(lambda conn: grants.list_grants(conn, "p1"))] == ["@devs", "bob"]
    assert store.read(lambda conn: accounts.list_groups(conn, 10))[0].members == ("bob",)


def test_a_group_takes_its_grants_along(store: Store) -> None:
    def make(conn: WriteConnection) -> None:
        seed(conn)
        accounts.insert_member(conn, "g1", "a2")
        grants.insert_group_grant(conn, "g1", Grant("@devs", "p1", Access.READ, NOW))
        accounts.delete_group(conn, "g1")

    store.write(make)

    assert store.read(lambda conn: grants.find_granted(conn, "a2")) == {}


def test_a_restricted_project_is_listed_until_it_is_opened(store: Store) -> None:
    store.write(lambda conn: grants.update_restricted(conn, "p1", is_restricted=True))
    assert store.read(grants.list_restricted) == {"p1"}

    store.write(lambda conn: grants.update_restricted(conn, "p1", is_restricted=False))
    assert store.read(grants.list_restricted) == frozenset()


def test_a_token_comes_back_as_it_was_made_and_all_of_a_person_are_revoked_at_once(store: Store) -> None:
    store.write(seed)
    store.write(lambda conn: tokens.insert_token(conn, TOKEN, "hash"))

    assert store.read(lambda conn: tokens.find_token_by_hash(conn, "hash")) == TOKEN
    assert store.write(lambda conn: tokens.revoke_tokens(conn, "a2", at(1))) == 1
    assert store.read(lambda conn: tokens.get_token(conn, "t1")).revoked_at == at(1)


def test_a_browsers_session_that_is_over_is_deleted(store: Store) -> None:
    store.write(seed)
    lasting = tokens.WebSession("w1", "a1", NOW, NOW, NOW + timedelta(hours=1), "192.0.2.1", NOW, "secret")
    store.write(lambda conn: tokens.insert_web_session(conn, lasting))

    assert store.write(lambda conn: tokens.delete_web_sessions_over(conn, at(60))) == 0
    assert store.write(lambda conn: tokens.delete_web_sessions_over(conn, at(3600))) == 1
    assert store.read(lambda conn: tokens.find_web_session(conn, "secret")) is None


def test_what_was_done_without_accounts_goes_to_the_first_one(store: Store) -> None:
    store.write(lambda conn: sessions.insert_sessions(conn, [builders.session(9, owner="local")]))

    assert store.write(lambda conn: accounts.hand_over_local(conn, "ann")) == 1

    assert store.read(lambda conn: sessions.get_session(conn, "s9")).owner == "ann"
    assert store.write(lambda conn: accounts.hand_over_local(conn, "bob")) == 0
