"""`Handoff`: work that one session leaves for exactly one other, and the transitions it may make."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class HandoffState(StrEnum):
    """`OFFERED` and `CLAIMED` are open; a claim whose lease has run out counts as offered again."""

    OFFERED = "offered"
    CLAIMED = "claimed"
    DONE = "done"
    RELEASED = "released"
    EXPIRED = "expired"
    CANCELLED = "cancelled"
    SUPERSEDED = "superseded"


class HandoffOrigin(StrEnum):
    """Who made it: a person or agent on purpose, or the server at a session's end."""

    MANUAL = "manual"
    AUTOMATIC = "automatic"


# A released handoff is offered again at once, so RELEASED stands in the audit trail and not in a row for long.
TRANSITIONS: dict[HandoffState, frozenset[HandoffState]] = {
    HandoffState.OFFERED: frozenset(
        {HandoffState.CLAIMED, HandoffState.CANCELLED, HandoffState.EXPIRED, HandoffState.SUPERSEDED}
    ),
    HandoffState.CLAIMED: frozenset(
        {
            HandoffState.OFFERED,
            HandoffState.DONE,
            HandoffState.RELEASED,
            HandoffState.CANCELLED,
            HandoffState.EXPIRED,
            HandoffState.SUPERSEDED,
        }
    ),
    HandoffState.RELEASED: frozenset({HandoffState.OFFERED, HandoffState.CLAIMED}),
    HandoffState.DONE: frozenset(),
    HandoffState.EXPIRED: frozenset(),
    HandoffState.CANCELLED: frozenset(),
    HandoffState.SUPERSEDED: frozenset(),
}


@dataclass(frozen=True, slots=True)
class HandoffContent:
    """What the next session is told; every text is redacted and bounded before it is stored."""

    summary: str
    goal: str = ""
    done: tuple[str, ...] = ()
    open_questions: tuple[str, ...] = ()
    next_steps: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    failing_commands: tuple[str, ...] = ()
    branch: str = ""
    revision: str = ""
    dirty: tuple[str, ...] = ()
    page: str = ""
    omitted: int = 0
    decisions: tuple[str, ...] = ()
    rejected: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Handoff:
    """One handoff; `cwd` is the folder it was made in, `holder_session_id` the session that has it now."""

    id: str
    project_id: str
    owner: str
    origin: HandoffOrigin
    state: HandoffState
    cwd: str
    content: HandoffContent
    created_at: datetime
    from_session_id: str = ""
    from_agent: str = ""
    to_agent: str = ""
    to_user: str = ""
    holder_session_id: str = ""
    holder_agent: str = ""
    claimed_at: datetime | None = None
    lease_until: datetime | None = None
    is_provisional: bool = False
    closed_at: datetime | None = None
    superseded_by: str = ""


def is_open(handoff: Handoff) -> bool:
    """Tell whether somebody may still take it or is at it."""
    return handoff.state in {HandoffState.OFFERED, HandoffState.CLAIMED, HandoffState.RELEASED}


def is_takeable(handoff: Handoff, now: datetime) -> bool:
    """Tell whether a claim at `now` can win: offered, or held on a lease that has run out."""
    match handoff.state:
        case HandoffState.OFFERED | HandoffState.RELEASED:
            return True
        case HandoffState.CLAIMED:
            return handoff.lease_until is not None and handoff.lease_until <= now
        case _:
            return False


def list_ancestors(path: str) -> tuple[str, ...]:
    """List a folder and those above it, nearest first, on path boundaries (`/a/bc` is not below `/a/b`)."""
    clean = path.replace("\\", "/").rstrip("/")
    if not clean:
        return ("/",) if path.startswith(("/", "\\")) else ()
    parts = clean.split("/")
    ancestors = ["/".join(parts[:end]) for end in range(len(parts), 0, -1)]
    return tuple(ancestor or "/" for ancestor in ancestors)
