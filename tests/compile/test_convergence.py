"""Pages that people edit, steps that are repeated after a crash, and goals that were taken over."""

from app.compile import session_end
from app.compile.session_end import CompileOutcome
from app.domain.handoff import HandoffContent, HandoffState
from app.domain.page import PagePath
from app.domain.redact import redact_text
from app.domain.session import SessionState
from app.state import handoffs, sessions
from app.wiki.pages import Byline
from tests.compile import builders
from tests.compile.builders import PROJECT, House, Script

SCOPE = PROJECT.scope


def read_body(house: House, path: str) -> str:
    page = house.parts.wiki.find_page(SCOPE, PagePath(path))
    assert page is not None
    return page.body


def edit_page(house: House, path: str) -> None:
    """Have a person add a line to a page."""
    page = house.parts.wiki.find_page(SCOPE, PagePath(path))
    assert page is not None
    body = page.body.replace("## Goal", "A line of mine.\n\n## Goal")
    house.parts.wiki.save_generated(SCOPE, PagePath(path), {}, redact_text(body), Byline("ann", "Edit", ""))


def forget_the_last_step(house: House, session_id: str) -> None:
    """Bring state back to where a crash before the last transaction leaves it."""
    path = house.read(lambda conn: sessions.get_session(conn, session_id)).page_path
    house.write(lambda conn: sessions.update_session_compiled(conn, session_id, compiled_through=0, page_path=path))


def test_a_repetition_after_a_crash_adds_nothing_to_an_edited_page(house: House) -> None:
    session = house.add_session(builders.session())
    house.observe(session, Script().ask("Reject empty baskets.").edit("basket.py").events)
    path = session_end.compile_session(house.parts, session.id).path
    edit_page(house, path)
    house.observe(session, Script().ask("Also reject vouchers.").edit("voucher.py").events)
    session_end.compile_session(house.parts, session.id)
    once = read_body(house, path)

    forget_the_last_step(house, session.id)
    session_end.compile_session(house.parts, session.id)

    assert "A line of mine." in once
    assert once.count("Also reject vouchers.") == read_body(house, path).count("Also reject vouchers.")
    assert read_body(house, path) == once


def test_checkpoints_of_a_living_session_grow_an_edited_page_once(house: House) -> None:
    session = house.add_session(builders.session(state=SessionState.OPEN))
    house.observe(session, Script().ask("Reject empty baskets.").edit("basket.py").events, state=SessionState.OPEN)
    path = session_end.compile_session(house.parts, session.id).path
    edit_page(house, path)

    for _ in range(3):
        session_end.compile_session(house.parts, session.id)

    assert read_body(house, path).count("> Reject empty baskets.") == 1


def test_a_repeated_end_makes_one_page_and_one_handoff(house: House) -> None:
    session = house.add_session(builders.session())
    house.observe(session, Script().ask("Reject empty baskets.").edit("basket.py").events)

    outcomes = [session_end.compile_session(house.parts, session.id).outcome for _ in range(10)]

    assert outcomes == [CompileOutcome.WRITTEN, *[CompileOutcome.UNCHANGED] * 9]
    listed = house.read(
        lambda conn: handoffs.list_handoffs(
            conn, project_id=PROJECT.id, states=frozenset(HandoffState), owner=None, limit=10
        )
    )
    assert len(listed) == 1


def test_go_on_keeps_the_goal_of_what_was_taken_over_after_that_is_done(house: House) -> None:
    session = house.add_session(builders.session(2))
    taken = builders.handoff(
        state=HandoffState.CLAIMED,
        holder_session_id=session.id,
        content=HandoffContent(summary="Half of it is there.", goal="Reject empty baskets in checkout."),
    )
    house.write(lambda conn: handoffs.insert_handoff(conn, taken))
    house.observe(session, Script().ask("Go on.").edit("basket.py").events)
    path = session_end.compile_session(house.parts, session.id).path
    house.observe(session, Script().ask("Now the vouchers.").edit("voucher.py").events)

    session_end.compile_session(house.parts, session.id)

    assert "> Reject empty baskets in checkout." in read_body(house, path)
    assert house.read(lambda conn: handoffs.get_handoff(conn, taken.id)).state is HandoffState.DONE
