"""Lives through weeks in minutes, day by day on a clock that is set forward, and looks at what has grown."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import httpx2

from app.bench import figure, load, payloads, process, wire
from app.bench.figure import Figure
from app.bench.load import LoadPlan
from app.bench.payloads import HookEvent
from app.bench.process import RunningServer, ShiftedServer
from app.bench.scale import Note, Scale
from app.domain.errors import RemoteRejected
from app.domain.limits import HOOK_BATCH_ITEMS_MAX, REPLAY_KEYS_RETENTION_DAYS_MIN

# A million events in all; a shorter run has fewer sessions a day, and a quick one fewer days.
_DAYS: Final = 30
_RETENTION_DAYS: Final = 7
_QUICK_DAYS: Final = 12
_QUICK_RETENTION_DAYS: Final = 3
_QUICK_EFFORT: Final = 0.15
_SESSIONS_PER_DAY: Final = 167
_EVENTS_PER_SESSION: Final = 200
# What starting a sender costs is nobody's load.
_SESSIONS_PER_SENDER: Final = 16
_FILES_PER_SESSION: Final = 6
_DAY_SECONDS: Final = 86_400
_PROBES: Final = 20
_POLL_S: Final = 0.05
_SETTLE_SECONDS_MAX: Final = 3600.0
_FIRST_SEED: Final = 5_000_000
_MIB: Final = 2**20
_KEPT: Final = (3, 2, 1)
_SETTINGS: Final = {
    "MEMWIKI_REPLAY_KEYS_RETENTION_DAYS": str(REPLAY_KEYS_RETENTION_DAYS_MIN),
    "MEMWIKI_LESSONS_RETENTION_DAYS": "7",
    "MEMWIKI_BACKUP_EVERY_HOURS": "24",
    "MEMWIKI_BACKUP_KEEP_DAILY": str(_KEPT[0]),
    "MEMWIKI_BACKUP_KEEP_WEEKLY": str(_KEPT[1]),
    "MEMWIKI_BACKUP_KEEP_MONTHLY": str(_KEPT[2]),
    "MEMWIKI_VECTORS": "false",
    "MEMWIKI_DISK_FREE_MIB_MIN": "0",
}


@dataclass(frozen=True, slots=True)
class Plan:
    """How many days, for how many of them observations stay in state, and how much comes on each."""

    days: int
    retention_days: int
    sessions: int
    events: int
    probes: int

    @property
    def is_settled(self) -> bool:
        """Whether as much leaves as comes before the run is over: the keys of repeats stay the longest."""
        return self.days * 2 // 3 > REPLAY_KEYS_RETENTION_DAYS_MIN


@dataclass(frozen=True, slots=True)
class Day:
    """What stood at a day's end: sizes in MiB, numbers of files, and how long answers took, in milliseconds."""

    number: int
    events: int
    rows: int
    memory: float
    open_files: int
    folders: dict[str, float]
    files: int
    backups: int
    hook_p95: float
    search_p95: float

    def describe(self) -> str:
        """Say it in a line."""
        sizes = ", ".join(f"{name} {size:.1f}" for name, size in self.folders.items())
        return (
            f"day {self.number}: {self.events:,} events, memory {self.memory:.0f} MiB, {sizes} MiB, "
            f"{self.files:,} files, "
            f"hook p95 {self.hook_p95:.1f} ms, search p95 {self.search_p95:.1f} ms"
        )


def measure(scale: Scale, note: Note) -> tuple[Figure, ...]:
    """Live through the days, and hold what has grown against what may grow."""
    plan = build_plan(scale)
    with process.make_folder() as folder:
        settings = {**_SETTINGS, "MEMWIKI_OBSERVATIONS_RETENTION_DAYS": str(plan.retention_days)}
        start = -plan.days * _DAY_SECONDS
        with process.run_shifted(folder / "memwiki", start, settings) as shifted, shifted.server.connect() as client:
            days = list(_live(shifted, client, plan, note))
            stored = int(client.get("/api/v1/status").json()["counts"]["observations"])
            return tuple(_build_figures(days, stored, plan))


def build_plan(scale: Scale) -> Plan:
    """Decide how long and how much."""
    is_quick = scale.effort < _QUICK_EFFORT
    return Plan(
        days=_QUICK_DAYS if is_quick else _DAYS,
        retention_days=_QUICK_RETENTION_DAYS if is_quick else _RETENTION_DAYS,
        sessions=scale.repeats(round(_SESSIONS_PER_DAY * scale.effort), least=2),
        events=scale.items(_EVENTS_PER_SESSION, least=20),
        probes=scale.repeats(_PROBES, least=5),
    )


def _live(shifted: ShiftedServer, client: httpx2.Client, plan: Plan, note: Note) -> Iterator[Day]:
    events = 0
    for number in range(1, plan.days + 1):
        begun = time.perf_counter()
        note(f"day {number} of {plan.days}, {events:,} events so far")
        shifted.shift((number - plan.days) * _DAY_SECONDS)
        for first in range(0, plan.sessions, _SESSIONS_PER_SENDER):
            last = min(plan.sessions, first + _SESSIONS_PER_SENDER)
            events += _send(shifted.server, [_draw(plan, number, session) for session in range(first, last)])
        hook_p95 = _probe_hook(client, number, plan.probes)
        events += plan.probes
        _settle(client)
        if number % 7 == 0:
            # As in the quiet of a night, which a run of minutes does not have.
            client.post("/api/v1/maintenance", json={}).raise_for_status()
            _settle(client)
        seen = _look(shifted.server, client, number, events, (hook_p95, _probe_search(client, number, plan.probes)))
        note(f"{seen.describe()}, {time.perf_counter() - begun:.0f} s")
        yield seen


def _draw(plan: Plan, number: int, session: int) -> list[HookEvent]:
    seed = _FIRST_SEED + number * plan.sessions + session
    return payloads.draw_session(seed, plan.events, f"topic{number}of{session}", files_max=_FILES_PER_SESSION)


def _send(server: RunningServer, sessions: Sequence[Sequence[HookEvent]]) -> int:
    """Send sessions one after the other, each in as many batches as it needs, and tell how many events that were."""
    host, port = wire.parse_address(server.url)
    headers = wire.build_headers(server.url, server.token)
    batches = [
        payloads.build_batch_request(headers, list(events[at : at + HOOK_BATCH_ITEMS_MAX]))
        for events in sessions
        for at in range(0, len(events), HOOK_BATCH_ITEMS_MAX)
    ]
    sent = sum(map(len, sessions))
    result = load.run_load(LoadPlan(host, port, batches, 1, 200, _SETTLE_SECONDS_MAX, marker=b'"stored"'))
    if result.marked != sent:
        raise RemoteRejected(f"{server.url}/hook/batch", 0, result.first_fault or f"{result.marked} were stored")
    return sent


def _probe_hook(client: httpx2.Client, number: int, count: int) -> float:
    """Send single events while what the day brought is worked on."""
    times = []
    for event in payloads.draw_tool_events(_FIRST_SEED - number, count):
        target = f"/hook?agent={payloads.AGENT}&event={event.name}"
        begun = time.perf_counter()
        client.post(target, json=dict(event.payload), headers={"Idempotency-Key": event.key}).raise_for_status()
        times.append((time.perf_counter() - begun) * 1000)
    return figure.find_percentile(times, 0.95)


def _probe_search(client: httpx2.Client, number: int, count: int) -> float:
    """Search for what earlier days were about."""
    times = []
    for probe in range(count):
        asked = quote(f"topic{1 + probe * number // count}of0")
        begun = time.perf_counter()
        client.get(f"/api/v1/search?q={asked}&project=*").raise_for_status()
        times.append((time.perf_counter() - begun) * 1000)
    return figure.find_percentile(times, 0.95)


def _settle(client: httpx2.Client) -> None:
    """Wait until all jobs are done, git has everything, and the stores are looked after."""
    deadline = time.perf_counter() + _SETTLE_SECONDS_MAX
    while time.perf_counter() < deadline:
        told = client.get("/api/v1/status").raise_for_status().json()
        if told["problems"] and told["jobs"]["failed"]:
            raise RemoteRejected("/api/v1/status", 200, "; ".join(told["problems"])[:300])
        if not any(told["jobs"].values()) and not told["git"]["pending"] and not told["maintenance"]["is_running"]:
            return
        time.sleep(_POLL_S)
    raise RemoteRejected("/api/v1/status", 200, "jobs are never done")


def _look(server: RunningServer, client: httpx2.Client, number: int, events: int, times: tuple[float, float]) -> Day:
    sizes: dict[str, Any] = client.get("/api/v1/status?sizes=true").raise_for_status().json()["sizes"]
    folders = {each["name"]: each["bytes"] / _MIB for each in sizes["folders"]}
    rows = {each["name"]: each["rows"] for each in sizes["tables"]}
    backups = [path for path in (server.data_dir / "backups").glob("memwiki-*") if path.is_file()]
    return Day(
        number=number,
        events=events,
        rows=rows["observations"],
        memory=process.measure_memory_mib(server.pid),
        open_files=_count_open(server.pid),
        folders={**folders, "backups": sum(path.stat().st_size for path in backups) / _MIB},
        files=sum(each["files"] for each in sizes["folders"]),
        backups=len(backups),
        hook_p95=times[0],
        search_p95=times[1],
    )


def _count_open(pid: int) -> int:
    try:
        return len(list(Path(f"/proc/{pid}/fd").iterdir()))
    except OSError:
        return 0


def _build_figures(days: Sequence[Day], stored: int, plan: Plan) -> Iterator[Figure]:
    """Compare the last days with those of the middle, when nothing had left yet that the last ones had lost."""
    last, middle = days[-1], days[len(days) * 2 // 3]
    kept_days = last.rows / (plan.sessions * plan.events + plan.probes)
    detail = "; ".join(day.describe() for day in days)
    lost = last.events - stored
    yield Figure("soak_events", last.events, "events", detail=detail, faults=abs(lost))
    yield Figure("soak_days_in_state", kept_days, "days", figure.at_most(plan.retention_days + 2))
    grown = last.folders["state"] / middle.folders["state"]
    yield Figure("soak_state_growth", grown, "times", figure.at_most(1.25) if plan.is_settled else None)
    yield Figure("soak_state", last.folders["state"], "MiB")
    yield Figure("soak_raw_per_event", last.folders["raw"] * _MIB / last.events, "bytes", figure.at_most(1000))
    yield Figure("soak_index_per_event", last.folders["index"] * _MIB / last.events, "bytes")
    yield Figure("soak_wiki_files", last.files, "files")
    yield Figure("soak_backups", last.backups, "files", figure.at_most(sum(_KEPT)))
    yield Figure("soak_log", last.folders["logs"], "MiB", figure.at_most(21))
    yield Figure("soak_memory", last.memory, "MiB", figure.at_most(300))
    yield Figure("soak_memory_growth", last.memory - middle.memory, "MiB", figure.at_most(40))
    yield Figure("soak_open_files_growth", last.open_files - middle.open_files, "files", figure.at_most(16))
    yield Figure("soak_hook_p95", max(day.hook_p95 for day in days[-5:]), "ms", figure.at_most(250))
    yield Figure("soak_search_p95", max(day.search_p95 for day in days[-5:]), "ms", figure.at_most(250))
