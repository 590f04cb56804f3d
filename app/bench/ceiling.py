"""What this machine allows at best, measured in the same run as the figures, by parts that are not memwiki."""

import sqlite3
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

from app.bench import load, process, wire
from app.bench.load import LoadPlan, LoadResult

_ROW: Final = "x" * 1500
_ROWS_PER_COMMIT: Final = 64
_IMPORTS: Final = "import fastapi, uvicorn, sqlalchemy, msgspec, re2"


def measure_bare_endpoint(requests: list[bytes], *, connections: int, seconds_max: float) -> LoadResult:
    """Send requests to an endpoint that reads and accepts them, and does nothing else."""
    with process.run_bare_endpoint() as url:
        host, port = wire.parse_address(url)
        return load.run_load(LoadPlan(host, port, requests, connections, 202, seconds_max))


def measure_group_commit(folder: Path, *, rows: int) -> float:
    """Measure how many rows of 1.5 KB a second SQLite makes durable, 64 in one transaction, one index beside them."""
    with closing(sqlite3.connect(folder / "bare.db", isolation_level=None)) as conn:
        conn.execute("PRAGMA journal_mode=WAL")
        conn.execute("PRAGMA synchronous=FULL")
        conn.execute("CREATE TABLE event (id INTEGER PRIMARY KEY, key TEXT UNIQUE, body TEXT)")
        begun = time.perf_counter()
        for first in range(0, rows, _ROWS_PER_COMMIT):
            batch = [(f"{number:032x}", _ROW) for number in range(first, min(first + _ROWS_PER_COMMIT, rows))]
            conn.execute("BEGIN IMMEDIATE")
            conn.executemany("INSERT INTO event (key, body) VALUES (?, ?)", batch)
            conn.execute("COMMIT")
        return rows / (time.perf_counter() - begun)


def measure_bare_search(folder: Path, texts: Sequence[str], queries: Sequence[str]) -> tuple[float, list[float]]:
    """Index texts with FTS5's own tokenizer and ask it; tell the seconds of building and the milliseconds of asking.

    A query is its words joined by OR, ten best by BM25: the least that a search over pages can do.
    """
    with closing(sqlite3.connect(folder / "bare-fts.db", isolation_level=None)) as conn:
        conn.execute("PRAGMA journal_mode=WAL")
        conn.execute("PRAGMA synchronous=NORMAL")
        conn.execute("CREATE VIRTUAL TABLE page USING fts5(body)")
        begun = time.perf_counter()
        conn.execute("BEGIN")
        conn.executemany("INSERT INTO page (body) VALUES (?)", ((text,) for text in texts))
        conn.execute("COMMIT")
        built_s = time.perf_counter() - begun
        times = []
        for query in queries:
            expression = " OR ".join(f'"{word}"' for word in query.split())
            begun = time.perf_counter()
            conn.execute("SELECT rowid FROM page WHERE page MATCH ? ORDER BY rank LIMIT 10", (expression,)).fetchall()
            times.append((time.perf_counter() - begun) * 1000)
        return built_s, times


def measure_imports_s() -> float:
    """Measure how long a new Python takes to import what any server of this kind imports."""
    begun = time.perf_counter()
    subprocess.run([sys.executable, "-c", _IMPORTS], check=True)
    return time.perf_counter() - begun


def measure_git_process_ms(*, repeats: int) -> list[float]:
    """Measure how long a git process takes that does nothing."""
    times = []
    for _ in range(repeats):
        begun = time.perf_counter()
        subprocess.run(["git", "--version"], check=True, capture_output=True)
        times.append((time.perf_counter() - begun) * 1000)
    return times
