"""Sealing on a real store: finished sessions go into files of their own, proved, and never twice."""

import hashlib
import json
import shutil
import stat
from pathlib import Path

import pytest
import sqlalchemy as sa
import zstandard

from app.compile import sealing, session_end
from app.domain import limits
from app.domain.errors import DiskRefused
from app.domain.segment import SegmentLocked, SegmentUnreadable
from app.domain.session import SessionState
from app.state import jobs, observations
from app.state.jobs import JobState
from app.state.raw_keys import RawKey
from app.state.tables import raw_segments
from tests.compile import archives, builders
from tests.compile.archives import NEW_KEY, OLD_KEY
from tests.compile.builders import House, Script


def test_a_quiet_session_becomes_json_lines_in_the_month_of_its_start(house: House) -> None:
    session_id = archives.add_finished(house)
    rows = house.read(lambda conn: observations.list_lines(conn, session_id, after_id=0, limit=100))

    archives.keep(house, days=1)

    assert archives.list_files(house) == [f"2026-11/{session_id}.jsonl.zst"]
    path = house.parts.raw.root / f"2026-11/{session_id}.jsonl.zst"
    content = zstandard.ZstdDecompressor().decompress(path.read_bytes())
    lines = [json.loads(line) for line in content.decode().strip().split("\n")]
    assert [line["id"] for line in lines] == [row.id for row in rows]
    assert [line["event"] for line in lines] == [json.loads(bytes(row.event)) for row in rows]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_state_records_what_was_sealed_and_its_checksum(house: House) -> None:
    session_id = archives.add_finished(house)

    archives.keep(house, days=1)

    [segment] = archives.list_segments(house, session_id)
    sealed = (house.parts.raw.root / segment.file.path).read_bytes()
    read = archives.read_all(house, session_id)
    assert segment.file.sha256 == hashlib.sha256(sealed).hexdigest()
    assert segment.file.file_bytes == len(sealed)
    assert (segment.first_observation_id, segment.last_observation_id) == (read[0].id, read[-1].id)
    assert segment.observation_count == len(read)
    assert segment.sealed_at == house.parts.clock.now()
    assert segment.released_at is None


def test_a_session_is_not_sealed_before_it_was_quiet_long_enough(house: House) -> None:
    session_id = archives.add_finished(house)

    archives.keep(house, days=0.99)
    assert archives.list_segments(house, session_id) == []
    archives.keep(house, days=0.02)

    assert len(archives.list_segments(house, session_id)) == 1


def test_an_open_session_is_not_sealed(house: House) -> None:
    session_id = archives.add_finished(house)
    house.observe(builders.session(), Script().ask("One more thing.").events, state=SessionState.OPEN)
    archives.make_worker(house).run_due_jobs()

    archives.keep(house, days=30)

    assert archives.list_segments(house, session_id) == []


def test_a_session_without_work_is_sealed_too(house: House) -> None:
    session_id = archives.add_finished(house, script=Script().start().end())

    archives.keep(house, days=1)

    assert len(archives.list_segments(house, session_id)) == 1


def test_what_came_after_the_end_is_sealed_as_well(house: House) -> None:
    session_id = archives.add_finished(house)
    house.observe(builders.session(), Script().machine("A late notice.").events)
    house.write(lambda conn: jobs.finish_job(conn, claim(house, conn)))

    archives.keep(house, days=1)

    [segment] = archives.list_segments(house, session_id)
    assert segment.last_observation_id == archives.read_all(house, session_id)[-1].id


def test_a_session_whose_page_cannot_be_written_stays_in_state_whole(house: House) -> None:
    session = house.add_session(builders.session())
    house.observe(session, builders.fixing_script().events)
    (house.parts.wiki.tree.root / "main").write_text("a file where a folder must be", encoding="utf-8")
    worker = archives.make_worker(house)

    for _ in range(limits.JOB_ATTEMPTS_MAX + 1):
        worker.run_due_jobs()
        house.parts.clock.advance(limits.JOB_RETRY_SECONDS_MAX)
    archives.keep(house, days=200)

    assert archives.list_segments(house, session.id) == []


def test_a_session_that_wakes_up_gets_a_further_segment_and_the_first_file_stays(house: House) -> None:
    session_id = archives.add_finished(house)
    archives.keep(house, days=1)
    first = house.parts.raw.root / f"2026-11/{session_id}.jsonl.zst"
    before = first.read_bytes()

    archives.add_more(house, 1, archives.talk(2))
    archives.keep(house, days=40)

    assert archives.list_files(house) == [f"2026-11/{session_id}.2.jsonl.zst", f"2026-11/{session_id}.jsonl.zst"]
    assert first.read_bytes() == before
    one, two = archives.list_segments(house, session_id)
    assert one.last_observation_id < two.first_observation_id


def test_sealing_again_makes_nothing(house: House) -> None:
    session_id = archives.add_finished(house)
    archives.keep(house, days=1)

    archives.keep(house, days=1)

    assert sealing.seal_session(house.parts.archive, session_id) == 0
    assert len(archives.list_files(house)) == 1


def test_a_long_session_is_sealed_in_segments_of_bounded_length(house: House) -> None:
    session_id = archives.add_finished(house, prompts=limits.SEGMENT_OBSERVATIONS_MAX)
    expected = archives.read_all(house, session_id)

    archives.keep(house, days=1)

    sealed = archives.list_segments(house, session_id)
    assert len(sealed) == 3
    assert max(segment.observation_count for segment in sealed) == limits.SEGMENT_OBSERVATIONS_MAX
    lines = [line for segment in sealed for line in house.parts.raw.read_lines(segment)]
    assert [observations.restore_line(line) for line in lines] == expected


def test_a_file_that_a_crash_left_unrecorded_is_taken_over(house: House) -> None:
    session_id = archives.add_finished(house)
    archives.keep(house, days=1)
    [segment] = archives.list_segments(house, session_id)
    forget_segments(house)

    archives.keep(house, days=1)

    [again] = archives.list_segments(house, session_id)
    assert again.file == segment.file
    assert len(archives.list_files(house)) == 1


def test_a_file_with_other_words_is_never_replaced(house: House) -> None:
    """An older state was restored beside a newer raw folder."""
    session_id = archives.add_finished(house)
    newer = house.parts.raw.root / f"2026-11/{session_id}.jsonl.zst"
    newer.parent.mkdir(parents=True)
    newer.write_bytes(zstandard.ZstdCompressor().compress(b"words that are only here\n"))
    before = newer.read_bytes()

    archives.keep(house, days=1)

    [segment] = archives.list_segments(house, session_id)
    assert newer.read_bytes() == before
    assert segment.file.path == f"2026-11/{session_id}.2.jsonl.zst"


def test_a_disk_that_refuses_leaves_nothing_half_written_and_a_later_try_finishes(house: House) -> None:
    session_id = archives.add_finished(house)
    house.parts.raw.root.write_text("a file where a folder must be", encoding="utf-8")
    worker = archives.make_worker(house)

    house.parts.clock.advance(archives.DAY)
    worker.keep()
    worker.run_due_jobs()
    [waiting] = house.read(lambda conn: jobs.list_jobs(conn, 10))
    assert waiting.state is JobState.PENDING
    assert "could not be written" in waiting.last_error
    house.parts.raw.root.unlink()
    house.parts.clock.advance(limits.JOB_RETRY_SECONDS_MAX)
    worker.run_due_jobs()

    assert len(archives.list_segments(house, session_id)) == 1
    assert len(archives.list_files(house)) == 1


def test_with_a_key_nothing_of_the_session_can_be_read_in_the_file(house: House) -> None:
    archives.under(house, current=NEW_KEY)
    session_id = archives.add_finished(house)
    expected = archives.read_all(house, session_id)

    archives.keep(house, days=1)
    archives.keep(house, days=90)

    [segment] = archives.list_segments(house, session_id)
    sealed = (house.parts.raw.root / segment.file.path).read_bytes()
    assert segment.file.key_id == NEW_KEY.id
    assert segment.file.path.endswith(f".jsonl.zst.{NEW_KEY.id}")
    assert sealed.startswith(b"memwiki-raw-1 aes-256-gcm " + NEW_KEY.id.encode())
    assert zstandard.FRAME_HEADER not in sealed
    assert archives.read_all(house, session_id) == expected


def test_a_missing_key_is_named_and_other_sessions_live(house: House) -> None:
    archives.under(house, current=OLD_KEY)
    locked = archives.add_finished(house, 1)
    archives.keep(house, days=91)
    archives.keep(house)
    archives.under(house, current=NEW_KEY)
    other = archives.add_finished(house, 2)

    with pytest.raises(SegmentLocked) as caught:
        archives.read_all(house, locked)

    assert caught.value.key_id == OLD_KEY.id
    assert archives.read_all(house, other)


def test_a_changed_key_moves_every_segment_and_leaves_no_old_file(house: House) -> None:
    ids = [archives.add_finished(house, number) for number in (1, 2)]
    expected = [archives.read_all(house, session_id) for session_id in ids]
    archives.keep(house, days=91)
    archives.keep(house)
    for keys in ({"current": OLD_KEY}, {"current": NEW_KEY, "older": (OLD_KEY,)}, {"older": (NEW_KEY,)}):
        archives.under(house, **keys)

        archives.keep(house)

        ends = {path.rpartition(".zst")[2].lstrip(".") for path in archives.list_files(house)}
        assert ends == {house.parts.raw.keys.current_id}
        assert len(archives.list_files(house)) == 2
        assert [archives.read_all(house, session_id) for session_id in ids] == expected


def test_one_damaged_segment_does_not_keep_others_under_the_old_key(house: House) -> None:
    archives.under(house, current=OLD_KEY)
    ids = [archives.add_finished(house, number) for number in (1, 2)]
    archives.keep(house, days=91)
    archives.keep(house)
    [damaged], [whole] = (archives.list_segments(house, session_id) for session_id in ids)
    (house.parts.raw.root / damaged.file.path).write_bytes(b"zap")
    archives.under(house, current=NEW_KEY, older=(OLD_KEY,))

    archives.keep(house)

    assert archives.list_segments(house, damaged.session_id) == [damaged]
    assert archives.list_segments(house, whole.session_id)[0].file.key_id == NEW_KEY.id
    [waiting] = house.read(lambda conn: jobs.list_jobs(conn, 10))
    assert damaged.file.path in waiting.last_error


@pytest.mark.parametrize("key", [None, NEW_KEY], ids=["plain", "encrypted"])
@pytest.mark.parametrize("damage", ["missing", "cut", "flipped", "emptied", "swapped"])
def test_any_damage_is_an_error_that_names_the_segment_and_what_is_lost(
    house: House, damage: str, key: RawKey | None
) -> None:
    archives.under(house, current=key)
    session_id, other = archives.add_finished(house, 1), archives.add_finished(house, 2)
    expected = archives.read_all(house, other)
    archives.keep(house, days=91)
    archives.keep(house)
    [segment], [foreign] = archives.list_segments(house, session_id), archives.list_segments(house, other)
    path = house.parts.raw.root / segment.file.path
    inflict(damage, path, house.parts.raw.root / foreign.file.path)

    with pytest.raises(SegmentUnreadable) as caught:
        archives.read_all(house, session_id)

    assert caught.value.path == segment.file.path
    assert (caught.value.first_id, caught.value.last_id) == (segment.first_observation_id, segment.last_observation_id)
    assert archives.read_all(house, other) == expected


def test_a_refused_disk_is_a_named_error(house: House) -> None:
    session_id = archives.add_finished(house)
    house.parts.raw.root.write_text("a file where a folder must be", encoding="utf-8")

    with pytest.raises(DiskRefused):
        sealing.seal_session(house.parts.archive, session_id)


def test_a_page_is_compiled_the_same_from_sealed_observations(house: House) -> None:
    session_id = archives.add_finished(house, script=builders.fixing_script())
    archives.keep(house, days=91)
    archives.keep(house)

    archives.add_more(house, 1, Script().start().ask("And the admin form?").edit("admin.py").end())

    body = house.parts.wiki.read_page(builders.PROJECT.scope, session_end.compile_session(house.parts, session_id).path)
    assert "reject empty baskets" in body.body.lower()
    assert "admin form" in body.body


def test_lines_survive_any_text(house: House) -> None:
    nasty = "\u2028\u0085\x00\U0001f600 \n\r\n \\n \uffff " + "漢" * 50
    session_id = archives.add_finished(house, script=Script().start().ask(nasty).end())
    expected = archives.read_all(house, session_id)

    archives.keep(house, days=91)
    archives.keep(house)

    assert archives.read_all(house, session_id) == expected


def inflict(damage: str, path: Path, foreign: Path) -> None:
    content = path.read_bytes()
    if damage == "missing":
        path.unlink()
    elif damage == "swapped":
        shutil.copy(foreign, path)
    else:
        middle = len(content) // 2
        flipped = content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]
        path.write_bytes({"cut": content[:-5], "flipped": flipped, "emptied": b""}[damage])


def claim(house: House, conn: builders.WriteConnection) -> jobs.Job:
    now = house.parts.clock.now()
    job = jobs.claim_job(conn, now=now, lease_until=now, worker="test")
    assert job is not None
    return job


def forget_segments(house: House) -> None:
    """Lose the record, as a crash between the file and the row does."""
    house.write(lambda conn: conn.execute(sa.delete(raw_segments)))
