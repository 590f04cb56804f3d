"""Lessons leave when nothing came of them, and what pages rest on stays."""

from datetime import timedelta

import pytest

from app.compile import forget
from app.compile.retention import KeepingTimes
from app.domain.lesson import LessonKind
from app.domain.limits_knowledge import LESSONS_RETENTION_DAYS, SIGHTINGS_KEPT_MAX
from app.domain.page import PageKind
from app.state import lessons
from app.state.engine import WriteConnection
from tests.compile import archives, builders, taught
from tests.compile.builders import PROJECT, House, Script
from tests.compile.taught import fix, list_pages, move

# One session alone has no page of such an error.
ASSERTION = "FAILED test_tax.py::test_duty - AssertionError: assert 19 == 20"


def teach(house: House, script: Script, number: int) -> None:
    taught.teach(house, script, number)
    # What ingest called for; later it would be learnt anew.
    archives.make_worker(house).run_due_jobs()


def steps() -> Script:
    return Script().ask("Check the shop.").run("make lint", "ok").run("make test", "ok").edit("shop/tax.py").end()


def list_kinds(house: House) -> set[LessonKind]:
    return {kind for kind, _ in house.read(lambda conn: lessons.list_keys(conn, PROJECT.id, 1000))}


def count(house: House, kind: LessonKind) -> int:
    return sum(
        number
        for _, number in house.read(lambda conn: lessons.list_weights(conn, PROJECT.id, kind, least=1, limit=500))
    )


def test_what_one_session_taught_and_nothing_came_of_leaves_after_its_time_and_not_before(house: House) -> None:
    teach(house, steps(), 1)

    archives.keep(house, days=LESSONS_RETENTION_DAYS)
    assert {LessonKind.STEPS, LessonKind.WORK} <= list_kinds(house)
    archives.keep(house, days=0.1)

    assert list_kinds(house) == set()


def test_a_second_occurrence_within_the_time_counts_with_the_first(house: House) -> None:
    teach(house, fix(ASSERTION, command="pytest -q", path="shop.py"), 1)
    archives.keep(house, days=LESSONS_RETENTION_DAYS - 1)

    teach(house, fix(ASSERTION, command="pytest -q", path="shop.py"), 2)
    archives.keep(house, days=LESSONS_RETENTION_DAYS - 1)

    (page,) = list_pages(house, PageKind.GOTCHA)
    assert page.fields["sessions"] == 2


def test_a_sequence_that_is_repeated_now_and_then_becomes_a_procedure_however_long_that_takes(house: House) -> None:
    for number in range(1, 4):
        teach(house, steps(), number)
        archives.keep(house, days=LESSONS_RETENTION_DAYS - 1)

    (page,) = list_pages(house, PageKind.PROCEDURE)
    assert page.fields["sessions"] == 3


def test_what_a_page_rests_on_stays_and_a_later_session_adds_to_it(house: House) -> None:
    teach(house, fix(), 1)
    archives.keep(house, days=3 * LESSONS_RETENTION_DAYS)

    teach(house, fix(path="setup.cfg"), 2)

    (page,) = list_pages(house, PageKind.GOTCHA)
    assert page.fields["sessions"] == 2
    assert "`pyproject.toml`" in page.body


def test_renames_stay_as_long_as_the_page_of_what_was_renamed(house: House) -> None:
    for number in range(1, 4):
        teach(house, Script().ask("Mend the tax.").edit("shop/tax.py").end(), number)
    teach(house, move(), 4)
    assert LessonKind.RENAME in list_kinds(house)
    archives.keep(house, days=3 * LESSONS_RETENTION_DAYS)

    teach(house, Script().ask("Mend the duty.").edit("shop/duty.py").end(), 5)

    (page,) = [page for page in list_pages(house, PageKind.CONCEPT) if page.title.startswith("shop/")]
    assert page.body.startswith("# shop/duty.py")
    assert page.fields["sessions"] == 5


def test_a_session_of_the_past_is_kept_from_when_it_was_learnt(house: House) -> None:
    house.parts.clock.advance(timedelta(days=900).total_seconds())
    teach(house, steps(), 1)

    archives.keep(house, days=LESSONS_RETENTION_DAYS - 1)

    assert LessonKind.STEPS in list_kinds(house)


def repeat(house: House, session_id: str, times: int) -> None:
    """Store what a session taught once more for so many later sessions."""
    known = [seen.lesson for seen in house.read(lambda conn: lessons.list_of_session(conn, session_id, 500))]

    def store(conn: WriteConnection) -> None:
        for number in range(2, times + 2):
            moved = [builders.replace(each, told_at=each.told_at + timedelta(hours=number)) for each in known]
            lessons.replace_lessons(conn, PROJECT.id, f"session-{number}", moved, house.parts.clock.now())

    for number in range(2, times + 2):
        house.add_session(builders.session(number))
    house.write(store)


@pytest.mark.parametrize("more", [-1, 0, 1, 5])
def test_of_what_very_many_sessions_teach_the_latest_and_the_first_stay(house: House, more: int) -> None:
    teach(house, fix(), 1)
    repeat(house, "session-1", SIGHTINGS_KEPT_MAX - 1 + more)
    (key, found), *_ = house.read(lambda conn: lessons.list_weights(conn, PROJECT.id, LessonKind.FIX, least=1, limit=9))
    assert found == SIGHTINGS_KEPT_MAX + more

    archives.keep(house)

    seen = house.read(lambda conn: lessons.list_by_keys(conn, PROJECT.id, LessonKind.FIX, [key], 400))
    last = SIGHTINGS_KEPT_MAX + more
    kept = [f"session-{number}" for number in range(max(2, last - SIGHTINGS_KEPT_MAX + 2), last + 1)]
    assert [each.session_id for each in seen] == ["session-1", *kept]


def test_a_page_of_very_many_sessions_says_that_there_may_be_more(house: House) -> None:
    teach(house, fix(), 1)
    repeat(house, "session-1", SIGHTINGS_KEPT_MAX + 7)
    archives.keep(house)

    teach(house, fix(path="setup.cfg"), 500)

    (page,) = list_pages(house, PageKind.GOTCHA)
    assert f"in {SIGHTINGS_KEPT_MAX + 1} sessions or more" in page.body
    assert "`setup.cfg`" in page.body


def test_forgetting_a_session_whose_lessons_left_takes_nothing_from_others(house: House) -> None:
    teach(house, steps(), 1)
    teach(house, fix(), 2)
    archives.keep(house, days=2 * LESSONS_RETENTION_DAYS)

    forget.forget_session(house.parts, "session-1", "ann")

    assert len(list_pages(house, PageKind.GOTCHA)) == 1


def test_rows_stay_bounded_however_many_sessions_come(house: House) -> None:
    """The same work day after day, and something of its own on each."""
    short = KeepingTimes(lessons_kept=timedelta(days=4))
    counted = []
    for number in range(1, 25):
        script = (
            Script().ask(f"Mend part {number}.").edit(f"shop/part{number}.py").run(f"make part{number}", "ok").end()
        )
        teach(house, script, number)
        archives.keep(house, days=1, times=short)
        counted.append(count(house, LessonKind.WORK))

    assert max(counted) <= 6 * counted[0]
    assert counted[-1] == counted[12]


def test_a_session_of_many_files_costs_little_more_than_its_files(house: House) -> None:
    def measure(files: int, number: int) -> int:
        script = Script().ask("Move it all.").edit(*(f"shop/{number}/part{each}.py" for each in range(files))).end()
        teach(house, script, number)
        kept = house.read(lambda conn: lessons.list_of_session(conn, f"session-{number}", 500))
        return sum(len(each.lesson.files) for each in kept)

    assert measure(60, 2) <= 4 * measure(20, 1)
