"""Real sessions cut at two thirds: their handoffs name what really came next, which is read from the rest alone."""

from datetime import UTC, datetime

import pytest

from app.bench.transcripts import Recording
from app.compile import digest as digests
from app.compile import handover
from app.compile.handover import Looks, NewHandoff
from app.handoff import briefing
from tests.handoff import blind

SESSIONS, NAMED_MIN = 12, 9


def read_handoff(recording: Recording) -> str:
    """Read what the session would hand over if it ended here."""
    digest = digests.build_digest(recording.session, recording.observations)
    assert digest is not None
    looks = Looks()
    for observation in recording.observations:
        looks.add(observation)
    new = NewHandoff("h", datetime(2026, 11, 30, tzinfo=UTC), looked_at=looks.list_files(recording.session))
    return "\n".join(briefing.render_handoff(handover.build_handoff(recording.session, digest, new)))


def test_a_handoff_names_the_next_file_or_failing_command_of_three_sessions_in_four() -> None:
    folder = next((place for place in blind.list_sets() if (place / "agent-transcripts").is_dir()), None)
    if folder is None:
        pytest.skip("the folder agent-transcripts of the public sets is not there")
    named = []
    for name, recording in blind.list_recordings(folder, SESSIONS):
        label = blind.read_label(recording)
        assert label is not None
        told = read_handoff(blind.cut(recording))
        named += [name] if any(word and word in told for word in (label.file, label.failing_command)) else []

    assert len(named) >= NAMED_MIN
