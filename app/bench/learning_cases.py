"""Questions with all their candidates, as the shipped search gathers them: once, so that learning needs no index."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from app.bench.retrieval_capture import Fed
from app.bench.retrieval_sets import Corpus
from app.domain.scope import Scope
from app.index.database import IndexDatabase
from app.search import pages
from app.search.answer import Grain, SearchRequest
from app.search.opinions import Aids
from app.search.pages import Found
from app.search.rank import Ranked

# Sets that come in two parts as they are published: one to learn on, one to report.
_LEARNED_WHOLE: Final = frozenset({"cosqa-dev"})
_HELD_OUT_WHOLE: Final = frozenset({"cosqa"})


@dataclass(frozen=True, slots=True)
class Candidate:
    """What may answer: the set's id of it, the number of its page, and what ranking knows of it."""

    name: str
    page: int
    authority: float
    signs: dict[str, float]
    ranks: dict[str, int]


@dataclass(frozen=True, slots=True)
class Case:
    """One question's candidates, pages and what was said; `is_learned_on` tells which half of its set it is in."""

    set_name: str
    grain: str
    is_learned_on: bool
    gold: frozenset[str]
    tags: tuple[str, ...]
    pages: tuple[Candidate, ...]
    heard: tuple[Candidate, ...]


def is_learned_on(set_name: str, corpus: str, question_id: str) -> bool:
    """Tell which half of its set a question is in, by a hash, so that it is the same on any machine and day."""
    if set_name in _LEARNED_WHOLE | _HELD_OUT_WHOLE:
        return set_name in _LEARNED_WHOLE
    return hashlib.sha256(f"{set_name}:{corpus}:{question_id}".encode()).digest()[0] % 2 == 0


def gather_cases(set_name: str, corpus: Corpus, fed: Fed, index: IndexDatabase, aids: Aids) -> Iterator[Case]:
    """Ask every question of a corpus that was taken in, at both grains where the gold are turns."""
    sessions = {turn.id: found.id for found in corpus.conversations for turn in found.turns}
    has_turn_gold = any(question.gold & sessions.keys() for question in corpus.questions)
    for question in corpus.questions:
        for grain in (Grain.PAGES, Grain.OBSERVATIONS) if has_turn_gold else (Grain.PAGES,):
            is_heard = grain is Grain.OBSERVATIONS
            found = _ask(index, aids, fed, question.text, grain)
            yield Case(
                set_name,
                str(grain),
                is_learned_on(set_name, corpus.name, question.id),
                question.gold if is_heard else frozenset(sessions.get(each, each) for each in question.gold),
                tuple(tag for tag in question.tags if tag),
                tuple(_take_down(each, _name_page(each, fed, corpus)) for each in found.pages),
                tuple(_take_down(each, fed.turns.get(each.row.key, str(each.row.key))) for each in found.heard),
            )


def write_cases(path: Path, cases: Sequence[Case]) -> None:
    """Keep cases for the next time."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(msgspec.json.encode(cases))


def read_cases(path: Path) -> list[Case]:
    """Read what was kept."""
    return msgspec.json.decode(path.read_bytes(), type=list[Case])


def _ask(index: IndexDatabase, aids: Aids, fed: Fed, text: str, grain: Grain) -> Found:
    scopes = None if fed.project == "*" else frozenset({Scope(*fed.project.split("/"))})
    asked = pages.parse_question(SearchRequest(text, scopes=scopes, grain=grain, with_why=True))
    return index.read_counted(lambda connection, known: pages.find(connection, known, asked, aids, is_bounded=False))


def _name_page(found: Ranked, fed: Fed, corpus: Corpus) -> str:
    page = found.row.page
    named: Mapping[str, str] = fed.paths if corpus.texts else fed.sessions
    return named.get(page.path if corpus.texts else page.session_id, str(page.path))


def _take_down(found: Ranked, name: str) -> Candidate:
    signs = {sign: round(value, 6) for sign, value in found.why.features if value}
    return Candidate(name, found.row.page.row_id, found.why.authority, signs, dict(found.why.stream_ranks))
