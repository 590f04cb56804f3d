"""Real sessions cut at two thirds: their handoffs name what really came next, which is read from the rest alone.

`tests/data/blind-labels.json` holds a hash of each label, so that none changes with the code that reads them.
"""

import hashlib
import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from app.bench.transcripts import Recording
from app.compile import digest as digests
from app.compile import handover
from app.compile.handover import Looks, NewHandoff
from app.handoff import briefing
from tests.handoff import blind
from tests.handoff.blind import Label

LABELS = Path(__file__).parents[1] / "data" / "blind-labels.json"
SESSIONS, NAMED_MIN = 12, 10


def read_handoff(recording: Recording) -> str:
    """Read what the session would hand over if it ended here."""
    digest = digests.build_digest(recording.session, recording.observations)
    assert digest is not None
    looks = Looks()
    for observation in recording.observations:
        looks.add(observation)
    new = NewHandoff("h", datetime(2026, 11, 30, tzinfo=UTC), looked_at=looks.list_files(recording.session))
    return "\n".join(briefing.render_handoff(handover.build_handoff(recording.session, digest, new)))


def find_sets() -> Path:
    folder = next((place for place in blind.list_sets() if (place / "agent-transcripts").is_dir()), None)
    if folder is None:
        pytest.skip("the folder agent-transcripts of the public sets is not there")
    return folder


def hash_label(label: Label) -> str:
    return hashlib.sha256(f"{label.file}\n{label.failing_command}".encode()).hexdigest()[:16]


def test_what_came_next_is_what_was_labelled() -> None:
    labels = {name: blind.read_label(recording) for name, recording in blind.list_recordings(find_sets(), SESSIONS)}

    hashes = {name: hash_label(label) for name, label in labels.items() if label}
    assert hashes == json.loads(LABELS.read_text(encoding="utf-8"))


def test_a_handoff_names_the_next_file_or_failing_command_of_three_sessions_in_four() -> None:
    folder = find_sets()
    named = []
    for name, recording in blind.list_recordings(folder, SESSIONS):
        label = blind.read_label(recording)
        assert label is not None
        told = read_handoff(blind.cut(recording))
        named += [name] if any(word and word in told for word in (label.file, label.failing_command)) else []

    assert len(named) >= NAMED_MIN
