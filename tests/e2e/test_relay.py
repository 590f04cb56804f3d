"""The relay on real servers: whoever runs for a handoff by whatever way, exactly one has it, also after SIGKILL."""

from pathlib import Path

import pytest

from app.bench import handoff
from app.bench.handoff import Race


# A claimer whose server is killed under it leaves its socket to the collector.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.slow
def test_of_fifty_claimers_by_all_ways_exactly_one_holds_it_while_the_index_is_rebuilt_and_the_server_killed(
    tmp_path: Path,
) -> None:
    rounds = handoff.run_race(tmp_path / "relay", Race(rounds=5, rounds_per_life=2, rounds_per_rebuild=2), print)

    assert [found.faults for found in rounds] == [0] * 5
    assert all(len(found.attempts) == 50 for found in rounds)
