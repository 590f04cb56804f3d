"""The worker on a real store: what is queued gets done, what fails is tried again, what is silent is ended."""

import subprocess
import time
from collections.abc import Callable
from datetime import timedelta

import pytest

from app.compile.session_end import COMPILE_SESSION, compile_session
from app.compile.worker import Worker, decide_delay
from app.domain.limits import JOB_ATTEMPTS_MAX, JOB_HEAD_START_SECONDS, JOB_RETRY_SECONDS_MAX
from app.domain.session import SessionState
from app.handoff import offers
from app.state import jobs, sessions
from app.state.jobs import JobState
from tests.compile import builders
from tests.compile.builders import PROJECT, WAIT_SECONDS, House, Script
from tests.server import run_git


def wait_until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + WAIT_SECONDS
    while not is_so():
        assert time.monotonic() < deadline, "nothing happened in time"
        time.sleep(0.002)


def find_page_path(house: House, session_id: str) -> str:
    return house.read(lambda conn: sessions.get_session(conn, session_id)).page_path


def add_silent_session(house: House, script: Script, number: int = 1) -> None:
    moment = house.parts.clock.now()
    session = builders.session(number, state=SessionState.OPEN, last_event_at=moment)
    house.add_session(session)
    events = [builders.replace(event, occurred_at=moment) for event in script.events]
    house.observe(session, events, state=SessionState.OPEN)
    house.write(lambda conn: jobs.finish_job(conn, claim(house, conn)))


def teaching_script() -> Script:
    missing = "ModuleNotFoundError: No module named 'app.tax'"
    return Script().ask("Build it.").run("make build", missing, failed=True).edit("setup.cfg").run("make build", "done")


def list_subjects(house: House) -> list[str]:
    """List the subjects of the wiki's commits, the oldest first."""
    assert house.parts.wiki.committer.flush(WAIT_SECONDS)
    root = house.parts.wiki.tree.root
    shown = subprocess.run(
        ["git", "-C", str(root), "log", "--reverse", "--format=%s"], capture_output=True, text=True, check=True
    )
    return shown.stdout.splitlines()


def claim(house: House, conn: builders.WriteConnection) -> jobs.Job:
    now = house.parts.clock.now()
    job = jobs.claim_job(conn, now=now, lease_until=now + timedelta(minutes=1), worker="test")
    assert job is not None
    return job


def test_a_woken_worker_compiles_at_once_and_forgets_the_job(house: House) -> None:
    worker = Worker(house.parts)
    worker.start()
    session = house.add_session(builders.session())

    house.observe(session, builders.fixing_script().events)
    worker.wake()

    # The page, and then what it teaches together with others.
    wait_until(lambda: worker.stats.done == 2)
    assert find_page_path(house, session.id)
    assert house.read(lambda conn: jobs.list_jobs(conn, 10)) == []
    assert worker.stop(WAIT_SECONDS)


def test_pages_of_sessions_go_before_what_sessions_teach(house: House) -> None:
    for number in (1, 2):
        house.observe(house.add_session(builders.session(number)), teaching_script().events)

    Worker(house.parts).run_due_jobs()

    assert [line.partition(":")[0] for line in list_subjects(house)][:3] == ["Session", "Session", "Gotcha"]


def test_a_page_need_not_wait_for_what_another_session_teaches(house: House) -> None:
    taught, waiting = (house.add_session(builders.session(number)) for number in (1, 2))
    house.observe(taught, teaching_script().events)
    compile_session(house.parts, taught.id)
    house.write(lambda conn: jobs.finish_job(conn, claim(house, conn)))
    house.parts.clock.advance(JOB_HEAD_START_SECONDS + 1)
    house.observe(waiting, Script().ask("Rename the tax table.").edit("tax.py").events)
    worker = Worker(house.parts)

    worker.wake()
    worker.run_due_jobs()

    # The lesson had waited long enough to be taken first; the page came in between.
    assert [line.partition(":")[0] for line in list_subjects(house)[:3]] == ["Session", "Session", "Gotcha"]


def test_jobs_left_by_an_earlier_run_are_done_at_the_start(house: House) -> None:
    session = house.add_session(builders.session())
    house.observe(session, builders.fixing_script().events)

    worker = Worker(house.parts)
    worker.start()

    wait_until(lambda: bool(find_page_path(house, session.id)))
    assert worker.stop(WAIT_SECONDS)


def test_a_job_that_a_killed_run_was_at_is_taken_up_at_the_start(house: House) -> None:
    session = house.add_session(builders.session())
    house.observe(session, builders.fixing_script().events)
    now = house.parts.clock.now()
    lease_until = now + timedelta(hours=1)
    house.write(lambda conn: jobs.claim_job(conn, now=now, lease_until=lease_until, worker="worker"))

    worker = Worker(house.parts)
    worker.start()

    wait_until(lambda: bool(find_page_path(house, session.id)))
    assert worker.stop(WAIT_SECONDS)


@pytest.mark.parametrize("days", [-1, 1], ids=["back", "forward"])
def test_a_clock_that_jumps_by_a_day_stops_neither_pages_nor_what_is_done_now_and_then(house: House, days: int) -> None:
    house.observe(house.add_session(builders.session(1)), builders.fixing_script().events)
    worker = Worker(house.parts)
    worker._sweep_if_due()
    house.parts.clock.advance(days * 86_400)
    late = house.add_session(builders.session(2))
    house.observe(late, builders.fixing_script().events)

    worker._sweep_if_due()
    worker.run_due_jobs()

    assert house.read(lambda conn: jobs.list_jobs(conn, 10)) == []
    assert find_page_path(house, builders.session(1).id)
    assert find_page_path(house, late.id)


def test_stopping_before_the_start_is_no_fault(house: House) -> None:
    assert Worker(house.parts).stop(WAIT_SECONDS)


def test_a_failing_job_is_tried_again_later_with_its_error_recorded(house: House) -> None:
    session = house.add_session(builders.session())
    house.observe(session, builders.fixing_script().events)
    worker = Worker(house.parts)
    blocker = house.parts.wiki.tree.root / "main"
    blocker.write_text("a file where a folder must be", encoding="utf-8")

    worker.run_due_jobs()
    [waiting] = house.read(lambda conn: jobs.list_jobs(conn, 10))
    assert waiting.state is JobState.PENDING
    assert waiting.due_at == house.parts.clock.now() + decide_delay(1)
    assert waiting.last_error
    assert worker.run_due_jobs() == 0

    blocker.unlink()
    house.parts.clock.advance(decide_delay(1).total_seconds())
    assert worker.run_due_jobs() == 2
    assert find_page_path(house, session.id)


def test_a_job_that_always_fails_is_set_aside(house: House) -> None:
    session = house.add_session(builders.session())
    house.observe(session, builders.fixing_script().events)
    (house.parts.wiki.tree.root / "main").write_text("a file where a folder must be", encoding="utf-8")
    worker = Worker(house.parts)

    for _ in range(JOB_ATTEMPTS_MAX + 2):
        worker.run_due_jobs()
        house.parts.clock.advance(JOB_RETRY_SECONDS_MAX)

    [aside] = house.read(lambda conn: jobs.list_jobs(conn, 10))
    assert aside.state is JobState.FAILED
    assert aside.attempts == JOB_ATTEMPTS_MAX
    assert worker.stats.failed == JOB_ATTEMPTS_MAX


def test_a_job_of_a_deleted_session_is_dropped(house: House) -> None:
    house.write(lambda conn: jobs.upsert_job(conn, COMPILE_SESSION, "no-such-session", house.parts.clock.now()))

    Worker(house.parts).run_due_jobs()

    assert house.read(lambda conn: jobs.list_jobs(conn, 10)) == []


def test_waiting_grows_with_each_attempt_up_to_a_bound() -> None:
    waits = [decide_delay(attempts).total_seconds() for attempts in range(1, 40)]

    assert waits == sorted(waits)
    assert waits[-1] == JOB_RETRY_SECONDS_MAX


def test_a_session_silent_in_mid_turn_is_ended_after_half_an_hour(house: House) -> None:
    add_silent_session(house, Script().start().ask("Move the tax table.").edit("tax.py"))
    worker = Worker(house.parts)

    house.parts.clock.advance(29 * 60)
    assert worker.sweep() == 0
    house.parts.clock.advance(2 * 60)
    assert worker.sweep() == 1
    worker.run_due_jobs()

    assert "Cut off" in house.parts.wiki.read_page(PROJECT.scope, find_page_path(house, "session-1")).body
    assert worker.sweep() == 0


def test_a_session_that_waits_for_its_person_is_ended_after_hours(house: House) -> None:
    add_silent_session(house, Script().start().ask("Move the tax table.").edit("tax.py").report("Moved."))
    worker = Worker(house.parts)

    house.parts.clock.advance(3 * 60 * 60)
    assert worker.sweep() == 0
    house.parts.clock.advance(2 * 60 * 60)

    assert worker.sweep() == 1


def test_all_prompts_of_a_killed_session_are_on_its_page(house: House) -> None:
    script = Script().start()
    for number in range(5):
        script.ask(f"Request number {number} of the afternoon.")
    add_silent_session(house, script)
    worker = Worker(house.parts)

    house.parts.clock.advance(60 * 60)
    worker.sweep()
    worker.run_due_jobs()

    body = house.parts.wiki.read_page(PROJECT.scope, find_page_path(house, "session-1")).body
    assert all(f"Request number {number}" in body for number in range(5))


def test_an_end_two_days_after_the_idle_timer_neither_doubles_nor_moves_the_page(house: House) -> None:
    add_silent_session(house, Script().start().ask("Move the tax table.").edit("tax.py"))
    worker = Worker(house.parts)
    house.parts.clock.advance(60 * 60)
    worker.sweep()
    worker.run_due_jobs()
    path = find_page_path(house, "session-1")
    [handed] = offers.list_open(house.offers, PROJECT.id, None)

    house.parts.clock.advance(48 * 60 * 60)
    house.observe(builders.session(), Script().end().events)
    worker.run_due_jobs()

    assert find_page_path(house, "session-1") == path
    assert offers.list_open(house.offers, PROJECT.id, None) == [handed]


def test_old_handoffs_are_closed_by_the_sweep(house: House) -> None:
    session = house.add_session(builders.session())
    house.observe(session, builders.fixing_script().events)
    compile_session(house.parts, session.id)
    worker = Worker(house.parts)

    house.parts.clock.advance(31 * 24 * 60 * 60)
    worker.sweep()

    assert worker.stats.expired_handoffs == 1
    assert offers.list_open(house.offers, PROJECT.id, None) == []


def test_a_session_can_be_ended_by_hand(house: House) -> None:
    add_silent_session(house, Script().start().ask("Move the tax table.").edit("tax.py"))
    worker = Worker(house.parts)

    ended = worker.end_session("session-1")
    worker.run_due_jobs()

    assert ended.state is SessionState.ENDED
    assert find_page_path(house, "session-1")


def test_the_entry_page_is_written_with_the_first_and_the_last_of_many_sessions_that_end_at_once(house: House) -> None:
    for number in range(1, 6):
        session = house.add_session(builders.session(number))
        house.observe(session, Script().ask(f"Mend basket {number}.").edit(f"shop/basket{number}.py").end().events)

    Worker(house.parts).run_due_jobs()

    committer = house.parts.wiki.committer
    assert committer.flush(WAIT_SECONDS)
    wiki = committer.repository.root
    text = (wiki / "main" / "shop" / "index.md").read_text(encoding="utf-8")
    assert [number for number in range(1, 6) if f"Mend basket {number}" not in text] == []
    assert len(run_git(wiki, "log", "--format=%h", "--", "main/shop/index.md").split()) == 2
