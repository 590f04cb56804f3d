"""Which sessions this server takes nothing of, by its settings and by what was decided about them."""

from collections.abc import Mapping
from dataclasses import dataclass

from app.capture import exclude, locate
from app.capture.arrival import Arrival
from app.capture.exclude import ServerRules
from app.capture.locate import Location
from app.capture.outcome import IngestStatus
from app.domain.scope import Scope
from app.domain.session import Session
from app.state import projects, sessions
from app.state.engine import ReadConnection


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why nothing of a session is taken."""

    status: IngestStatus
    reason: str


def find_refusals(conn: ReadConnection, rules: ServerRules, known: Mapping[str, Session]) -> dict[str, Refusal]:
    """Find the refused ones among the sessions of a batch, by the agents' ids."""
    if not rules.exclude_projects:
        return {}
    scopes = {name: projects.get_project(conn, session.project_id).scope for name, session in known.items()}
    return {name: refusal for name, scope in scopes.items() if (refusal := _refuse_scope(rules, scope))}


def refuse_location(rules: ServerRules, location: Location) -> Refusal | None:
    """Refuse a new session whose project is excluded; None where it may begin."""
    return _refuse_scope(rules, location.scope)


def look_up(conn: ReadConnection, rules: ServerRules, arrival: Arrival) -> tuple[Location, Refusal | None]:
    """Tell where an event would be stored, and what refuses it, without storing it."""
    name = arrival.event.agent_session_id
    known = sessions.find_sessions_by_agent_ids(conn, {name})
    if name in known:
        project = projects.get_project(conn, known[name].project_id)
        return Location(project.scope, project), find_refusals(conn, rules, known).get(name)
    location = locate.locate_project(conn, arrival.checkout, arrival.workspace)
    return location, refuse_location(rules, location)


def _refuse_scope(rules: ServerRules, scope: Scope) -> Refusal | None:
    if not exclude.is_excluded(rules, scope):
        return None
    return Refusal(IngestStatus.DROPPED_BY_POLICY, f"this server excludes the project {scope} (exclude_projects)")
