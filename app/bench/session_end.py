"""How long after a session's end its page is found by search, and is committed."""

import subprocess
import time
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Final
from urllib.parse import quote

import httpx2
import msgspec

from app.bench import figure, load, payloads, wire
from app.bench.figure import Figure
from app.bench.load import LoadPlan
from app.bench.payloads import HookEvent
from app.bench.process import RunningServer
from app.bench.scale import Note, Scale
from app.domain.errors import RemoteRejected
from app.domain.limits import HOOK_BATCH_ITEMS_MAX

_EVENTS: Final = 200
_REPEATS: Final = 40
_FIRST_SEED: Final = 1000
_SEARCH_POLL_S: Final = 0.002
_COMMIT_POLL_S: Final = 0.02
_WAIT_SECONDS_MAX: Final = 30.0


def measure(server: RunningServer, scale: Scale, note: Note) -> Iterator[Figure]:
    """End sessions one by one and wait for each one's page."""
    found_ms, committed_ms = [], []
    with server.connect() as client:
        for number in scale.repeat(_REPEATS, least=2):
            note(f"session end, {number + 1} of {scale.repeats(_REPEATS, least=2)}")
            times = measure_end(server, client, number, _EVENTS)
            found_ms.append(times[0])
            committed_ms.append(times[1])
    detail = f"{len(found_ms)} sessions of {_EVENTS} events"
    yield from figure.build_percentiles("session_end_to_searchable", found_ms, p95=figure.at_most(300), detail=detail)
    yield from figure.build_percentiles("session_end_to_commit", committed_ms, p95=figure.at_most(2000), detail=detail)


def measure_end(server: RunningServer, client: httpx2.Client, number: int, size: int) -> tuple[float, float]:
    """Send a session of so many events, end it, and time until its page is found and committed, in milliseconds."""
    topic = f"zorvex{number}quab"
    events = payloads.draw_session(_FIRST_SEED + number, size, topic)
    for start in range(0, len(events) - 1, HOOK_BATCH_ITEMS_MAX):
        _send_batch(server, events[start : min(start + HOOK_BATCH_ITEMS_MAX, len(events) - 1)])
    begun = time.perf_counter()
    _send_end(client, events[-1])
    path = _wait_until_found(client, topic)
    found = time.perf_counter()
    _wait_until_committed(server.data_dir / "wiki", path)
    return (found - begun) * 1000, (time.perf_counter() - begun) * 1000


def _send_batch(server: RunningServer, events: list[HookEvent]) -> None:
    host, port = wire.parse_address(server.url)
    request = payloads.build_batch_request(wire.build_headers(server.url, server.token), events)
    result = load.run_load(LoadPlan(host, port, [request], 1, 200, _WAIT_SECONDS_MAX, marker=b'"stored"'))
    if result.marked != len(events):
        raise RemoteRejected(f"{server.url}/hook/batch", 0, result.first_fault or f"{result.marked} were stored")


def _send_end(client: httpx2.Client, event: HookEvent) -> None:
    target = f"/hook?agent={payloads.AGENT}&event={event.name}"
    headers = {"Idempotency-Key": event.key, "Content-Type": "application/json"}
    client.post(target, content=msgspec.json.encode(event.payload), headers=headers).raise_for_status()


def _wait_until_found(client: httpx2.Client, topic: str) -> str:
    """Search until a session page is among the hits, and tell its path."""
    deadline = time.perf_counter() + _WAIT_SECONDS_MAX
    while time.perf_counter() < deadline:
        answer = client.get(f"/api/v1/search?q={quote(topic)}&project=*&limit=5").raise_for_status()
        for hit in answer.json()["hits"]:
            if hit["path"].startswith("sessions/"):
                return str(hit["path"])
        time.sleep(_SEARCH_POLL_S)
    raise RemoteRejected(str(client.base_url), 0, f"no session page about {topic} was found in time")


def _wait_until_committed(wiki: Path, path: str) -> None:
    """Ask git itself until the page is part of the newest commit."""
    file = next(wiki.rglob(PurePosixPath(path).name))
    name = f"HEAD:{file.relative_to(wiki).as_posix()}"
    deadline = time.perf_counter() + _WAIT_SECONDS_MAX
    while time.perf_counter() < deadline:
        asked = subprocess.run(["git", "-C", str(wiki), "cat-file", "-e", name], capture_output=True, check=False)
        if asked.returncode == 0:
            return
        time.sleep(_COMMIT_POLL_S)
    raise RemoteRejected(str(wiki), 0, f"{path} was not committed in time")
