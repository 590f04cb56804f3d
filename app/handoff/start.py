"""What a session is told when it starts: the handoff, which it takes provisionally, and what stands in the wiki."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from app.agents.agent import BriefWay
from app.domain import capture_health, limits, rehearsal
from app.domain.errors import StoreUnreadable
from app.domain.event import Actor, Event, EventKind
from app.domain.page import PageKind
from app.domain.scope import Scope
from app.domain.session import Session
from app.handoff import briefing, claims, messages, offers
from app.handoff.briefing import Told, ToldPage
from app.handoff.budget import Budget
from app.handoff.offers import Caller, OfferParts
from app.index import catalog, standing
from app.index.database import IndexDatabase
from app.index.entries import PageRow
from app.index.filters import PageFilter
from app.index.standing import StandingPage
from app.state import activity, handoffs, observations, projects, sessions
from app.state.engine import ReadConnection, WriteConnection
from app.state.refusals import Refusals

# What a client says of a session that is to be told nothing, and of a run without a person.
BRIEF_OFF: Final = "off"
ONE_SHOT: Final = "one-shot"

# As long as a token.
_RACE_MAX = timedelta(seconds=limits.START_RACE_SECONDS_MAX)
_TOKEN_TO_COME: Final = "given-with-the-claim"  # noqa: S105 - it stands for one
# A session that goes on after one of these has been told already, or is another's continuation.
_CONTINUATIONS = frozenset({"resume", "clear", "compact"})
# Pages that say what the project is are found without being named; rules and slots have a part of their own.
_UNNAMED_KINDS = frozenset({PageKind.INDEX, PageKind.PROJECT, PageKind.RULE, PageKind.SLOT})
_NAMED_KINDS = tuple(kind for kind in PageKind if kind not in _UNNAMED_KINDS)
_INDEX_NOTICE = "memwiki's index cannot be read just now: search may answer little (see memwiki status)."


@dataclass(frozen=True, slots=True)
class StartParts:
    """What the brief is gathered from."""

    offers: OfferParts
    index: IndexDatabase
    refusals: Refusals


@dataclass(frozen=True, slots=True)
class Brief:
    """The text for a session, and the handoff that it was given with it, empty for none."""

    text: str = ""
    handoff_id: str = ""


@dataclass(frozen=True, slots=True)
class _Standing:
    """What the wiki says to whoever comes."""

    rules: tuple[ToldPage, ...] = ()
    pinned: tuple[ToldPage, ...] = ()
    changed: tuple[ToldPage, ...] = ()
    since: datetime | None = None
    contradictions: tuple[tuple[str, str], ...] = ()
    fault: str = ""


def build_budget(way: BriefWay, wanted: str = "") -> Budget:
    """Build the budget of an agent; `wanted` is what the folder's owner allows, in characters."""
    room = way.size_max - limits.BRIEF_WRAPPER_CHARS
    if wanted.isdigit():
        room = min(room, max(int(wanted), limits.BRIEF_CHARS_MIN))
    return Budget(room, limits.BRIEF_TOKENS_MAX, way.unit)


def brief_session(parts: StartParts, session_id: str, event: Event, way: BriefWay) -> Brief:
    """Compose the brief of a session; empty where there is nothing to tell, or it is to be told nothing.

    The handoff in it is claimed provisionally; asking again for the same session gives the same text. Whoever hands the
    text on says so by `note_told`, or by `note_untold` when it turns out that it never arrived.
    """
    session = parts.offers.engine.read(sessions.get_session, session_id)
    if session.checkout.brief == BRIEF_OFF or event.actor is Actor.SUBAGENT:
        return Brief()
    if decide_take(session, event):
        claims.claim_for_start(parts.offers, session)
    told = gather(parts, session)
    text = briefing.render_brief(told, build_budget(way, session.checkout.brief))
    if told.handoff is None or not told.is_held:
        return Brief(text)
    if told.handoff.claim_token not in text:
        # There was no room to tell of it.
        note_untold(parts, session.id)
        return Brief(text)
    return Brief(text, told.handoff.id)


def preview_brief(parts: StartParts, session: Session, way: BriefWay) -> str:
    """Compose what a session would be told if it started now, as if it took what it finds; nothing is taken."""
    told = gather(parts, session)
    if told.handoff is not None and not told.is_held and session.checkout.run != ONE_SHOT:
        told = replace(told, is_held=True, handoff=replace(told.handoff, claim_token=_TOKEN_TO_COME))
    return briefing.render_brief(told, build_budget(way, session.checkout.brief))


def decide_take(session: Session, event: Event) -> bool:
    """Tell whether a session is given open work without asking.

    Continuations were told already, one-shot runs and rehearsals have another errand, and who is at work has some. Some
    agents run the hooks of their start and of the first prompt at once, so that a start may come just behind it.
    """
    if session.checkout.run == ONE_SHOT or rehearsal.is_rehearsal(session.checkout.marker_workspace):
        return False
    if event.kind is EventKind.SESSION_START:
        is_at_work = session.has_work and session.last_event_at - session.started_at > _RACE_MAX
        return event.reason not in _CONTINUATIONS and not is_at_work
    return True


def is_untold(parts: StartParts, session_id: str) -> bool:
    """Tell whether a session was not handed its brief yet, as far as is known."""
    return parts.offers.engine.read(sessions.find_briefed_at, session_id) is None


def was_told_with(parts: StartParts, session_id: str, key: str) -> bool:
    """Tell whether a session was handed its brief in the answer to the event of this key."""
    engine = parts.offers.engine
    came_at = engine.read(observations.find_key_moment, key) if key else None
    told_at = engine.read(sessions.find_briefed_at, session_id)
    return bool(came_at and told_at and came_at <= told_at <= came_at + _RACE_MAX)


def note_told(parts: StartParts, session_id: str) -> None:
    """Note that a session was handed its brief in whole."""
    now = parts.offers.clock.now()
    offers.write(parts.offers, lambda conn: sessions.update_briefed(conn, session_id, now))


def note_untold(parts: StartParts, session_id: str) -> None:
    """Note that a session's brief cannot have reached its model, and offer again what it was given with it."""

    def undo(conn: WriteConnection) -> None:
        sessions.update_briefed(conn, session_id, None)
        claims.give_back_untold(conn, session_id, parts.offers)

    offers.write(parts.offers, undo)


def gather(parts: StartParts, session: Session) -> Told:
    """Gather everything that a brief may say to a session; looking changes nothing."""
    engine = parts.offers.engine
    looked = claims.look_for_start(parts.offers, session)
    before = engine.read(sessions.find_session_before, session)
    scope = engine.read(projects.get_project, session.project_id).scope
    since = before.last_event_at if before else None
    stands = _gather_standing(parts.index, scope, since)
    caller = Caller(session.owner, session.id, session.agent.value)
    handoff = looked.found
    return Told(
        scope=scope,
        notice=stands.fault or _find_notice(parts, session),
        handoff=handoff,
        is_held=looked.is_held,
        others_open=engine.read(_count_others, parts.offers, session, handoff.id if handoff else ""),
        rules=stands.rules,
        pinned=stands.pinned,
        changed=stands.changed,
        since=stands.since,
        is_since_others=bool(before and before.owner != session.owner),
        contradictions=stands.contradictions,
        mail=engine.read(messages.count_inbox, parts.offers, caller, session.project_id),
    )


def _gather_standing(index: IndexDatabase, scope: Scope, since: datetime | None) -> _Standing:
    try:
        rules = index.read(lambda conn: standing.list_rules(conn, scope, limits.BRIEF_RULES_MAX))
        pinned = index.read(lambda conn: standing.list_pinned(conn, scope, limits.BRIEF_PINNED_MAX))
        clashes = index.read(lambda conn: standing.list_contradictions(conn, scope, limits.BRIEF_CONTRADICTIONS_MAX))
        changed = _list_changed(index, scope, since)
        latest = changed or _list_changed(index, scope, None)
    except StoreUnreadable:
        return _Standing(fault=_INDEX_NOTICE)
    return _Standing(
        rules=tuple(_tell_rule(page) for page in rules),
        pinned=tuple(_tell_pinned(page) for page in pinned),
        changed=tuple(_tell_row(row) for row in latest),
        since=since if changed else None,
        contradictions=tuple((clash.path, clash.other) for clash in clashes),
    )


def _list_changed(index: IndexDatabase, scope: Scope, since: datetime | None) -> list[PageRow]:
    wanted = PageFilter(scopes=(scope,), kinds=_NAMED_KINDS, since=since, include_superseded=False)
    return index.read(lambda connection: catalog.list_recent(connection, wanted, limits.BRIEF_PAGES_MAX))


def _tell_rule(page: StandingPage) -> ToldPage:
    row = page.row
    text = briefing.clip_rule(page.body) or briefing.clip_description(row.description)
    return ToldPage(row.path, row.title, text, row.updated_at, is_confirmed=row.verified_at is not None)


def _tell_pinned(page: StandingPage) -> ToldPage:
    row = page.row
    text = briefing.clip_slot(page.body) if row.kind is PageKind.SLOT else briefing.clip_description(row.description)
    return ToldPage(row.path, row.title, text, row.updated_at)


def _tell_row(row: PageRow) -> ToldPage:
    return ToldPage(row.path, row.title, briefing.clip_description(row.description), row.updated_at)


def _count_others(conn: ReadConnection, parts: OfferParts, session: Session, told_id: str) -> int:
    """Count what else of the project this person may take: in other folders, for other agents, behind the best."""
    listed = handoffs.list_handoffs(
        conn,
        project_id=session.project_id,
        states=offers.OPEN_STATES,
        owner=session.owner,
        limit=limits.LIST_LIMIT_MAX,
    )
    now = parts.clock.now()
    return sum(claims.is_waiting(found, session, now) for found in listed if found.id != told_id)


def _find_notice(parts: StartParts, session: Session) -> str:
    """Say in one line what is wrong with this person's recording; empty if nothing is."""
    rows = parts.offers.engine.read(activity.list_activity, limits.LIST_LIMIT_MAX)
    now = parts.offers.clock.now()
    faults = capture_health.find_faults(rows, parts.refusals.list_refusals(now), now)
    return capture_health.choose_notice(faults, session.agent.value, session.owner)
