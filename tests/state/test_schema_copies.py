"""Copies of the database that upgrades leave: the last two stay."""

from pathlib import Path

import pytest

from app.domain.limits_upkeep import STATE_COPIES_KEPT_MAX
from app.state import schema_copies


@pytest.mark.parametrize("more", [0, 1], ids=["at the bound", "one past it"])
def test_the_copies_of_the_latest_upgrades_stay(tmp_path: Path, more: int) -> None:
    names = [f"state.db.before-{number:04}" for number in range(8, 8 + STATE_COPIES_KEPT_MAX + more)]
    for name in (*names, "state.db", "state.db.before-mine"):
        (tmp_path / name).write_bytes(b"x")

    assert schema_copies.remove_surplus(tmp_path) == more

    assert [path.name for path in schema_copies.list_copies(tmp_path)] == names[::-1][:STATE_COPIES_KEPT_MAX]
    assert {"state.db", "state.db.before-mine"} <= {path.name for path in tmp_path.iterdir()}
