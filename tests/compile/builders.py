"""Sessions as agents leave them, with words of our own, for tests of compile and handoff."""

import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TypeVar

from app.compile.parts import CompileParts
from app.domain.checkout import Checkout
from app.domain.event import (
    Actor,
    AgentName,
    Event,
    EventKind,
    FileChange,
    FileTouch,
    Outcome,
    TodoItem,
    ToolCall,
    ToolPurpose,
)
from app.domain.handoff import Handoff, HandoffContent, HandoffOrigin, HandoffState
from app.domain.redact import redact_event
from app.domain.scope import Project, Scope
from app.domain.session import Observation, Session, SessionState
from app.handoff.offers import OfferParts
from app.index.database import IndexDatabase
from app.state import engine as state_engine
from app.state import jobs, observations, projects, schema, sessions
from app.state.engine import ReadConnection, WriteConnection
from app.state.observations import NewObservation
from app.state.raw import RawStore
from app.state.raw_keys import KeyRing
from app.state.sessions import SessionActivity
from app.state.writer import Writer
from app.wiki.committer import Committer
from app.wiki.pages import Wiki
from app.wiki.repository import open_repository
from app.wiki.tree import Tree
from tests.fakes import FakeClock, FakeIds

T = TypeVar("T")

MIGRATIONS = Path(__file__).parents[2] / "migrations"

START = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
ROOT = "/home/ann/shop"
PROJECT = Project(id="project-1", scope=Scope("main", "shop"), created_at=START)
WAIT_SECONDS = 30
NO_KEYS = KeyRing()


@dataclass
class Script:
    """A session written step by step; each step is one event, a second after the one before."""

    agent: AgentName = AgentName.CLAUDE_CODE
    events: list[Event] = field(default_factory=list)

    def add(self, kind: EventKind, actor: Actor, text: str = "", **fields: object) -> "Script":
        event = Event(
            agent=self.agent,
            kind=kind,
            native_name=kind.value,
            agent_session_id="agent-session",
            actor=actor,
            cwd=ROOT,
            text=text,
            occurred_at=START + timedelta(seconds=len(self.events)),
        )
        self.events.append(replace(event, **fields))
        return self

    def start(self) -> "Script":
        return self.add(EventKind.SESSION_START, Actor.AGENT, reason="startup")

    def end(self) -> "Script":
        return self.add(EventKind.SESSION_END, Actor.AGENT, reason="exit")

    def ask(self, text: str) -> "Script":
        return self.add(EventKind.PROMPT, Actor.PERSON, text)

    def machine(self, text: str) -> "Script":
        return self.add(EventKind.PROMPT, Actor.MACHINE, text)

    def report(self, text: str) -> "Script":
        return self.add(EventKind.TURN_END, Actor.AGENT, text)

    def run(
        self, command: str, output: str = "", *, failed: bool = False, outcome: Outcome | None = None, **fields: object
    ) -> "Script":
        told = outcome or (Outcome.FAILED if failed else Outcome.SUCCEEDED)
        tool = ToolCall("Bash", ToolPurpose.SHELL, told, command=command, output_text=output)
        return self.add(EventKind.TOOL_END, **{"actor": Actor.AGENT, "tool": tool, **fields})

    def edit(self, *paths: str, change: FileChange = FileChange.MODIFIED, **fields: object) -> "Script":
        files = tuple(FileTouch(path if path.startswith("/") else f"{ROOT}/{path}", change) for path in paths)
        tool = ToolCall("Edit", ToolPurpose.EDIT, Outcome.SUCCEEDED, files=files)
        return self.add(EventKind.TOOL_END, **{"actor": Actor.AGENT, "tool": tool, **fields})

    def read(self, path: str) -> "Script":
        tool = ToolCall("Read", ToolPurpose.READ, Outcome.SUCCEEDED, files=(FileTouch(path, FileChange.READ),))
        return self.add(EventKind.TOOL_END, Actor.AGENT, tool=tool)

    def todos(self, *items: tuple[str, bool]) -> "Script":
        tool = ToolCall("TodoWrite", ToolPurpose.TODO, todos=tuple(TodoItem(text, done) for text, done in items))
        return self.add(EventKind.TOOL_END, Actor.AGENT, tool=tool)

    def observe(self, first_id: int = 1) -> list[Observation]:
        return [
            Observation(first_id + at, "session-1", event.occurred_at, redact_event(event))
            for at, event in enumerate(self.events)
        ]


def session(number: int = 1, **fields: object) -> Session:
    """Build a session that has ended."""
    values: dict[str, object] = {
        "id": f"session-{number}",
        "project_id": PROJECT.id,
        "agent": AgentName.CLAUDE_CODE,
        "agent_session_id": f"agent-session-{number}",
        "owner": "ann",
        "cwd": ROOT,
        "state": SessionState.ENDED,
        "started_at": START,
        "last_event_at": START,
        "checkout": Checkout(cwd=ROOT, root=ROOT, branch="main", revision="a" * 40),
    }
    return Session(**{**values, **fields})


def handoff(**fields: object) -> Handoff:
    """Build an automatic handoff on offer."""
    values: dict[str, object] = {
        "id": "handoff-1",
        "project_id": PROJECT.id,
        "owner": "ann",
        "origin": HandoffOrigin.AUTOMATIC,
        "state": HandoffState.OFFERED,
        "cwd": ROOT,
        "content": HandoffContent(summary="Half of the tax table is there."),
        "created_at": START,
    }
    return Handoff(**{**values, **fields})


def fixing_script() -> Script:
    """Write a session with everything: a failing test, its fix, a commit, a decision, open ends."""
    return (
        Script()
        .start()
        .ask("Please reject empty baskets in checkout. Use exceptions, not return codes.")
        .read(f"{ROOT}/basket.py")
        .run("cd /home/ann/shop && pytest -q 2>&1 | tail -20", FAILED_TEST, failed=True)
        .edit("basket.py")
        .edit("basket.py")
        .run("pytest -q", "......\n6 passed in 0.31s")
        .run("git commit -qam 'Reject empty baskets' && git log --oneline | head -1", "abc1234 Reject empty baskets")
        .report(
            "Empty baskets are rejected now.\n\n**Next:** cover the admin form.\n\nShould guests see the reason too?"
        )
        .end()
    )


FAILED_TEST = """Exit code 1
..F...
=================================== FAILURES ===================================
    def test_empty_basket():
>       with pytest.raises(EmptyBasket):
E       Failed: DID NOT RAISE <class 'basket.EmptyBasket'>

test_basket.py:14: Failed
=========================== short test summary info ============================
FAILED test_basket.py::test_empty_basket - Failed: DID NOT RAISE
1 failed, 5 passed in 0.44s"""


@dataclass(frozen=True)
class House:
    """A running store and wiki, with one project."""

    parts: CompileParts

    @property
    def offers(self) -> OfferParts:
        return OfferParts(self.parts.engine, self.parts.writer, self.parts.clock, self.parts.ids)

    def write(self, job: Callable[[WriteConnection], T]) -> T:
        return self.parts.writer.submit(job).result(WAIT_SECONDS)

    def read(self, query: Callable[[ReadConnection], T]) -> T:
        return self.parts.engine.read(query)

    def add_session(self, added: Session) -> Session:
        self.write(lambda conn: sessions.insert_sessions(conn, [added]))
        return added

    def observe(self, observed: Session, events: Iterable[Event], *, state: SessionState = SessionState.ENDED) -> None:
        """Store events as ingest does, and call for the page."""

        def store(conn: WriteConnection) -> None:
            rows = [NewObservation(observed.id, redact_event(event), event.occurred_at or START) for event in events]
            ids = observations.insert_observations(conn, rows)
            last_at = max(row.received_at for row in rows)
            change = SessionActivity(observed.id, last_at, ids[-1], has_work=True, state=state)
            sessions.update_sessions_activity(conn, [change])
            jobs.upsert_job(conn, "compile_session", observed.id, self.parts.clock.now())

        self.write(store)

    def seed(self) -> None:
        self.write(lambda conn: projects.insert_project(conn, PROJECT))


def migrate(folder: Path) -> Path:
    """Build a database as a first start does."""
    path = folder / "state.db"
    opened = state_engine.open_engine(state_engine.build_sqlite_url(path))
    schema.upgrade_schema(opened, MIGRATIONS)
    opened.close()
    return path


@contextmanager
def open_house(migrated_state: Path, folder: Path, keys: KeyRing = NO_KEYS) -> Iterator[House]:
    """Open a store and a wiki in a folder, with all their threads; what is there from before stays."""
    path = folder / "state.db"
    if not path.exists():
        shutil.copy(migrated_state, path)
    opened = state_engine.open_engine(state_engine.build_sqlite_url(path))
    writer = Writer(opened)
    writer.start()
    clock, ids = FakeClock(), FakeIds()
    tree = Tree(folder / "wiki")
    committer = Committer(open_repository(tree.root), tree, clock, linger_ms=5)
    committer.start()
    index = IndexDatabase(folder / "index")
    index.open()
    wiki = Wiki(tree, index, committer, clock, ids)
    try:
        yield House(CompileParts(opened, writer, wiki, clock, ids, RawStore(folder / "raw", keys)))
    finally:
        committer.stop(WAIT_SECONDS)
        index.close()
        writer.stop()
        opened.close()
