"""Reading beside the server: the same as in it, and never in the way when the second process is not well."""

import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

import pytest

from app.agents import registry
from app.capture import exclude
from app.capture.arrival import Arrival, Dropped
from app.capture.hook_request import BatchJob, Caller, EventsJob, Terms, Told, Unread
from app.capture.reader import Reader, ReaderPlan
from app.domain.errors import AppError
from app.domain.person import Reach

PAYLOADS = Path(__file__).parents[1] / "data" / "hook-payloads"
FOLDERS = sorted(folder.name for folder in PAYLOADS.iterdir() if folder.is_dir())
NOW = datetime(2026, 12, 1, 8, 0, tzinfo=UTC)
CHECKOUT = quote(json.dumps({"cwd": "/home/dev/shop", "remote": "https://github.com/example/shop.git"})).encode()
POLICY = quote(json.dumps({"root": "/home/dev/shop", "deny": ["*.pem"]})).encode()
CALLER = Caller(
    {b"memwiki-checkout": CHECKOUT, b"memwiki-policy": POLICY, b"idempotency-key": b"k"}, "local", Reach(), NOW
)
TERMS = Terms(exclude.build_rules(["secret*"], ["/home/dev/secret/**"]), "main")
EAGER = ReaderPlan(events_min=1, look_s=0.02, answer_s_max=30.0)
READY = "import os,sys,time; os.write(0, (5).to_bytes(4, 'big') + b'ready'); "
WAIT_SECONDS = 30.0


def wait_for(is_so: Callable[[], object], what: str) -> None:
    deadline = time.monotonic() + WAIT_SECONDS
    pause = threading.Event()
    while not is_so():
        assert time.monotonic() < deadline, what
        pause.wait(0.01)


@contextmanager
def run(plan: ReaderPlan = EAGER) -> Iterator[Reader]:
    """Run a reader under load."""
    reader = Reader(plan)
    try:
        reader.note(plan.events_min)
        yield reader
    finally:
        reader.stop()


@pytest.fixture(scope="module")
def accompanied() -> Iterator[Reader]:
    with run() as reader:
        wait_for(lambda: reader.has_company, "a second process reads")
        yield reader


def test_a_folder_with_an_app_of_its_own_is_not_what_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "app").mkdir()
    (tmp_path / "app" / "__init__.py").write_text("raise SystemExit(3)\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)

    with run() as reader:
        wait_for(lambda: reader.has_company or reader.stats.faults, "it has begun, or failed")

        assert reader.stats.last_fault == ""


def list_told(folder: str) -> list[Told]:
    paths = sorted((PAYLOADS / folder).glob("*.json"))
    # Some agents have a second folder, for another form of what they send.
    agent = max((str(known.name) for known in registry.AGENTS if folder.startswith(known.name)), key=len)
    return [Told(agent, path.name.partition(".")[0], path.read_bytes(), CALLER) for path in paths]


def build_batch(told: Sequence[Told]) -> BatchJob:
    items = [
        {"agent": each.agent, "event": each.event_name, "payload": json.loads(each.body), "key": str(number)}
        for number, each in enumerate(told)
    ]
    return BatchJob(json.dumps({"events": items}).encode(), CALLER, TERMS)


def end(reader: Reader) -> int:
    """Kill the second process as the system does that runs out of memory."""
    pid = reader.stats.pid
    os.kill(pid, signal.SIGKILL)
    return pid


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("folder", FOLDERS)
def test_what_an_agent_sends_is_read_the_same_in_either_process(accompanied: Reader, folder: str) -> None:
    told = list_told(folder)
    before = accompanied.stats.read_beside

    assert accompanied.read(EventsJob(told, TERMS)) == EventsJob(told, TERMS).read()
    assert accompanied.read(build_batch(told)) == build_batch(told).read()
    assert accompanied.stats.read_beside == before + 2 * len(told)


def test_what_is_odd_has_the_same_fate_in_either_process(accompanied: Reader) -> None:
    good = list_told("claude-code")[:1]
    private = replace_body(good[0], {"session_id": "s", "cwd": "/home/dev/secret/x", "hook_event_name": "Stop"})
    told = [*good, Told("claude-code", "Stop", b"odd", CALLER), private]
    batch = BatchJob(b'{"events": [{"agent": "netscape", "event": "Stop", "payload": {}}, 3]}', CALLER, TERMS)

    single, together = accompanied.read(EventsJob(told, TERMS)), accompanied.read(batch)

    assert [type(item) for item in single] == [Arrival, type(None), Dropped]
    assert [type(item) for item in together] == [Unread, Unread]
    assert together == batch.read()
    with pytest.raises(AppError):
        accompanied.read(BatchJob(b"no frame", CALLER, TERMS))


def replace_body(told: Told, payload: object) -> Told:
    return Told(told.agent, "Stop", json.dumps(payload).encode(), told.caller)


def test_the_rules_of_the_moment_reach_the_second_process(accompanied: Reader) -> None:
    told = list_told("claude-code")[:3]
    shut = Terms(exclude.build_rules([], ["/**"]), "main")

    assert all(isinstance(item, Dropped) for item in accompanied.read(EventsJob(told, shut)))
    assert all(isinstance(item, Arrival) for item in accompanied.read(EventsJob(told, TERMS)))


def test_little_load_starts_nothing() -> None:
    reader = Reader(replace(EAGER, events_min=100))

    reader.note(99)
    reader.stop()

    assert reader.stats.starts == 0


def test_a_process_that_is_killed_is_done_without() -> None:
    job = EventsJob(list_told("codex"), TERMS)
    with run(replace(EAGER, look_s=5.0)) as reader:
        wait_for(lambda: reader.has_company, "a second process reads")
        end(reader)

        assert reader.read(job) == job.read()
        assert not reader.has_company
        assert reader.stats.faults == 1
        assert reader.read(job) == job.read()


@pytest.mark.parametrize(
    "program",
    [(sys.executable, "-c", "raise SystemExit(3)"), ("/nowhere/python",), (sys.executable, "-c", "print('x' * 9)")],
    ids=["ends", "is not there", "says something else"],
)
def test_a_process_that_does_not_start_is_told_of_and_not_tried_at_once_again(program: Sequence[str]) -> None:
    job = EventsJob(list_told("codex"), TERMS)
    with run(replace(EAGER, program=program)) as reader:
        wait_for(lambda: reader.stats.faults, "its fault is told")

        assert reader.read(job) == job.read()
        assert reader.stats.starts == 0
        assert reader.stats.faults == 1
        assert "could not be started" in reader.stats.last_fault


@pytest.mark.parametrize("then", ["time.sleep(600)", "os.read(0, 9); os.write(0, b'x' * 64)"], ids=["hangs", "raves"])
def test_a_process_that_does_not_answer_is_not_waited_for_longer_than_its_bound(then: str) -> None:
    job = EventsJob(list_told("codex"), TERMS)
    plan = replace(EAGER, program=(sys.executable, "-c", READY + then), answer_s_max=0.2, look_s=5.0)
    with run(plan) as reader:
        wait_for(lambda: reader.has_company, "it says that it is ready")
        pid = reader.stats.pid

        assert reader.read(job) == job.read()
        assert reader.stats.faults == 1
        reader.stop()
        assert not is_alive(pid)


def test_it_ends_when_the_load_is_over_and_comes_again_with_it() -> None:
    with run(replace(EAGER, quiet_s=0.1)) as reader:
        wait_for(lambda: reader.stats.starts, "it was started")
        wait_for(lambda: not reader.has_company, "it was ended")
        assert reader.stats.faults == 0

        reader.note(1)
        wait_for(lambda: (reader.note(1), reader.stats.starts > 1)[1], "it was started again")


def test_it_ends_with_its_server_and_knows_none_of_its_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMWIKI_ACCESS_TOKEN", "mw_of-nobodys-business")
    with run() as reader:
        wait_for(lambda: reader.has_company, "a second process reads")
        pid = reader.stats.pid
        environment = Path(f"/proc/{pid}/environ")
        told = environment.read_bytes() if environment.exists() else b""

        reader.stop()

    assert b"MEMWIKI" not in told
    assert not is_alive(pid)
