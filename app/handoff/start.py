"""What a session is told when it starts: gathers the handoff, which it takes provisionally, and the latest pages."""

from dataclasses import dataclass

from app.domain import capture_health, limits
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
from app.state.refusals import Refusals

# Pages that say what the project is are found without being named.
_NAMED_KINDS = tuple(kind for kind in PageKind if kind not in {PageKind.INDEX, PageKind.PROJECT})


@dataclass(frozen=True, slots=True)
class StartParts:
    """What the brief is gathered from."""

    offers: OfferParts
    index: IndexDatabase
    refusals: Refusals


def brief_session(parts: StartParts, session_id: str, event: Event, chars_max: int) -> str:
    """Compose the brief of a session that starts; empty where there is nothing to tell.

    The handoff in it is claimed provisionally; asking again for the same session gives the same text.
    """
    session = parts.offers.engine.read(sessions.get_session, session_id)
    handoff = offers.claim_for_start(parts.offers, session, event)
    project = parts.offers.engine.read(projects.get_project, session.project_id)
    wanted = PageFilter(scopes=(project.scope,), kinds=_NAMED_KINDS, include_superseded=False)
    notice = _find_notice(parts, session)
    try:
        rows = parts.index.read(lambda connection: catalog.list_recent(connection, wanted, limits.BRIEF_PAGES_MAX))
    except StoreUnreadable:
        rows, notice = [], "memwiki's index cannot be read just now: search may answer little (see memwiki status)."
    pages = [RecentPage(row.path, row.title, row.description, row.updated_at) for row in rows]
    return briefing.render_brief(project.scope, handoff, pages, chars_max=chars_max, notice=notice)


def _find_notice(parts: StartParts, session: Session) -> str:
    """Say in one line what is wrong with this person's recording; empty if nothing is."""
    rows = parts.offers.engine.read(activity.list_activity, limits.LIST_LIMIT_MAX)
    now = parts.offers.clock.now()
    faults = capture_health.find_faults(rows, parts.refusals.list_refusals(now), now)
    return capture_health.choose_notice(faults, session.agent.value, session.owner)
