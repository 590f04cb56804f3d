"""A handoff's transitions and the folders it is meant for."""

from datetime import UTC, datetime, timedelta

import pytest

from app.domain import handoff
from app.domain.handoff import TRANSITIONS, Handoff, HandoffContent, HandoffOrigin, HandoffState

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


def test_every_state_has_its_transitions() -> None:
    assert set(TRANSITIONS) == set(HandoffState)


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
        ("C:\\x\\y", ("C:/x/y", "C:/x", "C:")),
    ],
)
def test_ancestors_end_at_path_boundaries(path: str, expected: tuple[str, ...]) -> None:
    assert handoff.list_ancestors(path) == expected
