"""Drills by the schedule: the last backup is put back aside, and whoever looks sees what came of it."""

import shutil
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from app.domain.limits_upkeep import DRILL_PATIENCE_SECONDS, DRILL_RETRY_SECONDS
from app.state.disk_guard import DiskGuard
from app.upkeep import records
from app.upkeep.backup_keeper import list_backups, make_into_folder
from app.upkeep.drill_keeper import DrillKeeper, DrillParts
from app.upkeep.records import DrillRecord
from tests.entrypoints import serving
from tests.entrypoints.serving import Server
from tests.fakes import FakeClock

NOW = datetime(2026, 12, 1, 12, tzinfo=UTC)


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(NOW)


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    return tmp_path / "kept"


@pytest.fixture(scope="module")
def worked(tmp_path_factory: pytest.TempPathFactory, template: Path) -> Path:
    """The data of a server with an account and a page."""
    folder = tmp_path_factory.mktemp("drills") / "memwiki"
    with serving.serve(folder, template=template) as server:
        server.put("notes/one.md", {"body": "# The lexer"}, project="shop")
        server.post("/people", {"name": "ann", "role": "admin"})
    return folder


@pytest.fixture
def scheduled(tmp_path: Path, worked: Path, clock: FakeClock, kept: Path) -> Iterator[Server]:
    """A server whose settings have a schedule of backups; its first backup is made."""
    folder = tmp_path / "memwiki"
    shutil.copytree(worked, folder, symlinks=True)
    text = f"backup_every_hours = 8000\nbackup_folder = '{kept}'\nbackup_keep_daily = 1\n"
    (folder / "memwiki.toml").write_text(text, encoding="utf-8")
    with serving.serve(folder, clock=clock, access_token="mw_secret") as server:
        # No address: what listens on the usual port of this machine is somebody else's.
        server.runtime.announce("")
        serving.wait_for(lambda: records.read_backup_record(folder), "the first backup")
        yield server


def drill(server: Server, clock: FakeClock) -> DrillRecord | None:
    """Have a server that somebody has just asked wait for a day in vain, and so begin all the same."""
    server.client.get("/api/v1/status")
    assert server.runtime.drills.drill_if_due() is None
    clock.advance(DRILL_PATIENCE_SECONDS)
    return server.runtime.drills.drill_if_due()


def be_short_of_room(server: Server, clock: FakeClock) -> DiskGuard:
    """Have the server's drills want more room than there is, and say so."""
    runtime, disk = server.runtime, DiskGuard(server.folder, 2**60)
    runtime.drills = DrillKeeper(DrillParts(runtime.backups, runtime.sizes, disk, runtime.pulse, clock))
    return disk


def test_the_last_backup_is_tried_and_nothing_but_the_note_of_it_is_left(
    scheduled: Server, clock: FakeClock, kept: Path
) -> None:
    record = drill(scheduled, clock)

    assert record is not None
    assert (record.passed, record.faults, scheduled.runtime.drills.last_error) == (True, [], "")
    assert record.file == str(list_backups(kept)[0][1])
    assert len(list(kept.iterdir())) == 1
    assert [path.name for path in (scheduled.folder / "backups").iterdir() if path.is_dir()] == []
    assert scheduled.client.get("/readyz").json()["warnings"] == []
    clock.advance(3600)
    assert drill(scheduled, clock) is None
    assert scheduled.runtime.drills.last_error == ""


def test_a_damaged_backup_is_seen_by_whoever_looks_and_the_next_one_is_tried(
    scheduled: Server, clock: FakeClock, kept: Path
) -> None:
    file = list_backups(kept)[0][1]
    whole = bytearray(file.read_bytes())
    whole[len(whole) // 2] ^= 0x10
    file.write_bytes(whole)

    record = drill(scheduled, clock)

    assert record is not None
    assert record.passed is False
    ready, status = scheduled.client.get("/readyz").json(), scheduled.read("/status")
    assert ready["status"] == "ready"
    assert "DOES NOT WORK" in ready["warnings"][0]
    assert ready["warnings"][0] in status["problems"]
    assert "the last one FAILED" in scheduled.client.get("/status", headers={"accept": "text/html"}).text
    assert "memwiki_drill_passed 0.0" in scheduled.client.get("/metrics").text

    clock.advance(3600)
    make_into_folder(scheduled.runtime.backups.source, scheduled.runtime.backups.plan, clock.now())
    be_short_of_room(scheduled, clock)
    assert drill(scheduled, clock) is None
    assert "MiB free" in scheduled.runtime.drills.last_error


def test_a_drill_that_cannot_be_run_says_why_and_is_tried_again(scheduled: Server, clock: FakeClock) -> None:
    disk = be_short_of_room(scheduled, clock)

    assert drill(scheduled, clock) is None
    first = scheduled.runtime.drills.last_error
    assert "MiB free" in first
    assert "memwiki_drill_failing 1.0" in scheduled.client.get("/metrics").text
    assert "could not be tried" in scheduled.client.get("/readyz").json()["warnings"][0]

    disk.floor_bytes *= 2
    for seconds, is_tried in ((DRILL_RETRY_SECONDS - 60, False), (DRILL_PATIENCE_SECONDS, True)):
        clock.advance(seconds)
        drill(scheduled, clock)
        assert (scheduled.runtime.drills.last_error != first) is is_tried


def test_a_stop_ends_a_drill_and_leaves_nothing_of_it(scheduled: Server, clock: FakeClock) -> None:
    drills, backups = scheduled.runtime.drills, scheduled.folder / "backups"
    done: list[DrillRecord | None] = []
    running = threading.Thread(target=lambda: done.append(drill(scheduled, clock)))

    running.start()
    serving.wait_for(lambda: list(backups.glob(".drill-*/*")), "it has begun")
    drills.stop()
    running.join(serving.WAIT_SECONDS)

    assert done == [None]
    assert list(backups.glob(".drill-*")) == []
    assert records.read_drill_record(scheduled.folder) is None


def test_a_drill_is_overdue_at_twice_its_time(scheduled: Server, clock: FakeClock) -> None:
    records.install_record(scheduled.folder, DrillRecord(NOW, "x", passed=True, faults=[]))

    for days, is_overdue in ((13, False), (2, True)):
        clock.advance(timedelta(days=days).total_seconds())

        assert scheduled.runtime.drills.is_overdue() is is_overdue
        assert bool(scheduled.client.get("/readyz").json()["warnings"]) is is_overdue
        assert f"memwiki_drill_overdue {float(is_overdue)}" in scheduled.client.get("/metrics").text


def test_without_a_schedule_nothing_is_tried(server: Server) -> None:
    server.runtime.backups.source.data_dir.joinpath("backups").mkdir(exist_ok=True)
    make_into_folder(server.runtime.backups.source, server.runtime.backups.plan, server.runtime.clock.now())

    assert server.runtime.drills.drill_if_due() is None
    assert server.runtime.drills.is_overdue() is False
    assert records.read_drill_record(server.folder) is None
