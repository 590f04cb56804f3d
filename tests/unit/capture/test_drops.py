"""What was not kept is counted by agent and machine, for as many of them as are told apart."""

from datetime import UTC, datetime

from app.capture.drops import Drops
from app.capture.outcome import IngestStatus
from app.domain.activity import DropCount
from app.domain.limits import DROPPED_SENDERS_MAX

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


def test_counts_are_kept_apart_and_the_last_sender_comes_first() -> None:
    drops = Drops()
    drops.note("codex", "desk", IngestStatus.DROPPED_BY_POLICY)
    drops.note("claude-code", "lap", IngestStatus.REFUSED_PURGED)
    drops.note("codex", "desk", IngestStatus.DROPPED_BY_POLICY, unreadable_at=NOW)

    assert drops.list_counts() == [
        DropCount("codex", "desk", by_policy=2, unreadable=1, unreadable_at=NOW),
        DropCount("claude-code", "lap", purged=1),
    ]


def test_the_number_of_senders_is_bounded() -> None:
    drops = Drops()
    for number in range(DROPPED_SENDERS_MAX + 1):
        drops.note("codex", f"m{number}", IngestStatus.DROPPED_BY_POLICY)

    assert len(drops.list_counts()) == DROPPED_SENDERS_MAX
    assert drops.list_counts()[-1].machine == "m1"
