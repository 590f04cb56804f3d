"""What was acknowledged survives the end of the process, a full disk and a crowd."""

import json
import os
import subprocess
import sys
import threading
from functools import partial
from pathlib import Path

import pytest
import sqlalchemy as sa

from app.domain.errors import StoreLocked
from app.state import engine
from app.state.engine import ReadConnection, WriteConnection
from tests.state import builders
from tests.state.builders import WAIT_SECONDS, Store

ROOT = Path(__file__).parents[2]
PROGRAMS = Path(__file__).parent
ACKNOWLEDGED_MIN = 400
THREADS, WRITES_PER_THREAD = 32, 20


def start_program(name: str, state_file: Path) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, str(PROGRAMS / name), str(state_file)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, encoding="utf-8", env=environment)


def check_integrity(conn: ReadConnection) -> str:
    return str(conn.execute(sa.text("PRAGMA integrity_check")).scalar_one())


def test_nothing_acknowledged_is_lost_by_a_kill(state_file: Path) -> None:
    with start_program("acknowledging_writer.py", state_file) as program:
        assert program.stdout is not None
        lines = [program.stdout.readline() for _ in range(ACKNOWLEDGED_MIN)]
        program.kill()
        lines += program.stdout.readlines()
    acknowledged = {line.strip() for line in lines if line.endswith("\n")}

    opened = engine.open_engine(engine.build_sqlite_url(state_file))
    stored = opened.read(builders.list_texts)
    integrity = opened.read(check_integrity)
    opened.close()

    assert len(acknowledged) >= ACKNOWLEDGED_MIN
    assert acknowledged <= set(stored)
    assert len(stored) == len(set(stored))
    assert integrity == "ok"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit on the size of files")
def test_a_disk_without_room_is_refused_and_recovers_without_a_restart(state_file: Path) -> None:
    with start_program("limited_writer.py", state_file) as program:
        report = json.loads(program.communicate(timeout=WAIT_SECONDS)[0])

    assert set(report["codes"]) == {"disk_refused"}
    assert len(report["codes"]) == 3
    assert report["stored"] == report["acknowledged"]
    assert report["acknowledged"][-1] == 399


def test_a_crowd_a_backup_and_a_long_reader_cost_no_acknowledged_row(store: Store, tmp_path: Path) -> None:
    acknowledged: list[str] = []
    done = threading.Event()

    def write_many(thread: int) -> None:
        for number in range(WRITES_PER_THREAD):
            text = f"{thread}-{number}"
            store.write(partial(builders.store_text, text=text))
            acknowledged.append(text)

    def back_up() -> None:
        while not done.is_set():
            store.engine.copy_to(tmp_path / "copy.db")

    def read_long(conn: ReadConnection) -> tuple[list[str], list[str]]:
        before = builders.list_texts(conn)
        done.wait(WAIT_SECONDS)
        return before, builders.list_texts(conn)

    seen: list[tuple[list[str], list[str]]] = []
    others = [threading.Thread(target=back_up)]
    others.append(threading.Thread(target=lambda: seen.append(store.read(read_long))))
    writers = [threading.Thread(target=write_many, args=(thread,)) for thread in range(THREADS)]
    for thread in [*others, *writers]:
        thread.start()
    for thread in writers:
        thread.join(WAIT_SECONDS)
    done.set()
    for thread in others:
        thread.join(WAIT_SECONDS)

    assert len(acknowledged) == THREADS * WRITES_PER_THREAD
    assert sorted(store.read(builders.list_texts)) == sorted(acknowledged)
    assert seen[0][0] == seen[0][1]
    copy = engine.open_engine(engine.build_sqlite_url(tmp_path / "copy.db"))
    assert copy.read(check_integrity) == "ok"
    copy.close()


def test_a_lock_held_by_another_program_is_named_and_waited_for(store: Store, state_file: Path) -> None:
    foreign = engine.open_engine(engine.build_sqlite_url(state_file))

    def be_impatient(conn: WriteConnection) -> None:
        conn.execute(sa.text("PRAGMA busy_timeout = 20"))

    store.write(be_impatient)
    with foreign.write_connection() as conn, conn.begin():
        with pytest.raises(StoreLocked):
            store.write(partial(builders.store_text, text="refused"))
        waiting = store.writer.submit(partial(builders.store_text, text="waits"))

    assert waiting.result(WAIT_SECONDS) == 1
    assert store.read(builders.list_texts) == ["waits"]
    foreign.close()
