"""Tombstones are found by kind and key, stand once, and go only on purpose."""

import pytest

from app.state import tombstones
from app.state.tombstones import TombKind
from tests.state import builders
from tests.state.builders import Store

ALL = tuple(TombKind)


def leave(store: Store, kind: TombKind, key: str) -> None:
    store.write(lambda conn: tombstones.insert_tombstone(conn, kind, key, builders.NOW))


def test_a_tombstone_is_found_among_others(empty_store: Store) -> None:
    leave(empty_store, TombKind.SESSION, "a")
    leave(empty_store, TombKind.PROJECT, "git:/w/.git")

    found = empty_store.read(lambda conn: tombstones.find_tombstones(conn, ALL, [f"k{n}" for n in range(600)] + ["a"]))

    assert found == {"a": TombKind.SESSION}


def test_a_kind_that_was_not_asked_for_is_not_found(empty_store: Store) -> None:
    leave(empty_store, TombKind.PROJECT, "a")

    assert empty_store.read(lambda conn: tombstones.find_tombstones(conn, (TombKind.SESSION,), ["a"])) == {}
    assert empty_store.read(lambda conn: tombstones.find_tombstones(conn, ALL, [])) == {}


@pytest.mark.parametrize("first", [TombKind.SESSION, TombKind.OPT_OUT])
def test_a_purged_session_that_was_opted_out_is_purged(empty_store: Store, first: TombKind) -> None:
    for kind in (first, *(kind for kind in (TombKind.SESSION, TombKind.OPT_OUT) if kind is not first)):
        leave(empty_store, kind, "a")

    assert empty_store.read(lambda conn: tombstones.find_tombstones(conn, ALL, ["a"])) == {"a": TombKind.SESSION}


def test_a_second_one_changes_nothing_and_one_goes_at_a_time(empty_store: Store) -> None:
    for _ in range(2):
        leave(empty_store, TombKind.OPT_OUT, "a")
    leave(empty_store, TombKind.SESSION, "a")

    gone = [empty_store.write(lambda conn: tombstones.delete_tombstone(conn, TombKind.OPT_OUT, "a")) for _ in range(2)]

    assert gone == [True, False]
    assert empty_store.read(tombstones.count_tombstones) == 1
