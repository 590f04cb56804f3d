"""Which sessions this server takes nothing of, by its settings and by what was decided about them."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

from app.capture import exclude, locate, reach, route
from app.capture.arrival import Arrival
from app.capture.exclude import ServerRules
from app.capture.locate import Location
from app.capture.outcome import IngestStatus
from app.domain.scope import Scope
from app.domain.session import Session
from app.state import projects, sessions, tombstones
from app.state.engine import ReadConnection
from app.state.tombstones import TombKind


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why nothing of a session is taken."""

    status: IngestStatus
    reason: str


_PURGED: Final = Refusal(IngestStatus.REFUSED_PURGED, "what it belongs to was deleted here, and stays deleted")
_OPTED_OUT: Final = Refusal(IngestStatus.DROPPED_BY_POLICY, "its session was opted out of")
_OUT_OF_REACH: Final = Refusal(IngestStatus.DROPPED_BY_POLICY, reach.REASON)
_BY_TOMB: Final = {TombKind.SESSION: _PURGED, TombKind.OPT_OUT: _OPTED_OUT}


def find_refusals(
    conn: ReadConnection, rules: ServerRules, names: Collection[str], known: Mapping[str, Session]
) -> dict[str, Refusal]:
    """Find the refused ones among the sessions of a batch, by the agents' ids; `known` are those that are stored."""
    refused = {name: _OPTED_OUT for name, session in known.items() if session.opted_out_at}
    unknown = set(names) - known.keys()
    if unknown:
        # A session that was deleted is not known any more, so that known ones cost no look-up here.
        refused |= {name: _BY_TOMB[kind] for name, kind in tombstones.find_tombstones(conn, _BY_TOMB, unknown).items()}
    if rules.exclude_projects:
        scopes = {name: projects.get_project(conn, session.project_id).scope for name, session in known.items()}
        refused |= {name: refusal for name, scope in scopes.items() if (refusal := _refuse_scope(rules, scope))}
    return refused


def refuse_location(conn: ReadConnection, rules: ServerRules, arrival: Arrival, location: Location) -> Refusal | None:
    """Refuse a new session whose project was purged, is excluded, or takes nothing from its sender; else None."""
    if location.project is None:
        identities = route.list_identities(arrival.checkout, arrival.workspace)
        if tombstones.find_tombstones(conn, (TombKind.PROJECT,), identities):
            return _PURGED
    if not arrival.reach.takes(location.project.id if location.project else ""):
        return _OUT_OF_REACH
    return _refuse_scope(rules, location.scope)


def look_up(conn: ReadConnection, rules: ServerRules, arrival: Arrival) -> tuple[Location, Refusal | None]:
    """Tell where an event would be stored, and what refuses it, without storing it."""
    name = arrival.event.agent_session_id
    known = sessions.find_sessions_by_agent_ids(conn, {name})
    if name in known:
        project = projects.get_project(conn, known[name].project_id)
        return Location(project.scope, project), find_refusals(conn, rules, (name,), known).get(name)
    location = locate.locate_project(conn, arrival.checkout, arrival.workspace)
    refusal = find_refusals(conn, rules, (name,), known).get(name)
    return location, refusal or refuse_location(conn, rules, arrival, location)


def _refuse_scope(rules: ServerRules, scope: Scope) -> Refusal | None:
    if not exclude.is_excluded(rules, scope):
        return None
    return Refusal(IngestStatus.DROPPED_BY_POLICY, f"this server excludes the project {scope} (exclude_projects)")
