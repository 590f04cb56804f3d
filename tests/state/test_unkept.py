"""Counts of what was dropped and refused are saved whole and come back as they were."""

from app.capture.drops import Drops
from app.capture.outcome import IngestStatus
from app.domain.activity import DropCount
from app.state import unkept
from app.state.refusals import Refusals
from tests.state.builders import NOW, Store, at

DROPPED = [DropCount("codex", "desk", by_policy=2, unreadable=1, unreadable_at=NOW), DropCount("claude-code", "lap")]


def test_counts_come_back_in_their_order(empty_store: Store) -> None:
    empty_store.write(lambda conn: unkept.replace_counts(conn, DROPPED, []))

    assert empty_store.read(lambda conn: unkept.list_dropped(conn, 10)) == DROPPED
    assert Drops(DROPPED).list_counts() == DROPPED[::-1]


def test_refusals_come_back_with_those_of_the_last_hour(empty_store: Store) -> None:
    refusals = Refusals()
    for seconds in (0, 1800, 3700):
        refusals.note(("codex", "ann", "desk"), "token_rejected", "no", at(seconds))

    empty_store.write(lambda conn: unkept.replace_counts(conn, [], refusals.list_tallies()))
    restored = Refusals(empty_store.read(lambda conn: unkept.list_refused(conn, 10)))

    assert restored.list_refusals(at(3700)) == refusals.list_refusals(at(3700))
    assert restored.list_refusals(at(3700))[0].count_in_hour == 2


def test_what_is_saved_takes_the_place_of_what_was(empty_store: Store) -> None:
    for dropped in (DROPPED, DROPPED[:1], []):
        empty_store.write(lambda conn, dropped=dropped: unkept.replace_counts(conn, dropped, []))

        assert empty_store.read(lambda conn: unkept.list_dropped(conn, 10)) == dropped


def test_each_change_is_told() -> None:
    changes: list[str] = []

    Drops((), lambda: changes.append("drop")).note("codex", "desk", IngestStatus.REFUSED_PURGED)
    Refusals((), lambda: changes.append("refusal")).note(("codex", "ann", "desk"), "a", "", NOW)

    assert changes == ["drop", "refusal"]
