"""What becomes of handoffs when a session ends: what it held is closed, and what it leaves is offered."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from app.compile import digest as digests
from app.compile import paths, prompts, sentences
from app.domain import backfill
from app.domain import handoff as domain
from app.domain.event import Actor, EventKind, FileChange
from app.domain.handoff import Handoff, HandoffContent, HandoffMove, HandoffOrigin, HandoffState
from app.domain.limits import LIST_LIMIT_MAX, NUDGE_WORDS_MAX
from app.domain.limits_past import BACKFILLED_HANDOFF_DAYS_MAX
from app.domain.session import Observation, Session, SessionDigest
from app.handoff import compose
from app.handoff.compose import Handover
from app.state import handoff_moves, handoffs
from app.state.engine import ReadConnection, WriteConnection
from app.state.handoff_moves import Mover

# Shorter words of a person are an answer or a nudge ("also the tests"), not what the work is for.
GOAL_WORDS_MIN = 4
LOOKS_KEPT = 40

_NUDGE = re.compile(
    r"\s*(?:(?:please|ok(?:ay)?|yes|now|then|so)[\s,]+)*"
    r"(?:go on|go ahead|continue|carry on|keep going|proceed|pick (?:it )?up|resume|(?:mach )?weiter|continúa)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class NewHandoff:
    """When an automatic handoff is made and under which id; what its session took over, and looked into last."""

    id: str
    now: datetime
    taken: tuple[HandoffContent, ...] = ()
    looked_at: tuple[str, ...] = ()


@dataclass(slots=True)
class Looks:
    """The files that a session read, the last one last."""

    paths: dict[str, str] = field(default_factory=dict)

    def add(self, observation: Observation) -> None:
        """Note what an observation shows to have been read."""
        event = observation.event
        tool = event.tool
        if tool is None or event.kind is not EventKind.TOOL_END or event.actor is Actor.SUBAGENT:
            return
        for touch in tool.files:
            self.paths.pop(touch.path, None)
            if touch.change is FileChange.READ:
                self.paths[touch.path] = event.cwd
        while len(self.paths) > LOOKS_KEPT:
            del self.paths[next(iter(self.paths))]

    def list_files(self, session: Session) -> tuple[str, ...]:
        """List the files within the session's checkout, the last read first."""
        root = session.checkout.root or session.cwd
        related = (paths.relate_path(path, cwd, (root,)) for path, cwd in reversed(self.paths.items()))
        return tuple(path for path in dict.fromkeys(related) if path and not path.startswith("/"))


def build_handoff(session: Session, told: SessionDigest, new: NewHandoff) -> Handoff:
    """Build what a session leaves for the next one in its folder."""
    is_continued = bool(new.taken) and is_nudge(told.goal.text if told.goal else "")
    handover = Handover(
        page_path=session.page_path,
        goal=choose_last_goal(told, new.taken),
        title=new.taken[0].summary.partition("\n")[0] if is_continued else told.title,
        taken=new.taken,
        looked_at=new.looked_at,
    )
    return Handoff(
        id=new.id,
        project_id=session.project_id,
        owner=session.owner,
        origin=HandoffOrigin.AUTOMATIC,
        state=HandoffState.OFFERED,
        cwd=session.cwd,
        content=compose.compose_handoff(session, told, handover),
        created_at=session.last_event_at if backfill.is_backfilled(session.checkout) else new.now,
        from_session_id=session.id,
        from_agent=session.agent.value,
        machine=session.checkout.machine,
        place=domain.find_place(session.checkout.root, session.cwd),
    )


def choose_last_goal(digest: SessionDigest, taken: Sequence[HandoffContent] = ()) -> str:
    """Choose the last thing that the person wanted, in the person's words; "Go on." and "thanks" are none.

    Whoever only said to go on wanted what the work that was taken over was for.
    """
    first = digest.goal.text if digest.goal else ""
    for turn in reversed(digest.turns[1:]):
        asked = turn.asked.text
        if not is_nudge(asked) and sentences.count_words(asked) >= GOAL_WORDS_MIN:
            return asked
    return next((content.goal for content in taken if content.goal), first) if is_nudge(first) else first


def is_nudge(text: str) -> bool:
    """Tell whether somebody only asked to go on with what there is."""
    return prompts.is_nudge(text) or bool(_NUDGE.match(text) and sentences.count_words(text) <= NUDGE_WORDS_MAX)


def list_taken(conn: ReadConnection, session_id: str) -> list[Handoff]:
    """List what a session took over and has not closed, also where its lease has run out and nobody else came."""
    return handoffs.list_last_held(conn, [session_id], LIST_LIMIT_MAX)


def is_taken_by_other(conn: ReadConnection, session: Session, now: datetime) -> bool:
    """Tell whether what this session left earlier is in another session's hands."""
    return any(
        found.from_session_id == session.id
        and found.state is HandoffState.CLAIMED
        and not domain.is_takeable(found, now)
        for found in _list_automatic(conn, session)
    )


def close_session(
    conn: WriteConnection, session: Session, digest: SessionDigest, handoff: Handoff | None, now: datetime
) -> str:
    """Close what a session held and offer what it leaves; tells the id of that, empty for none."""
    by = Mover(session.owner, session.id, now)
    did_work = digests.changed_something(digest)
    for held in list_taken(conn, session.id):
        # Talk about the work is not the work: who only asked leaves it to the next.
        handoff_moves.move_handoff(conn, held, HandoffMove.FINISH if did_work else HandoffMove.RELEASE, by)
    others = _list_others(conn, session)
    if handoff is None or (others and not did_work) or _is_of_the_past(session, handoff, others, now):
        return ""
    handoff_moves.offer_handoff(conn, handoff, by)
    return handoff.id


def _is_of_the_past(session: Session, handoff: Handoff, others: Sequence[Handoff], now: datetime) -> bool:
    """Tell whether what a session told afterwards left is too old to be handed on, or older than what is on offer."""
    if not backfill.is_backfilled(session.checkout):
        return False
    is_old = now - handoff.created_at > timedelta(days=BACKFILLED_HANDOFF_DAYS_MAX)
    return is_old or any(found.created_at > handoff.created_at for found in others)


def _list_others(conn: ReadConnection, session: Session) -> list[Handoff]:
    """List what other sessions left in this folder and is still open; mere talk does not replace it."""
    folder = handoffs.to_folder(session.cwd)
    found = _list_automatic(conn, session)
    return [handoff for handoff in found if handoff.from_session_id != session.id and handoff.cwd == folder]


def _list_automatic(conn: ReadConnection, session: Session) -> list[Handoff]:
    found = handoffs.list_handoffs(
        conn, project_id=session.project_id, states=domain.OPEN_STATES, owner=session.owner, limit=LIST_LIMIT_MAX
    )
    return [handoff for handoff in found if handoff.origin is HandoffOrigin.AUTOMATIC]
