"""The writer: what it acknowledges is stored, what fails fails alone, and nothing stops its thread."""

import asyncio
import threading
from collections.abc import Sequence
from concurrent.futures import Future
from functools import partial

import pytest
import sqlalchemy as sa

from app.domain.errors import DiskRefused, ProjectNotFound, QueueFull, ServerStopping
from app.state import observations, projects
from app.state.engine import StateEngine, WriteConnection
from app.state.writer import Writer
from tests.state import builders
from tests.state.builders import WAIT_SECONDS, Store

ITEMS_AS_ONE_CALL = 20


class Odd(BaseException):
    """Not an Exception, so that only a net for everything catches it."""


def store_and_raise(error: BaseException, conn: WriteConnection) -> None:
    builders.store_text(conn, "must not stay")
    raise error


def store_all(calls: list[int], conn: WriteConnection, texts: Sequence[str]) -> list[str]:
    calls.append(len(texts))
    observations.insert_observations(conn, [builders.observation(text) for text in texts])
    if "poison" in texts:
        raise ValueError
    return [text.upper() for text in texts]


def make_read_only(conn: WriteConnection) -> None:
    """Have SQLite refuse as on a read-only disk, until the connection is replaced."""
    conn.execute(sa.text("PRAGMA query_only = ON"))


def test_a_job_is_answered_with_its_result_after_it_is_stored(store: Store) -> None:
    number = store.write(partial(builders.store_text, text="kept"))

    assert number == 1
    assert store.read(builders.list_texts) == ["kept"]


@pytest.mark.parametrize(
    "error", [ValueError(), ProjectNotFound("x"), Odd(), KeyboardInterrupt(), SystemExit(), StopIteration()]
)
def test_a_failing_job_is_undone_alone(store: Store, error: BaseException) -> None:
    waiting = Writer(store.engine)
    first = waiting.submit(partial(builders.store_text, text="before"))
    failing = waiting.submit(partial(store_and_raise, error))
    last = waiting.submit(partial(builders.store_text, text="after"))

    waiting.stop()

    assert (first.result(0), last.result(0)) == (1, 2)
    assert failing.exception(0) is not None
    assert store.read(builders.list_texts) == ["before", "after"]


def test_one_faulty_item_does_not_cost_its_neighbours(store: Store) -> None:
    calls: list[int] = []
    job = partial(store_all, calls)

    async def send() -> list[str | BaseException]:
        waits = (store.writer.write_item(job, text) for text in ("a", "poison", "b"))
        return await asyncio.wait_for(asyncio.gather(*waits, return_exceptions=True), WAIT_SECONDS)

    answers = asyncio.run(send())

    assert [str(answers[0]), str(answers[2])] == ["A", "B"]
    assert isinstance(answers[1], ValueError)
    assert store.read(builders.list_texts) == ["a", "b"]


def test_neighbouring_items_of_one_job_are_handed_over_together(store: Store) -> None:
    calls: list[int] = []
    job = partial(store_all, calls)
    waiting = Writer(store.engine)

    async def send() -> None:
        waits = [asyncio.ensure_future(waiting.write_item(job, f"t{n}")) for n in range(ITEMS_AS_ONE_CALL)]
        await asyncio.sleep(0)
        waiting.start()
        await asyncio.wait_for(asyncio.gather(*waits), WAIT_SECONDS)

    asyncio.run(send())
    waiting.stop()

    assert calls == [ITEMS_AS_ONE_CALL]


def test_a_job_that_answers_for_too_few_items_is_refused(store: Store) -> None:
    def answer_nothing(_conn: WriteConnection, _items: Sequence[str]) -> list[str]:
        return []

    with pytest.raises(ValueError, match="shorter"):
        asyncio.run(asyncio.wait_for(store.writer.write_item(answer_nothing, "a"), WAIT_SECONDS))


def test_what_would_end_an_event_loop_arrives_as_an_ordinary_error(store: Store) -> None:
    with pytest.raises(RuntimeError) as caught:
        asyncio.run(asyncio.wait_for(store.writer.write(partial(store_and_raise, SystemExit())), WAIT_SECONDS))

    assert isinstance(caught.value.__cause__, SystemExit)


def test_work_is_stored_although_its_caller_stopped_waiting(store: Store) -> None:
    waiting = Writer(store.engine)

    async def give_up() -> None:
        task = asyncio.ensure_future(waiting.write(partial(builders.store_text, text="kept")))
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(give_up())
    cancelled = waiting.submit(partial(builders.store_text, text="kept too"))
    cancelled.cancel()
    waiting.stop()

    assert store.read(builders.list_texts) == ["kept", "kept too"]


def test_a_full_queue_refuses_and_takes_again_when_it_has_room(store: Store) -> None:
    waiting = Writer(store.engine, queue_max=2)
    accepted = [waiting.submit(partial(builders.store_text, text=text)) for text in ("a", "b")]

    with pytest.raises(QueueFull) as caught:
        waiting.submit(partial(builders.store_text, text="c"))
    waiting.start()
    for answer in accepted:
        answer.result(WAIT_SECONDS)
    waiting.submit(partial(builders.store_text, text="d")).result(WAIT_SECONDS)
    waiting.stop()

    assert caught.value.retry_after_ms > 0
    assert store.read(builders.list_texts) == ["a", "b", "d"]


def test_stop_does_all_that_was_accepted_and_then_refuses(store: Store) -> None:
    waiting = Writer(store.engine, batch_max=3, linger_ms=1000)
    waiting.start()
    accepted = [waiting.submit(partial(builders.store_text, text=f"t{n}")) for n in range(10)]

    waiting.stop()

    assert [answer.result(0) for answer in accepted] == list(range(1, 11))
    with pytest.raises(ServerStopping):
        waiting.submit(partial(builders.store_text, text="late"))


def test_what_is_urged_is_not_kept_waiting_for_more(store: Store) -> None:
    writer = Writer(store.engine, linger_ms=WAIT_SECONDS * 1000)

    async def save() -> str:
        async with asyncio.timeout(WAIT_SECONDS / 2):
            waiter: asyncio.Future[str] = asyncio.get_running_loop().create_future()
            writer.queue_item(partial(store_all, []), "small", waiter)
            writer.urge()
            return await waiter

    writer.start()
    try:
        assert asyncio.run(save()) == "SMALL"
    finally:
        writer.stop()


def test_a_refused_write_fails_its_whole_batch_and_the_next_one_succeeds(store: Store) -> None:
    waiting = Writer(store.engine)
    failing = [
        waiting.submit(make_read_only),
        waiting.submit(partial(builders.store_text, text="refused")),
        waiting.submit(lambda _conn: "no write at all"),
    ]
    waiting.start()
    errors = [answer.exception(WAIT_SECONDS) for answer in failing]
    was_failing = waiting.stats

    waiting.submit(partial(builders.store_text, text="recovered")).result(WAIT_SECONDS)
    waiting.stop()

    assert [type(error) for error in errors] == [DiskRefused] * 3
    assert was_failing.is_failing
    assert "readonly" in was_failing.last_error
    assert not waiting.stats.is_failing
    assert store.read(builders.list_texts) == ["recovered"]


def test_a_full_disk_is_named_and_needs_no_restart(store: Store) -> None:
    def fill(conn: WriteConnection) -> None:
        pages = conn.execute(sa.text("PRAGMA page_count")).scalar_one()
        conn.execute(sa.text(f"PRAGMA max_page_count = {pages + 1}"))
        for _ in range(100):
            builders.store_text(conn, "x" * 4000)

    with pytest.raises(DiskRefused):
        store.write(fill)
    store.write(partial(builders.store_text, text="after space was freed"))

    assert store.read(builders.list_texts) == ["after space was freed"]


def test_a_job_that_ends_the_transaction_itself_fails_and_the_writer_goes_on(store: Store) -> None:
    def commit(conn: WriteConnection) -> None:
        conn.commit()

    with pytest.raises(sa.exc.InvalidRequestError):
        store.write(commit)

    assert store.write(partial(builders.store_text, text="next")) == 1


def test_stats_count_batches_and_show_the_depth(store: Store) -> None:
    waiting = Writer(store.engine, batch_max=2)
    for text in ("a", "b", "c"):
        waiting.submit(partial(builders.store_text, text=text))
    depth = waiting.stats.depth

    waiting.stop()

    assert depth == 3
    assert (waiting.stats.batches, waiting.stats.commits, waiting.stats.depth) == (2, 2, 0)
    assert waiting.stats.commit_ms_max > 0


def test_answers_to_a_closed_event_loop_do_not_stop_the_writer(store: Store) -> None:
    waiting = Writer(store.engine)
    loop = asyncio.new_event_loop()
    task = loop.create_task(waiting.write(partial(builders.store_text, text="kept")))
    loop.run_until_complete(asyncio.sleep(0))
    task.cancel()
    loop.run_until_complete(asyncio.gather(task, return_exceptions=True))
    loop.close()

    waiting.stop()

    assert store.read(builders.list_texts) == ["kept"]


def test_the_answer_comes_after_other_connections_can_see_the_work(store: Store) -> None:
    seen: list[list[str]] = []
    ready = threading.Event()

    def look(answer: Future[int]) -> None:
        del answer
        seen.append(store.read(builders.list_texts))
        ready.set()

    store.writer.submit(partial(builders.store_text, text="visible")).add_done_callback(look)

    assert ready.wait(WAIT_SECONDS)
    assert seen == [["visible"]]


def test_two_event_loops_each_get_their_own_answers(store: Store) -> None:
    answers: dict[str, int] = {}

    def run(text: str) -> None:
        job = partial(builders.store_text, text=text)
        answers[text] = asyncio.run(asyncio.wait_for(store.writer.write(job), WAIT_SECONDS))

    threads = [threading.Thread(target=run, args=(text,)) for text in ("a", "b")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(WAIT_SECONDS)

    assert sorted(answers.values()) == [1, 2]


def test_a_project_is_not_half_stored_when_its_second_name_is_taken(store: Store) -> None:
    clash = builders.project(id="p2", scope=builders.Scope("main", "other"), identities=("git:x", "git:x"))

    with pytest.raises(sa.exc.IntegrityError):
        store.write(lambda conn: projects.insert_project(conn, clash))

    assert store.read(lambda conn: projects.find_project(conn, clash.scope)) is None


def test_engine_lends_its_write_connection_to_one_at_a_time(store: Store) -> None:
    assert isinstance(store.engine, StateEngine)
    store.writer.stop()

    with store.engine.write_connection() as conn, conn.begin():
        builders.store_text(conn, "direct")

    assert store.read(builders.list_texts) == ["direct"]
