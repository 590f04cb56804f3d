"""Sessions: found by the agent's id, moved only forwards, and idle by what they did last."""

from datetime import timedelta

import pytest

from app.domain.checkout import Checkout
from app.domain.errors import SessionNotFound
from app.domain.event import AgentName, EventKind
from app.domain.session import SessionState
from app.state import observations, projects, sessions
from app.state.engine import WriteConnection
from app.state.sessions import SessionActivity, SessionFilter
from tests.state import builders
from tests.state.builders import NOW, Store, at


def update(store: Store, **fields: object) -> None:
    values = {"session_id": "s1", "last_event_at": NOW, "last_observation_id": 0, **fields}
    store.write(lambda conn: sessions.update_sessions_activity(conn, [SessionActivity(**values)]))


def test_a_session_comes_back_as_it_was_stored(store: Store) -> None:
    full = builders.session(
        9,
        agent=AgentName.CODEX,
        state=SessionState.ENDED,
        ended_at=at(5),
        has_work=True,
        last_observation_id=7,
        compiled_through=6,
        page_path="sessions/2026-11/30-x.md",
        checkout=Checkout(cwd="/a", remote="git@x:y", dirty=("a.go", "ü.go")),
    )
    store.write(lambda conn: sessions.insert_sessions(conn, [full]))

    assert store.read(lambda conn: sessions.get_session(conn, "s9")) == full


def test_an_unknown_session_is_an_error_when_it_must_exist(store: Store) -> None:
    assert store.read(lambda conn: sessions.find_session(conn, "s0")) is None
    with pytest.raises(SessionNotFound):
        store.read(lambda conn: sessions.get_session(conn, "s0"))


@pytest.mark.parametrize("count", [0, 1, 3, 9, 65, 513, 1100])
def test_sessions_are_found_by_the_agents_ids_however_many(store: Store, count: int) -> None:
    wanted = [f"agent-{number}" for number in range(1, count + 1)]

    found = store.read(lambda conn: sessions.find_sessions_by_agent_ids(conn, wanted))

    assert set(found) == set(wanted[:4])
    assert all(session.agent_session_id == key for key, session in found.items())


def test_before_a_session_comes_the_persons_own_else_the_last_of_the_folder(store: Store) -> None:
    made = [
        builders.session(21, has_work=True, last_event_at=at(1)),
        builders.session(22, has_work=True, last_event_at=at(2), owner="bob"),
        builders.session(23, has_work=True, last_event_at=at(3), owner="bob", cwd="/elsewhere"),
    ]
    store.write(lambda conn: sessions.insert_sessions(conn, made))

    def find(owner: str, cwd: str = "/home/ann/shop") -> str:
        asking = builders.session(30, owner=owner, cwd=cwd)
        found = store.read(lambda conn: sessions.find_session_before(conn, asking))
        return found.id if found else ""

    assert [find("ann"), find("ann", "/elsewhere"), find("bob")] == ["s21", "s21", "s23"]
    assert [find("carol"), find("carol", "/elsewhere"), find("carol", "/new")] == ["s22", "s23", ""]


def test_activity_moves_a_session_forwards_only(store: Store) -> None:
    update(store, last_event_at=at(10), last_observation_id=5, has_work=True)
    update(store, last_event_at=at(4), last_observation_id=3)

    stored = store.read(lambda conn: sessions.get_session(conn, "s1"))

    assert (stored.last_event_at, stored.last_observation_id, stored.has_work) == (at(10), 5, True)
    assert stored.state is SessionState.OPEN


def test_an_end_is_kept_by_later_lifecycle_events_and_cleared_by_work(store: Store) -> None:
    update(store, state=SessionState.ENDED, ended_at=at(1))
    update(store, state=SessionState.ENDED)
    update(store)
    ended = store.read(lambda conn: sessions.get_session(conn, "s1"))

    update(store, state=SessionState.OPEN, has_work=True)
    reopened = store.read(lambda conn: sessions.get_session(conn, "s1"))

    assert (ended.state, ended.ended_at) == (SessionState.ENDED, at(1))
    assert (reopened.state, reopened.ended_at) == (SessionState.OPEN, None)


def test_activity_touches_only_the_named_sessions(store: Store) -> None:
    update(store, last_event_at=at(10), has_work=True)

    assert store.read(lambda conn: sessions.get_session(conn, "s2")) == builders.session(2)


def test_a_page_is_noted_with_how_far_it_goes(store: Store) -> None:
    store.write(
        lambda conn: sessions.update_session_compiled(conn, "s1", compiled_through=8, page_path="sessions/a.md")
    )

    stored = store.read(lambda conn: sessions.get_session(conn, "s1"))
    assert (stored.compiled_through, stored.page_path) == (8, "sessions/a.md")


def test_sessions_are_listed_latest_first_and_per_project(store: Store) -> None:
    other = builders.project(id="p2", scope=builders.Scope("main", "other"))
    moved = builders.session(5, project_id="p2", last_event_at=at(50))

    def add(conn: WriteConnection) -> None:
        projects.insert_project(conn, other)
        sessions.insert_sessions(conn, [moved])

    store.write(add)
    update(store, session_id="s3", last_event_at=at(10))

    everywhere = store.read(lambda conn: sessions.list_sessions(conn, SessionFilter(), 3))
    in_shop = store.read(lambda conn: sessions.list_sessions(conn, SessionFilter(project_id="p1"), 2))

    assert [session.id for session in everywhere] == ["s5", "s3", "s4"]
    assert [session.id for session in in_shop] == ["s3", "s4"]
    assert store.read(sessions.count_sessions) == 5


def test_sessions_are_found_by_who_did_what_when(store: Store) -> None:
    other = builders.session(
        5, owner="mia", agent=AgentName.CODEX, state=SessionState.ENDED, last_event_at=at(50), agent_session_id="theirs"
    )
    store.write(lambda conn: sessions.insert_sessions(conn, [other]))

    def find(**asked: object) -> list[str]:
        wanted = SessionFilter(**asked)  # type: ignore[arg-type] - each test names its own fields
        return sorted(session.id for session in store.read(lambda conn: sessions.list_sessions(conn, wanted, 9)))

    alone = ["s5"]
    assert find(owner="mia") == find(agent="codex") == find(state=SessionState.ENDED) == find(since=at(50)) == alone
    assert find(until=at(50)) == ["s1", "s2", "s3", "s4"]
    assert find(owner="mia", agent="claude-code") == find(project_ids=["none"]) == []
    assert store.read(lambda conn: sessions.list_agents_and_owners(conn, None))[1][-1] == "mia"
    assert store.read(lambda conn: sessions.list_agents_and_owners(conn, [])) == ([], [])


def test_a_session_that_waits_for_its_person_is_idle_later_than_one_in_mid_turn(store: Store) -> None:
    kinds = {"s1": EventKind.TOOL_END, "s2": EventKind.TURN_END}

    def add(conn: WriteConnection) -> None:
        rows = [builders.observation(session_id=key, kind=kind) for key, kind in kinds.items()]
        ids = observations.insert_observations(conn, rows)
        changes = [SessionActivity(key, NOW, number) for key, number in zip(kinds, ids, strict=True)]
        sessions.update_sessions_activity(conn, changes)

    def list_idle(minutes: float) -> list[str]:
        now = NOW + timedelta(minutes=minutes)
        idle, stopped = now - timedelta(minutes=30), now - timedelta(hours=4)
        listed = store.read(
            lambda conn: sessions.list_idle_sessions(conn, idle_before=idle, stopped_before=stopped, limit=9)
        )
        return [session.id for session in listed]

    store.write(add)
    update(store, session_id="s4", state=SessionState.ENDED, ended_at=NOW)

    assert list_idle(29) == []
    assert list_idle(30) == ["s1", "s3"]
    assert list_idle(240) == ["s1", "s2", "s3"]


@pytest.mark.parametrize("session_id", ["s2", "agent-2"])
def test_a_session_is_found_by_our_id_and_by_its_agents(store: Store, session_id: str) -> None:
    found = store.read(lambda conn: sessions.find_session_by_any_id(conn, session_id))

    assert found == builders.session(2)
    assert store.read(lambda conn: sessions.find_session_by_any_id(conn, "agent-99")) is None
