"""The family `compile`: what the pages of real sessions tell, what they say wrongly, how long and how soon they are."""

import statistics
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from app.bench import compile_labels, compile_score, figure, process, session_end, transcripts
from app.bench.compile_labels import Fact, SessionLabels
from app.bench.figure import Figure
from app.bench.process import RunningServer
from app.bench.scale import Note, Scale
from app.bench.transcripts import Recording, TeamSession
from app.compile import digest as digests
from app.compile import session_page
from app.compile.session_page import SessionPage
from app.domain.limits import SESSION_PAGE_BYTES_MAX
from app.wiki import markdown

_TOKEN: Final = "mw_bench-token-of-a-server-that-lives-for-a-minute"  # noqa: S105 - of a throwaway server
_SIZES: Final = {200: (20, 300.0), 5000: (5, 3000.0)}
_MEDIAN_BYTES: Final = 5 * 1024
_FOLDERS: Final = (Path("..", "shared", "data"), Path("shared", "data"))
_WRITING_TOOLS: Final = frozenset({"Edit", "Write", "MultiEdit", "NotebookEdit"})
_MISSED_NAMED: Final = 5


def measure(scale: Scale, note: Note) -> tuple[Figure, ...]:
    """Measure the whole family."""
    return (*measure_pages(scale, note), *measure_times(scale, note))


def measure_pages(scale: Scale, note: Note) -> tuple[Figure, ...]:
    """Hold the pages of real sessions against what people read out of them; where the sets are not, say so."""
    places = (scale.sets_dir,) if scale.sets_dir else _FOLDERS
    folder = next((each for each in places if (each / "agent-transcripts").is_dir()), None)
    if folder is None:
        looked = ", ".join(map(str, places))
        reason = f"skipped: no folder agent-transcripts in {looked}; --data names the folder of the sets"
        return (Figure("labelled_sessions", 0, "sessions", detail=reason),)
    figures = list(_measure_facts(folder / "agent-transcripts", note))
    team = folder / "team-sessions" / "sessions.jsonl.gz"
    if team.is_file():
        figures += _measure_files(team, scale, note)
    return tuple(figures)


def measure_times(scale: Scale, note: Note) -> tuple[Figure, ...]:
    """Time from a session's end until its page is found, on a server of its own."""
    with process.make_folder() as folder, process.run_server(folder, token=_TOKEN) as server:
        return tuple(_measure_times(server, scale, note))


def build_page(recording: Recording) -> SessionPage:
    """Build a session's page as the worker does.

    Raises:
        ValueError: nobody said or did anything.
    """
    digest = digests.build_digest(recording.session, recording.observations)
    if digest is None:
        message = "nothing was said or done"
        raise ValueError(message)
    return session_page.build_session_page(recording.session, digest)


def _measure_facts(folder: Path, note: Note) -> Iterator[Figure]:
    told = statements = 0
    missing: list[Fact] = []
    wrong: list[str] = []
    sizes: list[int] = []
    for labels in compile_labels.read_labels():
        note(f"the page of {labels.file}")
        page = _build_labelled(folder, labels)
        if page is None:
            continue
        verdict = compile_score.judge_page(page.body, labels)
        told += verdict.told
        statements += verdict.statements
        missing += verdict.missing
        wrong += [f"{labels.file}: {text}" for text in verdict.wrong]
        sizes.append(len(markdown.render_page(page.fields, page.body).encode("utf-8")))
    facts = told + len(missing)
    yield Figure("labelled_sessions", len(sizes), "sessions", bar=figure.at_least(24))
    yield Figure("fact_recall", told / max(facts, 1), "", bar=figure.at_least(0.85), detail=f"{told} of {facts} facts")
    yield Figure(
        "wrong_statements",
        len(wrong) / max(statements, 1),
        "",
        bar=figure.at_most(0.02),
        detail=f"{len(wrong)} of {statements} statements{_name_some(wrong)}",
    )
    yield Figure("page_size_p50", statistics.median(sizes or [0]), "bytes", bar=figure.at_most(_MEDIAN_BYTES))
    yield Figure("page_size_max", max(sizes, default=0), "bytes", bar=figure.at_most(SESSION_PAGE_BYTES_MAX))


def _build_labelled(folder: Path, labels: SessionLabels) -> SessionPage | None:
    try:
        text = transcripts.read_text(folder, labels.file)
    except FileNotFoundError:
        return None
    # Another edition of the set may hold another text under the name.
    return build_page(transcripts.read_recording(labels.file, text)) if compile_labels.is_of(labels, text) else None


def _name_some(texts: Sequence[str]) -> str:
    return ": " + "; ".join(texts[:_MISSED_NAMED]) if texts else ""


def _measure_files(path: Path, scale: Scale, note: Note) -> Iterator[Figure]:
    """Hold the files of each page against those of the session's commits.

    Commits also hold what people and other sessions changed: only what a session's own calls name can be told.
    """
    found = listed = known = tellable = told = 0
    for number, team in enumerate(transcripts.read_team_sessions(path)):
        if number >= scale.items(10_000):
            break
        note(f"the files of session {number + 1}")
        shown = set(_list_files(team))
        committed = set(team.files)
        named = {file for file in committed if _is_named(file, team)}
        found += len(shown & committed)
        listed += len(shown)
        known += len(committed)
        tellable += len(named)
        told += len(shown & named)
    yield Figure(
        "files_precision", found / max(listed, 1), "", bar=figure.at_least(0.95), detail=f"{found} of {listed} files"
    )
    yield Figure(
        "files_recall",
        told / max(tellable, 1),
        "",
        bar=figure.at_least(0.95),
        detail=f"{told} of the {tellable} files that a session's own editing calls name",
    )
    yield Figure(
        "files_recall_of_commits",
        found / max(known, 1),
        "",
        detail=f"{found} of all {known} files of the commits, of which {known - tellable} no editing call names",
    )


def _list_files(team: TeamSession) -> tuple[str, ...]:
    digest = digests.build_digest(team.recording.session, team.recording.observations)
    return tuple(work.path for work in digest.files) if digest else ()


def _is_named(file: str, team: TeamSession) -> bool:
    return any(name in _WRITING_TOOLS and given.endswith(f"/{file}") for name, given in team.calls)


def _measure_times(server: RunningServer, scale: Scale, note: Note) -> Iterator[Figure]:
    with server.connect() as client:
        process.wait_until_ready(server, client)
        for size, (repeats, bar_ms) in _SIZES.items():
            found_ms: list[float] = []
            for number in scale.repeat(repeats, least=2):
                note(f"the end of a session of {size:,} events, {number + 1}")
                events = scale.items(size, least=20)
                found_ms.append(session_end.measure_end(server, client, size + number, events)[0])
            detail = f"{len(found_ms)} sessions of {size:,} events, from the end to the first hit"
            yield from figure.build_percentiles(
                f"page_after_{size}_events", found_ms, p95=figure.at_most(bar_ms), detail=detail
            )
