"""Retention on a real store: old rows leave only when a proved file has their words, and reading notices nothing."""

from datetime import timedelta

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.compile import retention
from app.compile.retention import KeepingTimes
from app.domain.segment import SegmentUnreadable
from app.state import engine, jobs, observations, segments, verbatim
from app.state.tables import observations as observation_rows
from tests.compile import archives, builders
from tests.compile.builders import House, Script


def count_rows(house: House) -> int:
    return house.read(observations.count_observations)


def count_told(house: House, session_id: str | None = None) -> int:
    return house.read(lambda conn: verbatim.count_session_observations(conn, session_id))


def age(house: House, days: float = 91) -> None:
    """Seal what is finished, then let its rows leave."""
    archives.keep(house, days=days)
    archives.keep(house)


def test_rows_leave_after_their_time_and_not_before(house: House) -> None:
    session_id = archives.add_finished(house)
    rows = count_rows(house)

    archives.keep(house, days=89)
    archives.keep(house, days=0.9)
    assert count_rows(house) == rows
    archives.keep(house, days=0.2)

    assert count_rows(house) == 0
    assert count_told(house, session_id) == count_told(house) == rows
    [segment] = archives.list_segments(house, session_id)
    assert segment.released_at == house.parts.clock.now()


def test_rows_of_a_session_that_is_not_sealed_stay_however_old(house: House) -> None:
    archives.add_finished(house)
    never = KeepingTimes(seal_after=timedelta(days=36_500))

    archives.keep(house, days=5000, times=never)
    archives.keep(house, times=never)

    assert count_rows(house) > 0


@pytest.mark.parametrize("limit", [1, 3, 1000])
def test_pages_of_a_session_are_the_same_before_between_and_after(house: House, limit: int) -> None:
    session_id = archives.add_finished(house)
    archives.add_finished(house, 2)
    archives.keep(house, days=60)
    archives.add_more(house, 1, archives.talk(2))
    expected = archives.read_all(house, session_id)

    seen = []
    for days in (1, 30, 0, 90, 0):
        archives.keep(house, days=days)
        seen.append(read_by_pages(house, session_id, limit))

    assert [segment.released_at is None for segment in archives.list_segments(house, session_id)] == [False, False]
    assert seen == [expected] * 5


def test_a_session_is_read_partly_from_its_file_and_partly_from_rows(house: House) -> None:
    session_id = archives.add_finished(house)
    age(house)
    archives.add_more(house, 1, Script().start().ask("Once more, please.").end())

    read = archives.read_all(house, session_id)

    assert len(read) == count_told(house, session_id)
    assert [observation.id for observation in read] == sorted(observation.id for observation in read)
    assert count_rows(house) == 3


def test_ids_of_observations_are_never_given_again(house: House) -> None:
    first = archives.read_all(house, archives.add_finished(house))
    age(house)
    assert count_rows(house) == 0

    second = archives.read_all(house, archives.add_finished(house, 2))

    assert second[0].id == first[-1].id + 1


@pytest.mark.parametrize("damage", [b"", b"zap", None], ids=["emptied", "other bytes", "missing"])
def test_a_file_that_was_lost_before_the_rows_left_is_made_anew(house: House, damage: bytes | None) -> None:
    session_id = archives.add_finished(house)
    expected = archives.read_all(house, session_id)
    archives.keep(house, days=1)
    [segment] = archives.list_segments(house, session_id)
    path = house.parts.raw.root / segment.file.path
    path.unlink() if damage is None else path.write_bytes(damage)

    archives.keep(house, days=90)

    assert count_rows(house) == 0
    assert archives.read_all(house, session_id) == expected
    assert len(archives.list_files(house)) == 1


def test_a_file_with_other_words_than_the_rows_keeps_the_rows(house: House) -> None:
    session_id = archives.add_finished(house)
    archives.keep(house, days=1)
    rows = count_rows(house)
    house.write(
        lambda conn: conn.execute(
            sa.update(observation_rows).where(observation_rows.c.id == 1).values(event=observation_rows.c.event + " ")
        )
    )

    with pytest.raises(SegmentUnreadable):
        retention.release_session(house.parts.archive, session_id, house.parts.clock.now())

    assert count_rows(house) == rows


def test_a_damaged_segment_stops_neither_the_release_of_others_nor_their_reading(house: House) -> None:
    ids = [archives.add_finished(house, number) for number in (1, 2)]
    archives.keep(house, days=1)
    [damaged] = archives.list_segments(house, ids[0])
    (house.parts.raw.root / damaged.file.path).write_bytes(b"zap")
    house.write(lambda conn: observations.delete_observations(conn, ids[0], first_id=1, last_id=1))

    archives.keep(house, days=90)

    [waiting] = house.read(lambda conn: jobs.list_jobs(conn, 10))
    assert waiting.key == ids[0]
    assert damaged.file.path in waiting.last_error
    assert archives.list_segments(house, ids[1])[0].released_at is not None
    assert archives.read_all(house, ids[1])


def test_reading_goes_on_after_a_damaged_segment(house: House) -> None:
    session_id = archives.add_finished(house)
    archives.keep(house, days=1)
    archives.add_more(house, 1, archives.talk(1))
    rest = archives.read_all(
        house, session_id, after_id=archives.list_segments(house, session_id)[0].last_observation_id
    )
    age(house)
    first, _ = archives.list_segments(house, session_id)
    (house.parts.raw.root / first.file.path).unlink()

    with pytest.raises(SegmentUnreadable) as caught:
        archives.read_all(house, session_id)

    assert archives.read_all(house, session_id, after_id=caught.value.last_id) == rest


def test_a_file_that_gets_another_name_between_two_looks_is_found(house: House) -> None:
    archives.under(house, current=archives.OLD_KEY)
    session_id = archives.add_finished(house)
    expected = archives.read_all(house, session_id)
    age(house)
    archives.under(house, current=archives.NEW_KEY, older=(archives.OLD_KEY,))
    places = house.parts.archive.verbatim
    stale = places.engine.read(verbatim._list_places, session_id, 0, 100)

    archives.keep(house)

    with pytest.raises(SegmentUnreadable):
        verbatim._merge(places.raw, *stale, after_id=0, limit=100)
    assert archives.read_all(house, session_id) == expected


def test_keys_outlive_the_rows_and_are_forgotten_in_their_own_time(house: House) -> None:
    now = house.parts.clock.now()
    keys = [f"k{number}" for number in range(1200)]
    house.write(lambda conn: observations.insert_keys(conn, [(key, "s", now) for key in keys]))

    archives.keep(house, days=364)
    assert len(house.read(lambda conn: observations.find_known_keys(conn, keys))) == 1200
    archives.keep(house, days=2)

    assert house.read(lambda conn: observations.find_known_keys(conn, keys)) == set()


def test_space_is_given_back_when_much_of_it_stands_empty(house: House) -> None:
    def measure() -> tuple[int, int]:
        return house.read(engine.measure_file)

    archives.add_finished(house, script=long_script())
    full, _ = measure()

    age(house)
    archives.make_worker(house).keep()

    left, empty = measure()
    assert left < full / 2
    assert empty * 10 <= left


def test_a_stretch_of_a_session_needs_only_the_segments_that_it_lies_in(house: House) -> None:
    session_id = archives.add_finished(house)
    archives.keep(house, days=1)
    archives.add_more(house, 1, archives.talk(1))
    age(house)
    first, second = archives.list_segments(house, session_id)
    (house.parts.raw.root / second.file.path).unlink()

    read = archives.read_all(house, session_id, limit=first.observation_count)

    assert [observation.id for observation in read] == list(range(1, first.observation_count + 1))


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    steps=st.lists(st.sampled_from(["work", "day", "month", "rotate"]), max_size=8),
    after=st.integers(0, 30),
    limit=st.integers(1, 30),
)
def test_reading_is_the_same_after_any_sequence_of_keeping(
    house: House, steps: list[str], after: int, limit: int
) -> None:
    number = house.parts.ids.count = house.parts.ids.count + 1
    session_id = archives.add_finished(house, number)
    expected = archives.read_all(house, session_id)
    base = expected[0].id - 1
    for step in steps:
        if step == "work":
            archives.add_more(house, number, archives.talk(1))
            expected = expected + archives.read_all(house, session_id, after_id=expected[-1].id)
        elif step == "rotate":
            swapped = archives.NEW_KEY if house.parts.raw.keys.current != archives.NEW_KEY else archives.OLD_KEY
            archives.under(house, current=swapped, older=(archives.OLD_KEY, archives.NEW_KEY))
        archives.keep(house, days={"day": 1, "month": 60}.get(step, 0))

    wanted = [observation for observation in expected if observation.id > base + after][:limit]
    assert archives.read_all(house, session_id, after_id=base + after, limit=limit) == wanted
    assert house.read(lambda conn: segments.find_last(conn, session_id))[1] <= expected[-1].id


def read_by_pages(house: House, session_id: str, limit: int) -> list[builders.Observation]:
    read: list[builders.Observation] = []
    while page := archives.read_all(house, session_id, after_id=read[-1].id if read else 0, limit=limit):
        read.extend(page)
    return read


def long_script() -> Script:
    script = Script().start()
    for number in range(400):
        script.run(f"make part{number}", "x" * 4000)
    return script.end()
