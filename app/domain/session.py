"""`Session`, `Observation` and their lifecycle, and `SessionDigest`: what a session comes down to."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from app.domain.checkout import Checkout
from app.domain.entity import Thing
from app.domain.event import AgentName, FileChange, Outcome
from app.domain.redact import RedactedEvent


class SessionState(StrEnum):
    """`OPEN` takes events; `ENDED` waits for its page or has it; more work re-opens it."""

    OPEN = "open"
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class Session:
    """One run of one agent. `compiled_through` is the id of the last observation on its page, 0 for none.

    `continues` is the agent's own id of the session that this one goes on with; an opted-out session takes no events.
    """

    id: str
    project_id: str
    agent: AgentName
    agent_session_id: str
    owner: str
    cwd: str
    state: SessionState
    started_at: datetime
    last_event_at: datetime
    ended_at: datetime | None = None
    has_work: bool = False
    last_observation_id: int = 0
    compiled_through: int = 0
    page_path: str = ""
    checkout: Checkout = Checkout()
    continues: str = ""
    opted_out_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Observation:
    """A stored event; ids rise in the order in which the server acknowledged them."""

    id: int
    session_id: str
    received_at: datetime
    event: RedactedEvent


@dataclass(frozen=True, slots=True)
class FileWork:
    """What became of one file in a session, and the observations that show it.

    `moved_from` is its path before the session, empty where that is the same; `verified_by` is the last check that
    passed after its last change, as shown, and `verified_at` the observation of that run, 0 for none.
    """

    path: str
    change: FileChange
    times: int
    evidence: tuple[int, ...]
    moved_from: str = ""
    verified_by: str = ""
    verified_at: int = 0


@dataclass(frozen=True, slots=True)
class CommandWork:
    """One command line, however often it ran; `excerpt` is from its last failure, empty if none.

    `first_failure` names what it failed with at first, empty where that is the same. `outcome` is that of its last
    run; `is_failing` says that nothing broader passed since.
    """

    command: str
    purpose: str
    outcome: Outcome
    times: int
    failures: int
    excerpt: str
    evidence: tuple[int, ...]
    is_failing: bool = False
    first_failure: str = ""


@dataclass(frozen=True, slots=True)
class ErrorWork:
    """One error as a command showed it: how often, and the files whose edits came before the command passed."""

    signature: str
    command: str
    times: int
    is_resolved: bool
    fixed_in: tuple[str, ...]
    evidence: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence about a session and the observations that it comes from; `is_persons` says whose words it is."""

    text: str
    evidence: tuple[int, ...]
    is_persons: bool = False


@dataclass(frozen=True, slots=True)
class Turn:
    """What a person asked and the gist of the answer, where the agent showed one."""

    asked: Statement
    answered: Statement | None


@dataclass(frozen=True, slots=True)
class Sighting:
    """When an observation that counts as evidence was made, and in a word or two what it shows."""

    id: int
    at: datetime
    shows: str


@dataclass(frozen=True, slots=True)
class SessionDigest:
    """What a session comes down to, without a model; every part names its evidence.

    `outcome_label` is the outcome in a word for people; `uncommitted` are changed files that no commit took in, as far
    as the session shows; `lookups` counts the commands that only looked or put files into form, which are not listed;
    `sightings` are all observations that show words or deeds; `things` is what the session is about, each with what
    shows it.
    """

    title: str
    goal: Statement | None
    outcome: Outcome
    outcome_reason: str
    outcome_evidence: tuple[int, ...] = ()
    outcome_label: str = ""
    turns: tuple[Turn, ...] = ()
    files: tuple[FileWork, ...] = ()
    commands: tuple[CommandWork, ...] = ()
    errors: tuple[ErrorWork, ...] = ()
    decisions: tuple[Statement, ...] = ()
    rejected: tuple[Statement, ...] = ()
    commits: tuple[Statement, ...] = ()
    open_questions: tuple[Statement, ...] = ()
    next_steps: tuple[Statement, ...] = ()
    last_words: Statement | None = None
    uncommitted: tuple[str, ...] = ()
    uncommitted_evidence: tuple[int, ...] = ()
    lookups: int = 0
    sightings: tuple[Sighting, ...] = ()
    things: Mapping[Thing, tuple[int, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Forgetting:
    """What of a session goes, or would go, and what remains; `project` is the name of its project."""

    session_id: str
    agent_session_id: str
    project: str
    observations: int
    segments: int
    pages: tuple[str, ...]
    handoffs: int
    remains: tuple[str, ...]
    messages: int = 0
    is_done: bool = False
