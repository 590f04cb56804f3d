"""The family `search`: how fast a wiki of 10,000 pages answers, is indexed anew and is ready after a start."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import perf_counter, sleep
from typing import Final
from urllib.parse import quote

import httpx2

from app.bench import ceiling, commit, figure, hybrid, load, process, retrieval_capture, wire
from app.bench.corpus import Corpus
from app.bench.figure import Figure
from app.bench.load import LoadPlan, LoadResult
from app.bench.process import RunningServer
from app.bench.retrieval_sets import Conversation, Said
from app.bench.retrieval_sets import Corpus as Spoken
from app.bench.scale import Note, Scale
from app.domain.errors import RemoteRejected
from app.index.database import IndexDatabase
from app.search import pages
from app.search.answer import SearchRequest

_TOKEN: Final = "mw_bench-token-of-a-server-that-lives-for-a-minute"  # noqa: S105 - of a throwaway server
_PAGES: Final = 10_000
_QUERIES: Final = 4_000
_BARE_QUERIES: Final = 400
_LIMIT: Final = 10
_SESSIONS: Final = 100
_TURNS: Final = 60
_MANY_CONNECTIONS: Final = 8
_STARTS: Final = 10
_SEED: Final = 4242
_SECONDS_MAX: Final = 60.0
_POLL_S: Final = 0.01
# So long an index has to be called ready before it is believed.
_SETTLED_S: Final = 1.0


def measure(scale: Scale, note: Note) -> tuple[Figure, ...]:
    """Measure the whole family on one wiki and a server of its own."""
    with process.make_folder() as folder:
        return tuple(_measure(folder, scale, note))


def _measure(folder: Path, scale: Scale, note: Note) -> Iterator[Figure]:
    data_dir, size = folder / "search", scale.items(_PAGES, least=20)
    note(f"a wiki of {size:,} committed pages")
    drawn = commit.build_committed_wiki(data_dir / "wiki", size)[1]
    queries = Corpus(_SEED).draw_queries(scale.repeats(_QUERIES, least=20))
    note("bare FTS5 over the same pages")
    built_s, bare_ms = ceiling.measure_bare_search(folder, [page.text for page in drawn], queries[:_BARE_QUERIES])
    yield from figure.build_percentiles("bare_fts5", bare_ms, detail="unicode61, words joined by OR, ten best by BM25")
    # What goes by words alone is measured without a model at work beside it, also where one is installed.
    with process.run_server(data_dir, token=_TOKEN, settings=hybrid.OFF) as server, server.connect() as client:
        note(f"the index of {size:,} pages, built from nothing")
        yield _measure_rebuild(server, client, size, built_s)
        yield from _measure_http(server, queries, figure.find_percentile(bare_ms, 0.95), note)
        yield Figure("memory_with_pages", process.measure_memory_mib(server.pid), "MiB", bar=figure.at_most(220))
    yield from hybrid.measure(data_dir, _TOKEN, queries, _ask, note)
    with process.run_server(data_dir, token=_TOKEN, settings=hybrid.OFF) as server, server.connect() as client:
        process.wait_until_ready(server, client, pages=size)
        yield from _measure_beside_sessions(server, client, queries, scale, note)
    note("the same queries without HTTP")
    in_process_ms = _measure_in_process(data_dir / "index", queries)
    yield from figure.build_percentiles("search_in_process", in_process_ms, detail="the search function alone")
    yield from _measure_starts(data_dir, size, scale, note)


def _measure_rebuild(server: RunningServer, client: httpx2.Client, size: int, built_s: float) -> Figure:
    """Watch a server that has just begun to answer without an index, until it has every page for good."""
    begun = perf_counter()
    seen, retracted, ready_at, pages_indexed = 0, 0, 0.0, 0
    while not ready_at or perf_counter() - ready_at < _SETTLED_S:
        index = client.get("/readyz").json()["index"]
        if index["state"] == "ready" and index["pages"] >= size:
            ready_at, pages_indexed = ready_at or perf_counter(), int(index["pages"])
        else:
            retracted += bool(ready_at or index["state"] == "ready")
            seen, ready_at = seen + 1, 0.0
        if perf_counter() - begun > _SECONDS_MAX * 2:
            raise RemoteRejected(server.url, 0, "the index was not rebuilt in time")
        sleep(_POLL_S)
    return Figure(
        "index_rebuild",
        ready_at - begun,
        "s",
        bar=figure.at_most(30),
        ceiling=built_s,
        detail=f"{pages_indexed:,} pages, progress seen {seen} times, called ready too early {retracted} times; "
        "the ceiling is bare FTS5 without reading files",
        faults=retracted,
    )


def _measure_http(server: RunningServer, queries: Sequence[str], floor_ms: float, note: Note) -> Iterator[Figure]:
    """Ask over HTTP: one query at a time for the time it takes, then several at a time for how many there can be."""
    requests = [_build_request(server, query) for query in queries]
    note(f"{len(queries):,} searches, one at a time")
    _send(server, requests[: len(requests) // 4 + 1], connections=1)
    single = _send(server, requests, connections=1)
    yield from figure.build_percentiles(
        "search_lexical",
        single.times_ms,
        p95=figure.at_most(10),
        ceiling=floor_ms,
        detail=f"over HTTP, {_describe(single)}; the ceiling is bare FTS5's p95 without HTTP",
        faults=single.failed + max(0, single.answered - single.marked),
    )
    note(f"searches, {_MANY_CONNECTIONS} at a time")
    many = _send(server, requests, connections=_MANY_CONNECTIONS)
    detail = f"{_MANY_CONNECTIONS} connections, {_describe(many)}"
    yield Figure("search_throughput", many.per_second, "searches/s", detail=detail, faults=many.failed)


def _measure_beside_sessions(
    server: RunningServer, client: httpx2.Client, queries: Sequence[str], scale: Scale, note: Note
) -> Iterator[Figure]:
    """Ask the same once sessions were captured, whose words are looked through as well."""
    spoken = _draw_sessions(scale.repeats(_SESSIONS, least=2))
    note(f"{len(spoken)} sessions of {_TURNS} turns come in")
    retrieval_capture.feed_conversations(client, Spoken("sessions", (), spoken))
    note(f"{len(queries):,} searches, one at a time")
    single = _send(server, [_build_request(server, query) for query in queries], connections=1)
    yield from figure.build_percentiles(
        "search_beside_sessions",
        single.times_ms,
        detail=f"over HTTP, {len(spoken) * _TURNS:,} observations beside the pages, {_describe(single)}",
        faults=single.failed,
    )


def _draw_sessions(count: int) -> tuple[Conversation, ...]:
    corpus = Corpus(_SEED + 1)
    begun_at = datetime(2026, 1, 1, tzinfo=UTC)
    return tuple(
        Conversation(
            f"s{number}",
            begun_at + timedelta(hours=number),
            tuple(
                Said(f"{number}-{place}", place % 2 == 0, text) for place, text in enumerate(corpus.draw_turns(_TURNS))
            ),
        )
        for number in range(count)
    )


def _measure_in_process(folder: Path, queries: Sequence[str]) -> list[float]:
    index = IndexDatabase(folder)
    index.open()
    times = []
    try:
        for query in queries:
            begun = perf_counter()
            pages.search(index, SearchRequest(query, limit=_LIMIT))
            times.append((perf_counter() - begun) * 1000)
    finally:
        index.close()
    return times


def _measure_starts(data_dir: Path, size: int, scale: Scale, note: Note) -> Iterator[Figure]:
    floor_s = min(ceiling.measure_imports_s() for _ in range(scale.repeats(5, least=1)))
    times: list[float] = []
    for number in scale.repeat(_STARTS, least=2):
        note(f"start to ready, {number + 1} of {scale.repeats(_STARTS, least=2)}")
        with process.run_server(data_dir, token=_TOKEN, settings=hybrid.OFF) as server, server.connect() as client:
            times.append(process.wait_until_ready(server, client, pages=size))
    yield Figure(
        "start_to_ready",
        max(times),
        "s",
        bar=figure.at_most(2.5),
        ceiling=floor_s,
        detail=f"slowest of {len(times)}, p50 {figure.find_percentile(times, 0.5):.2f} s; the ceiling is the imports",
    )


def _ask(server: RunningServer, queries: Sequence[str]) -> LoadResult:
    return _send(server, [_build_request(server, query) for query in queries], connections=1)


def _build_request(server: RunningServer, query: str) -> bytes:
    target = f"/api/v1/search?q={quote(query)}&project=*&limit={_LIMIT}"
    return wire.build_request("GET", target, wire.build_headers(server.url, server.token))


def _send(server: RunningServer, requests: list[bytes], *, connections: int) -> LoadResult:
    """Send searches; each hit shows a snippet, and every query has at least one page that holds its words."""
    host, port = wire.parse_address(server.url)
    result = load.run_load(LoadPlan(host, port, requests, connections, 200, _SECONDS_MAX, marker=b'"snippet"'))
    if not result.answered:
        raise RemoteRejected(f"{server.url}/api/v1/search", 0, result.first_fault)
    return result


def _describe(result: LoadResult) -> str:
    faults = f"; {result.failed} failed: {result.first_fault[:80]}" if result.failed else ""
    return f"{result.answered:,} answers with {result.marked:,} hits{faults}"
