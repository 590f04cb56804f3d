"""What was known of agents before machines were told apart is kept, and a loss of then is dated."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from app.state import engine, schema

MIGRATIONS = Path(__file__).parents[2] / "migrations"


def upgrade(path: Path, folder: Path) -> None:
    opened = engine.open_engine(engine.build_sqlite_url(path))
    try:
        schema.upgrade_schema(opened, folder)
    finally:
        opened.close()


def test_agents_known_before_machines_were_told_apart_are_kept(tmp_path: Path) -> None:
    before = Path(shutil.copytree(MIGRATIONS, tmp_path / "before"))
    for path in (before / "versions").glob("[0-9]*.py"):
        if path.name[:4] > "0002":
            path.unlink()
    upgrade(tmp_path / "state.db", before)
    with closing(sqlite3.connect(tmp_path / "state.db")) as connection, connection:
        connection.execute("INSERT INTO agent_activity VALUES ('codex', 'ann', 5000, 7, 1, 2, 3, 4, 0, 'none')")
        connection.execute("INSERT INTO agent_activity VALUES ('claude-code', 'ann', 6000, 9, 0, 0, 0, 0, 2, '')")

    upgrade(tmp_path / "state.db", MIGRATIONS)

    with closing(sqlite3.connect(tmp_path / "state.db")) as connection:
        names = "agent, machine, last_event_at, events_total, events_on_day, lost_total, lost_at, last_error"
        rows = connection.execute(f"SELECT {names} FROM agent_activity ORDER BY agent").fetchall()  # noqa: S608 - fixed
    assert rows == [("claude-code", "", 6000, 9, 0, 2, 6000, ""), ("codex", "", 5000, 7, 0, 0, None, "none")]
