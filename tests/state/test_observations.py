"""Observations keep every field, rise in order, and are recognised again by their keys."""

from datetime import UTC, datetime

import pytest
import sqlalchemy as sa

from app.domain.event import Actor, EventKind, FileChange, FileTouch, Outcome, TodoItem, ToolCall, ToolPurpose
from app.state import observations
from tests.state import builders
from tests.state.builders import NOW, Store

FULL = {
    "kind": EventKind.TOOL_END,
    "actor": Actor.SUBAGENT,
    "cwd": "/home/ann/shop",
    "reason": "clear",
    "native_id": "toolu_1",
    "occurred_at": datetime(2026, 11, 30, 11, 59, 59, 999999, tzinfo=UTC),
    "extra": (("mode", '"plan"'), ("odd", "[1, null]")),
    "tool": ToolCall(
        name="Bash",
        purpose=ToolPurpose.SHELL,
        outcome=Outcome.FAILED,
        command="go vet ./…",
        files=(FileTouch("a b.go", FileChange.DELETED),),
        todos=(TodoItem("write", is_done=True),),
        input_text="in",
        output_text='quote " and \\ and \x00 and \u2028 and 😀',
        exit_code=-1,
    ),
}


def list_all(store: Store, *, after_id: int = 0, limit: int = 100) -> list[observations.Observation]:
    return store.read(lambda conn: observations.list_observations(conn, "s1", after_id=after_id, limit=limit))


def test_an_event_comes_back_as_it_was_stored(store: Store) -> None:
    new = builders.observation("words", **FULL)

    store.write(lambda conn: observations.insert_observations(conn, [new]))

    assert list_all(store) == [observations.Observation(1, "s1", NOW, new.event)]


def test_ids_rise_in_the_order_given_and_from_batch_to_batch(store: Store) -> None:
    def insert(*texts: str) -> list[int]:
        rows = [builders.observation(text) for text in texts]
        return list(store.write(lambda conn: observations.insert_observations(conn, rows)))

    assert insert("a", "b") == [1, 2]
    assert insert() == []
    assert insert("c") == [3]
    assert [row.event.text for row in list_all(store)] == ["a", "b", "c"]


@pytest.mark.parametrize("count", [1, 3, 255, 256, 257, 700])
def test_a_batch_of_any_size_is_stored_whole_and_in_order(store: Store, count: int) -> None:
    texts = [f"words {number}" for number in range(count)]

    numbers = store.write(
        lambda conn: observations.insert_observations(conn, [builders.observation(text) for text in texts])
    )

    assert [(row.id, row.event.text) for row in list_all(store, limit=1000)] == list(zip(numbers, texts, strict=True))


def test_a_key_that_is_there_is_refused_without_naming_it(store: Store) -> None:
    def insert() -> None:
        store.write(lambda conn: observations.insert_keys(conn, [("n:somebodys-own", "s1", NOW)]))

    insert()

    with pytest.raises(sa.exc.IntegrityError) as refused:
        insert()
    assert "somebodys-own" not in str(refused.value)


def test_a_list_starts_after_an_id_and_ends_at_its_limit(store: Store) -> None:
    rows = [builders.observation(text) for text in "abcd"]
    other = builders.observation("other", session_id="s2")
    store.write(lambda conn: observations.insert_observations(conn, [other, *rows]))

    listed = list_all(store, after_id=2, limit=2)

    assert [(row.id, row.event.text) for row in listed] == [(3, "b"), (4, "c")]
    assert store.read(observations.count_observations) == 5
    assert store.read(lambda conn: observations.count_observations(conn, "s1")) == 4


def test_an_observation_without_its_session_is_refused(store: Store) -> None:
    lost = builders.observation(session_id="nobody")

    with pytest.raises(sa.exc.IntegrityError):
        store.write(lambda conn: observations.insert_observations(conn, [lost]))


@pytest.mark.parametrize("count", [0, 1, 2, 8, 64, 512, 513, 2000])
def test_known_keys_are_found_however_many_are_asked_for(store: Store, count: int) -> None:
    asked = [f"key-{number}" for number in range(count)]
    known = set(asked[::3])
    store.write(lambda conn: observations.insert_keys(conn, [(key, "s1", NOW) for key in sorted(known)]))

    assert store.read(lambda conn: observations.find_known_keys(conn, asked)) == known


def test_keys_are_compared_exactly(store: Store) -> None:
    store.write(lambda conn: observations.insert_keys(conn, [("Key-1", "s1", NOW)]))

    asked = ["key-1", "Key-1 ", "Key_1", "Key%"]
    assert store.read(lambda conn: observations.find_known_keys(conn, asked)) == set()


def test_one_key_cannot_be_stored_twice(store: Store) -> None:
    store.write(lambda conn: observations.insert_keys(conn, [("k", "s1", NOW)]))

    with pytest.raises(sa.exc.IntegrityError):
        store.write(lambda conn: observations.insert_keys(conn, [("k", "s2", NOW)]))
