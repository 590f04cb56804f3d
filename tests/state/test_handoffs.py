"""Handoffs: one winner, a claim that can be repeated, leases that end, and nobody else's work."""

import threading
from datetime import timedelta

import pytest

from app.domain.errors import HandoffNotFound
from app.domain.handoff import ANYBODY, Handoff, HandoffContent, HandoffMove, HandoffOrigin, HandoffState
from app.domain.scope import Scope
from app.state import audit, handoff_moves, handoffs, projects
from app.state.handoff_moves import Claim, Mover
from app.state.handoffs import Eligibility
from tests.state import builders
from tests.state.builders import NOW, WAIT_SECONDS, Store, at

LEASE_SECONDS = 600
CLAIMANTS, ROUNDS = 50, 12
AUTOMATIC = HandoffOrigin.AUTOMATIC
OPEN = (HandoffState.OFFERED, HandoffState.CLAIMED, HandoffState.RELEASED)


def add(store: Store, *offered: Handoff) -> None:
    def insert_all(conn: handoffs.WriteConnection) -> None:
        for handoff in offered:
            handoffs.insert_handoff(conn, handoff)

    store.write(insert_all)


def get(store: Store, handoff_id: str = "h1") -> Handoff:
    return store.read(lambda conn: handoffs.get_handoff(conn, handoff_id))


def claim(store: Store, session_id: str = "s1", *, seconds: float = 0, **fields: object) -> bool:
    values = {
        "handoff_id": "h1",
        "session_id": session_id,
        "agent": "codex",
        "token": f"token-of-{session_id}",
        "now": at(seconds),
        "lease_until": at(seconds + LEASE_SECONDS),
        **fields,
    }
    return store.write(lambda conn: handoff_moves.claim_handoff(conn, Claim(**values)))


def list_eligible(store: Store, **fields: object) -> list[str]:
    values = {
        "project_id": "p1",
        "owner": "ann",
        "cwd": "/home/ann/shop/api",
        "to_agent": "codex",
        "now": at(100),
        "created_after": NOW - timedelta(days=30),
        "machine": "laptop",
        "place": "api",
        "session_id": "asker",
        **fields,
    }
    listed = store.read(lambda conn: handoffs.list_eligible(conn, Eligibility(**values), 50))
    return [handoff.id for handoff in listed]


def move(store: Store, made: HandoffMove, seen: Handoff, session_id: str = "s1") -> bool:
    by = Mover("ann", session_id, at(50))
    return store.write(lambda conn: handoff_moves.move_handoff(conn, seen, made, by))


def offer_automatic(store: Store, handoff_id: str = "new", session_id: str = "s1", **fields: object) -> None:
    made = builders.handoff(handoff_id, **{"origin": AUTOMATIC, "cwd": "/w", "created_at": at(40), **fields})
    store.write(lambda conn: handoff_moves.offer_handoff(conn, made, Mover("ann", session_id, at(50))))


def confirm(store: Store, *session_ids: str, seconds: float = 1) -> int:
    return store.write(
        lambda conn: handoff_moves.confirm_leases(conn, session_ids, now=at(seconds), lease_until=at(7200))
    )


def list_moves(store: Store) -> list[tuple[str, str]]:
    rows = store.read(lambda conn: audit.list_audit(conn, 50))
    return [(row.action.removeprefix("handoff."), row.detail) for row in reversed(rows)]


def test_a_handoff_comes_back_as_it_was_stored(store: Store) -> None:
    content = HandoffContent(
        summary="parser", open_questions=("why?", "how?"), files=("a.go",), dirty=("ü",), omitted=3
    )
    full = builders.handoff(cwd="/w", content=content, to_user="bob", to_agent="codex", from_session_id="s9")
    add(store, full)

    assert get(store) == full
    with pytest.raises(HandoffNotFound):
        get(store, "h0")


def test_fifty_claimants_have_one_winner_in_every_round(store: Store) -> None:
    for number in range(ROUNDS):
        handoff_id = f"round-{number}"
        add(store, builders.handoff(handoff_id))
        start = threading.Barrier(CLAIMANTS)
        wins: list[str] = []

        def compete(name: str, wanted: str = handoff_id, barrier: threading.Barrier = start) -> None:
            barrier.wait(WAIT_SECONDS)
            if claim(store, name, handoff_id=wanted):
                wins.append(name)  # noqa: B023 -- every thread of a round ends before the next one

        threads = [threading.Thread(target=compete, args=(f"c{index}",)) for index in range(CLAIMANTS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(WAIT_SECONDS)

        assert len(wins) == 1
        assert get(store, handoff_id).holder_session_id == wins[0]


def test_a_claim_repeated_by_its_holder_is_the_same_claim(store: Store) -> None:
    add(store, builders.handoff())

    assert claim(store, "s1")
    first = get(store)
    assert claim(store, "s1", seconds=5)
    again = get(store)

    assert not claim(store, "s2", seconds=5)
    assert (again.claimed_at, again.holder_session_id) == (first.claimed_at, "s1")
    assert again.lease_until == at(5 + LEASE_SECONDS)


def test_asking_again_at_a_start_neither_shortens_nor_unconfirms_a_claim(store: Store) -> None:
    add(store, builders.handoff())
    claim(store, "s1", lease_until=at(7200))

    assert claim(store, "s1", seconds=1, is_provisional=True)

    held = get(store)
    assert (held.lease_until, held.is_provisional) == (at(7200), False)


@pytest.mark.parametrize(("seconds", "is_won"), [(LEASE_SECONDS - 0.000001, False), (LEASE_SECONDS, True)])
def test_a_lease_ends_at_its_moment_and_not_before(store: Store, seconds: float, is_won: bool) -> None:  # noqa: FBT001
    add(store, builders.handoff())
    claim(store, "s1")

    assert claim(store, "s2", seconds=seconds) is is_won
    assert get(store).holder_session_id == ("s2" if is_won else "s1")


@pytest.mark.parametrize("state", sorted(set(HandoffState) - set(OPEN)))
def test_a_closed_handoff_cannot_be_claimed(store: Store, state: HandoffState) -> None:
    add(store, builders.handoff(state=state))

    assert not claim(store)
    assert get(store).state is state


def test_the_holders_own_events_confirm_and_extend_its_lease(store: Store) -> None:
    add(store, builders.handoff(), builders.handoff("h2"))
    claim(store, "s1", is_provisional=True)
    claim(store, "s2", handoff_id="h2", is_provisional=True)

    assert confirm(store, "s1", "s3") == 1

    assert (get(store).is_provisional, get(store).lease_until) == (False, at(7200))
    assert (get(store, "h2").is_provisional, get(store, "h2").lease_until) == (True, at(LEASE_SECONDS))


def test_a_late_event_of_the_holder_does_not_take_work_back_from_its_successor(store: Store) -> None:
    add(store, builders.handoff())
    claim(store, "s1")
    claim(store, "s2", seconds=LEASE_SECONDS)

    assert confirm(store, "s1") == 0
    assert get(store).holder_session_id == "s2"


def test_a_session_that_ends_without_work_gives_back_what_it_took_at_its_start(store: Store) -> None:
    add(store, builders.handoff(), builders.handoff("h2"))
    claim(store, "s1", is_provisional=True)
    claim(store, "s1", handoff_id="h2")

    released = store.write(lambda conn: handoff_moves.give_back_provisional(conn, ["s1", "s2"], at(3)))

    assert released == 1
    assert get(store) == builders.handoff()
    assert get(store, "h2").holder_session_id == "s1"


def test_what_a_session_holds_is_listed(store: Store) -> None:
    add(store, builders.handoff(), builders.handoff("h2"), builders.handoff("h3"))
    claim(store, "s1", seconds=2)
    claim(store, "s1", seconds=1, handoff_id="h2")
    claim(store, "s2", handoff_id="h3")

    held = store.read(lambda conn: handoffs.list_held(conn, "s1", 10))

    assert [handoff.id for handoff in held] == ["h2", "h1"]


def test_a_move_is_made_only_from_what_the_caller_saw(store: Store) -> None:
    add(store, builders.handoff())
    before = get(store)
    claim(store, "s1")
    held = get(store)

    assert not move(store, HandoffMove.CANCEL, before)
    assert move(store, HandoffMove.FINISH, held)
    assert not move(store, HandoffMove.RELEASE, held)

    done = get(store)
    assert (done.state, done.closed_at, done.holder_session_id) == (HandoffState.DONE, at(50), "s1")


def test_a_released_handoff_has_no_holder_and_can_be_taken_by_another(store: Store) -> None:
    add(store, builders.handoff())
    claim(store, "s1")

    assert move(store, HandoffMove.RELEASE, get(store))

    assert get(store) == builders.handoff()
    assert claim(store, "s2", seconds=1)


@pytest.mark.parametrize("state", sorted(set(HandoffState) - set(OPEN)))
def test_a_closed_handoff_makes_no_move(store: Store, state: HandoffState) -> None:
    add(store, builders.handoff(state=state))

    for made in (HandoffMove.CANCEL, HandoffMove.FINISH, HandoffMove.RELEASE, HandoffMove.GIVE_BACK):
        assert not move(store, made, get(store))


def test_a_lease_that_ran_out_is_offered_again_and_its_holder_is_remembered(store: Store) -> None:
    add(store, builders.handoff())
    claim(store, "s1")

    assert store.write(lambda conn: handoff_moves.lapse_leases(conn, at(LEASE_SECONDS))) == 1

    lapsed = get(store)
    assert (lapsed.state, lapsed.holder_session_id) == (HandoffState.RELEASED, "s1")
    assert store.write(lambda conn: handoff_moves.lapse_leases(conn, at(LEASE_SECONDS))) == 0


def test_a_silent_holder_that_works_again_has_it_back_unless_another_took_it(store: Store) -> None:
    add(store, builders.handoff(), builders.handoff("h2"))
    claim(store, "s1")
    claim(store, "s2", handoff_id="h2")
    token = get(store).claim_token
    store.write(lambda conn: handoff_moves.lapse_leases(conn, at(LEASE_SECONDS)))
    claim(store, "s3", handoff_id="h2", seconds=LEASE_SECONDS + 1)

    assert confirm(store, "s1", "s2", seconds=LEASE_SECONDS + 2) == 1

    assert (get(store).state, get(store).claim_token) == (HandoffState.CLAIMED, token)
    assert get(store, "h2").holder_session_id == "s3"


def test_a_token_is_the_claim_s_and_changes_with_the_holder_alone(store: Store) -> None:
    add(store, builders.handoff())
    claim(store, "s1")
    claim(store, "s1", seconds=1, token="another")

    assert get(store).claim_token == "token-of-s1"
    claim(store, "s2", seconds=LEASE_SECONDS + 2)
    assert get(store).claim_token == "token-of-s2"


def test_every_move_is_in_the_audit_trail_with_its_session(store: Store) -> None:
    offer_automatic(store, "h1", cwd="")
    claim(store, "s1", is_provisional=True)
    confirm(store, "s1")
    confirm(store, "s1", seconds=2)
    claim(store, "s2", seconds=9000)
    store.write(lambda conn: handoff_moves.lapse_leases(conn, at(9000 + LEASE_SECONDS)))
    move(store, HandoffMove.CANCEL, get(store), "s3")

    assert list_moves(store) == [
        ("offer", "session s1"),
        ("claim", "session s1 at its start"),
        ("confirm", "session s1"),
        ("lapse", "session s1"),
        ("claim", "session s2"),
        ("lapse", "session s2"),
        ("cancel", "session s3"),
    ]
    assert store.read(audit.verify_audit).broken_at is None


def test_eligible_is_ordered_by_purpose_address_and_age(store: Store) -> None:
    add(
        store,
        builders.handoff("auto-near", origin=AUTOMATIC, cwd="/home/ann/shop/api", created_at=at(90)),
        builders.handoff("auto-targeted", origin=AUTOMATIC, to_agent="codex", created_at=at(1)),
        builders.handoff("manual-project", created_at=at(80)),
        builders.handoff("manual-far", cwd="/home/ann", created_at=at(70)),
        builders.handoff("manual-near-old", cwd="/home/ann/shop", created_at=at(10)),
        builders.handoff("manual-near-new", cwd="/home/ann/shop", created_at=at(11)),
        builders.handoff("manual-targeted", to_agent="codex", created_at=at(0)),
    )

    assert list_eligible(store) == [
        "manual-targeted",
        "manual-project",
        "manual-far",
        "manual-near-new",
        "manual-near-old",
        "auto-targeted",
        "auto-near",
    ]


@pytest.mark.parametrize(
    "fields",
    [
        {"owner": "bob"},
        {"to_agent": "claude-code"},
        {"to_user": "bob"},
        {"cwd": "/home/ann/sho"},
        {"cwd": "/home/ann/shop/api/v2"},
        {"cwd": "/home/ann/other"},
        {"cwd": "/home/ann/%"},
        {"project_id": "p2"},
        {"created_at": NOW - timedelta(days=60)},
        {"from_session_id": "asker"},
        {"machine": "desk", "place": "api/v2", "cwd": "/src/shop/api/v2"},
        {"machine": "desk", "place": None, "cwd": "/src/shop"},
        {"machine": "laptop", "place": "", "cwd": "/src/shop"},
        {"state": HandoffState.SUPERSEDED},
        {"state": HandoffState.CLAIMED, "holder_session_id": "s9", "lease_until": at(101)},
    ],
    ids=lambda fields: "-".join(f"{key}" for key in fields),
)
def test_what_is_not_for_the_asker_is_not_offered(store: Store, fields: dict[str, object]) -> None:
    other = builders.project(id="p2", scope=Scope("main", "other"))
    store.write(lambda conn: projects.insert_project(conn, other))
    add(store, builders.handoff(**fields))

    assert list_eligible(store) == []


@pytest.mark.parametrize(
    "fields",
    [
        {"owner": "bob", "to_user": "ann"},
        {"owner": "bob", "to_user": ANYBODY},
        {"machine": "desk", "place": "", "cwd": "/src/shop"},
        {"machine": "desk", "place": "api", "cwd": "/src/shop/api"},
        {"cwd": "/home/ann/shop/api/"},
        {"cwd": "/"},
        {"state": HandoffState.RELEASED},
        {"state": HandoffState.CLAIMED, "holder_session_id": "s9", "lease_until": at(100)},
    ],
    ids=[
        "sent-to-the-asker",
        "sent-to-anybody",
        "another-machine-s-top",
        "another-machine-s-folder",
        "trailing-slash",
        "root",
        "released",
        "lease-has-run-out",
    ],
)
def test_what_is_for_the_asker_is_offered(store: Store, fields: dict[str, object]) -> None:
    add(store, builders.handoff(**fields))

    assert list_eligible(store) == ["h1"]


def test_a_folder_of_windows_matches_its_own_kind(store: Store) -> None:
    add(store, builders.handoff(cwd="C:\\work\\shop"))

    assert list_eligible(store, cwd="c:\\Work\\shop\\api") == ["h1"]
    assert list_eligible(store, cwd="C:\\work\\shopping") == []


def test_an_asker_without_a_folder_gets_what_is_for_the_whole_project(store: Store) -> None:
    add(store, builders.handoff(), builders.handoff("h2", cwd="/home/ann"))

    assert list_eligible(store, cwd="") == ["h1"]


def test_a_newer_automatic_handoff_closes_older_ones_of_its_folder_and_owner(store: Store) -> None:
    older = [builders.handoff(f"o{number}", origin=AUTOMATIC, cwd="/w") for number in range(100)]
    kept = (
        builders.handoff("manual", cwd="/w"),
        builders.handoff("sibling", origin=AUTOMATIC, cwd="/w2"),
        builders.handoff("bobs", origin=AUTOMATIC, cwd="/w", owner="bob"),
    )
    add(store, *older, *kept)

    offer_automatic(store)

    assert {get(store, handoff.id).state for handoff in kept} == {HandoffState.OFFERED}
    closed = get(store, "o7")
    assert (closed.state, closed.superseded_by, closed.closed_at) == (HandoffState.SUPERSEDED, "new", at(50))


def test_work_that_another_session_is_at_is_superseded_when_it_comes_back(store: Store) -> None:
    add(store, *(builders.handoff(key, origin=AUTOMATIC, cwd="/w") for key in ("mine", "theirs")))
    claim(store, "s1", handoff_id="mine")
    claim(store, "s2", handoff_id="theirs")

    offer_automatic(store)

    assert get(store, "mine").state is HandoffState.SUPERSEDED
    assert get(store, "theirs").state is HandoffState.CLAIMED
    move(store, HandoffMove.RELEASE, get(store, "theirs"))
    assert (get(store, "theirs").state, get(store, "theirs").superseded_by) == (HandoffState.SUPERSEDED, "new")


def test_old_handoffs_close_themselves_unless_somebody_is_at_them(store: Store) -> None:
    old = NOW - timedelta(days=31)
    add(store, builders.handoff("old", created_at=old), builders.handoff("young"))
    add(store, builders.handoff(created_at=old))
    claim(store, "s1")

    expired = store.write(lambda conn: handoff_moves.expire_handoffs(conn, created_before=at(-1), now=at(9)))

    assert expired == 1
    assert (get(store, "old").state, get(store, "old").closed_at) == (HandoffState.EXPIRED, at(9))
    assert get(store).state is HandoffState.CLAIMED


def test_lists_are_filtered_and_newest_first(store: Store) -> None:
    add(
        store,
        builders.handoff("a", created_at=at(1)),
        builders.handoff("b", created_at=at(2), owner="bob", to_user="ann"),
        builders.handoff("c", created_at=at(3), owner="bob"),
        builders.handoff("d", created_at=at(4), state=HandoffState.DONE),
    )

    def list_ids(**fields: object) -> list[str]:
        query = {"project_id": "p1", "states": OPEN, "owner": None, "limit": 10, **fields}
        return [row.id for row in store.read(lambda conn: handoffs.list_handoffs(conn, **query))]

    assert list_ids() == ["c", "b", "a"]
    assert list_ids(owner="ann", project_id=None) == ["b", "a"]
    assert list_ids(states=[HandoffState.DONE]) == ["d"]
    assert list_ids(project_id="p2") == []
    assert list_ids(limit=1) == ["c"]
