"""Jobs: leased to one worker, run again when called for again, and never lost with their worker."""

import threading

from app.domain.limits import JOB_HEAD_START_SECONDS
from app.state import jobs
from app.state.engine import WriteConnection
from app.state.jobs import Job, JobState
from tests.state.builders import NOW, WAIT_SECONDS, Store, at


def call_for(store: Store, key: str = "s1", *, seconds: float = 0, payload: str = "") -> None:
    store.write(lambda conn: jobs.upsert_job(conn, "compile", key, at(seconds), payload=payload))


def claim(store: Store, *, seconds: float = 0, worker: str = "w1", urgent: str = "") -> Job | None:
    lease_until = at(seconds + 60)
    return store.write(
        lambda conn: jobs.claim_job(conn, now=at(seconds), lease_until=lease_until, worker=worker, urgent=urgent)
    )


def claim_some(store: Store, *, seconds: float = 0, worker: str = "w1", urgent: str = "") -> Job:
    job = claim(store, seconds=seconds, worker=worker, urgent=urgent)
    assert job is not None
    return job


def finish(store: Store, job: Job) -> bool:
    return store.write(lambda conn: jobs.finish_job(conn, job))


def count(store: Store) -> tuple[int, int, int]:
    counts = store.read(jobs.count_jobs)
    return counts[JobState.PENDING], counts[JobState.RUNNING], counts[JobState.FAILED]


def test_a_job_is_leased_when_it_is_due_and_gone_when_it_is_finished(store: Store) -> None:
    call_for(store, seconds=10, payload="why")

    assert claim(store, seconds=9) is None
    job = claim_some(store, seconds=10)

    assert (job.kind, job.key, job.payload) == ("compile", "s1", "why")
    assert (job.state, job.worker, job.attempts, job.lease_until) == (JobState.RUNNING, "w1", 1, at(70))
    assert claim(store, seconds=10) is None
    assert finish(store, job)
    assert count(store) == (0, 0, 0)


def test_the_job_due_longest_goes_first(store: Store) -> None:
    call_for(store, "late", seconds=2)
    call_for(store, "early", seconds=1)

    assert [claim_some(store, seconds=5).key for _ in range(2)] == ["early", "late"]


def test_jobs_of_the_urgent_kind_go_first_and_no_other_waits_for_ever(store: Store) -> None:
    store.write(lambda conn: jobs.upsert_job(conn, "learn", "old", at(0)))
    store.write(lambda conn: jobs.upsert_job(conn, "learn", "new", at(JOB_HEAD_START_SECONDS)))
    call_for(store, "page", seconds=JOB_HEAD_START_SECONDS + 1)

    claimed = [claim_some(store, seconds=JOB_HEAD_START_SECONDS + 1, urgent="compile").key for _ in range(3)]

    assert claimed == ["old", "page", "new"]


def test_a_job_of_one_kind_can_be_asked_for(store: Store) -> None:
    store.write(lambda conn: jobs.upsert_job(conn, "learn", "s1", NOW))
    call_for(store, seconds=1)

    def claim_page(conn: WriteConnection) -> Job | None:
        return jobs.claim_job_of(conn, "compile", now=at(2), lease_until=at(60), worker="w1")

    assert [job and job.kind for job in (store.write(claim_page), store.write(claim_page))] == ["compile", None]


def test_calls_for_a_waiting_job_are_one_job_at_the_last_due_time(store: Store) -> None:
    call_for(store, seconds=1)
    call_for(store, seconds=30)

    assert claim(store, seconds=29) is None
    assert claim_some(store, seconds=30).generation == 2
    assert count(store) == (0, 1, 0)


def test_work_that_arrives_while_a_job_runs_makes_it_run_again(store: Store) -> None:
    call_for(store)
    job = claim_some(store)
    call_for(store, seconds=5)

    assert claim(store, seconds=6, worker="w2") is None
    assert not finish(store, job)

    again = claim_some(store, seconds=6)
    assert (again.id, again.generation, again.attempts) == (job.id, 2, 1)
    assert finish(store, again)


def test_a_job_whose_worker_went_silent_is_leased_to_another(store: Store) -> None:
    call_for(store)
    lost = claim_some(store)

    assert claim(store, seconds=59.9, worker="w2") is None
    taken = claim_some(store, seconds=60, worker="w2")

    assert taken.attempts == 2
    assert not finish(store, lost)
    assert not store.write(lambda conn: jobs.retry_job(conn, lost, due_at=NOW, error="x"))
    assert not store.write(lambda conn: jobs.fail_job(conn, lost, error="x"))
    assert not store.write(lambda conn: jobs.extend_job_lease(conn, lost, at(999)))
    assert store.read(lambda conn: jobs.list_jobs(conn, 5)) == [taken]
    assert finish(store, taken)


def test_a_lease_can_be_extended_by_its_worker(store: Store) -> None:
    call_for(store)
    job = claim_some(store)

    assert store.write(lambda conn: jobs.extend_job_lease(conn, job, at(500)))

    assert claim(store, seconds=499, worker="w2") is None


def test_a_retry_waits_counts_and_keeps_its_error(store: Store) -> None:
    call_for(store)
    job = claim_some(store)

    assert store.write(lambda conn: jobs.retry_job(conn, job, due_at=at(30), error="disk"))

    assert claim(store, seconds=29) is None
    again = claim_some(store, seconds=30)
    assert (again.attempts, again.last_error) == (2, "disk")


def test_a_retry_does_not_push_back_work_that_arrived_meanwhile(store: Store) -> None:
    call_for(store)
    job = claim_some(store)
    call_for(store, seconds=5)

    store.write(lambda conn: jobs.retry_job(conn, job, due_at=at(900), error="disk"))

    assert claim_some(store, seconds=5).attempts == 1


def test_a_failed_job_is_set_aside_until_it_is_called_for_again(store: Store) -> None:
    call_for(store)
    job = claim_some(store)
    assert store.write(lambda conn: jobs.fail_job(conn, job, error="broken"))

    assert claim(store, seconds=9999) is None
    assert count(store) == (0, 0, 1)
    call_for(store, seconds=1)

    revived = claim_some(store, seconds=1)
    assert (revived.attempts, revived.last_error) == (1, "broken")


def test_a_job_called_for_while_its_last_attempt_failed_runs_again(store: Store) -> None:
    call_for(store)
    job = claim_some(store)
    call_for(store, seconds=5)

    store.write(lambda conn: jobs.fail_job(conn, job, error="broken"))

    assert claim_some(store, seconds=5).generation == 2


def test_many_workers_share_many_jobs_without_sharing_one(store: Store) -> None:
    for number in range(40):
        call_for(store, f"s{number}")
    taken: list[str] = []

    def work(name: str) -> None:
        while job := claim(store, worker=name):
            taken.append(job.key)

    threads = [threading.Thread(target=work, args=(f"w{number}",)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(WAIT_SECONDS)

    assert sorted(taken) == sorted(f"s{number}" for number in range(40))


def test_what_a_killed_run_had_leased_is_free_for_the_next_run_of_that_name(store: Store) -> None:
    call_for(store, "mine")
    claim_some(store, worker="w1")
    call_for(store, "theirs")
    claim_some(store, worker="w2")

    assert store.write(lambda conn: jobs.release_jobs(conn, "w1")) == 1

    assert claim_some(store, worker="w1").key == "mine"
    assert claim(store, worker="w1") is None
