"""The family `handoff`: one holder whatever happens, and how long a claim and a start's brief take."""

import json
import os
import signal
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import quote, urlsplit

import httpx2

from app.bench import commit, figure, process
from app.bench.claimers import AGENT, Attempt, Contest, Round, Running
from app.bench.figure import Figure
from app.bench.process import RunningServer
from app.bench.scale import Note, Scale

_ROUNDS: Final = 200
# How long claimers run before the server is killed under them.
_HEAD_START_S: Final = 0.02
_PAGES: Final = 10_000
_STARTS: Final = 300
_BRIEF_MS_MAX: Final = 50


def measure(scale: Scale, note: Note) -> tuple[Figure, ...]:
    """Measure the whole family on servers of its own."""
    with process.make_folder() as folder:
        return (*_measure_contest(folder / "contest", scale, note), *_measure_briefs(folder / "briefs", scale, note))


@dataclass(frozen=True, slots=True)
class Race:
    """How often how many run, and after how many rounds the server is killed and the index dropped."""

    rounds: int
    claimers: int = 50
    rounds_per_life: int = 20
    rounds_per_rebuild: int = 5


def run_race(data_dir: Path, race: Race, note: Note) -> list[Round]:
    """Run rounds over several lives of a server, each of which ends by SIGKILL in the middle of a round."""
    done: list[Round] = []
    with closing(Contest(race.claimers)) as contest:
        under_way = None
        port = 0
        while len(done) < race.rounds:
            with process.run_server(data_dir, port=port) as server:
                port = urlsplit(server.url).port or 0
                contest.open_project(server.url)
                done += [contest.finish(under_way)] if under_way else []
                under_way = _run_life(contest, server, race, done)
            note(f"{len(done)} of {race.rounds} rounds done")
    return done


def _run_life(contest: Contest, server: RunningServer, race: Race, done: list[Round]) -> Running | None:
    """Run rounds until the last or until the server is killed; tells what was under way then."""
    while len(done) < race.rounds:
        number = len(done) + 1
        under_way = contest.begin(rebuilds=number % race.rounds_per_rebuild == 1)
        if number % race.rounds_per_life == 0:
            time.sleep(_HEAD_START_S)
            os.kill(server.pid, signal.SIGKILL)
            return under_way
        done.append(contest.finish(under_way))
    return None


def _measure_contest(data_dir: Path, scale: Scale, note: Note) -> Iterator[Figure]:
    race = Race(scale.repeats(_ROUNDS, least=3))
    note(f"{race.claimers} claimers, {race.rounds} rounds")
    done = run_race(data_dir, race, note)
    yield Figure(
        "rounds_with_one_holder",
        sum(not each.faults for each in done),
        "rounds",
        bar=figure.at_least(race.rounds),
        detail=f"{race.claimers} claimers by HTTP, MCP and session start; index rebuilt and server killed meanwhile",
        faults=sum(each.faults for each in done),
    )
    for way in ("http", "mcp", "start"):
        times = [attempt.took_ms for attempt in _list_attempts(done) if attempt.way == way]
        yield from figure.build_percentiles(f"claim_by_{way}", times, detail="all at once, restarts included")


def _list_attempts(done: list[Round]) -> list[Attempt]:
    return [attempt for each in done for attempt in each.attempts]


def _measure_briefs(data_dir: Path, scale: Scale, note: Note) -> Iterator[Figure]:
    """Start sessions one after the other in a wiki of many pages, each of which is told a brief with a handoff."""
    size = scale.items(_PAGES, least=20)
    note(f"briefs in a wiki of {size:,} pages")
    drawn = commit.build_committed_wiki(data_dir / "wiki", size)[1]
    checkout = {"cwd": "/bench/briefs", "root": "/bench/briefs", "marker_project": drawn[0].scope.project}
    with process.run_server(data_dir) as server, server.connect() as client:
        process.wait_until_ready(server, client, pages=size)
        times, sizes, faults = _start_sessions(client, checkout, scale)
    yield from figure.build_percentiles(
        "brief",
        times,
        p95=figure.at_most(_BRIEF_MS_MAX),
        detail=f"a session's start over HTTP with its brief of {max(sizes, default=0)} characters, durable",
        faults=faults,
    )


def _start_sessions(
    client: httpx2.Client, checkout: dict[str, str], scale: Scale
) -> tuple[list[float], list[int], int]:
    headers = {"memwiki-checkout": quote(json.dumps(checkout))}
    times, sizes, faults = [], [], 0
    client.post(
        f"/hook?agent={AGENT}&event=UserPromptSubmit",
        json={"session_id": "first", "cwd": checkout["cwd"], "prompt": "Begin, please."},
        headers=headers,
    )
    for number in range(scale.repeats(_STARTS, least=3)):
        offered = client.post("/api/v1/handoffs", json={"summary": f"Leg {number}"}, headers=headers).json()
        payload = {"session_id": f"start-{number}", "cwd": checkout["cwd"], "source": "startup"}
        begun = time.perf_counter()
        answer = client.post(f"/hook?agent={AGENT}&event=SessionStart", json=payload, headers=headers)
        times.append((time.perf_counter() - begun) * 1000)
        sizes.append(len(answer.text))
        faults += offered["id"] not in answer.text
    return times, sizes, faults
