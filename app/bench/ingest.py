"""The family `ingest`: how fast hook events become durable, when a session's page is there, what a commit costs."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from app.bench import ceiling, commit, figure, load, payloads, process, session_end, wire
from app.bench.figure import Figure
from app.bench.load import LoadPlan, LoadResult
from app.bench.payloads import HookEvent
from app.bench.process import RunningServer
from app.bench.scale import Note, Scale
from app.domain import limits
from app.domain.errors import RemoteRejected

_TOKEN: Final = "mw_bench-token-of-a-server-that-lives-for-a-minute"  # noqa: S105 - of a throwaway server
_CONNECTIONS: Final = 64
_BATCH_CONNECTIONS: Final = 8
_EVENTS: Final = 60_000
# Quickly six for each connection: with two, most of the time would be that of the first and of the last ones.
_BATCHES: Final = 400
# A server finds its rules of redaction as texts ask for them, which is none of the speed that lasts.
# While so much comes it also starts the process that reads for it.
_WARM_UP: Final = 60_000
_RATE: Final = 4000.0
_STEADY_SECONDS: Final = 15
_SECONDS_MAX: Final = 60.0
_BARE_ROWS: Final = 64_000
# Seeds of the loads: no two send the same event.
_SEEDS: Final = {"warm-up": 1, "closed loop": 2, "steady": 3, "batch": 4, "bare": 5}
# Of what the same endpoint answers without its store.
_SHARE_MIN: Final = 0.6


def measure(scale: Scale, note: Note) -> tuple[Figure, ...]:
    """Measure the whole family on servers of its own."""
    with process.make_folder() as folder:
        figures = [*_measure_server(folder, scale, note)]
        figures += commit.measure(folder, scale, note)
    return tuple(figures)


def _measure_server(folder: Path, scale: Scale, note: Note) -> Iterator[Figure]:
    count = scale.repeats(_EVENTS, least=200)
    note("the bare endpoint and the bare group commit")
    bare = ceiling.measure_bare_endpoint(
        _build_singles("http://127.0.0.1:1", "bare", count), connections=_CONNECTIONS, seconds_max=_SECONDS_MAX
    )
    commits = ceiling.measure_group_commit(folder, rows=scale.repeats(_BARE_ROWS, least=640))
    note("the same endpoint without its store")
    storeless, storeless_us = _measure_storeless(folder, scale, count)
    with process.run_server(folder / "ingest", token=_TOKEN) as server:
        with server.connect() as client:
            process.wait_until_ready(server, client)
        idle_mib = process.measure_memory_mib(server.pid)
        note(f"single events over {_CONNECTIONS} connections")
        _warm_up(server, scale)
        reader = _find_reader(server)
        busy_s, beside_s = process.measure_cpu_s(server.pid), process.measure_cpu_s(reader)
        closed = _send(server, _build_singles(server.url, "closed loop", count), connections=_CONNECTIONS)
        busy_s = process.measure_cpu_s(server.pid) - busy_s
        beside_s = process.measure_cpu_s(reader) - beside_s
        note(f"single events at a steady {_RATE:,.0f} a second")
        due = _build_singles(server.url, "steady", round(_RATE * _STEADY_SECONDS * scale.effort))
        steady = _send(server, due, connections=_CONNECTIONS, rate=_RATE)
        note(f"batches of {limits.HOOK_BATCH_ITEMS_MAX} events")
        batches, batch_us = _send_batches(server, scale, commits)
        busy_mib = process.measure_memory_mib(server.pid)
        yield from _build_figures(bare, commits, closed, steady)
        yield from _build_shares(storeless, storeless_us, closed)
        yield Figure(
            "ingest_single_cpu", busy_s * 1e6 / closed.answered, "µs", detail="server's processor time an event"
        )
        if reader:
            told = f"of the process that reads, an event; {process.measure_memory_mib(reader):.0f} MiB"
            yield Figure("reader_single_cpu", beside_s * 1e6 / closed.answered, "µs", detail=told)
        yield batches
        yield Figure("ingest_batch_cpu", batch_us, "µs", detail="server's processor time an event of a batch")
        yield Figure("memory_idle", idle_mib, "MiB", bar=figure.at_most(130))
        yield Figure("memory_after_ingest", busy_mib, "MiB", detail="the server's own process")
        yield from session_end.measure(server, scale, note)


def _build_figures(bare: LoadResult, commits: float, closed: LoadResult, steady: LoadResult) -> Iterator[Figure]:
    yield Figure("bare_endpoint", bare.per_second, "requests/s", detail="no database", faults=bare.failed)
    yield Figure("bare_group_commit", commits, "rows/s", detail="sqlite3, synchronous=FULL, 64 rows a commit")
    yield Figure(
        "ingest_single",
        closed.per_second,
        "events/s",
        bar=figure.at_least(6000),
        ceiling=min(bare.per_second, commits),
        detail=_describe(closed, _CONNECTIONS),
        faults=closed.failed,
    )
    yield from figure.build_percentiles("ingest_single_latency", closed.times_ms)
    yield from figure.build_percentiles(
        "ingest_steady_latency",
        steady.times_ms,
        p99=figure.at_most(50),
        ceiling=figure.find_percentile(bare.times_ms, 0.99),
        detail=f"{_RATE:,.0f}/s due, {_describe(steady, _CONNECTIONS)}",
        faults=steady.failed,
    )


def _measure_storeless(folder: Path, scale: Scale, count: int) -> tuple[LoadResult, float]:
    """Measure the server with all but its store: the same routes, adapters, policies and redaction.

    The second value is its processor time an event, in microseconds.
    """
    with process.run_storeless(folder / "storeless", token=_TOKEN) as server:
        with server.connect() as client:
            process.wait_until_ready(server, client)
        _warm_up(server, scale)
        busy_s = process.measure_cpu_s(server.pid)
        result = _send(server, _build_singles(server.url, "bare", count), connections=_CONNECTIONS)
        return result, (process.measure_cpu_s(server.pid) - busy_s) * 1e6 / result.answered


def _find_reader(server: RunningServer) -> int:
    """Find the process that reads beside a server; 0 if there is none."""
    with server.connect() as client:
        return int(client.get("/api/v1/status").json()["reader"]["pid"])


def _warm_up(server: RunningServer, scale: Scale) -> None:
    count = scale.repeats(_WARM_UP, least=50)
    _send(server, _build_singles(server.url, "warm-up", count), connections=_CONNECTIONS)


def _build_shares(storeless: LoadResult, storeless_us: float, closed: LoadResult) -> Iterator[Figure]:
    yield Figure(
        "storeless_endpoint",
        storeless.per_second,
        "requests/s",
        detail="the same endpoint with all but its store",
        faults=storeless.failed,
    )
    yield Figure("storeless_cpu", storeless_us, "µs", detail="its processor time an event")
    yield Figure(
        "ingest_share_of_storeless",
        closed.per_second / storeless.per_second,
        "ratio",
        bar=figure.at_least(_SHARE_MIN),
        detail="durable single events beside the same endpoint without its store",
    )


def _send_batches(server: RunningServer, scale: Scale, commits: float) -> tuple[Figure, float]:
    """Send batches and count the stored events in their answers, so that a refused item is a fault.

    The second value is the server's processor time an event, in microseconds.
    """
    size = limits.HOOK_BATCH_ITEMS_MAX
    count = scale.repeats(_BATCHES, least=4)
    headers = wire.build_headers(server.url, server.token)
    events = list(payloads.draw_tool_events(_SEEDS["batch"], count * size))
    requests = [
        payloads.build_batch_request(headers, events[first : first + size]) for first in range(0, len(events), size)
    ]
    host, port = wire.parse_address(server.url)
    plan = LoadPlan(host, port, requests, _BATCH_CONNECTIONS, 200, _SECONDS_MAX, marker=b'"stored"')
    busy_s = process.measure_cpu_s(server.pid)
    result = load.run_load(plan)
    busy_s = process.measure_cpu_s(server.pid) - busy_s
    shown = Figure(
        "ingest_batch",
        result.marked / result.seconds,
        "events/s",
        bar=figure.at_least(15_000),
        ceiling=min(commits, _measure_bare_batches(requests)),
        detail=f"{size} events a request, {_describe(result, _BATCH_CONNECTIONS)}",
        faults=len(events) - result.marked,
    )
    return shown, busy_s * 1e6 / max(1, result.marked)


def _measure_bare_batches(requests: list[bytes]) -> float:
    """Measure how many events a second the bare endpoint accepts in the same batches."""
    bare = ceiling.measure_bare_endpoint(requests, connections=_BATCH_CONNECTIONS, seconds_max=_SECONDS_MAX)
    return bare.per_second * limits.HOOK_BATCH_ITEMS_MAX


def _build_singles(url: str, purpose: str, count: int) -> list[bytes]:
    headers = wire.build_headers(url, _TOKEN)
    events: Iterator[HookEvent] = payloads.draw_tool_events(_SEEDS[purpose], count)
    return [payloads.build_hook_request(headers, event) for event in events]


def _send(server: RunningServer, requests: list[bytes], *, connections: int, rate: float = 0.0) -> LoadResult:
    host, port = wire.parse_address(server.url)
    result = load.run_load(LoadPlan(host, port, requests, connections, 202, _SECONDS_MAX, rate=rate))
    if not result.answered:
        raise RemoteRejected(f"{server.url}/hook", 0, result.first_fault)
    return result


def _describe(result: LoadResult, connections: int) -> str:
    faults = f"; {result.failed} failed: {result.first_fault[:80]}" if result.failed else ""
    return f"{result.answered:,} answers, {connections} connections, client {result.client_us:.0f} µs each{faults}"
