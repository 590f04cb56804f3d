"""A session's end on a real store, a real wiki and a real repository."""

import subprocess

import pytest

from app.compile import learning, session_end
from app.compile.session_end import CompileOutcome, compile_session
from app.domain.handoff import HandoffContent, HandoffOrigin, HandoffState
from app.domain.page import PageKind, PagePath
from app.domain.session import SessionState
from app.handoff import claims, offers
from app.handoff.offers import Caller
from app.index import catalog
from app.index.filters import PageFilter
from app.state import handoffs, sessions
from tests.compile import builders
from tests.compile.builders import PROJECT, WAIT_SECONDS, House, Script


def compile_script(house: House, script: Script, number: int = 1, **fields: object) -> session_end.CompileReport:
    session = builders.session(number, **fields)
    if house.read(lambda conn: sessions.find_session(conn, session.id)) is None:
        house.add_session(session)
    house.observe(session, script.events)
    return compile_session(house.parts, session.id)


def read_text(house: House, path: str) -> str:
    return house.parts.wiki.read_page(PROJECT.scope, PagePath(path)).body


def count_commits(house: House, place: str = ".") -> int:
    assert house.parts.wiki.committer.flush(WAIT_SECONDS)
    root = house.parts.wiki.tree.root
    done = subprocess.run(
        ["git", "-C", str(root), "rev-list", "--count", "--all", "--", place],
        capture_output=True,
        text=True,
        check=False,
    )
    return int(done.stdout or 0)


def list_open(house: House) -> list:
    return offers.list_open(house.offers, PROJECT.id, None)


def test_an_ended_session_leaves_a_page_an_entry_page_a_manifest_and_a_handoff(house: House) -> None:
    report = compile_script(house, builders.fixing_script())

    assert report.outcome is CompileOutcome.WRITTEN
    assert "Reject empty baskets" in read_text(house, report.path)
    assert f"({report.path})" in read_text(house, "index.md")
    assert "1 open handoff" in read_text(house, "index.md")
    assert house.parts.wiki.read_page(PROJECT.scope, PagePath("project.md")).id == PROJECT.id
    [left] = list_open(house)
    assert left.origin is HandoffOrigin.AUTOMATIC
    assert left.content.page == report.path
    assert left.content.next_steps == ("Cover the admin form.",)


def test_the_first_commit_of_a_page_names_what_the_session_was_about(house: House) -> None:
    path = compile_script(house, builders.fixing_script()).path
    page = house.parts.wiki.read_page(PROJECT.scope, PagePath(path))

    learning.learn_session(house.parts, "session-1")

    named = page.fields["entities"]
    assert {"file:basket.py", "command:pytest", "commit:abc1234"} <= set(named if isinstance(named, list) else ())
    assert count_commits(house, f"main/shop/{path}") == 1


def test_the_page_is_found_by_the_index_at_once(house: House) -> None:
    compile_script(house, builders.fixing_script())

    wanted = PageFilter(scopes=(PROJECT.scope,), kinds=(PageKind.SESSION,))
    [row] = house.parts.wiki.index.read(lambda connection: catalog.list_recent(connection, wanted, 10))
    assert row.session_id == "session-1"
    assert row.description.startswith("Done. ")


@pytest.mark.parametrize(
    "script",
    [
        Script().start().end(),
        Script().end(),
        Script().start(),
        Script().start().machine("<task-notification>done</task-notification>").end(),
    ],
    ids=["start and end", "end only", "start only", "machine text only"],
)
def test_a_session_without_work_leaves_nothing(house: House, script: Script) -> None:
    report = compile_script(house, script)

    assert report.outcome is CompileOutcome.EMPTY
    assert list_open(house) == []
    assert count_commits(house) == 0


def test_fifty_empty_sessions_leave_a_waiting_handoff_alone(house: House) -> None:
    compile_script(house, builders.fixing_script())
    [waiting] = list_open(house)

    for number in range(2, 52):
        session = builders.session(number)
        house.add_session(session)
        script = Script().start()
        taken = claims.claim_for_start(house.offers, session)
        assert taken is not None
        house.observe(session, script.end().events)
        compile_session(house.parts, session.id)

    [still] = list_open(house)
    assert still.id == waiting.id
    assert still.state is HandoffState.OFFERED


def test_compiling_unchanged_observations_writes_nothing(house: House) -> None:
    first = compile_script(house, builders.fixing_script())
    commits = count_commits(house)
    handed = [handoff.id for handoff in list_open(house)]

    for _ in range(10):
        again = compile_session(house.parts, "session-1")
        assert again.outcome is CompileOutcome.UNCHANGED
        assert again.path == first.path

    assert count_commits(house) == commits
    assert [handoff.id for handoff in list_open(house)] == handed


def test_work_after_the_end_grows_the_same_page_and_replaces_its_handoff(house: House) -> None:
    first = compile_script(house, builders.fixing_script())
    [before] = list_open(house)

    second = compile_script(house, Script().ask("Now cover the admin form as well.").edit("admin.py").end())

    assert second.path == first.path
    assert "`admin.py`" in read_text(house, second.path)
    assert "`basket.py`" in read_text(house, second.path)
    [after] = list_open(house)
    assert after.id != before.id
    assert house.read(lambda conn: handoffs.get_handoff(conn, before.id)).superseded_by == after.id


def test_an_end_that_arrives_late_changes_nothing(house: House) -> None:
    compile_script(house, builders.fixing_script())
    commits, [before] = count_commits(house), list_open(house)

    compile_script(house, Script().end())

    assert count_commits(house) == commits
    assert list_open(house) == [before]


def test_new_work_after_the_handoff_was_taken_is_handed_on_by_itself(house: House) -> None:
    compile_script(house, builders.fixing_script())
    [taken] = list_open(house)
    claims.claim(house.offers, Caller("ann", "session-9", "codex"), taken.id)

    compile_script(house, Script().ask("Also write the changelog entry.").edit("CHANGELOG.md").end())

    held = house.read(lambda conn: handoffs.get_handoff(conn, taken.id))
    assert held.holder_session_id == "session-9"
    [newer] = [handoff for handoff in list_open(house) if handoff.id != taken.id]
    assert newer.content.files == ("CHANGELOG.md (not committed)",)


def test_the_handoff_that_a_working_session_held_is_done(house: House) -> None:
    compile_script(house, builders.fixing_script())
    [taken] = list_open(house)
    successor = house.add_session(builders.session(2))
    claims.claim_for_start(house.offers, successor)

    compile_script(house, Script().start().ask("Cover the admin form.").edit("admin.py").end(), number=2)

    assert house.read(lambda conn: handoffs.get_handoff(conn, taken.id)).state is HandoffState.DONE
    [left] = list_open(house)
    assert left.from_session_id == "session-2"
    assert taken.content.page in left.content.summary


def test_a_session_that_only_asked_gives_the_handoff_back(house: House) -> None:
    compile_script(house, builders.fixing_script())
    [taken] = list_open(house)
    successor = house.add_session(builders.session(2))
    claims.claim_for_start(house.offers, successor)

    compile_script(house, Script().start().ask("What is left to do here?").report("The admin form.").end(), number=2)

    [left] = list_open(house)
    assert left.id == taken.id
    assert left.state is HandoffState.OFFERED


def test_manual_handoffs_are_never_superseded(house: House) -> None:
    new = offers.NewOffer(PROJECT.id, HandoffContent(summary="Finish the tax table"), builders.ROOT)
    manual = offers.offer(house.offers, Caller("ann"), new)

    compile_script(house, builders.fixing_script())

    assert manual.id in {handoff.id for handoff in list_open(house)}


def test_a_hundred_sessions_leave_one_open_handoff(house: House) -> None:
    for number in range(1, 101):
        compile_script(house, Script().start().ask(f"Do part {number} of the work.").edit("a.py").end(), number=number)

    [left] = list_open(house)
    assert left.from_session_id == "session-100"


def test_a_session_that_goes_on_gets_a_page_and_leaves_its_handoff_for_the_end(house: House) -> None:
    session = house.add_session(builders.session(state=SessionState.OPEN))
    house.observe(session, builders.fixing_script().events[:-1], state=SessionState.OPEN)

    checkpoint = compile_session(house.parts, session.id)
    assert list_open(house) == []
    house.observe(session, Script().end().events)
    final = compile_session(house.parts, session.id)

    assert final.path == checkpoint.path
    assert [handoff.from_session_id for handoff in list_open(house)] == [session.id]


@pytest.mark.parametrize("step", ["save_project_pages", "_compose", "_close_session"])
def test_a_crash_between_two_steps_is_healed_by_the_next_run(
    house: House, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(Exception):
        pass

    def die(*_arguments: object) -> None:
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(session_end, step, die)
        with pytest.raises(Killed):
            compile_script(house, builders.fixing_script())

    report = compile_session(house.parts, "session-1")

    wanted = PageFilter(scopes=(PROJECT.scope,), kinds=(PageKind.SESSION,))
    rows = house.parts.wiki.index.read(lambda connection: catalog.list_recent(connection, wanted, 10))
    assert [row.path for row in rows] == [report.path]
    assert len(list_open(house)) == 1
    assert "Reject empty baskets" in read_text(house, "index.md")


def test_a_person_s_edit_stays_and_later_work_goes_below_it(house: House) -> None:
    report = compile_script(house, builders.fixing_script())
    location = house.parts.wiki.tree.root / "main" / "shop" / report.path
    edited = location.read_text(encoding="utf-8").replace("Empty baskets are rejected now.", "REVIEWED BY ANN.")
    location.write_text(edited, encoding="utf-8")

    compile_script(house, Script().ask("Now cover the admin form as well.").edit("admin.py").end())

    text = read_text(house, report.path)
    assert "REVIEWED BY ANN." in text
    assert "## Continued: Cover the admin form as well" in text
    assert "`admin.py`" in text


def test_a_page_that_a_person_moved_is_grown_where_it_is(house: House) -> None:
    report = compile_script(house, builders.fixing_script())
    wiki = house.parts.wiki
    page = wiki.read_page(PROJECT.scope, PagePath(report.path))
    moved_to = PagePath("notes/the-basket-story.md")
    wiki.move_page(PROJECT.scope, page.path, moved_to, page.content_hash, session_end.Byline("ann", "Move"))

    again = compile_script(house, Script().ask("Now cover the admin form as well.").edit("admin.py").end())

    assert again.path == moved_to
    assert wiki.find_page(PROJECT.scope, PagePath(report.path)) is None


def test_helpers_work_is_on_the_page_of_their_parent(house: House) -> None:
    script = Script().start().ask("Port the three parsers.")
    for number in range(20):
        script.edit(f"parser_{number}.py", actor=builders.Actor.SUBAGENT)
        script.add(builders.EventKind.SUBAGENT_END, builders.Actor.SUBAGENT, "I, a helper, am done.")

    report = compile_script(house, script.report("All parsers are ported.").end())

    text = read_text(house, report.path)
    assert text.count(".py` (1 edit)") == 20
    assert "I, a helper" not in text
