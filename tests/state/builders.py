"""Values with defaults for tests of state; each test names only what it is about."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TypeVar

from app.domain.event import Actor, AgentName, Event, EventKind
from app.domain.handoff import Handoff, HandoffContent, HandoffOrigin, HandoffState
from app.domain.redact import RedactedEvent, restore_event
from app.domain.scope import Project, Scope
from app.domain.session import Session, SessionState
from app.state import observations, projects, sessions
from app.state.engine import ReadConnection, StateEngine, WriteConnection
from app.state.observations import NewObservation
from app.state.writer import Writer

T = TypeVar("T")

NOW = datetime(2026, 11, 30, 12, 0, 0, 123456, tzinfo=UTC)
WAIT_SECONDS = 60


def at(seconds: float) -> datetime:
    """Tell a moment so long after NOW."""
    return NOW + timedelta(seconds=seconds)


@dataclass(frozen=True, slots=True)
class Store:
    """A migrated database and its running writer."""

    engine: StateEngine
    writer: Writer

    def write(self, job: Callable[[WriteConnection], T]) -> T:
        return self.writer.submit(job).result(WAIT_SECONDS)

    def read(self, query: Callable[[ReadConnection], T]) -> T:
        return self.engine.read(query)


def project(**fields: object) -> Project:
    """Build a project."""
    values: dict[str, object] = {"id": "p1", "scope": Scope("main", "shop"), "created_at": NOW}
    return Project(**{**values, **fields})


def session(number: int = 1, **fields: object) -> Session:
    """Build an open session of project `p1`."""
    values: dict[str, object] = {
        "id": f"s{number}",
        "project_id": "p1",
        "agent": AgentName.CLAUDE_CODE,
        "agent_session_id": f"agent-{number}",
        "owner": "ann",
        "cwd": "/home/ann/shop",
        "state": SessionState.OPEN,
        "started_at": NOW,
        "last_event_at": NOW,
    }
    return Session(**{**values, **fields})


def event(text: str = "", **fields: object) -> RedactedEvent:
    """Build a redacted event."""
    values: dict[str, object] = {
        "agent": AgentName.CLAUDE_CODE,
        "kind": EventKind.PROMPT,
        "native_name": "UserPromptSubmit",
        "agent_session_id": "agent-1",
        "actor": Actor.PERSON,
        "text": text,
    }
    return restore_event(Event(**{**values, **fields}))


def observation(text: str = "", *, session_id: str = "s1", **fields: object) -> NewObservation:
    """Build a new observation."""
    return NewObservation(session_id=session_id, event=event(text, **fields), received_at=NOW)


def handoff(handoff_id: str = "h1", **fields: object) -> Handoff:
    """Build an offered manual handoff for the whole project."""
    values: dict[str, object] = {
        "id": handoff_id,
        "project_id": "p1",
        "owner": "ann",
        "origin": HandoffOrigin.MANUAL,
        "state": HandoffState.OFFERED,
        "cwd": "",
        "content": HandoffContent(summary="finish the parser"),
        "created_at": NOW,
    }
    return Handoff(**{**values, **fields})


def seed(conn: WriteConnection) -> None:
    """Store project `p1` and its sessions `s1` to `s4`."""
    projects.insert_project(conn, project())
    sessions.insert_sessions(conn, [session(number) for number in range(1, 5)])


def store_text(conn: WriteConnection, text: str) -> int:
    """Store one observation of session `s1`."""
    return observations.insert_observations(conn, [observation(text)])[0]


def list_texts(conn: ReadConnection) -> list[str]:
    """List the texts of session `s1` in stored order."""
    stored = observations.list_observations(conn, "s1", after_id=0, limit=1_000_000)
    return [row.event.text for row in stored]
