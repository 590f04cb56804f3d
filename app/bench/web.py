"""The family `web`: how long a server with a project of 10,000 pages takes for each kind of page of the browser."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import Final
from urllib.parse import quote

import httpx2

from app.bench import commit, figure, linked, load, process, wire
from app.bench.corpus import Corpus, DrawnPage
from app.bench.figure import Figure
from app.bench.load import LoadPlan
from app.bench.payloads import AGENT
from app.bench.process import RunningServer
from app.bench.scale import Note, Scale
from app.domain.scope import DEFAULT_WORKSPACE, Scope

_PAGES: Final = 10_000
_REQUESTS: Final = 300
_CHANGES: Final = 60
_SEED: Final = 303
_SCOPE: Final = Scope(DEFAULT_WORKSPACE, "bench")
_SECONDS_MAX: Final = 60.0
_BAR_MS: Final = 30
_FIRST_LOOK_KIB: Final = 150
_ASSET: Final = re.compile(r'(?:src|href)="(/static/[^"]+)"')


def measure(scale: Scale, note: Note) -> tuple[Figure, ...]:
    """Measure the whole family on one wiki and a server of its own, which asks nobody who they are."""
    with process.make_folder() as folder:
        return tuple(_measure(folder, scale, note))


def _measure(folder: Path, scale: Scale, note: Note) -> Iterator[Figure]:
    size = scale.items(_PAGES, least=20)
    note(f"a wiki of {size:,} committed pages that lead to each other")
    drawn = _build_wiki(folder / "web" / "wiki", size)
    count = scale.repeats(_REQUESTS, least=5)
    with process.run_server(folder / "web") as server, server.connect() as client:
        process.wait_until_ready(server, client, pages=len(drawn))
        for name, places in _list_places(drawn, count).items():
            note(f"{len(places):,} times {name.replace('_', ' ')}")
            yield from _measure_places(server, name, places)
        note("what is wrong, after a change")
        yield from _measure_lint(client, scale)
        yield _measure_first_look(client, _find_address(drawn[0], "page"))


def _build_wiki(root: Path, size: int) -> list[DrawnPage]:
    """Write and commit one project, since what shows a whole project is what becomes dear."""
    pages = [replace(page, scope=_SCOPE) for page in Corpus(_SEED).draw_pages(size)]
    drawn = linked.link_pages(pages, _SEED)
    commit.commit_pages(root, drawn)
    return drawn


def _list_places(drawn: Sequence[DrawnPage], count: int) -> Mapping[str, list[str]]:
    """List what to ask for by kind of page; pages are asked for all over the wiki, each once."""
    chosen = [drawn[number * 7919 % len(drawn)] for number in range(count)]
    scopes = [f"/p/{page.scope.workspace}/{page.scope.project}" for page in chosen]
    queries = [quote(query) for query in Corpus(_SEED).draw_queries(count)]
    views = {f"web_{view}": [_find_address(page, view) for page in chosen] for view in ("page", "history", "blame")}
    return {
        **views,
        "web_projects": ["/"] * count,
        "web_project": [f"{scope}/" for scope in scopes],
        "web_pages": [f"{scope}/pages" for scope in scopes],
        "web_timeline": [f"{scope}/timeline" for scope in scopes],
        "web_graph": [f"{scope}/graph" for scope in scopes],
        "web_lint": [f"{scope}/lint" for scope in scopes],
        "web_search": [f"/search?q={query}" for query in queries],
        "web_sessions": ["/sessions"] * count,
        "web_handoffs": ["/handoffs"] * count,
        "web_status": ["/status"] * count,
    }


def _find_address(page: DrawnPage, view: str) -> str:
    return f"/p/{page.scope.workspace}/{page.scope.project}/{view}/{quote(page.path)}"


def _measure_places(server: RunningServer, name: str, places: Sequence[str]) -> Iterator[Figure]:
    host, port = wire.parse_address(server.url)
    headers = wire.build_headers(server.url, "")
    requests = [wire.build_request("GET", place, headers) for place in places]
    result = load.run_load(LoadPlan(host, port, requests, 1, 200, _SECONDS_MAX, marker=b"</main>"))
    yield from figure.build_percentiles(
        name,
        result.times_ms or [0.0],
        p95=figure.at_most(_BAR_MS),
        detail=f"{result.answered:,} answers, one at a time" + (f"; {result.first_fault[:80]}" * bool(result.failed)),
        faults=result.failed + max(0, result.answered - result.marked),
    )


def _measure_lint(client: httpx2.Client, scale: Scale) -> Iterator[Figure]:
    """Ask what is wrong each time that a page has changed, so that nothing known before is of use."""
    _say_once(client)
    times, faults, place = [], 0, f"/p/{_SCOPE.workspace}/{_SCOPE.project}/lint"
    for number in scale.repeat(_CHANGES, least=3):
        words = {"body": f"Change {number}, see [[notes/none-{number}]].\n"}
        asked = {"project": f"{_SCOPE.workspace}/{_SCOPE.project}"}
        written = client.put(f"/api/v1/pages/notes/changed/{number}.md", params=asked, json=words)
        begun = perf_counter()
        answer = client.get(place)
        times.append((perf_counter() - begun) * 1000)
        faults += not (written.is_success and answer.is_success)
    yield from figure.build_percentiles(
        "web_lint_after_change", times, p95=figure.at_most(_BAR_MS), detail=f"{len(times)} changes", faults=faults
    )


def _say_once(client: httpx2.Client) -> None:
    """Have something captured for the project, which is known by that and not by its pages alone."""
    checkout = {"cwd": "/bench/web", "root": "/bench/web", "marker_project": _SCOPE.project}
    words = {"session_id": "first", "cwd": checkout["cwd"], "prompt": "Begin, please."}
    headers = {"memwiki-checkout": quote(json.dumps(checkout))}
    client.post(f"/hook?agent={AGENT}&event=UserPromptSubmit", json=words, headers=headers)


def _measure_first_look(client: httpx2.Client, place: str) -> Figure:
    """Add up a page and all that a browser fetches for it the first time."""
    page = client.get(place)
    assets = sorted(set(_ASSET.findall(page.text)))
    total = len(page.content) + sum(len(client.get(asset).content) for asset in assets)
    return Figure(
        "web_first_look",
        total / 1024,
        "KiB",
        bar=figure.at_most(_FIRST_LOOK_KIB),
        detail=f"a page and {len(assets)} files",
    )
