"""A handoff's transitions and the folders it is meant for."""

from datetime import UTC, datetime, timedelta

import pytest

from app.domain import handoff
from app.domain.handoff import (
    OPEN_STATES,
    TRANSITIONS,
    Handoff,
    HandoffContent,
    HandoffMove,
    HandoffOrigin,
    HandoffState,
)

NOW = datetime(2026, 11, 30, tzinfo=UTC)


def build(state: HandoffState, lease: timedelta | None = None) -> Handoff:
    return Handoff(
        id="h",
        project_id="p",
        owner="local",
        origin=HandoffOrigin.MANUAL,
        state=state,
        cwd="/a",
        content=HandoffContent(summary="s"),
        created_at=NOW,
        lease_until=None if lease is None else NOW + lease,
    )


def test_every_move_is_known_and_none_leaves_a_closed_state() -> None:
    assert set(TRANSITIONS) == set(HandoffMove)
    assert all(transition.sources <= OPEN_STATES for transition in TRANSITIONS.values())
    assert handoff.decide_move(HandoffMove.CLAIM, HandoffState.OFFERED) is HandoffState.CLAIMED
    assert handoff.decide_move(HandoffMove.FINISH, HandoffState.OFFERED) is None


@pytest.mark.parametrize(
    ("root", "cwd", "place", "places"),
    [
        ("/w/shop", "/w/shop", "", ("",)),
        ("/w/shop", "", "", ("",)),
        ("/w/shop", "/w/shop/api/v2", "api/v2", ("api/v2", "api", "")),
        ("/w/shop", "/w/shopping", None, ()),
        ("", "/w/shop", None, ()),
        ("C:\\Work", "c:\\work\\api", "api", ("api", "")),
    ],
)
def test_a_place_is_a_folder_from_the_top_of_its_repository(
    root: str, cwd: str, place: str | None, places: tuple[str, ...]
) -> None:
    found = handoff.find_place(root, cwd)

    assert found == place
    assert handoff.list_places(found) == places


def test_a_claim_whose_lease_ran_out_may_be_taken_again() -> None:
    assert handoff.is_takeable(build(HandoffState.CLAIMED, timedelta(0)), NOW)
    assert not handoff.is_takeable(build(HandoffState.CLAIMED, timedelta(microseconds=1)), NOW)


@pytest.mark.parametrize(
    "state", [HandoffState.DONE, HandoffState.EXPIRED, HandoffState.CANCELLED, HandoffState.SUPERSEDED]
)
def test_a_closed_handoff_is_never_taken(state: HandoffState) -> None:
    assert not handoff.is_takeable(build(state), NOW)
    assert not handoff.is_open(build(state))


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/a/bc", ("/a/bc", "/a", "/")),
        ("/a/b/", ("/a/b", "/a", "/")),
        ("/", ("/",)),
        ("", ()),
        ("C:\\X\\y", ("c:/x/y", "c:/x", "c:")),
    ],
)
def test_ancestors_end_at_path_boundaries(path: str, expected: tuple[str, ...]) -> None:
    assert handoff.list_ancestors(path) == expected
