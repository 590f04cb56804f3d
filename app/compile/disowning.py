"""Takes out of later sessions' handoffs and pages what a session that is forgotten had handed on to them."""

from functools import partial

from app.compile import session_end
from app.compile.parts import CompileParts
from app.domain.handoff import Handoff, HandoffContent, HandoffOrigin
from app.domain.limits import LIST_LIMIT_MAX, STATE_WRITE_SECONDS_MAX
from app.domain.session import Session
from app.handoff import compose
from app.state import engine as engines
from app.state import handoffs, sessions
from app.state.engine import WriteConnection

_NOTHING = HandoffContent(summary="")


def disown(parts: CompileParts, session: Session) -> None:
    """Empty what a session handed on, and have those that took it say no more of it; may be repeated after a crash."""
    successors = parts.writer.submit(partial(_empty, session_id=session.id)).result(STATE_WRITE_SECONDS_MAX)
    for successor in successors:
        session_end.write_anew(parts, successor)
    if successors:
        parts.writer.submit(partial(_rename_pages, session_ids=successors)).result(STATE_WRITE_SECONDS_MAX)


def _empty(conn: WriteConnection, *, session_id: str) -> list[str]:
    """Go from holder to holder as long as their own handoffs carry on what was left; tells who held any of it."""
    left = handoffs.list_from_session(conn, session_id, LIST_LIMIT_MAX)
    gone = [handoff.content for handoff in left]
    holders = _list_holders(left)
    with engines.overwriting(conn):
        for handoff in left:
            handoffs.update_content(conn, handoff.id, _NOTHING)
        for holder in holders:
            # The list grows as it is walked.
            changed = _clean(conn, holder, gone)
            holders += [name for name in _list_holders(changed) if name not in {*holders, session_id}]
    return holders


def _rename_pages(conn: WriteConnection, *, session_ids: list[str]) -> None:
    """Have handoffs name the pages of these sessions as they are called now."""
    left = {name: handoffs.list_from_session(conn, name, LIST_LIMIT_MAX) for name in session_ids}
    moved = {
        own.content.page: session.page_path
        for name in session_ids
        if (session := sessions.find_session(conn, name)) and session.page_path
        for own in left[name]
        if own.origin is HandoffOrigin.AUTOMATIC and own.content.page not in {"", session.page_path}
    }
    with engines.overwriting(conn):
        for own in (own for each in left.values() for own in each):
            content = compose.rename_pages(own.content, moved)
            if content != own.content:
                handoffs.update_content(conn, own.id, content)


def _clean(conn: WriteConnection, holder: str, gone: list[HandoffContent]) -> list[Handoff]:
    """Take what is gone out of what a session left itself; tells in which of its handoffs something was."""
    changed = []
    for own in handoffs.list_from_session(conn, holder, LIST_LIMIT_MAX):
        content = compose.drop_inherited(own.content, gone)
        if content != own.content:
            handoffs.update_content(conn, own.id, content)
            changed.append(own)
    return changed


def _list_holders(left: list[Handoff]) -> list[str]:
    return list(dict.fromkeys(handoff.holder_session_id for handoff in left if handoff.holder_session_id))
