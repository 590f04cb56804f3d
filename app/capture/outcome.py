"""What can become of one event."""

from dataclasses import dataclass
from enum import StrEnum


class IngestStatus(StrEnum):
    """What became of one event; `MALFORMED` appears in batches only, a single one is an error."""

    STORED = "stored"
    REPLAYED = "replayed"
    DROPPED_BY_POLICY = "dropped_by_policy"
    REFUSED_PURGED = "refused_purged"
    MALFORMED = "malformed"


@dataclass(frozen=True, slots=True)
class IngestOutcome:
    """What became of one event and why, and the session and project that it belongs to."""

    status: IngestStatus
    session_id: str = ""
    project_id: str = ""
    is_compile_due: bool = False
    reason: str = ""
