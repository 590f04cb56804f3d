"""The family `contradiction`: facts, hundreds of other turns, then corrections; is the fact that holds found first?"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import httpx2

from app.bench import corpus, figure, process, retrieval_capture
from app.bench.corpus import DrawnPage
from app.bench.figure import Bar, Figure
from app.bench.retrieval_sets import Conversation, Corpus, Said
from app.bench.scale import Note, Scale
from app.domain.page import PagePath
from app.domain.scope import DEFAULT_WORKSPACE, Scope

_TOKEN: Final = "mw_bench-token-of-a-server-that-lives-for-a-minute"  # noqa: S105 - of a throwaway server
_SEED: Final = 77
_NOISE: Final = 240
_SESSION_TURNS: Final = 40
_LIMIT: Final = 10
_PAGES: Final = Scope(DEFAULT_WORKSPACE, "written")
_TOLD_ON: Final = datetime(2026, 3, 2, 9, tzinfo=UTC)
_ASKED_ON: Final = datetime(2026, 4, 15, tzinfo=UTC)
_CORRECTED_ON: Final = datetime(2026, 5, 4, 9, tzinfo=UTC)

# What is asked, how it was told first, and how it was corrected; the answers are drawn.
_FACTS: Final = (
    ("Which port does the staging database listen on?", "The staging database listens on port {}.",
     "The staging database listens on port {} now."),
    ("Who owns the billing exporter?", "The billing exporter is owned by team {}.",
     "Ownership changed: the billing exporter is owned by team {}."),
    ("Which branch do releases come from?", "Releases are cut from the branch {}.",
     "We moved the process, releases are cut from the branch {}."),
    ("How long is the session timeout?", "The session timeout is {} minutes.",
     "After the audit the session timeout is {} minutes."),
    ("Which queue does the mail worker read?", "The mail worker reads the queue {}.",
     "The mail worker reads the queue {} since the migration."),
    ("What is the retry limit of the uploader?", "The uploader's retry limit is {}.",
     "The uploader's retry limit is {} from now on."),
    ("Which region hosts the backups?", "Backups are hosted in the region {}.",
     "Backups are hosted in the region {} after the move."),
    ("Which linter does the frontend use?", "The frontend uses the linter {}.",
     "The frontend uses the linter {}, the other one is gone."),
    ("Where is the feature flag file?", "The feature flag file is config/{}.toml.",
     "The feature flag file is config/{}.toml these days."),
    ("What does the health check endpoint return?", "The health check endpoint returns the word {}.",
     "The health check endpoint returns the word {} as of this week."),
)  # fmt: skip
_NOISE_FORMS: Final = (
    "The {} test for the {} failed with {} and passed when it ran again.",
    "I looked at how the {} talks to the {}, nothing to change for {}.",
    "Please rename the {} helper in the {} module to {}.",
    "The {} port of the {} is documented, see the notes on {}.",
    "A timeout in the {} made the {} retry, so I raised {}.",
    "The {} team asked who reviews the {} before the {} release.",
)
_NOISE_WORDS: Final = (
    "parser", "database", "worker", "queue", "exporter", "frontend", "uploader", "staging", "session", "branch",
    "release", "region", "backup", "linter", "endpoint", "health", "billing", "mail", "feature", "config", "cache",
    "scheduler", "gateway", "index", "logger", "migration", "invoice", "report", "webhook", "socket",
)  # fmt: skip
_SYLLABLES: Final = ("zor", "vex", "qua", "bli", "nom", "tra", "kel", "dus", "fim", "gar")


@dataclass(frozen=True, slots=True)
class _Topic:
    """A question and its two answers, the later of which holds."""

    question: str
    old: str
    new: str
    told: str
    corrected: str


def measure(scale: Scale, note: Note) -> tuple[Figure, ...]:
    """Measure corrections that only come later, and those that say what they replace."""
    topics = _draw_topics(random.Random(_SEED))[: scale.items(len(_FACTS), least=3)]
    with process.make_folder() as data_dir:
        _write_pages(data_dir, topics)
        with process.run_server(data_dir, token=_TOKEN) as server, server.connect() as client:
            process.wait_until_ready(server, client, pages=2 * len(topics))
            note("facts, other turns, corrections")
            spoken = _draw_conversations(random.Random(_SEED + 1), topics, scale.items(_NOISE, least=20))
            fed = retrieval_capture.feed_conversations(client, Corpus("facts", (), spoken))
            note("questions")
            return (
                *_ask(client, "implicit", fed.project, topics, grain="observations", bar=figure.at_least(0.8)),
                *_ask(client, "explicit", "*", topics, grain="pages", bar=figure.at_least(0.98)),
            )


def _draw_topics(rng: random.Random) -> list[_Topic]:
    topics = []
    for question, told, corrected in _FACTS:
        old, new = _draw_word(rng), _draw_word(rng)
        topics.append(_Topic(question, old, new, told.format(old), corrected.format(new)))
    return topics


def _draw_word(rng: random.Random) -> str:
    return "".join(rng.choices(_SYLLABLES, k=3))


def _draw_conversations(rng: random.Random, topics: Sequence[_Topic], noise: int) -> tuple[Conversation, ...]:
    """Draw a session of facts, sessions of other turns, and a session of corrections."""
    others = [
        Said(f"n{number}", number % 2 == 0, rng.choice(_NOISE_FORMS).format(*rng.sample(_NOISE_WORDS, 3)))
        for number in range(noise)
    ]
    between = [
        Conversation(
            f"noise{first}", _TOLD_ON + timedelta(days=1 + place), tuple(others[first : first + _SESSION_TURNS])
        )
        for place, first in enumerate(range(0, noise, _SESSION_TURNS))
    ]
    told = tuple(Said(f"old{place}", is_person=True, text=topic.told) for place, topic in enumerate(topics))
    corrected = tuple(Said(f"new{place}", is_person=True, text=topic.corrected) for place, topic in enumerate(topics))
    return (Conversation("told", _TOLD_ON, told), *between, Conversation("corrected", _CORRECTED_ON, corrected))


def _write_pages(data_dir: Path, topics: Sequence[_Topic]) -> None:
    for place, topic in enumerate(topics):
        old = PagePath(f"decisions/{place:02}-first.md")
        _write_page(data_dir, old, _TOLD_ON, topic.question, topic.told)
        new = PagePath(f"decisions/{place:02}-later.md")
        _write_page(data_dir, new, _CORRECTED_ON, topic.question, topic.corrected, supersedes=old)


def _write_page(
    data_dir: Path, path: PagePath, at: datetime, question: str, text: str, *, supersedes: str = ""
) -> None:
    title = question.rstrip("?")
    replaced = f"supersedes: {supersedes}\n" if supersedes else ""
    page = f"---\ntype: decision\ntitle: {title}\nupdated: {at.isoformat()}\n{replaced}---\n\n{text}\n"
    corpus.write_page(data_dir / "wiki", DrawnPage(_PAGES, path, page))


def _ask(
    client: httpx2.Client, name: str, project: str, topics: Sequence[_Topic], *, grain: str, bar: Bar
) -> Iterator[Figure]:
    now = [_search(client, project, topic, grain) for topic in topics]
    before = [_search(client, project, topic, grain, as_of=_ASKED_ON) for topic in topics]
    pairs = list(zip(topics, now, strict=True))
    current = [topic.new in _read(hits[:1]) for topic, hits in pairs]
    stale = [topic.old in _read(hits[:1]) for topic, hits in pairs]
    found = [topic.old in _read(hits) for topic, hits in zip(topics, before, strict=True)]
    leaked = [topic.new in _read(hits) for topic, hits in zip(topics, before, strict=True)]
    detail = f"{len(topics)} topics, asked now"
    yield Figure(f"{name} current at rank 1", sum(current) / len(current), "", bar=bar, detail=detail)
    yield Figure(f"{name} stale at rank 1", sum(stale) / len(stale), "", detail=detail)
    detail = f"asked as of {_ASKED_ON:%Y-%m-%d}; {sum(leaked)} answers knew what came later"
    yield Figure(
        f"{name} historical hit@10",
        sum(found) / len(found),
        "",
        bar=figure.at_least(0.9),
        detail=detail,
        faults=sum(leaked),
    )


def _search(
    client: httpx2.Client, project: str, topic: _Topic, grain: str, as_of: datetime | None = None
) -> list[dict[str, Any]]:
    # Sessions have a project of their own; the pages were written into the folder, so no project is known by name.
    text = f"{topic.question} project:{_PAGES.project}" if grain == "pages" else topic.question
    asked = {"q": text, "project": project, "limit": str(_LIMIT), "grain": grain}
    asked |= {"as_of": as_of.isoformat()} if as_of else {}
    hits: list[dict[str, Any]] = client.get("/api/v1/search", params=asked).raise_for_status().json()["hits"]
    return hits


def _read(hits: Sequence[dict[str, Any]]) -> str:
    return "\n".join(hit["snippet"] for hit in hits)
