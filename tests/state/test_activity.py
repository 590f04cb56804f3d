"""Activity adds up per agent and person and keeps the client's last report."""

from app.state import activity
from app.state.activity import ActivityChange, AgentActivity
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
