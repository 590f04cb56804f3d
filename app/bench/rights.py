"""The family `rights`: what it costs to show a person only what may be read, and whether a refusal can be timed.

A search that looks at every page is held against one that looks at nine of ten projects, in turns and in processor
time, since what others do on the machine is no part of it. Then a member of a team asks a server for projects that are
kept from it and for projects that are not there, in no order; that the times of both come from one distribution is
tested by ranks (Mann and Whitney).
"""

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from time import perf_counter, thread_time
from typing import Final

import httpx2

from app.access import grants
from app.bench import figure, process
from app.bench.corpus import Corpus, DrawnPage
from app.bench.figure import Figure
from app.bench.process import RunningServer
from app.bench.scale import Note, Scale
from app.domain.errors import RemoteRejected
from app.domain.page import ContentHash
from app.domain.person import Access, Rights
from app.domain.scope import DEFAULT_WORKSPACE, Scope
from app.index import build, document
from app.index.database import IndexDatabase
from app.index.document import Document, Stamp
from app.search import pages
from app.search.answer import SearchRequest
from app.wiki import markdown

_TOKEN: Final = "mw_bench-token-of-a-server-that-lives-for-a-minute"  # noqa: S105 - of a throwaway server
_SEED: Final = 512
_PAGES: Final = 100_000
_PROJECTS: Final = 500
_PEOPLE: Final = 200
_QUERIES: Final = 1_000
_SAMPLES: Final = 2_000
_CHARS_PER_PAGE: Final = 600
_PAGES_PER_WRITE: Final = 500
_FILTER_BAR_MS: Final = 2.0
# So rarely would two series of one distribution differ as much by chance.
_CHANCE_MIN: Final = 0.001


@dataclass(frozen=True, slots=True)
class Timed:
    """How long answers took, in microseconds, for what is kept from the caller and for what is not there."""

    hidden: list[float]
    absent: list[float]
    unlike: int


def measure(scale: Scale, note: Note) -> tuple[Figure, ...]:
    """Measure the whole family."""
    with process.make_folder() as folder:
        return (*_measure_filter(folder, scale, note), *_measure_timing(folder, scale, note))


def find_share(scale: Scale) -> float:
    """Tell which part of the full team and wiki a run makes; a short one has to end in time."""
    return 1.0 if scale.effort >= 1 else scale.effort / 3


def find_chance(first: Sequence[float], second: Sequence[float]) -> float:
    """Tell how likely two series of one distribution differ at least as much in rank; 1 for no difference at all."""
    ordered = sorted([(value, 0) for value in first] + [(value, 1) for value in second])
    ranks, at = 0.0, 0
    while at < len(ordered):
        end = at
        while end < len(ordered) and ordered[end][0] == ordered[at][0]:
            end += 1
        # Values that are equal share the ranks that they take together.
        ranks += sum(1 for _, which in ordered[at:end] if which == 0) * (at + 1 + end) / 2
        at = end
    count, others = len(first), len(second)
    expected = count * (count + others + 1) / 2
    spread = math.sqrt(count * others * (count + others + 1) / 12)
    return math.erfc(abs(ranks - expected) / spread / math.sqrt(2))


def _measure_filter(folder: Path, scale: Scale, note: Note) -> Iterator[Figure]:
    share = find_share(scale)
    size, projects = scale.items(round(_PAGES * share), least=40), scale.items(round(_PROJECTS * share), least=10)
    note(f"an index of {size:,} pages in {projects} projects")
    scopes = [Scope(DEFAULT_WORKSPACE, f"project{number}") for number in range(projects)]
    index = IndexDatabase(folder / "index")
    index.open()
    try:
        _fill(index, scopes, size)
        known = [(str(number), scope) for number, scope in enumerate(scopes)]
        rights = _build_rights(projects)
        queries = Corpus(_SEED).draw_queries(scale.repeats(_QUERIES, least=10))
        note(f"{len(queries):,} searches, each with and without the filter")
        everything, filtered, deciding = _search(index, queries, rights, known)
    finally:
        index.close()
    floor, seen = figure.find_percentile(everything, 0.95), figure.find_percentile(filtered, 0.95)
    detail = f"{size:,} pages, {projects} projects of which every tenth is hidden"
    yield from figure.build_percentiles("search_of_all", everything, detail=detail)
    yield from figure.build_percentiles("search_of_what_may_be_read", filtered, ceiling=floor, detail=detail)
    yield from figure.build_percentiles("decide_what_may_be_read", deciding, detail=f"for {projects} projects")
    added = f"p95 with the filter less p95 without; {detail}"
    yield Figure("rights_add_p95", max(0.0, seen - floor), "ms", bar=figure.at_most(_FILTER_BAR_MS), detail=added)


def _fill(index: IndexDatabase, scopes: Sequence[Scope], size: int) -> None:
    drawn = enumerate(Corpus(_SEED).draw_pages(size))
    while some := list(islice(drawn, _PAGES_PER_WRITE)):
        documents = [_build_document(scopes[number % len(scopes)], page) for number, page in some]
        index.write(lambda connection, documents=documents: build.put_documents(connection, documents))  # type: ignore[misc]


def _build_document(scope: Scope, drawn: DrawnPage) -> Document:
    """Take the head of a drawn page: how many pages there are is what matters here."""
    raw = drawn.text[:_CHARS_PER_PAGE].encode()
    page = replace(markdown.parse_page(scope, drawn.path, raw), scope=scope)
    return document.build_document(page, Stamp(0, len(raw), ContentHash(page.content_hash)))


def _build_rights(projects: int) -> Rights:
    """Give a member what members have: open projects, every tenth restricted, and a grant in one of those."""
    restricted = frozenset(str(number) for number in range(0, projects, 10))
    return Rights(restricted=restricted, granted={"0": Access.READ})


def _search(
    index: IndexDatabase, queries: Sequence[str], rights: Rights, known: Sequence[tuple[str, Scope]]
) -> tuple[list[float], list[float], list[float]]:
    everything: list[float] = []
    filtered: list[float] = []
    deciding: list[float] = []
    for number, query in enumerate(queries):
        begun = thread_time()
        sight = grants.build_sight(rights, known)
        deciding.append((thread_time() - begun) * 1000)
        asked = [(everything, SearchRequest(query)), (filtered, SearchRequest(query, scopes=sight.scopes))]
        # Whichever comes second finds the pages of the file in memory, so they take turns.
        for times, request in asked if number % 2 else asked[::-1]:
            begun = thread_time()
            pages.search(index, request)
            times.append((thread_time() - begun) * 1000)
    return everything, filtered, deciding


def _measure_timing(folder: Path, scale: Scale, note: Note) -> Iterator[Figure]:
    share = find_share(scale)
    people = max(2, round(_PEOPLE * share * scale.size))
    names = [f"kept-{number:04}" for number in range(max(5, round(_PROJECTS * share * scale.size / 10)))]
    with process.run_server(folder / "team", token=_TOKEN) as server, server.connect() as admin:
        note(f"a team of {people} and {len(names)} restricted projects")
        token = _let_in(server, admin, people, names)
        samples = max(20, round(_SAMPLES * min(1.0, 1.5 * scale.effort)))
        note(f"{samples:,} requests for hidden projects and as many for absent ones")
        timed = _time(server, token, names, samples)
    middle = figure.find_percentile(timed.hidden, 0.5) - figure.find_percentile(timed.absent, 0.5)
    chance = find_chance(timed.hidden, timed.absent)
    detail = f"by ranks of {samples:,} answers each, in no order; {timed.unlike} differed in more than their names"
    yield Figure("hidden_less_absent_p50", middle, "us", detail="p50 of hidden less p50 of absent")
    yield Figure(
        "hidden_like_absent", chance, "chance", bar=figure.at_least(_CHANCE_MIN), detail=detail, faults=timed.unlike
    )


def _let_in(server: RunningServer, admin: httpx2.Client, people: int, names: Sequence[str]) -> str:
    """Make projects, restrict them, and make people; gives the token of one who may read none of them."""

    def post(path: str, body: object, **query: str) -> httpx2.Response:
        answer = admin.post(path, json=body, params=query)
        if not answer.is_success:
            raise RemoteRejected(f"{server.url}{path}", answer.status_code, answer.text)
        return answer

    for name in names:
        event = {"session_id": name, "hook_event_name": "UserPromptSubmit", "prompt": "Look.", "cwd": f"/bench/{name}"}
        post("/hook", event, agent="claude-code", event="UserPromptSubmit")
    for name in names:
        post("/api/v1/projects/restrict", {}, project=name)
    post("/api/v1/people", {"name": "admin-0", "role": "admin"})
    for number in range(people - 1):
        token = post("/api/v1/people", {"name": f"member-{number}", "with_token": number == 0})
        if number == 0:
            first = str(token.json()["token"])
    return first


def _time(server: RunningServer, token: str, names: Sequence[str], samples: int) -> Timed:
    rng = random.Random(_SEED)
    order = [True, False] * samples
    rng.shuffle(order)
    timed = Timed([], [], 0)
    unlike = set()
    with httpx2.Client(
        base_url=server.url, headers={"Authorization": f"Bearer {token}"}, timeout=60.0, trust_env=False
    ) as member:
        for number, is_hidden in enumerate(order):
            # As long as the names of those that are kept, so that nothing but their being there differs.
            name = rng.choice(names) if is_hidden else f"none-{number % 10_000:04}"
            begun = perf_counter()
            answer = member.get("/api/v1/recent", params={"project": name})
            (timed.hidden if is_hidden else timed.absent).append((perf_counter() - begun) * 1e6)
            told = answer.json()
            unlike.add((answer.status_code, told["code"], told["detail"].replace(name, ""), len(answer.content)))
    return replace(timed, unlike=len(unlike) - 1)
