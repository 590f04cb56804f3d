"""`Handoff`: work that one session leaves for exactly one other, and the moves that it may make."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType
from typing import Final

# The person that a handoff is addressed to when everybody who may read the project may take it.
ANYBODY: Final = "*"
# How the holder is named when a person at a terminal claims without a session.
TERMINAL: Final = "cli:"

_DRIVE = re.compile(r"[A-Za-z]:")


class HandoffState(StrEnum):
    """`OFFERED`, `CLAIMED` and `RELEASED` are open; `RELEASED` is on offer again because its holder went silent."""

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


class HandoffMove(StrEnum):
    """What can happen to a handoff; the audit trail names each move with who made it, when and in which session.

    `CONFIRM` is the holder's first work after a claim at its start; `GIVE_BACK` what becomes of such a claim when no
    work follows or its text never arrived; `LAPSE` the end of a silent holder's lease, and `RESUME` that holder's next
    work while nobody else has taken it.
    """

    OFFER = "offer"
    CLAIM = "claim"
    CONFIRM = "confirm"
    GIVE_BACK = "give_back"
    RELEASE = "release"
    LAPSE = "lapse"
    RESUME = "resume"
    FINISH = "finish"
    CANCEL = "cancel"
    EXPIRE = "expire"
    SUPERSEDE = "supersede"


@dataclass(frozen=True, slots=True)
class Transition:
    """From which states a move leads where."""

    sources: frozenset[HandoffState]
    target: HandoffState


_ON_OFFER = frozenset({HandoffState.OFFERED, HandoffState.RELEASED})
_HELD = frozenset({HandoffState.CLAIMED})
OPEN_STATES: Final = _ON_OFFER | _HELD

TRANSITIONS: Final[Mapping[HandoffMove, Transition]] = MappingProxyType(
    {
        HandoffMove.OFFER: Transition(frozenset(), HandoffState.OFFERED),
        # Also from CLAIMED: by the holder itself, which changes nothing, and by another once the lease has run out.
        HandoffMove.CLAIM: Transition(OPEN_STATES, HandoffState.CLAIMED),
        HandoffMove.CONFIRM: Transition(_HELD, HandoffState.CLAIMED),
        HandoffMove.GIVE_BACK: Transition(_HELD | {HandoffState.RELEASED}, HandoffState.OFFERED),
        HandoffMove.RELEASE: Transition(_HELD | {HandoffState.RELEASED}, HandoffState.OFFERED),
        HandoffMove.LAPSE: Transition(_HELD, HandoffState.RELEASED),
        HandoffMove.RESUME: Transition(frozenset({HandoffState.RELEASED}), HandoffState.CLAIMED),
        # A holder that was silent for too long may still say that it is done, until another has taken over.
        HandoffMove.FINISH: Transition(_HELD | {HandoffState.RELEASED}, HandoffState.DONE),
        HandoffMove.CANCEL: Transition(OPEN_STATES, HandoffState.CANCELLED),
        HandoffMove.EXPIRE: Transition(OPEN_STATES, HandoffState.EXPIRED),
        HandoffMove.SUPERSEDE: Transition(OPEN_STATES, HandoffState.SUPERSEDED),
    }
)


@dataclass(frozen=True, slots=True)
class HandoffContent:
    """What the next session is told; every text is redacted and bounded before it is stored.

    `carried` are points of an earlier handoff that this one's maker took over and did not settle, `looked_at` files
    that it read last and did not change. `dirty_count`, `ahead` and `behind` are what git said of the working copy;
    None where nobody asked it.
    """

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
    carried: tuple[str, ...] = ()
    looked_at: tuple[str, ...] = ()
    dirty_count: int | None = None
    ahead: int | None = None
    behind: int | None = None


@dataclass(frozen=True, slots=True)
class Handoff:
    """One handoff; `cwd` is the folder it was made in, `holder_session_id` the session that has it now.

    `place` is the same folder from the top of its repository on, None where that is not known. `claim_token` is for the
    holder alone.
    """

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
    machine: str = ""
    place: str | None = None
    claim_token: str = field(default="", repr=False)


def decide_move(move: HandoffMove, state: HandoffState) -> HandoffState | None:
    """Tell where a move leads from a state; None where it may not be made."""
    transition = TRANSITIONS[move]
    return transition.target if state in transition.sources else None


def is_open(handoff: Handoff) -> bool:
    """Tell whether somebody may still take it or is at it."""
    return handoff.state in OPEN_STATES


def is_takeable(handoff: Handoff, now: datetime) -> bool:
    """Tell whether a claim at `now` can win: on offer, or held on a lease that has run out."""
    if handoff.state is HandoffState.CLAIMED:
        return handoff.lease_until is not None and handoff.lease_until <= now
    return handoff.state in _ON_OFFER


def is_for(handoff: Handoff, person: str) -> bool:
    """Tell whether a person may know of a handoff: its maker, whom it is addressed to, or anybody."""
    return handoff.to_user == ANYBODY or person in {handoff.owner, handoff.to_user}


def list_ancestors(path: str) -> tuple[str, ...]:
    """List a folder and those above it, nearest first, on path boundaries (`/a/bc` is not below `/a/b`)."""
    clean = _normalise(path)
    if not clean:
        return ("/",) if path.startswith(("/", "\\")) else ()
    parts = clean.split("/")
    ancestors = ["/".join(parts[:end]) for end in range(len(parts), 0, -1)]
    return tuple(ancestor or "/" for ancestor in ancestors)


def find_place(root: str, cwd: str) -> str | None:
    """Find a folder's place within its repository, "" at the top; None outside, or where no repository is known."""
    top, folder = _normalise(root), _normalise(cwd)
    if not top:
        return None
    if folder in {"", top}:
        return ""
    return folder.removeprefix(f"{top}/") if folder.startswith(f"{top}/") else None


def list_places(place: str | None) -> tuple[str, ...]:
    """List a place and those above it, up to the repository's top."""
    if place is None:
        return ()
    return (*list_ancestors(place), "")


def _normalise(path: str) -> str:
    """Use one separator and no trailing one; Windows, which writes a drive's letter, tells no case apart."""
    clean = path.replace("\\", "/").rstrip("/")
    return clean.casefold() if _DRIVE.match(clean) else clean
