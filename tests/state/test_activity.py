"""Activity adds up per agent, person and machine and keeps the client's last report."""

from datetime import timedelta

from app.domain import activity as facts
from app.domain import limits
from app.domain.activity import AgentActivity
from app.state import activity
from app.state.activity import ActivityChange
from tests.state.builders import NOW, Store, at


def update(store: Store, *changes: ActivityChange) -> None:
    store.write(lambda conn: activity.update_activity(conn, changes))


def list_all(store: Store) -> list[AgentActivity]:
    return store.read(lambda conn: activity.list_activity(conn, 10))


def test_a_batch_adds_up_per_agent_and_person(store: Store) -> None:
    update(store, ActivityChange("codex", "ann", NOW, events=1), ActivityChange("codex", "bob", at(1), events=1))
    update(
        store,
        ActivityChange("codex", "ann", at(9), events=1, unknown_kinds=1, unknown_fields=2),
        ActivityChange("codex", "ann", at(8), events=2, unknown_fields=1),
    )

    first, second = list_all(store)

    assert (first.owner, first.events_total, first.last_event_at) == ("ann", 4, at(9))
    assert (first.unknown_kinds, first.unknown_fields) == (1, 3)
    assert (second.owner, second.events_total, second.last_event_at) == ("bob", 1, at(1))


def test_the_spool_is_what_was_last_reported_and_losses_never_shrink(store: Store) -> None:
    update(store, ActivityChange("codex", "ann", NOW, spooled_depth=7, spooled_oldest_s=90, lost_total=3))
    update(store, ActivityChange("codex", "ann", at(1), spooled_depth=2, spooled_oldest_s=5, lost_total=1))

    (row,) = list_all(store)

    assert (row.spooled_depth, row.spooled_oldest_s, row.lost_total) == (2, 5, 3)


def test_an_error_stays_until_it_is_replaced_or_cleared(store: Store) -> None:
    seen = []
    for error in ("refused", None, ""):
        update(store, ActivityChange("codex", "ann", NOW, error=error))
        seen.append(list_all(store)[0].last_error)

    assert seen == ["refused", "refused", ""]


def test_machines_of_one_person_are_told_apart(store: Store) -> None:
    update(store, ActivityChange("codex", "ann", NOW, "desk", events=1))
    update(store, ActivityChange("codex", "ann", at(1), "lap", events=2), ActivityChange("codex", "ann", at(2), "desk"))

    assert [(row.machine, row.events_total) for row in list_all(store)] == [("desk", 1), ("lap", 2)]


def test_events_are_counted_by_the_servers_day(store: Store) -> None:
    midnight = NOW.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
    before, after = midnight - timedelta(seconds=1), midnight + timedelta(seconds=1)
    update(store, ActivityChange("codex", "ann", before, events=5, unknown_kinds=5))
    update(store, ActivityChange("codex", "ann", after, events=1, unknown_kinds=1))
    update(store, ActivityChange("codex", "ann", after, events=1))

    (row,) = list_all(store)

    assert (facts.count_events_today(row, after), facts.count_unknown_kinds_today(row, after)) == (2, 1)
    assert (row.events_total, row.unknown_kinds) == (7, 6)
    assert facts.count_events_today(row, after + timedelta(days=1)) == 0
    assert facts.count_unknown_kinds_today(row, after + timedelta(days=1)) == 0


def test_a_loss_is_dated_when_it_grows(store: Store) -> None:
    update(store, ActivityChange("codex", "ann", NOW, lost_total=0))
    assert list_all(store)[0].lost_at is None

    update(store, ActivityChange("codex", "ann", at(1), lost_total=2))
    update(store, ActivityChange("codex", "ann", at(2), lost_total=2))

    assert list_all(store)[0].lost_at == at(1)


def test_what_was_not_heard_of_for_long_goes_when_another_appears(store: Store) -> None:
    update(store, ActivityChange("codex", "ann", NOW, "container-1", events=1))
    later = NOW + timedelta(days=limits.ACTIVITY_KEPT_DAYS, seconds=1)

    update(store, ActivityChange("codex", "ann", later, "container-2", events=1))

    assert [row.machine for row in list_all(store)] == ["container-2"]
