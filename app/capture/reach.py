"""What of a batch may not be captured, because of who sends it: others' sessions, and projects without a right to."""

from collections.abc import Mapping, Sequence
from typing import Final

from app.capture.arrival import Arrival
from app.capture.outcome import IngestOutcome, IngestStatus
from app.domain.session import Session

# Nothing is said of the project, or of whose session it is, to somebody who may not know of it.
REASON: Final = "its project takes nothing from you"
OUTSIDE: Final = IngestOutcome(IngestStatus.DROPPED_BY_POLICY, reason=REASON)


def find_outside(arrivals: Sequence[Arrival], known: Mapping[str, Session]) -> frozenset[int]:
    """Find the arrivals, by identity, that go on with a session that is not their sender's or may not be written to."""
    owners = {name: session.owner for name, session in known.items()}
    outside = set()
    for arrival in arrivals:
        name = arrival.event.agent_session_id
        session = known.get(name)
        is_own = owners.setdefault(name, arrival.owner) == arrival.owner
        if not is_own or (session is not None and not arrival.reach.takes(session.project_id)):
            outside.add(id(arrival))
    return frozenset(outside)
