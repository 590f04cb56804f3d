"""`Segment`: a stretch of one session's observations, sealed in a file that is never rewritten; and its faults."""

from dataclasses import dataclass
from datetime import datetime

from app.domain.errors import Corrupt


class SegmentUnreadable(Corrupt):
    """A sealed segment is missing or damaged; the rest of the session and all other sessions can be read."""

    code = "segment_unreadable"

    def __init__(self, path: str, session_id: str, first_id: int, last_id: int, reason: str) -> None:
        self.path, self.session_id, self.reason = path, session_id, reason
        self.first_id, self.last_id = first_id, last_id
        super().__init__(
            f"segment raw/{path} cannot be read: {reason}; it holds what session {session_id} did from o{first_id} "
            f"to o{last_id}. Put the file back from a backup, or read on after {last_id}"
        )


class SegmentLocked(Corrupt):
    """A sealed segment is encrypted with a key that the server was not given."""

    code = "segment_locked"

    def __init__(self, path: str, key_id: str) -> None:
        self.path, self.key_id = path, key_id
        super().__init__(
            f"segment raw/{path} is encrypted with key {key_id}, which is not here; name that key's file in "
            "raw_key_file or raw_old_key_files"
        )


@dataclass(frozen=True, slots=True)
class SealedFile:
    """One file below `raw/`: where it is, its size and SHA-256, and the key that opens it, empty for none."""

    number: int
    path: str
    file_bytes: int
    sha256: str
    key_id: str = ""


@dataclass(frozen=True, slots=True)
class Segment:
    """What state remembers of a sealed stretch; once released, its file is the only place that has it."""

    session_id: str
    file: SealedFile
    first_observation_id: int
    last_observation_id: int
    observation_count: int
    last_received_at: datetime
    sealed_at: datetime
    released_at: datetime | None = None

    def build_fault(self, reason: str) -> SegmentUnreadable:
        """Say which file cannot be used and what is lost with it."""
        return SegmentUnreadable(
            self.file.path, self.session_id, self.first_observation_id, self.last_observation_id, reason
        )


def build_segment_path(session_id: str, started_at: datetime, number: int, key_id: str) -> str:
    """Build the path of a segment: all of a session lie in the month of its start, and the end names the key."""
    counted = session_id if number == 1 else f"{session_id}.{number}"
    return f"{started_at:%Y-%m}/{counted}.jsonl.zst{f'.{key_id}' if key_id else ''}"
