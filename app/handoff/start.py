"""What a session is told when it starts: gathers the handoff, which it takes provisionally, and the latest pages."""

from dataclasses import dataclass

from app.domain import limits
from app.domain.errors import StoreUnreadable
from app.domain.event import Event
from app.domain.page import PageKind
from app.domain.session import Session
from app.handoff import briefing, offers
from app.handoff.briefing import RecentPage
from app.handoff.offers import OfferParts
from app.index import catalog
from app.index.database import IndexDatabase
from app.index.filters import PageFilter
from app.state import activity, projects, sessions
from app.state.activity import AgentActivity
from app.state.engine import ReadConnection

# Pages that say what the project is are found without being named.
_NAMED_KINDS = tuple(kind for kind in PageKind if kind not in {PageKind.INDEX, PageKind.PROJECT})


@dataclass(frozen=True, slots=True)
class StartParts:
    """What the brief is gathered from."""

    offers: OfferParts
    index: IndexDatabase


def brief_session(parts: StartParts, session_id: str, event: Event, chars_max: int) -> str:
    """Compose the brief of a session that starts; empty where there is nothing to tell.

    The handoff in it is claimed provisionally; asking again for the same session gives the same text.
    """
    session = parts.offers.engine.read(sessions.get_session, session_id)
    handoff = offers.claim_for_start(parts.offers, session, event)
    project = parts.offers.engine.read(projects.get_project, session.project_id)
    wanted = PageFilter(scopes=(project.scope,), kinds=_NAMED_KINDS, include_superseded=False)
    try:
        rows = parts.index.read(lambda connection: catalog.list_recent(connection, wanted, limits.BRIEF_PAGES_MAX))
        notice = parts.offers.engine.read(_find_notice, session)
    except StoreUnreadable:
        rows, notice = [], "memwiki's index cannot be read just now: search may answer little (see memwiki status)."
    pages = [RecentPage(row.path, row.title, row.description, row.updated_at) for row in rows]
    return briefing.render_brief(project.scope, handoff, pages, chars_max=chars_max, notice=notice)


def _find_notice(conn: ReadConnection, session: Session) -> str:
    """Say in one line what is wrong with this agent's recording; empty if nothing is."""
    rows = activity.list_activity(conn, limits.LIST_LIMIT_MAX)
    mine = [row for row in rows if row.agent == session.agent.value and row.owner == session.owner]
    return next((text for row in mine if (text := explain_loss(row))), "")


def explain_loss(row: AgentActivity) -> str:
    """Say what is not recorded of one agent's work; empty if all is."""
    if row.lost_total:
        return f"memwiki lost {row.lost_total} events of {row.agent}: its spool on that machine was full or damaged."
    if row.spooled_depth:
        return f"memwiki still waits for {row.spooled_depth} spooled events of {row.agent}."
    return ""
